/**
 * Disk space that is set aside for the lines of changes that are under way when the disk fills up: a change is begun only
 * while the reserve is whole, and its line is written out of the reserve when nothing else is left.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Some thousand lines: more than requests can be under way at once. */
const RESERVE_BYTES = 1024 * 1024;

/** A try costs some milliseconds of writing. */
const TRY_EVERY_MS = 200;

export class Reserve {
  private readonly path: string;
  private whole = false;
  private triedAt = Number.NEGATIVE_INFINITY;
  private failure = new Error('it was not tried yet');

  constructor(folder: string) {
    const name = `reserve-${hostname().replace(/[^\w-]/g, '_')}-${process.pid}-${randomBytes(3).toString('hex')}`;
    this.path = join(folder, name);
  }

  /** Undefined when it is there; tries to make it when it is not, and says why it could not be made. */
  fault(): Error | undefined {
    if (!this.whole && performance.now() - this.triedAt >= TRY_EVERY_MS) this.make();
    return this.whole ? undefined : this.failure;
  }

  private make(): void {
    this.triedAt = performance.now();
    try {
      const file = openSync(this.path, 'w', 0o600);
      try {
        // Not a hole: random bytes take their room on any file system.
        const bytes = randomBytes(RESERVE_BYTES);
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      this.whole = true;
    } catch (error) {
      this.spend(error as Error);
    }
  }

  /** Gives its room back to the disk, where that takes changes; else the next process removes it. */
  spend(because = this.failure): void {
    this.failure = because;
    this.whole = false;
    try {
      rmSync(this.path, { force: true });
    } catch (error) {
      this.failure = error as Error;
    }
  }
}
