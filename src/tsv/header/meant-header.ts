/** What was probably meant by a header that the dialect does not know. */
import { editDistance } from '../../registry/edit-distance.js';
import { fold } from '../dialect.js';
import { saysRelease, wordsOf } from '../propose/header-words.js';
import { columnKind } from './header-name.js';

const withFolded = (...words: string[]): { word: string; folded: string }[] =>
  words.map((word) => ({ word, folded: fold(word) }));
const BEFORE_BRACKETS = withFolded('Characteristics', 'Comment', 'Factor Value', 'Parameter Value');
const WHOLE = withFolded(
  'Sample Name',
  'Sample Identifier',
  'Release Date',
  'Term Source REF',
  'Term Accession Number',
);
/** Of some ten letters; more would make other words of them. */
const MOST_LETTERS = 2;
/** Longer texts are no headers. */
const LONGEST = 200;

/** `Charateristics[age]` → `Characteristics[age]`; undefined for headers that are known, and for those that are near none. */
export function meantHeader(header: string): string | undefined {
  const text = header.trim();
  if (text.length > LONGEST || columnKind(text).kind !== 'unknown') return undefined;
  const bracket = text.indexOf('[');
  const [word, rest] = bracket < 0 ? [text, ''] : [text.slice(0, bracket), text.slice(bracket)];
  const words = bracket < 0 ? WHOLE : BEFORE_BRACKETS;
  const near = nearest(fold(word), words);
  return near && near + rest;
}

/** A sheet may have 16 000 columns: words are compared no further than they may differ. */
const nearest = (word: string, words: typeof WHOLE): string | undefined =>
  words.find(({ folded }) => editDistance(word, folded, MOST_LETTERS) <= MOST_LETTERS)?.word;

/** One word alone says less: of software there are releases, too. */
const isSure = (words: string): boolean => words.includes(' ') && saysRelease(words);

/** `Relase Date`, not `Release Site`: of animals that were marked. */
const isMisspelt = (text: string): boolean => fold(text).endsWith('date') && meantHeader(text) === 'Release Date';

/** Position of the first header that says when samples become public and is not Release Date: its dates are not taken, and that is said. */
export function meantRelease(header: readonly string[]): number | undefined {
  const column = header.findIndex((text) => {
    if (text.length > LONGEST || columnKind(text).kind !== 'unknown') return false;
    return isSure(wordsOf(text)) || isMisspelt(text);
  });
  return column < 0 ? undefined : column;
}
