/** What a text that should be an ontology term is. */

/** `http://purl.obolibrary.org/obo/UBERON_0002107` → `UBERON:0002107`; undefined for anything that is no such term. */
export function curieOf(term: string): string | undefined {
  const found = /(?:^|[/#])([A-Za-z][A-Za-z0-9]*)[_:]([A-Za-z0-9]+)$/.exec(term.trim());
  return found ? `${found[1]}:${found[2]}` : undefined;
}

/** Name of the ontology, '' where the term does not say it. */
export const sourceOfTerm = (term: string): string => curieOf(term)?.split(':', 1)[0] ?? '';

const PART = "(?:[A-Za-z0-9._~:@/?!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*";
const URI = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*:(?://[A-Za-z0-9.-]+(?::\\d+)?(?=[/?#]|$)|(?!//))${PART}(?:#${PART})?$`,
);

/** An address with a scheme (RFC 3986), or a term such as `EFO:0000311`, which has the form of one. */
export const isUri = (text: string): boolean => URI.test(text);
