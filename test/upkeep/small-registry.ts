/** A registry in a folder, in this process: the real store, blobs, queue and worker, without HTTP. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '../../src/blobs/open.js';
import { loadConfig } from '../../src/config.js';
import { createLog } from '../../src/observability/log.js';
import { openStore } from '../../src/store/open.js';
import Database from '../../src/store/sqlite/driver.js';
import { SUM_FUNCTION, sumOf } from '../../src/store/sqlite/row-sum.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { compose, type Service } from '../../src/wiring/compose.js';
import { inThisProcess } from '../support/in-this-process.js';

const OPTIONS: UploadOptions = {
  releaseDate: Date.UTC(2024, 0, 1),
  mode: 'partial',
  update: 'replace',
  dryRun: false,
  duplicate: 'reuse',
  unknownColumns: 'ignore',
};

const ADA = { account: 'ada', admin: false };

export class SmallRegistry {
  readonly folder = mkdtempSync(join(tmpdir(), 'small-registry-'));
  readonly path = join(this.folder, 'registry.db');
  private service: Service | undefined;
  /** Of the service, or by themselves. */
  private engines!: { store: Store; blobs: Blobs; close(): Promise<void> };

  async open(): Promise<this> {
    const config = loadConfig({
      DATA_DIR: this.folder,
      STORE_URL: `sqlite:${this.path}`,
      ADMIN_TOKEN: 'administrator-of-the-tests',
    });
    this.service = await compose(config, createLog('silent', 'test'), inThisProcess({ batchRows: 10 }));
    this.engines = this.service;
    return this;
  }

  /** Another that holds what this one held when it was stopped: its store and its files, and nothing that takes uploads. */
  async copied(): Promise<SmallRegistry> {
    const copy = new SmallRegistry();
    cpSync(this.folder, copy.folder, { recursive: true });
    const store = await openStore(`sqlite:${copy.path}`, { prefix: 'SAMR' });
    const blobs = await openBlobs(pathToFileURL(join(copy.folder, 'blobs')).href);
    const close = async () => {
      await blobs.close();
      await store.close();
    };
    copy.engines = { store, blobs, close };
    return copy;
  }

  get store(): Store {
    return this.engines.store;
  }

  get blobs(): Blobs {
    return this.engines.blobs;
  }

  upload(rows: string[][], options: Partial<UploadOptions> = {}, account = 'ada'): Promise<Submission> {
    const sheet = [['Sample Name', 'Characteristics[organism]', 'Sample Identifier'], ...rows];
    return this.uploadText(sheet.map((cells) => `${cells.join('\t')}\n`).join(''), options, account);
  }

  async uploadText(text: string, options: Partial<UploadOptions> = {}, account = 'ada'): Promise<Submission> {
    if (!this.service) throw new Error('Nothing is uploaded to a copy.');
    const { submission } = await this.service.uploads.accept({
      account,
      admin: false,
      fileName: 'a.tsv',
      options: { ...OPTIONS, ...options },
      source: (async function* () {
        yield Buffer.from(text);
      })(),
    });
    return submission;
  }

  async commit(id: string): Promise<Submission> {
    return (await (this.service as Service).uploads.commit(id, ADA)).submission;
  }

  async undo(id: string): Promise<Submission> {
    return (await (this.service as Service).uploads.undo(id, ADA)).submission;
  }

  /** Changes the database behind everybody's back, as a faulty program would: rows beside samples are summed up. */
  tamper(sql: string): void {
    const database = new Database(this.path);
    database.function(SUM_FUNCTION, { varargs: true, deterministic: true }, sumOf);
    const { changes } = database.prepare(sql).run();
    database.close();
    if (changes === 0) throw new Error(`nothing was changed by ${sql}`);
  }

  /** Changes it as damage does: nothing is summed up. */
  damage(sql: string): void {
    const database = new Database(this.path);
    const triggers = database
      .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where type = 'trigger'")
      .all();
    for (const { name } of triggers) database.exec(`drop trigger ${name}`);
    const { changes } = database.prepare(sql).run();
    for (const trigger of triggers) database.exec(trigger.sql);
    database.close();
    if (changes === 0) throw new Error(`nothing was changed by ${sql}`);
  }

  async stop(): Promise<void> {
    await this.engines.close();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const newRows = (count: number, prefix = 'S'): string[][] =>
  Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 'Homo sapiens', '']);
