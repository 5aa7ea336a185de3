/**
 * Over 250 lines: the list of the use cases of samples, as routes call them, each a few lines. Every failure is a
 * RegistryError. Documents are in a fixed order of members and carry no links.
 */

import { formatAccession } from './accession.js';
import type { AccountSettingsStore, KnownAccounts } from './account-settings.js';
import type { SampleRecordDocument } from './changes/change-record.js';
import type { CurationDocument, CurationLinkDocument } from './curations/curation-body.js';
import { CurationService } from './curations/curation-service.js';
import { type Caller, isPublic } from './permissions.js';
import type { RegistryOptions } from './registry-options.js';
import { type BulkReceipt, BulkWriter } from './samples/bulk-writer.js';
import type { Conditions } from './samples/conditions.js';
import { fingerprint } from './samples/fingerprint.js';
import { KeyedWriter } from './samples/keyed-writer.js';
import type { Written } from './samples/repeated-requests.js';
import { type RepresentationSettings, type SampleDocument, sampleDocument } from './samples/representation.js';
import type { SampleKeyStore } from './samples/sample-key-store.js';
import { SampleReader } from './samples/sample-reader.js';
import type { SampleRecord, SampleStore } from './samples/sample-store.js';
import { type HistoryEntry, SampleVersions } from './samples/sample-versions.js';
import { SampleWriter } from './samples/sample-writer.js';
import { Withdrawal } from './samples/withdrawal.js';
import type { StructuredDataSetDocument } from './structured-data/structured-data-body.js';
import { StructuredDataService } from './structured-data/structured-data-service.js';
import { timeSlices } from './time-slices.js';

export type { Caller } from './permissions.js';
export type { RegistryOptions } from './registry-options.js';

export interface SampleView {
  document: SampleDocument;
  accession: string;
  /** With its double quotes. */
  etag: string;
  public: boolean;
}

/** Of a request that may have been sent before: `replayed` where the sample is that of the first time, as it is now. */
export type WrittenView = SampleView & { replayed: boolean };

export class Registry {
  private readonly reader: SampleReader;
  private readonly writer: SampleWriter;
  private readonly bulk: BulkWriter;
  private readonly versions: SampleVersions;
  private readonly keyed: KeyedWriter;
  private readonly withdrawal: Withdrawal;
  private readonly curations: CurationService;
  private readonly data: StructuredDataService;

  constructor(
    store: SampleStore & SampleKeyStore & KnownAccounts & Pick<AccountSettingsStore, 'accountSettings'>,
    private readonly options: RegistryOptions,
  ) {
    this.reader = new SampleReader(store, options);
    this.writer = new SampleWriter(store, this.reader, options);
    this.bulk = new BulkWriter(store, this.reader, this.writer);
    this.versions = new SampleVersions(store, this.reader);
    this.keyed = new KeyedWriter(store, this.reader, this.writer, options);
    this.withdrawal = new Withdrawal(store, this.reader);
    this.curations = new CurationService(store, this.reader, options);
    this.data = new StructuredDataService(store, this.reader, options);
  }

  /**
   * POST /samples. `key`: the Idempotency-Key, by which the same request is known when it is sent again.
   * @throws RegistryError request.invalid, sample.invalid, sample.accession-given, sample.key-reused, auth.forbidden
   */
  async register(body: unknown, caller: Caller, key?: string): Promise<WrittenView> {
    return this.writtenView(await this.writer.register(body, caller, key));
  }

  /** Many at once, all or none but for a failure of the store. In the order of the bodies. @throws RegistryError samples.invalid */
  async submitAll(bodies: readonly unknown[], caller: Caller, key?: string): Promise<WrittenView[]> {
    return this.views(await this.bulk.submit(bodies, caller, key));
  }

  /** Those that are good, and what is wrong with the others. */
  async submitGood(
    bodies: readonly unknown[],
    caller: Caller,
    key?: string,
  ): Promise<{ samples: WrittenView[]; refused: BulkReceipt['refused'] }> {
    const { written, refused } = await this.bulk.submitGood(bodies, caller, key);
    return { samples: await this.views(written), refused };
  }

  /** Placeholders for all of them. @throws RegistryError samples.invalid */
  async accessionAll(bodies: readonly unknown[], caller: Caller, key?: string): Promise<WrittenView[]> {
    return this.views(await this.bulk.accession(bodies, caller, key));
  }

  /** @throws RegistryError samples.invalid */
  validateAll(bodies: readonly unknown[], caller: Caller): Promise<void> {
    return this.bulk.validate(bodies, caller);
  }

  /** POST /samples/accession: a placeholder, private for 100 years. */
  async accession(body: unknown, caller: Caller, key?: string): Promise<WrittenView> {
    return this.writtenView(await this.writer.accession(body, caller, key));
  }

  /**
   * PUT /samples/{accession}. `changed` is false when the content was there already.
   * The answer is the stored sample: who builds the next update from a curated view would take others' curations into it.
   * @throws RegistryError sample.not-found, sample.not-owned, sample.accession-mismatch, precondition.failed, sample.invalid
   */
  async update(
    accession: string,
    body: unknown,
    caller: Caller,
    conditions: Conditions = {},
  ): Promise<SampleView & { changed: boolean }> {
    const { record, changed } = await this.writer.update(accession, body, caller, conditions);
    return { ...this.view(record, false), changed };
  }

  /** Withdraws a sample, or takes that back. @throws RegistryError sample.not-found, sample.not-owned, precondition.failed, conflict */
  async withdraw(
    accession: string,
    withdrawn: boolean,
    caller: Caller,
    conditions: Conditions = {},
  ): Promise<SampleView> {
    return this.view(await this.withdrawal.set(accession, withdrawn, caller, conditions), false);
  }

  /** Accession of the caller's sample that has this key. @throws RegistryError not-found, request.invalid */
  accessionOfKey(space: string, key: string, caller: Caller): Promise<string> {
    return this.keyed.accessionOf(space, key, caller);
  }

  /** PUT /samples/by-key: updates the sample with this key, or registers one. @throws RegistryError as `register` and `update` do; conflict */
  async putByKey(
    place: { space: string; key: string },
    body: unknown,
    caller: Caller,
    conditions: Conditions = {},
  ): Promise<SampleView & { created: boolean }> {
    const { record, created } = await this.keyed.put(place.space, place.key, body, caller, conditions);
    return { ...this.view(record, false), created };
  }

  /** Takes the key from its sample, which stays. @throws RegistryError not-found, precondition.failed */
  takeKey(space: string, key: string, caller: Caller, conditions: Conditions = {}): Promise<void> {
    return this.keyed.take(space, key, caller, conditions);
  }

  /** POST /validate: the echo; stores nothing. @throws RegistryError sample.invalid with every problem */
  validate(body: unknown, caller: Caller): Promise<Omit<SampleDocument, 'accession'>> {
    return this.writer.validate(body, caller);
  }

  /**
   * GET /samples/{accession}. `declined`: apply also the curations that the owner declined. `version`: an old one, as stored, for its owner and administrators.
   * @throws RegistryError sample.not-found, sample.private
   */
  async read(
    accession: string,
    caller: Caller | undefined,
    options: { applyCurations?: boolean; declined?: boolean; version?: number } = {},
  ): Promise<SampleView> {
    const record = await this.reader.readable(accession, caller);
    if (options.version === undefined) {
      return this.view(record, options.applyCurations ?? true, { declined: options.declined ?? false });
    }
    const sample = await this.versions.of(record.sample, accession, options.version, caller);
    const document = sampleDocument(sample, sample.content, [], this.settings());
    return { document, accession, etag: fingerprint(document), public: false };
  }

  /** Newest first, in pages; for the owner and administrators. */
  history(accession: string, caller: Caller | undefined): AsyncGenerator<HistoryEntry[]> {
    return this.versions.list(accession, caller);
  }

  /**
   * One version as it is stored, without what is attached, for those who keep a copy: its owner and administrators.
   * @throws RegistryError sample.not-found, sample.private, sample.not-owned, not-found
   */
  versionRecord(accession: string, version: number, caller: Caller | undefined): Promise<SampleRecordDocument> {
    return this.versions.record(accession, version, caller);
  }

  /** POST …/curationlinks. `added` is false when the same link was there: answer 200 instead of 201. */
  curate(accession: string, body: unknown, caller: Caller): Promise<{ link: CurationLinkDocument; added: boolean }> {
    return this.curations.curate(accession, body, caller);
  }

  /** In order of `created`; each says whether it still applies. `page` is 0-based. */
  listCurationLinks(
    accession: string,
    caller: Caller | undefined,
    page: { page: number; size: number },
  ): Promise<{ links: CurationLinkDocument[]; total: number }> {
    return this.curations.list(accession, caller, page);
  }

  /** @throws RegistryError not-found */
  getCurationLink(accession: string, hash: string, caller: Caller | undefined): Promise<CurationLinkDocument> {
    return this.curations.get(accession, hash, caller);
  }

  /** @throws RegistryError not-found; auth.forbidden when it is neither the caller's nor the caller an administrator */
  deleteCurationLink(accession: string, hash: string, caller: Caller): Promise<void> {
    return this.curations.delete(accession, hash, caller);
  }

  /** For the sample's owner and administrators. @throws RegistryError sample.not-owned, not-found */
  declineCuration(accession: string, hash: string, caller: Caller, declined: boolean): Promise<CurationLinkDocument> {
    return this.curations.decline(accession, hash, caller, declined);
  }

  /** As private as the samples that it is linked to. @throws RegistryError not-found */
  getCuration(hash: string, caller: Caller | undefined): Promise<CurationDocument> {
    return this.curations.curation(hash, caller);
  }

  /** Curations of samples that the caller may read, in the order of their hashes; `after` is the `next` of the page before. */
  listCurations(
    caller: Caller | undefined,
    page: { after: string | undefined; size: number },
  ): Promise<{ curations: CurationDocument[]; next?: string }> {
    return this.curations.listAll(caller, page);
  }

  /** PUT /structureddata/{accession}: replaces the caller's tables. @throws RegistryError data.invalid, auth.forbidden, precondition.failed */
  putStructuredData(
    accession: string,
    body: unknown,
    caller: Caller,
    conditions: Conditions = {},
  ): Promise<StructuredDataSetDocument> {
    return this.data.put(accession, body, caller, conditions);
  }

  /**
   * Takes tables away: for the sample's owner and administrators any, for others their own.
   * @throws RegistryError not-found when there is none; auth.forbidden, precondition.failed
   */
  deleteStructuredData(
    accession: string,
    which: { account?: string; type?: string },
    caller: Caller,
    conditions: Conditions = {},
  ): Promise<void> {
    return this.data.delete(accession, which, caller, conditions);
  }

  /** @throws RegistryError not-found when nothing is attached */
  getStructuredData(accession: string, caller: Caller | undefined): Promise<StructuredDataSetDocument> {
    return this.data.get(accession, caller);
  }

  /** What a search result shows of a sample: its curated view. */
  view(record: SampleRecord, applyCurations: boolean, options?: { declined: boolean }): SampleView {
    const document = this.reader.document(record, applyCurations, options);
    return {
      document,
      accession: formatAccession(this.options.prefix, record.sample.id),
      etag: fingerprint(document),
      public: isPublic(record.sample, this.options.now()),
    };
  }

  /** As submitted. */
  private writtenView({ record, replayed }: Written): WrittenView {
    return { ...this.view(record, false), replayed };
  }

  private async views(written: readonly Written[]): Promise<WrittenView[]> {
    const nextSlice = timeSlices();
    const views: WrittenView[] = [];
    for (const each of written) {
      views.push(this.writtenView(each));
      await nextSlice();
    }
    return views;
  }

  private settings(): RepresentationSettings {
    return {
      prefix: this.options.prefix,
      accountFieldAlias: this.options.accountFieldAlias,
      now: this.options.now(),
    };
  }
}
