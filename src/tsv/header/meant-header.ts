/** What was probably meant by a header that the dialect does not know. */
import { editDistance } from '../../registry/edit-distance.js';
import { fold } from '../dialect.js';
import { saysRelease, wordsOf } from '../propose/header-words.js';
import { withoutMark } from './column-notes.js';
import { columnKind, isSingle, RECORDS, SINGLE } from './header-name.js';
import { unitInHeader } from './units.js';

const WHOLE = [...Object.values(SINGLE), 'Term Source REF', 'Term Accession Number'];
const BEFORE_BRACKETS = ['Characteristics', 'Comment', 'Factor Value', 'Parameter Value'];
/** In the brackets of a comment, before a colon. */
const IN_COMMENTS = ['bsd_relationship', ...RECORDS.map(([, word]) => word)];
const REFERENCE = 'external DB REF';

/** What others call characteristics: `Attribute[age]`. */
const ATTRIBUTE = /^(?:sample ?)?(?:attribute|characteristic|propert(?:y|ie))s?$/;
/** A relationship with its type, by itself or in a comment: `Relationship[child of]`, `bsd_relationship: child of`. */
const RELATIONSHIP = /^(?:bsd[ _]*)?relation(?:ship)?s?\s*(?:\[([^[\]]+)\]|:(.+))$/is;

/** Longer texts are no headers. */
const LONGEST = 200;
/** Of a long word two letters may be others, of a short one a single one: `Date` is no `Name`, and to relapse is no release. */
const LONG_WORD = 8;
const MOST_LETTERS = 2;

/** `Charateristics[age]` → `Characteristics[age]`; undefined for headers that are known, and for those that are near none. */
export function meantHeader(header: string): string | undefined {
  if (header.length > LONGEST) return undefined;
  const text = withoutMark(header);
  const { kind } = columnKind(text);
  if (kind === 'ignored column') return meantComment(text);
  if (kind !== 'unknown' || unitInHeader(text)?.marked) return undefined;
  const type = typeIn(text);
  if (type !== undefined) return `Comment[bsd_relationship:${type}]`;
  const bracket = text.indexOf('[');
  if (bracket < 0) return nearest(text, WHOLE);
  const [word, rest] = [text.slice(0, bracket), text.slice(bracket)];
  const near = ATTRIBUTE.test(wordsOf(word)) ? 'Characteristics' : nearest(word, BEFORE_BRACKETS);
  if (near === undefined) return undefined;
  return (near === 'Comment' ? meantComment(near + rest) : undefined) ?? near + rest;
}

export interface MeantHeader {
  /** From 0. */
  column: number;
  meant: string;
}

/** Of the headers of a sheet; what a sheet has once and has already is meant by no other column. */
export function meantHeaders(header: readonly string[]): MeantHeader[] {
  const there = new Set(header.map((text) => columnKind(withoutMark(text)).kind));
  return header.flatMap((text, column) => {
    const meant = meantHeader(text);
    if (meant === undefined) return [];
    const { kind } = columnKind(meant);
    return isSingle(kind) && there.has(kind) ? [] : [{ column, meant }];
  });
}

/** Of a comment that is not stored: the one that would be. */
function meantComment(text: string): string | undefined {
  const inside = /^[^[\]]*\[(.*)\]$/s.exec(text)?.[1]?.trim();
  if (inside === undefined) return undefined;
  const type = typeIn(inside);
  if (type !== undefined) return `Comment[bsd_relationship:${type}]`;
  const colon = inside.indexOf(':');
  if (colon < 0) return nearest(inside, [REFERENCE]) && `Comment[${REFERENCE}]`;
  const rest = inside.slice(colon + 1).trim();
  const near = rest === '' ? undefined : nearest(inside.slice(0, colon), IN_COMMENTS);
  return near && `Comment[${near}:${rest}]`;
}

function typeIn(text: string): string | undefined {
  const [, bracketed, behind] = RELATIONSHIP.exec(text) ?? [];
  return (bracketed ?? behind)?.trim() || undefined;
}

/** A sheet may have 16 000 columns: words are compared no further than they may differ. */
const nearest = (text: string, known: readonly string[]): string | undefined =>
  known.find((each) => isNear(wordsOf(text), wordsOf(each)));

/** Word by word, or as one where blanks are lacking. */
function isNear(text: string, known: string): boolean {
  const [words, others] = [text.split(' '), known.split(' ')];
  if (words.length !== others.length) return distance(fold(text), fold(known)) <= 1;
  const apart = others.map((other, at) => distance(words[at] as string, other));
  return apart.every((letters, at) => letters <= mayDiffer(others[at] as string)) && sum(apart) <= MOST_LETTERS;
}

const mayDiffer = (word: string): number => (word.length < LONG_WORD ? 1 : MOST_LETTERS);
const distance = (one: string, other: string): number => editDistance(one, other, MOST_LETTERS);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One word alone says less: of software there are releases, too. */
const isSure = (words: string): boolean => words.includes(' ') && saysRelease(words);

/** `Relase Date`, not `Release Rate`: of what a tissue gives off. */
const isMisspelt = (text: string): boolean => wordsOf(text).endsWith('date') && meantHeader(text) === SINGLE.release;

/** Position of the first header that says when samples become public and is not Release Date: its dates are not taken, and that is said. */
export function meantRelease(header: readonly string[]): number | undefined {
  const column = header.findIndex((text) => {
    if (text.length > LONGEST || columnKind(text).kind !== 'unknown') return false;
    return isSure(wordsOf(text)) || isMisspelt(text);
  });
  return column < 0 ? undefined : column;
}
