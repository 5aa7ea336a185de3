/** Submissions and batches for tests that work on a store directly. */
import { randomUUID } from 'node:crypto';
import type { Curation, CurationLink } from '../../src/registry/curations/curation.js';
import { type AdminStatus, emptyContent } from '../../src/registry/samples/sample.js';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { SampleStore } from '../../src/registry/samples/sample-store.js';
import type { Claim, NewSubmission, SubmissionStore } from '../../src/submissions/submission-store.js';

export const LAYOUT = {
  cells: 2,
  characteristics: [
    { name: 'organism', text: 0 },
    { name: 'tissue', text: 1 },
  ],
  relationships: [],
  externalReferences: [],
  contact: [],
  organization: [],
  publications: [],
};

export function draft(account: string, changes: Partial<NewSubmission> = {}): NewSubmission {
  const now = Date.now();
  return {
    id: randomUUID(),
    account,
    admin: false,
    state: 'ACTIVE',
    phase: 'QUEUED',
    lane: 'large',
    fileName: 'samples.tsv',
    fileSize: 1000,
    sha256: randomUUID().replaceAll('-', ''),
    blobKey: randomUUID(),
    options: { mode: 'partial', update: 'replace', dryRun: false, duplicate: 'reuse', unknownColumns: 'ignore' },
    created: now,
    updated: now,
    ...changes,
  };
}

/** What a curation says, tied to a sample by another account than its owner. */
export const curationLink = (hash: string, lists: Partial<Omit<Curation, 'hash'>>): CurationLink => ({
  curation: {
    attributesPre: [],
    attributesPost: [],
    externalReferencesPre: [],
    externalReferencesPost: [],
    relationshipsPre: [],
    relationshipsPost: [],
    ...lists,
    hash: `c${hash}`,
  },
  domain: null,
  account: 'bo',
  created: 1,
  hash,
});

export interface Row {
  name: string;
  cells?: string;
  /** Accession number of the sample that the row updates. */
  id?: number;
  /** NaN: the row says none. */
  release?: number;
}

/** Rows at consecutive lines from `fromLine` on. */
export function batchOf(fromLine: number, rows: readonly Row[]): LaidOutBatch {
  let text = '';
  const spans: number[] = [];
  for (const { name, cells = 'Homo sapiens\tliver' } of rows) {
    for (const part of [name, cells]) {
      spans.push(text.length, text.length + part.length);
      text += part;
    }
  }
  return {
    fromLine,
    toLine: fromLine + rows.length - 1,
    bytesRead: (fromLine + rows.length) * 10,
    count: rows.length,
    texts: [text],
    spans: Uint32Array.from(spans),
    lines: Uint32Array.from(rows, (_, at) => fromLine + at),
    releases: Float64Array.from(rows, ({ release = 1_609_459_200_000 }) => release),
    ids: Float64Array.from(rows, ({ id = 0 }) => id),
    documents: new Map(),
    rejected: [],
    warnings: [],
    layout: LAYOUT,
  };
}

export const named = (from: number, count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ name: `sample ${from + at}` }));

/** The next large submission, claimed by a worker whom nobody disturbs. */
export const claimNext = async (store: Pick<SubmissionStore, 'claimNext'>, leaseMs = 60_000): Promise<Claim> =>
  (await store.claimNext({ lane: 'large', worker: 'w', leaseMs, maxAttempts: 3, outsideMs: 3_600_000 })) as Claim;

/** A sample made through JSON, by its owner; its number. */
export async function createSample(
  store: Pick<SampleStore, 'createSample'>,
  account: string,
  release: number,
  tissue?: string,
): Promise<number> {
  const content = { ...emptyContent(), characteristics: tissue === undefined ? {} : { tissue: [{ text: tissue }] } };
  const draft = { name: 's', release, content };
  return (await store.createSample({ draft, account, author: account, via: 'JSON_API', placeholder: false })).id;
}

let names = 0;

/** Another name, so that it is a change, and this release. */
export const rewriteSample = (
  store: Pick<SampleStore, 'updateSample'>,
  id: number,
  release: number,
  adminStatus?: AdminStatus | null,
) =>
  store.updateSample(id, ({ sample }) => ({
    kind: 'update',
    draft: { ...sample, name: `s${++names}`, release },
    provenance: { author: 'ada', via: 'JSON_API' },
    ...(adminStatus === undefined ? {} : { adminStatus }),
  }));
