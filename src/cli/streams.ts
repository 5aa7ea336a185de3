/**
 * What happens to the work of a command when what it prints cannot be written. A reader that has seen enough, such as `head`, is no
 * failure and stops nothing that was asked for: files are still uploaded, a restore goes to its end. A full disk is one.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readOrFail } from '../client/save.js';
import { EXIT } from './exit-codes.js';

let left = false;
/** What standard output failed with first; it was said then. */
let failure: Error | undefined;

/** Whether nothing more can be printed: what a command does only to print it may end. */
export const readerLeft = (): boolean => left;

/** Of the program's own process, once. */
export function watchStreams(host: NodeJS.Process): void {
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (failure) return;
    failure = error;
    left = true;
    if (error.code === 'EPIPE') return;
    host.stderr.write(`Standard output cannot be written: ${error.message}.\n`);
    host.once('exit', (code) => {
      if (code === EXIT.done) host.exitCode = EXIT.usage;
    });
  });
  // There is nobody left to hear of it.
  host.stderr.on('error', () => undefined);
}

/** Prints a download as it comes. @throws UnavailableError when it breaks */
export async function printStream(source: Readable, from: string): Promise<void> {
  await pipeline(readOrFail(source, from), process.stdout, { end: false }).catch((error: unknown) => {
    if (error !== failure) throw error;
  });
}
