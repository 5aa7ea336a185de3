import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolderNow, syncNow } from '../durable-names.js';
import { type AuditEvent, type AuditHeads, NO_HASH, sealLine } from './entry.js';
import { readHeads, removeAbandonedReserves } from './files.js';
import { Reserve } from './reserve.js';

/** How long an entry for which nobody asked `synced` may be only in the operating system's memory, which a power cut takes. */
const SYNC_EVERY_MS = 1_000;

/** A new file is begun after this long, so that old ones can expire. */
const ROTATE_AFTER_MS = 24 * 3600_000;

/**
 * One file per process and day, so that no process waits for another. Appending takes some 10 µs and no wait: the line
 * is with the operating system when `record` returns, and on the disk when `synced` resolves, before the change is answered.
 */
export class AuditLog {
  private readonly now: () => number;
  private readonly timer: NodeJS.Timeout;
  private file = -1;
  private opened = 0;
  private seq = 0;
  private last = NO_HASH;
  private unsynced = false;
  private syncing: Promise<void> = Promise.resolve();
  private nextSync: Promise<void> | undefined;
  private readonly reserve: Reserve;

  /** @throws when the folder cannot be written: a service that cannot be audited does not start */
  constructor(
    private readonly folder: string,
    options: { now?: () => number } = {},
  ) {
    this.now = options.now ?? Date.now;
    makeFolderNow(folder, 0o700);
    removeAbandonedReserves(folder);
    this.reserve = new Reserve(folder);
    this.begin();
    this.timer = setInterval(() => void this.synced().catch(() => undefined), SYNC_EVERY_MS);
    this.timer.unref();
  }

  /** Why the lines of further changes may find no room, or cannot be written at all: whoever is about to change something asks first. */
  fault(): Error | undefined {
    return this.reserve.fault();
  }

  /** Takes the reserve when the disk is full. @throws when the line cannot be written even so */
  record(event: AuditEvent): void {
    if (this.now() - this.opened > ROTATE_AFTER_MS) this.rotate();
    this.append(event);
    this.unsynced = true;
  }

  /** Resolves once all lines so far are on the disk; who asks while a sync is under way shares the next one. */
  synced(): Promise<void> {
    this.nextSync ??= this.syncing.then(() => {
      this.nextSync = undefined;
      const done = this.sync();
      this.syncing = done.catch(() => undefined);
      return done;
    });
    return this.nextSync;
  }

  /** Remembers that these files are about to be removed because their time is over. */
  recordExpired(files: string[]): void {
    this.append({ heads: [], expired: files });
    fsyncSync(this.file);
  }

  close(): void {
    clearInterval(this.timer);
    this.end();
    this.reserve.spend();
  }

  /** The old file is closed when the new one is there: where none can be begun, it goes on, and the next line tries again. */
  private rotate(): void {
    const { file } = this;
    fsyncSync(file);
    try {
      this.begin();
    } catch {
      return;
    }
    closeSync(file);
  }

  /** @throws when it cannot; nothing has changed then */
  private begin(): void {
    const { file: before, seq, last } = this;
    const opened = this.now();
    const stamp = new Date(opened).toISOString().replace(/[-:.]/g, '');
    const name = `audit-${stamp}-${hostname().replace(/[^\w-]/g, '_')}-${process.pid}-${randomBytes(3).toString('hex')}.jsonl`;
    const heads = readHeads(this.folder);
    const path = join(this.folder, name);
    const file = openSync(path, 'ax', 0o600);
    try {
      Object.assign(this, { file, seq: 0, last: NO_HASH });
      this.append({ heads });
      fsyncSync(file);
      syncNow(this.folder);
      this.opened = opened;
    } catch (error) {
      Object.assign(this, { file: before, seq, last });
      closeSync(file);
      rmSync(path, { force: true });
      throw error;
    }
  }

  private end(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }

  private append(event: AuditEvent | AuditHeads): void {
    const seq = this.seq + 1;
    const { text, hash } = sealLine({ seq, at: new Date(this.now()).toISOString(), event, previous: this.last });
    const line = Buffer.from(`${text}\n`);
    try {
      this.write(line);
    } catch (error) {
      this.reserve.spend(error as Error);
      this.write(line);
    }
    this.seq = seq;
    this.last = hash;
  }

  /** The line whole, or nothing of it: a full disk leaves no piece behind. */
  private write(line: Buffer): void {
    const before = fstatSync(this.file).size;
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.file, line, written);
    } catch (error) {
      ftruncateSync(this.file, before);
      throw error;
    }
  }

  private sync(): Promise<void> {
    if (!this.unsynced) return Promise.resolve();
    this.unsynced = false;
    const { file } = this;
    return new Promise((resolve, reject) => {
      // One that was ended meanwhile has been synced before it was closed.
      fdatasync(file, (error) => (error && file === this.file ? reject(error) : resolve()));
    });
  }
}
