import { attributeFilter } from '../../../src/registry/search/filter-parts.js';
import { endOfDay, startOfDay } from '../show/day-bounds.js';

export type FilterKind =
  | 'attr'
  | 'name'
  | 'release'
  | 'update'
  | 'account'
  | 'rel'
  | 'descendantOf'
  | 'ancestorOf'
  | 'status';

/**
 * The filter as the service reads it, or undefined while the form says nothing. A release is a day of UTC, as in a sheet; the
 * day of a last change is that of the reader, as the list shows it.
 */
export function spellFilter(kind: FilterKind, first: string, second: string): string | undefined {
  if (kind === 'release') return dates(kind, first, second);
  if (kind === 'update') return dates(kind, startOfDay(first, 0), endOfDay(second));
  if (kind === 'status') return `status:${first || 'any'}`;
  if (first === '') return undefined;
  if (kind === 'attr') return attributeFilter(first, second === '' ? undefined : second);
  if (kind === 'rel') return `${kind}:${first}${second === '' ? '' : `:${second}`}`;
  return `${kind}:${first}`;
}

function dates(kind: 'release' | 'update', from: string, until: string): string | undefined {
  if (from === '' && until === '') return undefined;
  return `dt:${kind}:${from === '' ? '' : `from=${from}`}${until === '' ? '' : `until=${until}`}`;
}
