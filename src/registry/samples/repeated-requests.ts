/**
 * Requests that register samples and carry an Idempotency-Key: sent again, such as after an answer that was lost, they mean the samples that
 * they registered (decision 189). The key stands beside the sample as its owner's own keys do, in a key space that nobody can name.
 */
import { RegistryError } from '../errors.js';
import type { Caller } from '../permissions.js';
import { sameContent } from './canonical.js';
import { decodeContent, encodeContent } from './content-json.js';
import type { StoredSample } from './sample.js';
import type { SampleKey, SampleKeyStore } from './sample-key-store.js';
import { type NewSample, type SampleRecord, type SampleStore, withNothingAttached } from './sample-store.js';

/** No name that a key space can be given (`KEY_SPACE_FORM`); it is none of those that an account may have. */
export const REQUEST_KEYS = '(Idempotency-Key)';

/** A sample as it was written, or as it is where the same request wrote it before. */
export interface Written {
  record: SampleRecord;
  replayed: boolean;
}

/** That of the sample at this place of a request's list. No header holds a line break. */
export const keyInList = (key: string | undefined, at: number): string | undefined =>
  key === undefined ? undefined : `${key}\n${at}`;

export class RepeatedRequests {
  constructor(private readonly store: SampleStore & SampleKeyStore) {}

  /** What the request registered, as it is now. @throws RegistryError sample.key-reused */
  async find(sample: NewSample, key: string, caller: Caller): Promise<SampleRecord | undefined> {
    const id = await this.store.findKey(placeOf(key, caller));
    return id === undefined ? undefined : this.registered(id, sample, key);
  }

  /** Registers the sample unless the same request has, just now too. @throws RegistryError sample.key-reused */
  async create(sample: NewSample, key: string, caller: Caller): Promise<Written> {
    const outcome = await this.store.createWithKey(sample, placeOf(key, caller));
    if ('id' in outcome) return { record: await this.registered(outcome.id, sample, key), replayed: true };
    return { record: withNothingAttached(outcome.created), replayed: false };
  }

  private async registered(id: number, sample: NewSample, key: string): Promise<SampleRecord> {
    const [first, record] = await Promise.all([this.store.readVersion(id, 1), this.store.readSample(id)]);
    if (record === undefined || (first && !isOf(first, sample))) throw reused(key);
    return record;
  }
}

/** Whether this request registered that sample. The release of a placeholder is counted from when it came. */
function isOf(first: StoredSample, { draft, account, placeholder }: NewSample): boolean {
  return (
    first.account === account &&
    first.name === draft.name &&
    (first.submitted === undefined) === placeholder &&
    (placeholder || first.release === draft.release) &&
    sameContent(first.content, decodeContent(encodeContent(draft.content)))
  );
}

const placeOf = (key: string, { account }: Caller): SampleKey => ({ account, space: REQUEST_KEYS, key });

const reused = (key: string): RegistryError => {
  const [given = '', at] = key.split('\n');
  const place = at === undefined ? '' : ` at place ${at} of the list`;
  return new RegistryError(
    'sample.key-reused',
    `The Idempotency-Key "${given.slice(0, 100)}" came with another sample${place} before, and nothing was written. Send each request with a key of its own, and with the same key only what is the same.`,
  );
};
