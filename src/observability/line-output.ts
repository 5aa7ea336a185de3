/**
 * Where the lines of a log go. Its disk may be full, its terminal gone: what cannot be written is held, then lost, and never keeps anybody
 * from working. (pino's own output ends the process then, and before that stands still until there is room.)
 */
import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Held until they can be written. */
const HELD_BYTES = 256 * 1024;
/** Until a reader who is behind has taken some: what he reads is not lost. */
const BEHIND_MS = 20;

const NOTHING = Buffer.alloc(0);
const pause = new Int32Array(new SharedArrayBuffer(4));

export class LineOutput implements DestinationStream {
  private held = NOTHING;
  private lost = 0;
  /** Hears how many lines were lost, once lines can be written again. */
  onLost: (lines: number) => void = () => undefined;

  constructor(private readonly file: number) {}

  write(line: string): void {
    const bytes = Buffer.from(line);
    const isRoom = this.held.length + bytes.length <= HELD_BYTES || this.flushed();
    if (isRoom) this.held = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    else this.lost++;
    if (!this.flushed() || this.lost === 0) return;
    const { lost } = this;
    this.lost = 0;
    this.onLost(lost);
  }

  /** Writes what is held; whether all of it is written. */
  private flushed(): boolean {
    while (this.held.length > 0) {
      try {
        this.held = this.held.subarray(writeSync(this.file, this.held));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false;
        Atomics.wait(pause, 0, 0, BEHIND_MS);
      }
    }
    this.held = NOTHING;
    return true;
  }
}
