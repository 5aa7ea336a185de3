import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type AuditEvent, type AuditHeads, NO_HASH, sealLine } from './entry.js';
import { readHeads } from './files.js';

/** How long an entry may be only in the operating system's memory: a power cut may take this much, a kill nothing. */
const SYNC_EVERY_MS = 1_000;

/** A new file is begun after this long, so that old ones can expire. */
const ROTATE_AFTER_MS = 24 * 3600_000;

/**
 * One file per process and day, so that no process waits for another. Appending takes some 10 µs and no wait: the line
 * is with the operating system when `record` returns, before the change is answered.
 */
export class AuditLog {
  private readonly now: () => number;
  private readonly timer: NodeJS.Timeout;
  private file = -1;
  private opened = 0;
  private seq = 0;
  private last = NO_HASH;
  private unsynced = false;
  private torn = false;

  /** @throws when the folder cannot be written: a service that cannot be audited does not start */
  constructor(
    private readonly folder: string,
    options: { now?: () => number } = {},
  ) {
    this.now = options.now ?? Date.now;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.begin();
    this.timer = setInterval(() => this.sync(), SYNC_EVERY_MS);
    this.timer.unref();
  }

  /** @throws when the line cannot be written, e.g. on a full disk */
  record(event: AuditEvent): void {
    if (this.now() - this.opened > ROTATE_AFTER_MS) {
      this.end();
      this.begin();
    }
    this.append(event);
    this.unsynced = true;
  }

  /** Remembers that these files are about to be removed because their time is over. */
  recordExpired(files: string[]): void {
    this.append({ heads: [], expired: files });
    fsyncSync(this.file);
  }

  close(): void {
    clearInterval(this.timer);
    this.end();
  }

  private begin(): void {
    this.opened = this.now();
    const stamp = new Date(this.opened).toISOString().replace(/[-:.]/g, '');
    const name = `audit-${stamp}-${hostname().replace(/[^\w-]/g, '_')}-${process.pid}-${randomBytes(3).toString('hex')}.jsonl`;
    const heads = readHeads(this.folder);
    this.file = openSync(join(this.folder, name), 'ax', 0o600);
    this.seq = 0;
    this.last = NO_HASH;
    this.append({ heads });
    fsyncSync(this.file);
    const folder = openSync(this.folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  private end(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }

  private append(event: AuditEvent | AuditHeads): void {
    const seq = this.seq + 1;
    const { text, hash } = sealLine({ seq, at: new Date(this.now()).toISOString(), event, previous: this.last });
    // A piece of a line that a full disk left behind stays by itself, where the check finds it.
    const bytes = Buffer.from(`${this.torn ? '\n' : ''}${text}\n`);
    this.torn = true;
    for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes, written);
    this.torn = false;
    this.seq = seq;
    this.last = hash;
  }

  private sync(): void {
    if (!this.unsynced) return;
    this.unsynced = false;
    fdatasync(this.file, () => undefined);
  }
}
