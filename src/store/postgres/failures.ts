/** What PostgreSQL's failures mean: try again, or which error of the catalogue. */
import { codeOf, storageIsFull, storeIsAway, storeIsBusy, storeIsReadOnly } from '../failures.js';

/** The server, or the way to it, is going or gone, or it ended a session that did nothing or took too long. */
const LOST = /^(08|57P0[1235]|25P0[34]|53300|E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN))/;
const LOST_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|connection timeout/i;

/** The server takes no changes: a standby, reached while another becomes the primary, or one that is closed for want of room. */
const READ_ONLY = '25006';

/** True when the connection is of no more use; whether a commit under way took effect is then unknown. */
export const isLost = (error: unknown): boolean =>
  LOST.test(codeOf(error)) ||
  codeOf(error) === READ_ONLY ||
  (codeOf(error) === '' && error instanceof Error && LOST_MESSAGES.test(error.message));

/** A ceiling that the server sets for one session or role, as `temp_file_limit`: nothing is said of its disk. */
export const isOwnLimit = (error: unknown): boolean => codeOf(error) === '53400';

/**
 * A newer program has changed a table since the statement was prepared: another connection prepares it anew. The message is in the
 * server's language; the place in its source is not.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery';

/** Serialization failure, deadlock, outdated plan: PostgreSQL undid the transaction, and the same again may well pass. */
export const isConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) || isOutdatedPlan(error);

/** In the catalogue's words; others as they are. */
export function translate(error: unknown): unknown {
  const code = codeOf(error);
  if (code === '53100' || code === 'ENOSPC') return storageIsFull(error);
  if (code === READ_ONLY) return storeIsReadOnly(error);
  if (isLost(error)) return storeIsAway(error);
  const busy = isConflict(error) || code === '55P03' || code === '57014' || code.startsWith('53');
  return busy ? storeIsBusy(error) : error;
}
