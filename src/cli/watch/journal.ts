/**
 * What the daemon has promised about each file, in an SQLite file of its own. The database is held in exclusive mode:
 * the operating system's lock on it is what keeps a second process away, and it falls when this process dies.
 */

import type { UploadOptions } from '../../client/documents.js';
import Database from '../../store/sqlite/driver.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/**
 * claimed: taken from the inbox under this key, perhaps sent · submitted: the service has it · settling: its end is
 * known and its papers are being moved · settled.
 */
export type Stage = 'claimed' | 'submitted' | 'settling' | 'settled';
export type Outcome = 'done' | 'rejected';

/** The end of a file: where it goes, and what `upload` would have ended with. */
export interface FileEnd {
  outcome: Outcome;
  code: ExitCode;
  /** What is wrong with it, or to be looked at, in words. */
  reason?: string;
}

export interface JournalEntry {
  /** The idempotency key of this instance of the file; durable before the first byte is sent. */
  key: string;
  /** File name in the inbox. */
  name: string;
  stage: Stage;
  options: UploadOptions;
  submissionId?: string;
  end?: FileEnd;
  /** Name it gets in the folder of its outcome. */
  place?: string;
  /** Bytes that were sent of it; not in the journal. */
  sentBytes?: number;
}

interface Row {
  key: string;
  name: string;
  stage: Stage;
  options: string;
  submission: string | null;
  outcome: Outcome | null;
  place: string | null;
  code: ExitCode | null;
  reason: string | null;
}

/** Another process watches the folder. */
export class FolderBusyError extends Error {}

/** How long the memory of settled files is kept. */
const KEEP_SETTLED_MS = 90 * 86_400_000;

/** A database says what is wrong and not where: of a full disk, which one it is. */
const namingPath = (path: string, done: 'opened' | 'written', error: unknown): Error =>
  new Error(`${path} cannot be ${done}: ${(error as Error).message}.`, { cause: error });

function openAt(path: string): Database.Database {
  try {
    return new Database(path, { timeout: 500 });
  } catch (error) {
    throw namingPath(path, 'opened', error);
  }
}

const endOf = (outcome: Outcome, code: ExitCode | null, reason: string | null): FileEnd => ({
  outcome,
  code: code ?? (outcome === 'done' ? EXIT.done : EXIT.refused),
  ...(reason === null ? {} : { reason }),
});

export class Journal {
  private readonly db: Database.Database;

  /** @throws FolderBusyError */
  constructor(private readonly path: string) {
    this.db = openAt(path);
    try {
      this.db.pragma('locking_mode = EXCLUSIVE');
      this.db.pragma('journal_mode = WAL');
      this.db.pragma('synchronous = FULL');
      this.db.exec(`BEGIN EXCLUSIVE;
        CREATE TABLE IF NOT EXISTS file (
          key TEXT PRIMARY KEY, name TEXT NOT NULL, stage TEXT NOT NULL, options TEXT NOT NULL,
          submission TEXT, outcome TEXT, place TEXT, changed INTEGER NOT NULL, code INTEGER, reason TEXT) STRICT;
        COMMIT`);
      const columns = this.db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('file');
      // Journals begun before 2026-11-26, and before 2026-11-30.
      if (!columns.includes('code')) this.db.exec('ALTER TABLE file ADD COLUMN code INTEGER');
      if (!columns.includes('reason')) this.db.exec('ALTER TABLE file ADD COLUMN reason TEXT');
      this.db.prepare(`DELETE FROM file WHERE stage = 'settled' AND changed < ?`).run(Date.now() - KEEP_SETTLED_MS);
    } catch (error) {
      this.db.close();
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
        throw new FolderBusyError(`Another process watches this folder already (it holds ${path}).`);
      }
      throw namingPath(path, 'opened', error);
    }
  }

  claim(entry: { key: string; name: string; options: UploadOptions }): JournalEntry {
    this.#write(
      `INSERT INTO file (key, name, stage, options, changed) VALUES (?, ?, 'claimed', ?, ?)`,
      entry.key,
      entry.name,
      JSON.stringify(entry.options),
      Date.now(),
    );
    return { ...entry, stage: 'claimed' };
  }

  /** For a claim whose file was gone before it could be taken. */
  forget(key: string): void {
    this.#write('DELETE FROM file WHERE key = ?', key);
  }

  submitted(entry: JournalEntry, submissionId: string): JournalEntry {
    this.#write(
      `UPDATE file SET stage = 'submitted', submission = ?, changed = ? WHERE key = ?`,
      submissionId,
      Date.now(),
      entry.key,
    );
    return { ...entry, stage: 'submitted', submissionId };
  }

  settling(entry: JournalEntry, end: FileEnd, place: string): JournalEntry {
    this.#write(
      `UPDATE file SET stage = 'settling', outcome = ?, code = ?, reason = ?, place = ?, changed = ? WHERE key = ?`,
      end.outcome,
      end.code,
      end.reason ?? null,
      place,
      Date.now(),
      entry.key,
    );
    return { ...entry, stage: 'settling', end, place };
  }

  settled(entry: JournalEntry): void {
    this.#write(`UPDATE file SET stage = 'settled', changed = ? WHERE key = ?`, Date.now(), entry.key);
  }

  #write(sql: string, ...values: unknown[]): void {
    try {
      this.db.prepare(sql).run(...values);
    } catch (error) {
      throw namingPath(this.path, 'written', error);
    }
  }

  /** True while another file is about to take this name. */
  isPlaceTaken(outcome: Outcome, place: string): boolean {
    return (
      this.db
        .prepare(`SELECT 1 FROM file WHERE stage = 'settling' AND outcome = ? AND place = ?`)
        .get(outcome, place) !== undefined
    );
  }

  knows(key: string): boolean {
    return this.db.prepare('SELECT 1 FROM file WHERE key = ?').get(key) !== undefined;
  }

  /** In the order they were claimed. */
  unsettled(): JournalEntry[] {
    const rows = this.db.prepare(`SELECT * FROM file WHERE stage <> 'settled' ORDER BY rowid`).all() as Row[];
    return rows.map(({ key, name, stage, options, submission, outcome, place, code, reason }) => ({
      key,
      name,
      stage,
      options: JSON.parse(options) as UploadOptions,
      ...(submission === null ? {} : { submissionId: submission }),
      ...(outcome === null ? {} : { end: endOf(outcome, code, reason) }),
      ...(place === null ? {} : { place }),
    }));
  }

  close(): void {
    this.db.close();
  }
}
