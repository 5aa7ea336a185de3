/** Samples by their numbers, and by the last word of their accessions, which no other sample has. */
import { parseAccession } from '../accession.js';
import { codeOf } from './term-keys.js';

/** The sample of this number, in an index that keeps no word for each accession. */
export const numberTerm = (id: number): string => `i${id.toString(36)}`;
/** The number in such a term; undefined for others. */
export const termNumber = (term: string): number | undefined => (term.startsWith('i') ? codeOf(term) : undefined);

/** Where the last word of accessions begins, which holds the number: an underscore in the prefix parts words. */
export const lastWordAt = (prefix: string): number => prefix.lastIndexOf('_') + 1;

/** The number of the sample whose accession has this term as its last word. */
export function numberOfWord(prefix: string, term: string): number | undefined {
  const last = prefix.slice(lastWordAt(prefix)).toLowerCase();
  return term.startsWith(`w${last}`) ? parseAccession('', term.slice(1 + last.length)) : undefined;
}
