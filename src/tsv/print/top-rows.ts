/** What stands above the rows of a sheet that is sent back. */
import type { SheetPlan } from '../header/columns.js';
import { namePointer } from '../header/name-column.js';
import { profilePointer } from '../header/profile.js';

type TopOfPlan = Pick<SheetPlan, 'header' | 'groups' | 'profile' | 'above' | 'below' | 'namedBy'>;

/**
 * The header row, with what the sheet had above and below it and what says how it is read.
 * @param further headers behind its own
 * @param columns those of the sheet that are sent; absent: all
 */
export function topRows(
  { header, groups = header, profile, above = [], below = [], namedBy }: TopOfPlan,
  further: readonly string[],
  columns?: readonly number[],
): string[][] {
  // A kept profile may have changed by the time that the sheet comes again.
  const pointed = profile && (profile.named || profile.version !== undefined);
  const own = columns?.map((column) => groups[column] as string) ?? groups;
  return [
    ...(pointed ? [profilePointer(profile)] : []),
    ...above.map((cells) => [...cells]),
    ...(namedBy === undefined ? [] : [namePointer(namedBy)]),
    [...own, ...further],
    ...below.map((cells) => [...cells]),
  ];
}
