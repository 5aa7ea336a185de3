/** A registry in a folder, in this process: the real store, blobs, queue and worker, without HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobs } from '../../src/blobs/open.js';
import { EmbeddedQueue } from '../../src/queue/embedded.js';
import { openStore } from '../../src/store/open.js';
import Database from '../../src/store/sqlite/driver.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { DEFAULT_SMALL_LIMITS } from '../../src/submissions/threshold.js';
import { Uploads } from '../../src/submissions/uploads.js';
import { startWorker, type Worker } from '../../src/submissions/work.js';

const OPTIONS: UploadOptions = {
  releaseDate: Date.UTC(2024, 0, 1),
  mode: 'partial',
  update: 'replace',
  dryRun: false,
  duplicate: 'reuse',
  unknownColumns: 'ignore',
};

export class SmallRegistry {
  readonly folder = mkdtempSync(join(tmpdir(), 'small-registry-'));
  readonly path = join(this.folder, 'registry.db');
  store!: Store;
  blobs!: Blobs;
  private queue!: EmbeddedQueue;
  private worker!: Worker;

  async open(): Promise<this> {
    this.store = await openStore(`sqlite:${this.path}`, { prefix: 'SAMR' });
    this.blobs = await openBlobs(`file:${join(this.folder, 'blobs')}`);
    this.queue = new EmbeddedQueue();
    this.worker = startWorker(
      {
        store: this.store,
        queue: this.queue,
        blobs: this.blobs,
        readApart: () => {
          throw new Error('only small files here');
        },
        prefix: 'SAMR',
        batchRows: 10,
        rules: { maxAttempts: 3, outsideMs: 3_600_000 },
        leaseMs: 10_000,
        events: {},
      },
      { name: 'w', concurrency: { small: 1, large: 1 }, lookEveryMs: 50 },
    );
    return this;
  }

  async upload(rows: string[][], options: Partial<UploadOptions> = {}): Promise<Submission> {
    const text = [['Sample Name', 'Characteristics[organism]', 'Sample Identifier'], ...rows]
      .map((cells) => `${cells.join('\t')}\n`)
      .join('');
    const uploads = new Uploads({
      store: this.store,
      queue: this.queue,
      blobs: this.blobs,
      prefix: 'SAMR',
      limits: DEFAULT_SMALL_LIMITS,
      maxUploadBytes: 1e6,
      waitMs: 10_000,
      now: Date.now,
    });
    const { submission } = await uploads.accept({
      account: 'ada',
      admin: false,
      fileName: 'a.tsv',
      options: { ...OPTIONS, ...options },
      source: (async function* () {
        yield Buffer.from(text);
      })(),
    });
    return submission;
  }

  /** Changes the database behind everybody's back. */
  tamper(sql: string): void {
    const database = new Database(this.path);
    const { changes } = database.prepare(sql).run();
    database.close();
    if (changes === 0) throw new Error(`nothing was changed by ${sql}`);
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.queue.close();
    await this.store.close();
    await this.blobs.close();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const newRows = (count: number, prefix = 'S'): string[][] =>
  Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 'Homo sapiens', '']);
