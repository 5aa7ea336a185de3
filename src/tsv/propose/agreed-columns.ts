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
    const staying = as === 'name' && nameColumns.length > 1 ? nameColumns : [best?.at];
    for (const column of all) {
      if (staying.includes(column.at)) continue;
      const why = `A sheet has one column for ${what}, which another one is: kept under its header.`;
      result[column.at] = { ...characteristic(column, around), why, confidence: 'low' };
    }
  }
  return result;
}

/** A unit or a term is of a characteristic; of what is none it is a column like any other. */
function held(columns: readonly SeenColumn[], taken: readonly Taken[]): Taken[] {
  return taken.map((each, at) => {
    const { meaning } = each;
    if (meaning?.as !== 'unit' && meaning?.as !== 'term') return each;
    const { of } = meaning;
    const isOwner = (other: Taken | undefined): boolean =>
      other?.meaning?.as === 'characteristic' || (meaning.as === 'term' && other?.meaning?.as === 'unit');
    if (of === undefined ? ownsLeft(taken, at, isOwner) : ownsNamed(columns, taken, of, isOwner)) return each;
    return {
      meaning: { as: 'characteristic' },
      why: `It speaks of ${meaning.as === 'unit' ? 'a unit' : 'a term'} of something that is no characteristic: kept under its header.`,
      confidence: 'low',
    };
  });
}

/** Of several units and terms side by side the first that is none of them counts. */
function ownsLeft(taken: readonly Taken[], at: number, isOwner: (other: Taken | undefined) => boolean): boolean {
  for (let left = at - 1; left >= 0; left--) {
    if (isOwner(taken[left])) return true;
    const as = taken[left]?.meaning?.as;
    if (as !== 'unit' && as !== 'term' && as !== 'ignored') return false;
  }
  return false;
}

function ownsNamed(
  columns: readonly SeenColumn[],
  taken: readonly Taken[],
  of: string,
  isOwner: (other: Taken | undefined) => boolean,
): boolean {
  const at = columns.findIndex(({ header }) => fold(header) === fold(of));
  // A term of a name that no column has is the characteristic itself.
  return at < 0 || isOwner(taken[at]);
}
