/** Samples by keys of the caller's own, one at a time: what `key` is to an upload. */
import { formatAccession, parseAccession } from '../accession.js';
import { RegistryError } from '../errors.js';
import { isObject } from '../json-form.js';
import type { Caller } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import type { Conditions } from './conditions.js';
import { KEY_LIMIT, KEY_SPACE_FORM, KEY_SPACE_WORDS } from './row-key.js';
import { accessionIn, isNoAccession } from './sample-body.js';
import type { SampleKey, SampleKeyStore } from './sample-key-store.js';
import { notFound, requireChange, requireSubmit, type SampleReader } from './sample-reader.js';
import { type SampleRecord, type SampleStore, withNothingAttached } from './sample-store.js';
import { type SampleWriter, throwAll } from './sample-writer.js';

/** How often a write looks again because somebody else gave or took the key in between. */
const LOOKS = 5;

export class KeyedWriter {
  constructor(
    private readonly store: SampleStore & SampleKeyStore,
    private readonly reader: SampleReader,
    private readonly writer: SampleWriter,
    private readonly options: RegistryOptions,
  ) {}

  /** Accession of the sample that has the key. @throws RegistryError not-found, request.invalid */
  async accessionOf(space: string, key: string, caller: Caller): Promise<string> {
    const id = await this.store.findKey(keyOf(space, key, caller));
    if (id === undefined) throw noSuchKey(space, key);
    return formatAccession(this.options.prefix, id);
  }

  /**
   * Updates the sample that has the key, or registers one with it. A body that names an accession gives that sample the
   * key, where neither has another.
   * @throws RegistryError as registering and updating do; conflict, precondition.failed, sample.accession-mismatch
   */
  async put(
    space: string,
    key: string,
    body: unknown,
    caller: Caller,
    conditions: Conditions,
  ): Promise<{ record: SampleRecord; created: boolean }> {
    requireSubmit(caller);
    const place = keyOf(space, key, caller);
    for (let looks = 0; looks < LOOKS; looks++) {
      const id = await this.store.findKey(place);
      if (id !== undefined) return this.update(id, space, body, caller, conditions);
      if (conditions.ifMatch !== undefined) {
        throw new RegistryError(
          'precondition.failed',
          `${noSuchKey(space, key).message} If-Match wants one that is there.`,
        );
      }
      const named = accessionIn(body);
      if (named !== undefined) return this.give(place, named, body, caller);
      const { problems, sample } = await this.writer.newSample(body, caller, false);
      throwAll(problems);
      const outcome = await this.store.createWithKey(sample, place);
      if ('created' in outcome) return { record: withNothingAttached(outcome.created), created: true };
    }
    throw new RegistryError(
      'conflict',
      `The key "${key.slice(0, 100)}" is given and taken again by others; try it again.`,
    );
  }

  /** The sample stays as it is; the conditions are of the sample. @throws RegistryError not-found, precondition.failed */
  async take(space: string, key: string, caller: Caller, conditions: Conditions): Promise<void> {
    requireSubmit(caller);
    const place = keyOf(space, key, caller);
    const id = await this.store.findKey(place);
    const record = id === undefined ? undefined : await this.store.readSample(id);
    if (record) {
      const accession = formatAccession(this.options.prefix, record.sample.id);
      this.reader.requireConditions(conditions, accession, record);
    }
    if (!(await this.store.takeKey(place))) throw noSuchKey(space, key);
  }

  private async update(
    id: number,
    space: string,
    body: unknown,
    caller: Caller,
    { ifMatch, ifNoneMatch }: Conditions,
  ): Promise<{ record: SampleRecord; created: false }> {
    const accession = formatAccession(this.options.prefix, id);
    if (ifNoneMatch !== undefined) {
      throw new RegistryError(
        'precondition.failed',
        `Sample ${accession} has this key in the key space ${space} already, and If-None-Match wants none to have it.`,
      );
    }
    // The address says which sample is meant: the body need not.
    const whole = isObject(body) && isNoAccession(body.accession) ? { ...body, accession } : body;
    return { record: (await this.writer.update(accession, whole, caller, { ifMatch })).record, created: false };
  }

  private async give(
    place: SampleKey,
    accession: string,
    body: unknown,
    caller: Caller,
  ): Promise<{ record: SampleRecord; created: false }> {
    const id = parseAccession(this.options.prefix, accession);
    const sample = id === undefined ? undefined : (await this.store.readSample(id))?.sample;
    if (id === undefined || sample === undefined) throw notFound(accession);
    requireChange(sample, accession, caller);
    const before = await this.store.giveKey(place, id);
    const shown = place.key.slice(0, 100);
    if ('other' in before) {
      throw new RegistryError(
        'conflict',
        `Sample ${accession} has the key "${before.other.slice(0, 100)}" in the key space ${place.space}; take that away first to give it "${shown}".`,
      );
    }
    if ('id' in before && before.id !== id) {
      const owner = formatAccession(this.options.prefix, before.id);
      throw new RegistryError(
        'conflict',
        `The key "${shown}" is that of sample ${owner}, and the body names ${accession}.`,
      );
    }
    try {
      return { record: (await this.writer.update(accession, body, caller)).record, created: false };
    } catch (error) {
      // One that somebody else gave in the meantime stays.
      if ('given' in before) await this.store.takeKey(place);
      throw error;
    }
  }
}

/** @throws RegistryError request.invalid */
function keyOf(space: string, key: string, { account }: Caller): SampleKey {
  if (!KEY_SPACE_FORM.test(space)) {
    throw new RegistryError(
      'request.invalid',
      `"${space.slice(0, 100)}" is no name of a key space; write ${KEY_SPACE_WORDS}.`,
    );
  }
  if (key === '' || key.length > KEY_LIMIT || key !== key.trim() || key.includes('\0') || !key.isWellFormed()) {
    throw new RegistryError(
      'request.invalid',
      `"${key.slice(0, 100)}" is no key; write 1 to ${KEY_LIMIT} characters without blanks around them.`,
    );
  }
  return { account, space, key };
}

const noSuchKey = (space: string, key: string): RegistryError =>
  new RegistryError(
    'not-found',
    `No sample has the key "${key.slice(0, 100)}" in your key space ${space.slice(0, 100)}.`,
  );
