/** What the columns of a sheet are, in words, for its receipt: none is passed over. */
import { fold } from '../dialect.js';
import { type ColumnKind, columnKind, SINGLE } from './header-name.js';
import { columnTitle } from './name-column.js';
import type { ProfiledColumns } from './profile-columns.js';

const MEANINGS: Partial<Record<ColumnKind['kind'], string>> = {
  ...SINGLE,
  reference: 'Comment[external DB REF]',
  unit: 'unit of the column before',
  'term-source': 'source of the term beside it',
  'term-accession': 'term of the column before',
  error: 'not read: of an earlier result',
};

const BESIDE: readonly ColumnKind['kind'][] = ['unit', 'term-source', 'term-accession'];

/**
 * `header: meaning`, or the header that says it itself, once each, of the columns that are neither kept under their
 * plain header nor left out. `kept`: columns that are stored; a unit of what is not stored is not either.
 */
export function columnMeanings(
  header: readonly string[],
  { kinds, added, readings }: ProfiledColumns,
  kept: ReadonlySet<number>,
): string[] {
  const titleOf = (column: number): string =>
    column < header.length
      ? columnTitle(header[column] as string, column)
      : (added[column - header.length]?.title ?? '').trim();
  const read = new Set(readings.map(({ column }) => column));
  const said = kinds.flatMap((kind, column) => {
    const title = titleOf(column);
    if (BESIDE.includes(kind.kind) && !kept.has(column)) return [];
    const plain = kind.kind === 'characteristic' && columnKind(title).kind !== 'characteristic';
    const known = read.has(column) || kind.kind !== 'characteristic';
    const same = plain && !known && kind.name === title && kind.unit === undefined && column < header.length;
    const meaning = same ? undefined : inWords(kind, titleOf);
    const fixed = added[column - header.length]?.text;
    if (meaning === undefined) return [];
    if (fixed === undefined && fold(title) === fold(meaning)) return [title];
    return [`${title}: ${meaning}${fixed === undefined ? '' : ` = ${fixed}`}`];
  });
  return [...new Set(said)];
}

function inWords(kind: ColumnKind, titleOf: (column: number) => string): string | undefined {
  switch (kind.kind) {
    case 'characteristic':
      return `Characteristics[${kind.name}]${kind.unit === undefined ? '' : `, unit ${kind.unit}`}`;
    case 'term-of':
      return `term of ${kind.name}`;
    case 'unit-of':
      return `unit of ${kind.name}`;
    case 'term-at':
      return `term of ${titleOf(kind.column)}`;
    case 'unit-at':
      return `unit of ${titleOf(kind.column)}`;
    case 'relationship':
      return `Comment[bsd_relationship:${kind.type}]`;
    case 'record':
      return `${kind.member} of the ${kind.of}`;
    default:
      return MEANINGS[kind.kind];
  }
}
