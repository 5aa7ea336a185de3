/** An accession is the registry's prefix and a number: unique, never reused, not promised gapless. */

/** Largest number an accession may carry; beyond it a JavaScript number is no longer exact. */
const MAX_ID = Number.MAX_SAFE_INTEGER;
const MAX_DIGITS = 16;

export function formatAccession(prefix: string, id: number): string {
  return prefix + id;
}

/** The number in an accession of ours, or undefined for any other text. Leading zeros are not ours: one sample, one spelling. */
export function parseAccession(prefix: string, text: string): number | undefined {
  const begin = prefix.length;
  if (text.length === begin || text.length > begin + MAX_DIGITS || !text.startsWith(prefix)) return undefined;
  let id = 0;
  for (let at = begin; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9 || (digit === 0 && at === begin)) return undefined;
    id = id * 10 + digit;
  }
  return id <= MAX_ID ? id : undefined;
}

/** As accessions are written: in capital letters, without blanks and characters that do not show. Undefined for a text that is too long for one. */
export const plainAccession = (text: string): string | undefined =>
  text.length > 100
    ? undefined
    : text
        .normalize('NFKC')
        .replace(/[\s\p{Cf}_-]/gu, '')
        .toUpperCase();

/** The accession that a text is but for the case of its letters, blanks and characters that do not show; undefined when it is one, or none. */
export function nearAccession(prefix: string, text: string): string | undefined {
  const plain = plainAccession(text);
  if (!plain?.startsWith(prefix.toUpperCase())) return undefined;
  const accession = prefix + plain.slice(prefix.length);
  return accession !== text && parseAccession(prefix, accession) !== undefined ? accession : undefined;
}
