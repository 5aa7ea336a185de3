/**
 * What a sample can be found by, as flat terms that any index can hold: words, and short hashes of names and values.
 * The same functions make the terms of samples and of queries. Changing them calls for a rebuilt index.
 */

import { foldType } from './curation-rules.js';
import { folded } from './filter-parts.js';
import type { Characteristic, Relationship, SampleContent, TextRecord } from './sample.js';
import { addFacet, type CharacteristicFacets, characteristicOf, type SampleFacets } from './sample-facets.js';

/** Longer words are cut, in samples and queries alike. */
const WORD_LENGTH = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Part of nearly every sample. */
const DULL = new Set(['http', 'https', 'www']);

/** Words without case and accents, each with the letter `w` before it. */
export function wordTerms(text: string, into: Set<string> = new Set()): Set<string> {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  for (const [word] of plain.matchAll(WORDS)) {
    if (!DULL.has(word)) into.add(`w${word.slice(0, WORD_LENGTH)}`);
  }
  return into;
}

/** Whether a text holds anything that can be searched by. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text.normalize('NFKD'));

/** A sample with this name, compared without case. */
export const nameTerm = (name: string): string => `m${hash(folded(name))}`;
/** A sample that has this characteristic. */
export const attributeTerm = (name: string): string => `a${hash(folded(name))}`;
/** A sample that has this value under this characteristic. */
export const valueTerm = (name: string, value: string): string => `v${hash(`${folded(name)}\0${folded(value)}`)}`;
/** The number in a term of a characteristic or of a value of one. */
export const codeOf = (term: string): number => Number.parseInt(term.slice(1), 36);
/** A sample with a relationship of this type. */
export const relationshipTerm = (type: string): string => `r${hash(foldType(type))}`;
/** A sample with a relationship of this type to or from this accession. */
export const relatedTerm = (type: string, accession: string): string => `t${hash(`${foldType(type)}\0${accession}`)}`;

/** A sample that says of this accession, and not of itself, that it is the source of a relationship of this type with it. */
export const sourceTerm = (type: string, accession: string): string => `u${hash(`${foldType(type)}\0${accession}`)}`;

/** Everything that a sample is found by. `content` is its curated one; `facets` takes what it is counted by. */
export function searchTerms(
  name: string,
  accession: string,
  content: SampleContent,
  facets?: SampleFacets | undefined,
): string[] {
  const terms = new Set<string>([nameTerm(name)]);
  wordTerms(name, terms);
  wordTerms(accession, terms);
  for (const [attribute, entries] of Object.entries(content.characteristics)) {
    addAttribute(attribute, entries, terms, facets);
  }
  for (const relationship of content.relationships) addRelationship(relationship, accession, terms);
  for (const { url } of content.externalReferences) wordTerms(url, terms);
  for (const list of [content.contact, content.organization, content.publications]) addRecords(list, terms);
  return [...terms];
}

function addAttribute(
  name: string,
  entries: readonly Characteristic[],
  terms: Set<string>,
  facets: SampleFacets | undefined,
): void {
  const key = folded(name);
  const code = hashNumber(key);
  terms.add(`a${code.toString(36)}`);
  wordTerms(name, terms);
  // A name of blanks cannot be asked for.
  const into = facets === undefined || key === '' ? undefined : characteristicOf(facets, code, name);
  const before = `${key}\0`;
  for (const { text, unit, ontologyTerms } of entries) {
    if (text) addValue(before, text, true, terms, facets, into);
    if (ontologyTerms) for (const term of ontologyTerms) if (term) addValue(before, term, false, terms, facets, into);
    if (unit) wordTerms(unit, terms);
  }
}

function addValue(
  before: string,
  value: string,
  said: boolean,
  terms: Set<string>,
  facets: SampleFacets | undefined,
  into: CharacteristicFacets | undefined,
): void {
  wordTerms(value, terms);
  const plain = folded(value);
  const code = hashNumber(before + plain);
  terms.add(`v${code.toString(36)}`);
  // Nor can a value of blanks.
  if (facets && into && plain !== '') addFacet(facets, into, code, value, said ? plain : undefined);
}

function addRelationship({ source, type, target }: Relationship, accession: string, terms: Set<string>): void {
  terms.add(relationshipTerm(type));
  for (const one of [source ?? accession, target]) {
    wordTerms(one, terms);
    if (one !== accession) terms.add(relatedTerm(type, one));
  }
  if (source && source !== accession && target === accession) terms.add(sourceTerm(type, source));
}

function addRecords(records: readonly TextRecord[], terms: Set<string>): void {
  for (const record of records) for (const value of Object.values(record)) wordTerms(value, terms);
}

/** Short, and equal for equal terms alone, but for chance: 106 bits. */
export const termsDigest = (terms: string): string => hash(terms) + hash(`\0${terms}`);

/**
 * 53 bits in base 36 (the mixing of MurmurHash3 on two lanes): five times faster than SHA-1 from node:crypto, and a
 * collision costs a wrong hit, not a wrong sample.
 */
const hash = (text: string): string => hashNumber(text).toString(36);

function hashNumber(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
