/**
 * Compares what the store says of each submission with what it holds (I1 to I3 and I5 of docs/architecture.md), and
 * reads every sample. Memory stays flat: one chunk of the ledger and some thousand samples at a time.
 */
import { createHash } from 'node:crypto';
import type { SampleRecord, SampleStore } from '../registry/samples/sample-store.js';
import type { Blobs } from '../submissions/blobs.js';
import { faultOfSource, originalOf, sourceOf } from '../submissions/reading/stored-source.js';
import { isFinal, type Submission } from '../submissions/submission.js';
import type { LedgerChunk, SubmissionStore } from '../submissions/submission-store.js';
import { checkLines, type Tally } from './check-ledger.js';
import type { UpkeepStore, VersionPlace } from './upkeep-store.js';

export type VerifiedStore = SampleStore & SubmissionStore & UpkeepStore;

/** One thing that is not as it must be: the rule it breaks and where. */
export interface Fault {
  rule: 'I1' | 'I2' | 'I3' | 'I5' | 'sample' | 'store' | 'original';
  place: string;
  message: string;
}

export interface VerifyReport {
  submissions: number;
  /** Not ended yet, so nothing is promised of them but what is committed. */
  active: number;
  samples: number;
  /** Versions of samples that were written before there were checksums: nothing is known of their content. */
  unchecked: number;
  /** SHA-256 over every sample with all that its visible content depends on: equal in two stores with equal content. */
  fingerprint: string;
  faults: Fault[];
}

export interface VerifyOptions {
  /** Where the uploaded files are: each must be there in its size. */
  blobs: Pick<Blobs, 'open'>;
  /** Reads every uploaded file and compares its SHA-256. */
  originals?: boolean;
  onProgress?: (done: string) => void;
}

const PAGE = 200;
const SAMPLES_AT_ONCE = 1000;
const VERSIONS_AT_ONCE = 200;

export async function verifyStore(store: VerifiedStore, options: VerifyOptions): Promise<VerifyReport> {
  const report: VerifyReport = { submissions: 0, active: 0, samples: 0, unchecked: 0, fingerprint: '', faults: [] };
  const fault = (place: string, message: string) => report.faults.push({ rule: 'store', place, message });
  /** What cannot be read is a fault; the rest is looked at all the same. */
  const attempt = (what: string, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => void fault('store', `${what} cannot be read: ${messageOf(error)}`));
  await attempt('Its structure', async () => {
    for (const { place, message } of await store.integrityFaults()) fault(place, message);
  });
  await attempt('The list of submissions', () => verifySubmissions(store, report, options));
  await attempt('The list of samples', () => verifySamples(store, report, options));
  await attempt('The earlier versions of samples', () => verifyVersions(store, report));
  return report;
}

async function verifySubmissions(store: VerifiedStore, report: VerifyReport, options: VerifyOptions): Promise<void> {
  const { faults } = report;
  const samplesBefore = await store.countSamplesFromFiles();
  let created = 0;
  let ledgersGone = false;
  for await (const id of submissionIds(store)) {
    report.submissions++;
    const submission = await store.find(id).catch((error: unknown) => {
      const message = `It cannot be read: ${messageOf(error)}`;
      faults.push({ rule: 'store', place: `submission ${id}`, message });
    });
    if (submission === undefined) continue;
    if (!isFinal(submission.state)) report.active++;
    if (await store.ledgerGone(submission.id)) {
      ledgersGone = true;
    } else {
      const tally = await verifySubmission(store, submission, faults);
      if (!submission.options.dryRun) created += tally.created;
    }
    await verifyOriginal(store, submission, options, faults);
  }
  const fromFiles = await store.countSamplesFromFiles();
  // Samples that no ledger accounts for would be those of a chunk that was written twice. While samples are being
  // registered, the two numbers are of different moments and say nothing.
  if (!ledgersGone && fromFiles === samplesBefore && fromFiles !== created) {
    const message = `${fromFiles} samples began as rows of tables, the ledgers tell of ${created}.`;
    faults.push({ rule: 'I2', place: 'store', message });
  }
}

async function verifySubmission(store: VerifiedStore, submission: Submission, faults: Fault[]): Promise<Tally> {
  const place = `submission ${submission.id}`;
  const tally: Tally = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, lastLine: 0 };
  try {
    for await (const chunk of store.ledger(submission.id)) {
      checkLines(chunk, tally, (rule, message) => faults.push({ rule, place, message }));
      if (!submission.options.dryRun) await verifyOrigins(store, submission.id, chunk, faults);
    }
  } catch (error) {
    // What cannot be read is a fault of this submission; the others are looked at all the same.
    faults.push({ rule: 'store', place, message: `Its ledger cannot be read: ${messageOf(error)}` });
    return tally;
  }
  const counts = isFinal(submission.state) ? submission.counts : ((await store.find(submission.id))?.counts ?? tally);
  const moved = counts.rows !== submission.counts.rows;
  for (const name of moved ? [] : (['rows', 'created', 'updated', 'unchanged', 'rejected'] as const)) {
    if (tally[name] !== counts[name]) {
      const message = `The status says ${name}: ${counts[name]}, the ledger ${tally[name]}.`;
      faults.push({ rule: 'I5', place, message });
    }
  }
  return tally;
}

/** Each line's accession in the ledger is a sample that this very line wrote. */
async function verifyOrigins(store: VerifiedStore, id: string, chunk: LedgerChunk, faults: Fault[]): Promise<void> {
  for (const kind of ['created', 'updated', 'missing', 'completed', 'completedOwn'] as const) {
    for (const [line, first, count] of chunk[kind] ?? []) {
      const origins = (await store.versionOrigins(first, count)).filter(
        (origin) => origin.submissionId === id && origin.line === line + origin.id - first,
      );
      const wrote = kind === 'created' ? origins.filter(({ version }) => version === 1) : origins;
      const written = new Set(wrote.map((origin) => origin.id));
      for (let n = 0; n < count; n++) {
        if (written.has(first + n)) continue;
        const message = `Line ${line + n} is recorded as ${kind} sample ${first + n}, which was not written by it.`;
        faults.push({ rule: 'I3', place: `submission ${id}`, message });
      }
    }
  }
}

async function verifyOriginal(
  store: VerifiedStore,
  submission: Submission,
  { blobs, originals = false }: VerifyOptions,
  faults: Fault[],
): Promise<void> {
  if (await store.originalGone(submission.id)) return;
  const fault = (message: string) => faults.push({ rule: 'original', place: `submission ${submission.id}`, message });
  const original = await faultOfSource(blobs, originalOf(submission), originals);
  if (original === 'missing') fault('The original is missing.');
  if (original === 'damaged') fault('The original is not the file that was uploaded.');
  if (!submission.options.readAs) return;
  // One that is missing is made again when it is wanted; a backup has none.
  const text = await faultOfSource(blobs, sourceOf(submission), originals);
  if (text === 'damaged') fault('The text of the workbook is damaged; it is made again when it is wanted next.');
}

async function verifySamples(store: VerifiedStore, report: VerifyReport, options: VerifyOptions): Promise<void> {
  const hash = createHash('sha256');
  const next = await store.nextAccession();
  const fault = (id: number, message: string) => report.faults.push({ rule: 'sample', place: `sample ${id}`, message });
  for (let after = 0; ; ) {
    const ids = await store.sampleIds(after, SAMPLES_AT_ONCE);
    for (const record of await readAll(store, ids, fault)) hash.update(canonicalText(record));
    for (const id of ids) {
      if (id >= next) fault(id, `Its number would be given again: the next one is ${next}.`);
    }
    report.samples += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < SAMPLES_AT_ONCE) break;
    if (last <= after) throw new Error(`after sample ${after} the database goes on with sample ${last}`);
    after = last;
    options.onProgress?.(`${report.samples} samples`);
  }
  report.fingerprint = hash.digest('hex');
}

/** Each overwritten version against its checksum; the present ones are checked as they are read. */
async function verifyVersions(store: VerifiedStore, report: VerifyReport): Promise<void> {
  for (let after: VersionPlace | undefined = { id: 0, version: 0 }; after; ) {
    const { damaged, next }: Awaited<ReturnType<UpkeepStore['damagedVersions']>> = await store.damagedVersions(
      after,
      VERSIONS_AT_ONCE,
    );
    for (const { id, version } of damaged) {
      const message = `Its version ${version} is not what was stored.`;
      report.faults.push({ rule: 'sample', place: `sample ${id}`, message });
    }
    if (next && (next.id < after.id || (next.id === after.id && next.version <= after.version))) {
      throw new Error(`after version ${after.version} of sample ${after.id} the database goes back`);
    }
    after = next;
  }
  report.unchecked = await store.uncheckedVersions();
}

/** All at once; when that fails, one by one, to tell which it is. */
async function readAll(
  store: VerifiedStore,
  ids: readonly number[],
  fault: (id: number, message: string) => void,
): Promise<SampleRecord[]> {
  const together = await store.sampleRecords(ids).catch(() => undefined);
  if (together) return together;
  const records: SampleRecord[] = [];
  for (const id of ids) {
    const record = await store.readSample(id).catch((error: unknown) => {
      fault(id, `It cannot be read: ${messageOf(error)}`);
    });
    if (record) records.push(record);
  }
  return records;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The same text for the same content, whatever order a store keeps members in. */
const canonicalText = (record: SampleRecord): string => `${JSON.stringify(record, sortMembers)}\n`;

const sortMembers = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Newest first. */
async function* submissionIds(store: Pick<UpkeepStore, 'submissionIds'>): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (let before: string | undefined; ; ) {
    const page = await store.submissionIds(before, PAGE);
    yield* page;
    before = page.at(-1);
    if (before === undefined || page.length < PAGE) return;
    if (seen.has(before)) throw new Error(`after submission ${before} the database goes back`);
    seen.add(before);
  }
}

/** Newest first. */
export async function* allSubmissions(store: Pick<SubmissionStore, 'list'>): AsyncGenerator<Submission> {
  for (let before: string | undefined; ; ) {
    const page = await store.list({ size: PAGE, ...(before === undefined ? {} : { before }) });
    yield* page;
    before = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
