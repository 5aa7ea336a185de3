/** What the columns are taken for one by one → the same without what no sheet can be read by together. */
import { fold } from '../dialect.js';
import type { Confidence } from './proposal.js';
import { characteristic, type Surroundings, type Taken } from './propose-characteristic.js';
import type { SeenColumn } from './seen-column.js';

export interface Settled {
  /** A kept profile says of the column what it is. */
  isSaid: (at: number) => boolean;
  /** Several are joined. */
  nameColumns: readonly number[];
}

export const agreed = (
  columns: readonly SeenColumn[],
  taken: readonly Taken[],
  settled: Settled,
  around: Surroundings,
): Taken[] => held(columns, oneOfEach(columns, taken, settled, around));

/** What a sheet has one column of, in the words of the reason. */
const ONCE = { name: 'the names of its samples', identifier: 'accessions', release: 'dates of release' } as const;
const SURENESS: Readonly<Record<Confidence, number>> = { high: 2, middle: 1, low: 0 };

/** Of several columns for one thing the surest stays, of equals one that a profile names, else the first; the others are characteristics. */
function oneOfEach(
  columns: readonly SeenColumn[],
  taken: readonly Taken[],
  { isSaid, nameColumns }: Settled,
  around: Surroundings,
): Taken[] {
  const result = [...taken];
  for (const [as, what] of Object.entries(ONCE)) {
    const all = columns.filter(({ at }) => taken[at]?.meaning?.as === as);
    const sureness = ({ at }: SeenColumn): number => 2 * SURENESS[(taken[at] as Taken).confidence] + Number(isSaid(at));
    const [best] = [...all].sort((one, other) => sureness(other) - sureness(one));
    const staying = new Set(as === 'name' && nameColumns.length > 1 ? nameColumns : [best?.at]);
    for (const column of all) {
      if (staying.has(column.at)) continue;
      const why = `A sheet has one column for ${what}, which another one is: kept under its header.`;
      result[column.at] = { ...characteristic(column, around), why, confidence: 'low' };
    }
  }
  return result;
}

/** A unit or a term is of a characteristic; of what is none it is a column like any other. */
function held(columns: readonly SeenColumn[], taken: readonly Taken[]): Taken[] {
  const left = standingLeft(taken);
  const named = new Map(columns.map(({ header, at }) => [fold(header), at] as const).reverse());
  return taken.map((each, at) => {
    const { meaning } = each;
    if (meaning?.as !== 'unit' && meaning?.as !== 'term') return each;
    const isOwner = ({ characteristic, unit }: Standing): boolean => characteristic || (meaning.as === 'term' && unit);
    // A term of a name that no column has is the characteristic itself.
    const owner = meaning.of === undefined ? at : named.get(fold(meaning.of));
    if (owner === undefined || isOwner(meaning.of === undefined ? (left[at] as Standing) : standing(taken[owner])))
      return each;
    return {
      meaning: { as: 'characteristic' },
      why: `It speaks of ${meaning.as === 'unit' ? 'a unit' : 'a term'} of something that is no characteristic: kept under its header.`,
      confidence: 'low',
    };
  });
}

interface Standing {
  characteristic: boolean;
  unit: boolean;
}

const standing = (taken: Taken | undefined): Standing => ({
  characteristic: taken?.meaning?.as === 'characteristic',
  unit: taken?.meaning?.as === 'unit',
});

/** What stands on the left of each column: of several units and terms side by side the first that is none of them counts, and a unit for terms. */
function standingLeft(taken: readonly Taken[]): Standing[] {
  let left: Standing = { characteristic: false, unit: false };
  return taken.map((each) => {
    const own = left;
    const as = each.meaning?.as;
    if (as === 'unit') left = { ...left, unit: true };
    else if (as !== 'term' && as !== 'source' && as !== 'ignored') left = standing(each);
    return own;
  });
}
