/** What PostgreSQL's failures mean: try again, or which error of the catalogue. */
import { RegistryError } from '../../registry/errors.js';

/** The server, or the way to it, is going or gone. */
const LOST = /^(08|57P0[123]|25P03|53300|E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN))/;
const LOST_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|connection timeout/i;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** True when the connection is of no more use; whether a commit under way took effect is then unknown. */
export const isLost = (error: unknown): boolean =>
  LOST.test(codeOf(error)) || (codeOf(error) === '' && error instanceof Error && LOST_MESSAGES.test(error.message));

/** Serialization failure, deadlock: PostgreSQL undid the transaction, and the same again may well pass. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** PostgreSQL's failures in the catalogue's words; others as they are. */
export function translate(error: unknown): unknown {
  const code = codeOf(error);
  if (code === '53100' || code === 'ENOSPC') {
    return new RegistryError('storage.full', 'The disk that holds the store is full; nothing of this was stored.', {
      cause: error,
    });
  }
  if (isLost(error)) {
    return new RegistryError('service.unavailable', 'The store cannot be reached now; try again in a minute.', {
      cause: error,
    });
  }
  if (isConflict(error) || code === '55P03' || code === '57014' || code.startsWith('53')) {
    return new RegistryError('service.unavailable', 'The store is busy with other writes; try again in a minute.', {
      cause: error,
    });
  }
  return error;
}
