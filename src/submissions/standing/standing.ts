/**
 * Standing sheets: a key space of the account is to be what one export says. The export is planned like a dry run; rows of
 * the key space that it no longer has are found; and it is carried out by hand, or by itself below its ceilings. Pure.
 */

import type { Counts, Submission, UploadOptions } from '../submission.js';
import { rowsOf } from '../uploads/ceiling.js';
import type { StandingOutcome } from './standing-outcome.js';

/** Without `maxMissing`: an export that lost a tenth of a laboratory has lost its way. */
const DEFAULT_MISSING = '10%';

/** A plan writes nothing; who asks for a dry run besides wants no more than the plan. */
export function planOptions(options: UploadOptions): UploadOptions {
  if (options.standing === undefined) return options;
  const { commit, ...others } = options;
  return { ...others, ...(commit === undefined || options.dryRun ? {} : { commit }), dryRun: true };
}

export const isPlan = ({ standing, dryRun, undoOf }: UploadOptions): boolean =>
  standing !== undefined && dryRun && undoOf === undefined;

/** Whether missing samples are withdrawn by what carries the plan out. */
export const withdrawsMissing = ({ standing, missing, dryRun, undoOf }: UploadOptions): boolean =>
  standing !== undefined && missing === 'withdraw' && !dryRun && undoOf === undefined;

/** What a plan found. */
export interface Planned {
  counts: Counts;
  samples: number;
  missing: number;
  /** Refused rows that say no key: which samples they mean, nobody knows. */
  unkeyed: number;
  /** Line of the row within which the file ends: what is missing may be what came behind. */
  cutOff?: number | undefined;
}

export function decideStanding(
  { id, options }: Pick<Submission, 'id' | 'options'>,
  planned: Planned,
): Pick<StandingOutcome, 'decision' | 'message' | 'samples' | 'missing'> {
  const { samples, missing } = planned;
  const why = reasons(options, planned);
  if (why.length === 0) return { decision: options.commit === 'auto' ? 'COMMITTED' : 'WAITING', samples, missing };
  const message = `Nothing was changed: ${why.join('; ')}. Look at what is missing and what would change; if the export is right, commit the plan by hand (POST /submissions/${id}/commit), otherwise send the whole export again.`;
  return { decision: 'STOPPED', message, samples, missing };
}

function reasons(options: UploadOptions, { counts, samples, missing, unkeyed, cutOff }: Planned): string[] {
  const why: string[] = [];
  if (cutOff !== undefined) why.push(`the file ends within the row of line ${cutOff}, as one that was cut off does`);
  if (counts.rejected === counts.rows) why.push(`all ${counts.rows} rows are refused`);
  const above = (name: 'maxMissing' | 'maxChanges', ceiling: string, found: number, what: string): void => {
    // A share of nothing is no ceiling: the first export of a key space only creates.
    const limit = ceiling.endsWith('%') && samples === 0 ? undefined : rowsOf(ceiling, samples);
    if (limit !== undefined && found > limit)
      why.push(`${found} ${what}, and ${name}=${ceiling} allows ${limit} of ${samples} samples`);
  };
  above('maxMissing', options.maxMissing ?? DEFAULT_MISSING, missing, 'samples are missing from the export');
  if (options.maxChanges !== undefined)
    above('maxChanges', options.maxChanges, counts.created + counts.updated, 'rows would create or update samples');
  if (unkeyed > 0 && missing > 0 && options.missing === 'withdraw')
    why.push(`${unkeyed} refused rows have no key, so that they may be some of the ${missing} missing samples`);
  return why;
}
