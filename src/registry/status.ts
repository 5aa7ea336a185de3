/** Status is derived when read: an administrator's wins, else the release date decides. */
import type { SampleStatus, StoredSample } from './sample.js';

export function statusOf(sample: Pick<StoredSample, 'release' | 'adminStatus'>, now: number): SampleStatus {
  return sample.adminStatus ?? (sample.release <= now ? 'PUBLIC' : 'PRIVATE');
}
