/**
 * Erasing samples for good: what the store says of them, and the uploaded files that say it too. It may be stopped at any point and run
 * again: files go first, found by what the samples say, and the samples after them (docs/decisions/0198).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import type { SampleStore } from '../registry/samples/sample-store.js';
import type { Blobs } from '../submissions/blobs.js';
import { tableKey } from '../submissions/reading/stored-source.js';
import { isFinal, type Submission } from '../submissions/submission.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import { type NamedRows, namedIn, type Sought, withoutWords } from './erased-rows.js';
import type { ErasingStore } from './erasing-store.js';
import type { UpkeepStore } from './upkeep-store.js';
import { allSubmissions } from './verify.js';

export interface EraseDependencies {
  store: ErasingStore &
    Pick<SampleStore, 'readSample' | 'listVersions' | 'readVersions'> &
    Pick<SubmissionStore, 'list' | 'find' | 'ledger'> &
    Pick<UpkeepStore, 'originalGone' | 'ledgerGone' | 'markOriginalsGone'>;
  blobs: Pick<Blobs, 'open' | 'blocks' | 'delete'>;
  prefix: string;
  onProgress?: ((done: string) => void) | undefined;
}

export interface SampleToErase {
  accession: string;
  account: string;
  name: string;
  versions: number;
  curations: number;
  tables: number;
  keys: string[];
}

/** An upload that has rows of the samples. */
export interface UploadToErase {
  submissionId: string;
  account: string;
  fileName: string;
  /** Lines that mean the samples; none where nothing is known of its rows, as of an upload that failed. */
  lines: number[];
  /** Its file is kept still. */
  kept: boolean;
}

export interface ErasePlan {
  samples: SampleToErase[];
  uploads: UploadToErase[];
}

const VERSIONS_AT_ONCE = 100;
const LOOK_AGAIN_MS = 500;

/** What erasing them would take away, as far as uploads have come that are being processed. @throws RegistryError sample.not-found */
export async function planErasure(deps: EraseDependencies, ids: readonly number[]): Promise<ErasePlan> {
  const { samples, sought } = await lookAt(deps, ids);
  const named = await namedSubmissions(deps, sought, async (submission) => submission);
  return { samples, uploads: named.map(({ upload }) => upload) };
}

/** Takes it away. `withKeys`: the keys too, so that an export that still has the samples registers them anew. `record` hears of each before anything is changed. @throws RegistryError sample.not-found */
export async function erase(
  deps: EraseDependencies,
  ids: readonly number[],
  { author, withKeys, record }: { author: string; withKeys: boolean; record: (accession: string) => void },
): Promise<ErasePlan> {
  const { store } = deps;
  const { samples, sought } = await lookAt(deps, ids);
  for (const { accession } of samples) record(accession);
  const [newest] = await store.list({ size: 1 });
  const ended = (submission: Submission) => endOf(deps, submission, sought);
  const before = await namedSubmissions(deps, sought, ended);
  await eraseInUploads(deps, before, sought);
  await store.eraseSamples(ids, author);
  // Uploads that came meanwhile; later ones are refused the rows.
  const meanwhile = await namedSubmissions(deps, sought, ended, newest?.id);
  await eraseInUploads(deps, meanwhile, sought);
  if (withKeys) for (const id of ids) await store.forgetKeysOf(id);
  return { samples, uploads: [...meanwhile, ...before].map(({ upload }) => upload) };
}

/** The samples, and by which words their rows are known. */
async function lookAt(
  { store, prefix }: EraseDependencies,
  ids: readonly number[],
): Promise<{ samples: SampleToErase[]; sought: Sought }> {
  const samples: SampleToErase[] = [];
  const sought: Sought = { ids: new Set(ids), accounts: new Set(), words: new Set() };
  for (const id of sought.ids) {
    const accession = formatAccession(prefix, id);
    const record = await store.readSample(id);
    if (record === undefined) throw new RegistryError('sample.not-found', `There is no sample ${accession} here.`);
    const { sample, curationLinks, structuredData } = record;
    const keys = await store.keysOf(id);
    sought.accounts.add(sample.account);
    for (const word of [accession, ...keys, ...(await namesOf(store, id))]) if (word !== '') sought.words.add(word);
    samples.push({
      accession,
      account: sample.account,
      name: sample.name,
      versions: sample.version,
      curations: curationLinks.length,
      tables: structuredData.length,
      keys,
    });
  }
  return { samples, sought };
}

/** Of all versions. */
async function namesOf(store: EraseDependencies['store'], id: number): Promise<Set<string>> {
  const names = new Set<string>();
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const versions = await store.listVersions(id, { before, size: VERSIONS_AT_ONCE });
    for (const version of await store.readVersions(versions.map((each) => ({ id, version: each.version }))))
      if (version) names.add(version.name);
    const last = versions.at(-1);
    if (last === undefined || versions.length < VERSIONS_AT_ONCE) return names;
    before = last.version;
  }
}

interface NamedSubmission {
  submission: Submission;
  rows: NamedRows;
  upload: UploadToErase;
}

/** Submissions that have rows of the samples, the newest first; only those after the one named, if one is. `look`: each as it is to be looked at. */
async function namedSubmissions(
  deps: EraseDependencies,
  sought: Sought,
  look: (submission: Submission) => Promise<Submission>,
  after?: string,
): Promise<NamedSubmission[]> {
  const { store, onProgress } = deps;
  const named: NamedSubmission[] = [];
  let looked = 0;
  for await (const listed of allSubmissions(store)) {
    if (listed.id === after) break;
    const submission = await look(listed);
    const kept = !(await store.originalGone(submission.id));
    const rows = await namedIn(deps, submission, sought, kept);
    onProgress?.(`${++looked} uploads`);
    if (rows === undefined) continue;
    const { id: submissionId, account, fileName } = submission;
    named.push({ submission, rows, upload: { submissionId, account, fileName, lines: [...rows.lines], kept } });
  }
  return named;
}

/** One that may write the samples is waited for: it needs its file until it ends. */
async function endOf(
  { store, onProgress }: EraseDependencies,
  listed: Submission,
  { accounts }: Sought,
): Promise<Submission> {
  let submission = listed;
  while (!isFinal(submission.state) && (submission.admin || accounts.has(submission.account))) {
    onProgress?.(`waiting for submission ${submission.id}`);
    await sleep(LOOK_AGAIN_MS);
    submission = (await store.find(submission.id)) ?? submission;
  }
  return submission;
}

/** The file first and the mark after it, as where settings for keeping remove it. */
async function eraseInUploads(
  { store, blobs }: EraseDependencies,
  named: readonly NamedSubmission[],
  sought: Sought,
): Promise<void> {
  const files = new Set(named.filter(({ upload }) => upload.kept).map(({ submission }) => submission.blobKey));
  for (const key of files) {
    await blobs.delete(tableKey(key));
    await blobs.delete(key);
  }
  // What follows from an upload has its file, and may lack the row.
  if (files.size > 0)
    for await (const { id, blobKey } of allSubmissions(store))
      if (files.has(blobKey)) await store.markOriginalsGone([id]);
  for (const { submission, rows } of named) await store.rewriteOutcomes(submission.id, withoutWords(rows, sought));
}
