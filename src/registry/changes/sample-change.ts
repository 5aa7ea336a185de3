/** What happens to samples, as those who follow a registry hear of it. Pure. */
import type { HeldStatus } from '../samples/sample.js';
import { statusOf } from '../samples/status.js';

/**
 * created · updated: another version, or its structured data · released: everybody may read it now, by a write or by its
 * date · curated: a curation was added, declined, accepted or removed · withdrawn: not everybody may read it any more, or
 * its owner or an administrator set a status. Stored by position: only ever appended to.
 */
export const CHANGE_TYPES = ['created', 'updated', 'released', 'curated', 'withdrawn'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** What decides who may read a sample. */
export interface Visibility {
  /** Milliseconds since 1970. */
  release: number;
  adminStatus?: HeldStatus;
}

export interface Change {
  type: ChangeType;
  /** Whether those hear of it who may read public samples only. */
  public: boolean;
  /** When the clock alone makes the sample public, where this change set that date. */
  due?: number;
}

const isOpen = (sample: Visibility, now: number): boolean => statusOf(sample, now) === 'PUBLIC';

const dueOf = ({ release, adminStatus }: Visibility, now: number): { due?: number } =>
  adminStatus === undefined && release > now ? { due: release } : {};

export const creation = (after: Visibility, now: number): Change => ({
  type: 'created',
  public: isOpen(after, now),
  ...dueOf(after, now),
});

export function changeBetween(before: Visibility, after: Visibility, now: number): Change {
  const was = isOpen(before, now);
  const is = isOpen(after, now);
  if (was && !is) return { type: 'withdrawn', public: true, ...dueOf(after, now) };
  if (!was && is) return { type: 'released', public: true };
  const hidden = after.adminStatus !== undefined && before.adminStatus === undefined;
  const sameDate = before.release === after.release && before.adminStatus === undefined;
  return { type: hidden ? 'withdrawn' : 'updated', public: is, ...(sameDate ? {} : dueOf(after, now)) };
}
