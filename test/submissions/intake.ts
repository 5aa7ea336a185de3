/** A laboratory's uploads without HTTP or a queue: the real store and files in a folder, each submission worked to its end at once. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFilesystemBlobs } from '../../src/blobs/filesystem.js';
import { lazyChecklists } from '../../src/checklists/open.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { IsaDocuments } from '../../src/submissions/isa-json/open.js';
import { processSubmission } from '../../src/submissions/processing/process-submission.js';
import type { ProcessingDependencies, ProcessingEvents } from '../../src/submissions/processing/processing.js';
import type { Queue } from '../../src/submissions/queue.js';
import { Results } from '../../src/submissions/results/results.js';
import { isFinal, type Submission, type UploadOptions } from '../../src/submissions/submission.js';
import {
  type AcceptedUpload,
  acceptUpload,
  type UploadDependencies,
  type UploadRequest,
} from '../../src/submissions/uploads/accept-upload.js';
import { commitDryRun, undoSubmission } from '../../src/submissions/uploads/follow-up.js';
import { MARKED_WORKBOOK } from '../../src/workbooks/print.js';
import { WorkbookReader } from '../../src/workbooks/reader.js';

export const DEFAULTS: UploadOptions = {
  mode: 'partial',
  update: 'replace',
  dryRun: false,
  duplicate: 'reuse',
  unknownColumns: 'characteristics',
};

export interface Sent {
  account?: string;
  admin?: boolean;
  fileName?: string;
  key?: string;
}

export function requestOf(
  file: string | Buffer,
  options: Partial<UploadOptions> = {},
  { account = 'ada', admin = false, fileName = 'plates.tsv', key }: Sent = {},
): UploadRequest {
  const named = key === undefined ? {} : { idempotencyKey: key };
  return { account, admin, fileName, options: { ...DEFAULTS, ...options }, source: inOnePiece(file), ...named };
}

export async function* inOnePiece(file: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(file as string);
}

export const RULES = { maxAttempts: 1, outsideMs: 0 };
const LEASE_MS = 60_000;

/** Rows of cells as a sheet. */
export const sheetOf = (...rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.join('\t')}\n`).join('');

export class Intake {
  readonly clock = { now: Date.UTC(2030, 0, 1, 12) };
  /** Of all submissions that were announced as ended, in order, and of all that were rung for. */
  readonly announced: string[] = [];
  readonly rung: string[] = [];
  /** Rows of a batch. */
  batchRows = 3;
  /** Small files have fewer bytes and rows. */
  limits = { bytes: 20_000, rows: 200 };
  events: ProcessingEvents = {};
  readonly workbooks = new IsaDocuments(new WorkbookReader(), 'SAMR');
  private readonly checklists = lazyChecklists();

  private constructor(
    readonly folder: string,
    readonly store: Store,
    readonly blobs: Blobs,
  ) {}

  static async open(): Promise<Intake> {
    const folder = mkdtempSync(join(tmpdir(), 'intake-'));
    const clock = { now: 0 };
    const store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR', now: () => clock.now });
    const intake = new Intake(folder, store, await openFilesystemBlobs(join(folder, 'blobs')));
    Object.defineProperty(clock, 'now', { get: () => intake.clock.now });
    return intake;
  }

  async close(): Promise<void> {
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  readonly queue: Queue = {
    publish: async ({ submissionId }) => void this.rung.push(submissionId),
    consume: () => ({ stop: async () => {} }),
    announce: async (submissionId) => void this.announced.push(submissionId),
    waitFor: async () => false,
    check: async () => {},
    close: async () => {},
  };

  get uploads(): UploadDependencies {
    const { store, blobs, queue, workbooks, limits, clock } = this;
    const settings = { prefix: 'SAMR', maxUploadBytes: 10_000_000, waitMs: 0, now: () => clock.now };
    return { store, blobs, queue, workbooks, limits, checklists: this.checklists(), ...settings };
  }

  get processing(): ProcessingDependencies {
    const { store, blobs, queue, workbooks, batchRows, events, checklists } = this;
    const settings = { prefix: 'SAMR', leaseMs: LEASE_MS, rules: RULES };
    return { store, blobs, queue, workbooks, batchRows, events, rowChecks: { checklists }, ...settings };
  }

  get results(): Results {
    const { store, blobs, workbooks, checklists } = this;
    return new Results({
      store,
      blobs,
      workbooks,
      rowChecks: { checklists },
      workbook: MARKED_WORKBOOK,
      prefix: 'SAMR',
    });
  }

  /** Accepted and not worked yet. */
  accept(file: string | Buffer, options: Partial<UploadOptions> = {}, sent: Sent = {}): Promise<AcceptedUpload> {
    return acceptUpload(this.uploads, randomUUID(), requestOf(file, options, sent));
  }

  async send(file: string | Buffer, options: Partial<UploadOptions> = {}, sent: Sent = {}): Promise<Submission> {
    const { submission } = await this.accept(file, options, sent);
    return this.ended(submission.id);
  }

  /** Accepted and not worked yet. */
  async acceptCommit({ id }: Pick<Submission, 'id'>, admin = false): Promise<{ submission: Submission }> {
    return commitDryRun(this.uploads, await this.found(id), admin);
  }

  async commit(dryRun: Pick<Submission, 'id'>, admin = false): Promise<Submission> {
    return this.ended((await this.acceptCommit(dryRun, admin)).submission.id);
  }

  async undo({ id }: Pick<Submission, 'id'>, admin = false): Promise<Submission> {
    const { submission } = await undoSubmission(this.uploads, await this.found(id), admin);
    return this.ended(submission.id);
  }

  async found(id: string): Promise<Submission> {
    const submission = await this.store.find(id);
    if (submission === undefined) throw new Error(`There is no submission ${id}.`);
    return submission;
  }

  /** Works on what waits until this one has ended; it is tried once. */
  async ended(id: string): Promise<Submission> {
    for (;;) {
      const present = await this.found(id);
      if (isFinal(present.state)) return present;
      if (!(await this.work())) throw new Error(`Submission ${id} does not end: ${JSON.stringify(present)}`);
    }
  }

  /** Works on one batch of what waits, and hands the rest back as a worker that is stopped does. */
  async oneBatch(applied: ProcessingEvents['applied'] = () => {}): Promise<void> {
    const stopping = new AbortController();
    this.events = {
      applied: (...batch) => {
        stopping.abort();
        applied(...batch);
      },
    };
    await this.work(this.processing, stopping.signal);
    this.events = {};
  }

  /** The same until this one has ended; resolves to how often. */
  async batchForBatch(id: string, applied?: ProcessingEvents['applied']): Promise<number> {
    let steps = 0;
    for (; !isFinal((await this.found(id)).state); steps++) await this.oneBatch(applied);
    return steps;
  }

  /** Whether there was one to work on. */
  async work(deps: ProcessingDependencies = this.processing, signal = new AbortController().signal): Promise<boolean> {
    for (const lane of ['small', 'large'] as const) {
      const claim = await this.store.claimNext({ lane, worker: 'intake', leaseMs: LEASE_MS, ...RULES });
      if (!claim) continue;
      await processSubmission(deps, claim, signal);
      return true;
    }
    return false;
  }
}

export async function textOf(pieces: AsyncIterable<string | Buffer>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
}
