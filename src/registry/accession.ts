/** An accession is the registry's prefix and a number: unique, never reused, not promised gapless. */

/** Largest number an accession may carry; beyond it a JavaScript number is no longer exact. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

export function formatAccession(prefix: string, id: number): string {
  return prefix + id;
}

/** The number in an accession of ours, or undefined for any other text. Leading zeros are not ours: one sample, one spelling. */
export function parseAccession(prefix: string, text: string): number | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const digits = text.slice(prefix.length);
  if (!/^[1-9]\d{0,15}$/.test(digits)) return undefined;
  const id = Number(digits);
  return id <= MAX_ID ? id : undefined;
}
