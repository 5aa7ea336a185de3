/**
 * The `status` that a body asks for. It follows from the release; the owner may withdraw it and take that back, and
 * administrators may set one of their own. What is neither obeyed nor already so is refused: nothing is ever stored under another status than was asked for.
 */
import { formatDateTime } from '../date-time.js';
import { ADMIN_STATUSES, type HeldStatus, type StoredSample, WITHDRAWN } from './sample.js';
import { isAdministrative, statusOf } from './status.js';

export interface StatusRequest {
  /** As sent; absent: none asked for. */
  status: string | undefined;
  /** Of the sample as it is to be stored, milliseconds since 1970. */
  release: number;
  /** The sample as it is, when there is one: what GET showed may come back with another release. */
  current: Pick<StoredSample, 'release' | 'adminStatus'> | undefined;
  admin: boolean;
  now: number;
}

/** `change`: the status to store, null to take back what is stored, undefined to leave it. */
export type StatusAnswer = { change: HeldStatus | null | undefined } | { problem: string };

export function requestedStatus({ status, release, current, admin, now }: StatusRequest): StatusAnswer {
  if (status === undefined) return { change: undefined };
  if (current !== undefined && status === statusOf(current, now)) return { change: undefined };
  const administrative = ADMIN_STATUSES.find((one) => one === status);
  if (administrative) {
    return admin
      ? { change: administrative }
      : { problem: `is "${status}", which administrators set; leave it out, or ask an administrator` };
  }
  if (status !== 'PUBLIC' && status !== 'PRIVATE' && status !== WITHDRAWN) {
    return { problem: `is "${status.slice(0, 100)}", which is no status; leave it out: it follows from the release` };
  }
  const held = current?.adminStatus;
  if (isAdministrative(held) && !admin) {
    return { problem: `is "${status}", but an administrator has set "${held}"; leave it out, or ask an administrator` };
  }
  if (status === WITHDRAWN) return { change: WITHDRAWN };
  if (status === statusOf({ release }, now)) return { change: held === undefined ? undefined : null };
  const instead = status === 'PUBLIC' ? 'a release that is past' : 'a release in the future';
  return {
    problem: `is "${status}", but the release is ${formatDateTime(release)} and the status follows from it; send ${instead}, or leave the status out`,
  };
}
