/**
 * Uploads that stand still: a line that is cut where no end notices, a proxy that reads no more. The browser waits for them
 * without end and says nothing. They are named here, and somebody decides: by itself none is ended that would begin anew, as a
 * slow line takes megabytes into its buffers and then asks for nothing for a while.
 */

import { stillWanted } from './ended-session.js';

/** No byte has left for as long. */
const STILL_MS = 30_000;
/** All bytes have left and no answer has come: meanwhile a large workbook is read, or a small sheet worked on. */
const UNANSWERED_MS = 120_000;

export interface StillUpload {
  fileName: string;
  /** All bytes have left. */
  unanswered: boolean;
  /** Ends the sending, to send the same once more or not. */
  decide: (choice: StillChoice) => void;
}

export type StillChoice = 'again' | 'stop';

let uploads: readonly StillUpload[] = [];
const listeners = new Set<() => void>();

export const stillUploads = (): readonly StillUpload[] => uploads;

export function onStillUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly StillUpload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

/** Somebody else, or nobody, is here now: they see no files of others and send none of them again. */
export function stopStillUploads(): void {
  for (const { decide } of uploads) decide('stop');
}

export interface SendingWatch {
  /** Bytes have left, all of them or some. */
  moved(all: boolean): void;
  ended(): void;
}

/**
 * Looks after one sending from now on until it has ended. Once nobody, or another account, has signed in, it is named to
 * nobody: it is stopped where it stands. `goesOnByItself`: sending again costs nothing, so that nobody is asked.
 */
export function watchSending(
  fileName: string,
  decide: StillUpload['decide'],
  goesOnByItself: () => boolean = () => false,
): SendingWatch {
  const isWanted = stillWanted();
  let named: StillUpload | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unname = () => {
    clearTimeout(timer);
    if (named) set(uploads.filter((one) => one !== named));
    named = undefined;
  };
  const moved = (unanswered: boolean) => {
    unname();
    timer = setTimeout(
      () => {
        if (!isWanted()) return decide('stop');
        if (goesOnByItself()) {
          moved(unanswered);
          return decide('again');
        }
        named = { fileName, unanswered, decide };
        set([...uploads, named]);
      },
      unanswered ? UNANSWERED_MS : STILL_MS,
    );
  };
  moved(false);
  return { moved, ended: unname };
}
