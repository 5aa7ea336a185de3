/** Status is derived when read: one that an administrator or the owner set wins, else the release date decides. */
import {
  ADMIN_STATUSES,
  type AdminStatus,
  type HeldStatus,
  type SampleStatus,
  type StoredSample,
  WITHDRAWN,
} from './sample.js';

export function statusOf(
  { release, adminStatus }: Pick<StoredSample, 'release' | 'adminStatus'>,
  now: number,
): SampleStatus {
  if (adminStatus === undefined) return release <= now ? 'PUBLIC' : 'PRIVATE';
  return adminStatus === 'MISSING' ? WITHDRAWN : adminStatus;
}

/** Only administrators take these back. */
export const isAdministrative = (status: HeldStatus | undefined): status is AdminStatus =>
  ADMIN_STATUSES.some((one) => one === status);
