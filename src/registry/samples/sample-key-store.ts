/**
 * PORT: own keys of samples, one at a time; those of whole files are written with their rows (submission-store.ts). Within a
 * key space of an account a key has one sample and a sample one key, whoever writes at the same instant.
 * test/contract/row-keys.ts checks each promise on every adapter.
 */
import type { StoredSample } from './sample.js';
import type { NewSample } from './sample-store.js';

export interface SampleKey {
  /** Whose key space. */
  account: string;
  space: string;
  key: string;
}

export interface SampleKeyStore {
  /** Number of the sample that has the key. */
  findKey(key: SampleKey): Promise<number | undefined>;
  /** Registers a sample with the key; resolves to the number of the one that has it already, where one has. */
  createWithKey(sample: NewSample, key: SampleKey): Promise<{ created: StoredSample } | { id: number }>;
  /** Gives a sample the key. Where a sample has it already, this one or another, its number; where this one has another key, that. */
  giveKey(key: SampleKey, id: number): Promise<{ given: true } | { id: number } | { other: string }>;
  /** Takes the key from its sample. True when one had it. */
  takeKey(key: SampleKey): Promise<boolean>;
}
