/** The header that was probably meant by one that the dialect does not know. */
import { editDistance } from '../../registry/edit-distance.js';
import { fold } from '../dialect.js';
import { columnKind } from './header-name.js';

const BEFORE_BRACKETS = ['Characteristics', 'Comment', 'Factor Value', 'Parameter Value'];
const WHOLE = ['Sample Name', 'Sample Identifier', 'Release Date', 'Term Source REF', 'Term Accession Number'];
/** Of some ten letters; more would make other words of them. */
const MOST_LETTERS = 2;

/** `Charateristics[age]` → `Characteristics[age]`; undefined for headers that are known, and for those that are near none. */
export function meantHeader(header: string): string | undefined {
  const text = header.trim();
  if (text.length > 200 || columnKind(text).kind !== 'unknown') return undefined;
  const bracket = text.indexOf('[');
  const [word, rest] = bracket < 0 ? [text, ''] : [text.slice(0, bracket), text.slice(bracket)];
  const words = bracket < 0 ? WHOLE : BEFORE_BRACKETS;
  const near = words.find((one) => editDistance(fold(word), fold(one)) <= MOST_LETTERS);
  return near && near + rest;
}
