/** Finding samples for a caller, and what is seen of them. */
import { formatAccession, parseAccession } from '../accession.js';
import { applyCurations } from '../curations/curation-rules.js';
import { formatDateTime } from '../date-time.js';
import { RegistryError } from '../errors.js';
import { type Caller, mayChange, mayRead, maySubmit, owns } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import { type Conditions, requireConditions } from './conditions.js';
import { fingerprint } from './fingerprint.js';
import { type SampleDocument, type ShownSample, sampleDocument } from './representation.js';
import { ERASED, type SampleContent, type StoredSample } from './sample.js';
import type { SampleRecord, SampleStore } from './sample-store.js';

/** As much of a record as readers see. */
export interface ShownRecord extends Omit<SampleRecord, 'sample'> {
  sample: ShownSample & Pick<StoredSample, 'content'>;
}

export class SampleReader {
  constructor(
    private readonly store: SampleStore,
    private readonly options: RegistryOptions,
  ) {}

  /** @throws RegistryError sample.not-found when it is no accession of ours */
  idOf(accession: string): number {
    const id = parseAccession(this.options.prefix, accession);
    if (id === undefined) throw notFound(accession);
    return id;
  }

  /** What is left of an erased sample, its owner and administrators read. @throws RegistryError sample.not-found, sample.private, sample.erased */
  async readable(accession: string, caller: Caller | undefined): Promise<SampleRecord> {
    const record = await this.store.readSample(this.idOf(accession));
    if (record === undefined) throw notFound(accession);
    if (!owns(record.sample.account, caller)) requireNotErased(record.sample, accession);
    if (mayRead(record.sample, caller, this.options.now())) return record;
    throw new RegistryError(
      'sample.private',
      `${accession} is not public; its owner and administrators can read it with their token.`,
    );
  }

  /**
   * For who takes away what they attached, as `isOwn` says: they may not be able to read the sample any more.
   * @throws RegistryError sample.not-found, sample.private, sample.erased
   */
  async toTakeFrom(accession: string, caller: Caller, isOwn: (record: SampleRecord) => boolean): Promise<SampleRecord> {
    const record = await this.store.readSample(this.idOf(accession));
    return record && isOwn(record) ? record : this.readable(accession, caller);
  }

  /** The sample, or undefined when there is none or the caller may not read it. */
  async find(accession: string, caller: Caller | undefined): Promise<SampleRecord | undefined> {
    const id = parseAccession(this.options.prefix, accession);
    const record = id === undefined ? undefined : await this.store.readSample(id);
    return record && mayRead(record.sample, caller, this.options.now()) ? record : undefined;
  }

  /** What readers see of the content: with its curations, on demand also those that the owner declined. */
  curated({ sample, curationLinks }: ShownRecord, options?: { declined: boolean }): SampleContent {
    const accession = formatAccession(this.options.prefix, sample.id);
    return applyCurations(sample.content, curationLinks, accession, options).content;
  }

  /** Of a write to the sample. @throws RegistryError precondition.failed */
  requireConditions(conditions: Conditions, accession: string, current: ShownRecord): void {
    requireConditions(conditions, accession, () => this.waysToRead(current).map(fingerprint));
  }

  /** Each document that a read of the sample may have shown. */
  private waysToRead(record: ShownRecord): SampleDocument[] {
    const ways = [this.document(record, true), this.document(record, false)];
    const hasDeclined = record.curationLinks.some(({ declined }) => declined !== undefined);
    return hasDeclined ? [...ways, this.document(record, true, { declined: true })] : ways;
  }

  document(record: ShownRecord, curated: boolean, options?: { declined: boolean }): SampleDocument {
    const { sample, structuredData } = record;
    const content = curated ? this.curated(record, options) : sample.content;
    return sampleDocument(sample, content, structuredData, {
      prefix: this.options.prefix,
      accountFieldAlias: this.options.accountFieldAlias,
      now: this.options.now(),
    });
  }
}

export const notFound = (accession: string): RegistryError =>
  new RegistryError('sample.not-found', `There is no sample ${accession.slice(0, 100)} here; check the accession.`);

/** @throws RegistryError sample.not-owned, sample.erased */
export function requireChange(sample: StoredSample, accession: string, caller: Caller): void {
  if (!mayChange(sample, caller)) {
    throw new RegistryError('sample.not-owned', `${accession} belongs to another account; ask its owner to change it.`);
  }
  requireNotErased(sample, accession);
}

/** @throws RegistryError sample.erased */
export function requireNotErased(
  { adminStatus, updated }: Pick<StoredSample, 'adminStatus' | 'updated'>,
  accession: string,
): void {
  if (adminStatus !== ERASED) return;
  const day = formatDateTime(updated).slice(0, 10);
  throw new RegistryError(
    'sample.erased',
    `${accession} was erased on ${day}: nothing of it is kept, and the accession is not given again. Leave it out, or register the sample anew.`,
  );
}

/** @throws RegistryError auth.forbidden */
export function requireSubmit(caller: Caller): void {
  if (!maySubmit(caller)) {
    throw new RegistryError('auth.forbidden', 'This token may only read; use one with the scope "submit".');
  }
}

/** Names under which a body may carry the account. */
export const accountFields = ({ accountFieldAlias }: RegistryOptions): string[] =>
  accountFieldAlias === undefined ? ['submissionAccountId'] : ['submissionAccountId', accountFieldAlias];
