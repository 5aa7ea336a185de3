/**
 * Over 250 lines: one rule, for samples and for queries.
 * What a sample can be found by, as flat terms that any index can hold: words, and short hashes of names and values.
 * The same functions make the terms of samples and of queries. Changing them calls for a rebuilt index.
 */

import { foldType } from './curation-rules.js';
import { folded } from './filter-parts.js';
import type { Characteristic, Relationship, SampleContent, TextRecord } from './sample.js';
import {
  addFacet,
  addShared,
  type CharacteristicFacets,
  characteristicOf,
  type SampleFacets,
  sharedCharacteristic,
} from './sample-facets.js';

/** Longer words are cut, in samples and queries alike. */
const WORD_LENGTH = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Texts in which a word is letters and digits without accents, found in three quarters of the time. */
const PLAIN = /^[ -~]*$/;
const PLAIN_WORDS = /[a-z0-9]+/g;
/** Part of nearly every sample. */
const DULL = new Set(['http', 'https', 'www']);

/** Words without case and accents, each with the letter `w` before it. */
export const wordTerms = (text: string): Set<string> => new Set(termsOfWords(text));

function termsOfWords(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text) ?? []) if (!DULL.has(word)) terms.push(`w${word.slice(0, WORD_LENGTH)}`);
  return terms;
}

function wordsOf(text: string): string[] | null {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORDS);
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(WORDS);
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

/** Terms that a sample has together, as the texts that they are in queries or as the keys of postings: each is made when it is first asked for. */
export class Terms {
  #texts: readonly string[] | undefined;
  #keys: readonly number[] | undefined;

  /** `words` with their letter, and the letter and the number of a term of another kind. */
  constructor(
    private readonly words: readonly string[],
    private readonly kind?: string,
    private readonly code = 0,
  ) {}

  get texts(): readonly string[] {
    this.#texts ??= this.kind === undefined ? this.words : [this.kind + this.code.toString(36), ...this.words];
    return this.#texts;
  }

  /** As `termKey` makes them. */
  get keys(): readonly number[] {
    if (this.#keys !== undefined) return this.#keys;
    const keys: number[] = [];
    if (this.kind !== undefined) keys.push(keyOf(this.kind.charCodeAt(0), this.code));
    for (const word of this.words) keys.push(keyOf(WORD, hashNumber(word)));
    this.#keys = keys;
    return keys;
  }
}

const WORD = 'w'.charCodeAt(0);

/** A term as a number below 2 ** 48, spread evenly: another one has the same by chance alone, which costs a wrong hit. */
export const termKey = (term: string): number => {
  const kind = term.charCodeAt(0);
  return keyOf(kind, kind === WORD ? hashNumber(term) : codeOf(term));
};

/** Each kind has keys of its own: a sample and a characteristic of one name have one code. */
const keyOf = (kind: number, code: number): number =>
  ((code ^ Math.imul(kind, 0x9e3779b1)) >>> 0) * 65_536 + (Math.floor(code / 4294967296) & 0xffff);

/** Everything that a sample is found by. `content` is its curated one; `facets` takes what it is counted by. */
export function termsOf(
  name: string,
  accession: string,
  content: SampleContent,
  facets?: SampleFacets | undefined,
): Terms[] {
  const terms = [new Terms(termsOfWords(name), 'm', hashNumber(folded(name))), new Terms(termsOfWords(accession))];
  for (const [attribute, entries] of Object.entries(content.characteristics)) {
    addAttribute(attribute, entries, terms, facets);
  }
  for (const relationship of content.relationships) terms.push(...termsOfRelationship(relationship, accession));
  for (const { url } of content.externalReferences) terms.push(new Terms(termsOfWords(url)));
  for (const list of [content.contact, content.organization, content.publications]) addRecords(list, terms);
  return terms;
}

/** The texts of these terms, each once. */
export function textsOf(terms: readonly Terms[]): string[] {
  const texts = new Set<string>();
  for (const some of terms) for (const text of some.texts) texts.add(text);
  return [...texts];
}

function addAttribute(
  name: string,
  entries: readonly Characteristic[],
  terms: Terms[],
  facets: SampleFacets | undefined,
): void {
  const attribute = termsOfAttribute(name);
  terms.push(attribute.terms);
  // A name of blanks cannot be asked for.
  const counted = facets !== undefined && attribute.key !== '';
  const [only] = entries;
  if (counted && only && entries.length === 1 && addOnly(attribute, name, only, terms, facets)) return;
  const into = counted ? characteristicOf(facets, attribute.code, name) : undefined;
  for (const { text, unit, ontologyTerms } of entries) {
    if (text) addValue(attribute, text, true, terms, facets, into);
    if (ontologyTerms)
      for (const term of ontologyTerms) if (term) addValue(attribute, term, false, terms, facets, into);
    if (unit) terms.push(termsOfUnit(unit));
  }
}

/** A characteristic that one text says, as most are; false where the rules of `addValue` are needed. */
function addOnly(
  attribute: AttributeTerms,
  name: string,
  { text, unit, ontologyTerms }: Characteristic,
  terms: Terms[],
  facets: SampleFacets,
): boolean {
  if (!text || ontologyTerms) return false;
  const value = termsOfValue(attribute, text);
  if (value.plain === '') return false;
  value.only ??= sharedCharacteristic(name, value.code, text, value.plain);
  if (!addShared(facets, attribute.code, value.only)) return false;
  terms.push(value.terms);
  if (unit) terms.push(termsOfUnit(unit));
  return true;
}

function addValue(
  attribute: AttributeTerms,
  text: string,
  said: boolean,
  terms: Terms[],
  facets: SampleFacets | undefined,
  into: CharacteristicFacets | undefined,
): void {
  const { plain, code, terms: some } = termsOfValue(attribute, text);
  terms.push(some);
  // Nor can a value of blanks.
  if (facets && into && plain !== '') addFacet(facets, into, code, text, said ? plain : undefined);
}

/** What a characteristic, and a value under it, is found by. */
interface AttributeTerms {
  key: string;
  code: number;
  terms: Terms;
  values: Map<string, ValueTerms>;
}
interface ValueTerms {
  plain: string;
  code: number;
  terms: Terms;
  /** Its characteristic, where a sample has nothing else under it. */
  only?: CharacteristicFacets;
}

/** Those that were met last: the samples of a sheet mostly say the same. Making them anew took a third of the indexer's time. */
const met = new Map<string, AttributeTerms>();
const units = new Map<string, Terms>();
let keptValues = 0;
/** Of them at most so many, each of at most so many characters: 7 MB. */
const KEPT_VALUES = 4_000;
const KEPT_LENGTH = 100;

function termsOfAttribute(name: string): AttributeTerms {
  const known = met.get(name);
  if (known !== undefined) return known;
  const key = folded(name);
  const code = hashNumber(key);
  const made = { key, code, terms: new Terms(termsOfWords(name), 'a', code), values: new Map() };
  if (name.length <= KEPT_LENGTH) keep(met, name, made);
  return made;
}

function termsOfValue({ key, values }: AttributeTerms, text: string): ValueTerms {
  const known = values.get(text);
  if (known !== undefined) return known;
  const plain = folded(text);
  const code = hashNumber(`${key}\0${plain}`);
  const made: ValueTerms = { plain, code, terms: new Terms(termsOfWords(text), 'v', code) };
  if (text.length <= KEPT_LENGTH) keep(values, text, made);
  return made;
}

function termsOfUnit(unit: string): Terms {
  const known = units.get(unit);
  if (known !== undefined) return known;
  const made = new Terms(termsOfWords(unit));
  if (unit.length <= KEPT_LENGTH) keep(units, unit, made);
  return made;
}

function keep<T>(into: Map<string, T>, text: string, made: T): void {
  if (++keptValues > KEPT_VALUES) {
    met.clear();
    units.clear();
    keptValues = 0;
  }
  into.set(text, made);
}

function termsOfRelationship({ source, type, target }: Relationship, accession: string): Terms[] {
  const coded = [relationshipTerm(type)];
  for (const one of [source ?? accession, target]) if (one !== accession) coded.push(relatedTerm(type, one));
  if (source && source !== accession && target === accession) coded.push(sourceTerm(type, source));
  const words = [...termsOfWords(source ?? accession), ...termsOfWords(target)];
  return coded.map((term, at) => new Terms(at === 0 ? words : [], term[0], codeOf(term)));
}

function addRecords(records: readonly TextRecord[], terms: Terms[]): void {
  for (const record of records) for (const value of Object.values(record)) terms.push(new Terms(termsOfWords(value)));
}

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
