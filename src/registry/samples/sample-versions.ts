/** Former versions of a sample, for its owner and administrators. */
import { type SampleRecordDocument, sampleRecordDocument } from '../changes/change-record.js';
import { formatDateTime } from '../date-time.js';
import { RegistryError } from '../errors.js';
import { type Caller, mayReadHistory } from '../permissions.js';
import type { StoredSample } from './sample.js';
import type { SampleReader } from './sample-reader.js';
import { type SampleStore, type SampleVersion, withNothingAttached } from './sample-store.js';

/** Versions that are in memory at once. */
const VERSIONS_AT_ONCE = 1_000;

export interface HistoryEntry {
  version: number;
  update: string;
  submissionAccountId: string;
  submittedVia: string;
  submissionId?: string;
  line?: number;
}

export class SampleVersions {
  constructor(
    private readonly store: SampleStore,
    private readonly reader: SampleReader,
  ) {}

  /** Newest first, in pages; for the owner and administrators. */
  async *list(accession: string, caller: Caller | undefined): AsyncGenerator<HistoryEntry[]> {
    const record = await this.reader.readable(accession, caller);
    this.requireHistory(record.sample, accession, caller);
    const size = VERSIONS_AT_ONCE;
    for (let before = record.sample.version + 1; before > 1; ) {
      const versions = await this.store.listVersions(record.sample.id, { before, size });
      if (versions.length === 0) return;
      before = versions.at(-1)?.version ?? 0;
      yield versions.map(historyEntry);
    }
  }

  /**
   * One version as it is stored, without what is attached, for those who keep a copy: its owner and administrators.
   * @throws RegistryError sample.not-found, sample.private, sample.not-owned, not-found
   */
  async record(accession: string, version: number, caller: Caller | undefined): Promise<SampleRecordDocument> {
    const { sample: present } = await this.reader.readable(accession, caller);
    const sample = await this.of(present, accession, version, caller);
    return sampleRecordDocument(withNothingAttached(sample), accession, caller);
  }

  /** @throws RegistryError sample.not-owned, not-found */
  async of(
    present: StoredSample,
    accession: string,
    version: number,
    caller: Caller | undefined,
  ): Promise<StoredSample> {
    this.requireHistory(present, accession, caller);
    const sample = await this.store.readVersion(present.id, version);
    if (sample === undefined) throw new RegistryError('not-found', `${accession} has no version ${version}.`);
    return sample;
  }

  private requireHistory(sample: StoredSample, accession: string, caller: Caller | undefined): void {
    if (mayReadHistory(sample, caller)) return;
    throw new RegistryError(
      caller ? 'sample.not-owned' : 'auth.required',
      `Old versions of ${accession} are shown to its owner and to administrators only.`,
    );
  }
}

const historyEntry = ({ version, updated, author, via, submissionId, line }: SampleVersion): HistoryEntry => ({
  version,
  update: formatDateTime(updated),
  submissionAccountId: author,
  submittedVia: via,
  ...(submissionId === undefined ? {} : { submissionId }),
  ...(line === undefined ? {} : { line }),
});
