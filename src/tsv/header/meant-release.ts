/** Columns that say when samples become public under another header than Release Date: their dates are not taken, and that is said. */
import { fold } from '../dialect.js';
import { saysRelease, wordsOf } from '../propose/header-words.js';
import { columnKind } from './header-name.js';
import { meantHeader } from './meant-header.js';

const LONGEST = 200;

/** One word alone says less: of software there are releases, too. */
const isSure = (words: string): boolean => words.includes(' ') && saysRelease(words);

/** `Relase Date`, not `Release Site`: of animals that were marked. */
const isMisspelt = (text: string): boolean => fold(text).endsWith('date') && meantHeader(text) === 'Release Date';

/** Position of the first such header; undefined where there is none. */
export function meantRelease(header: readonly string[]): number | undefined {
  const column = header.findIndex((text) => {
    if (text.length > LONGEST || columnKind(text).kind !== 'unknown') return false;
    return isSure(wordsOf(text)) || isMisspelt(text);
  });
  return column < 0 ? undefined : column;
}
