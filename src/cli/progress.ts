import { Presets, SingleBar } from 'cli-progress';
import type { SubmissionDocument } from '../client/documents.js';
import { counted } from './counted.js';

/** What a long upload shows while it runs. */
export interface Progress {
  sending(sent: number, size: number): void;
  processing(submission: SubmissionDocument): void;
  end(): void;
}

const FORMAT = '{label} {stage} {bar} {percentage} % {note}';

const SILENT: Progress = { sending: () => undefined, processing: () => undefined, end: () => undefined };

/** A bar on standard error when that is a terminal, nothing otherwise; gone when the work has ended, however it did. */
export async function withProgress<T>(
  label: string,
  quiet: boolean,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = progressFor(label, quiet);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** As above, for whoever calls `end` in every case: what draws the bar keeps the process running. */
export function progressFor(label: string, quiet: boolean): Progress {
  if (quiet || !process.stderr.isTTY) return SILENT;
  const bar = new SingleBar(
    // Its own care for signals stops the bar and lets the program go on.
    { format: FORMAT, hideCursor: true, stream: process.stderr, gracefulExit: false },
    Presets.shades_classic,
  );
  const end = (): void => {
    bar.stop();
    for (const name of SIGNALS) process.removeListener(name, endAndGo);
  };
  const endAndGo = (signal: NodeJS.Signals): void => {
    end();
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.once(name, endAndGo);
  // The label is a value, because a file name may look like a part of the format.
  bar.start(1, 0, { label, stage: 'sending', note: '' });
  const show = (stage: string, value: number, total: number, note: string): void => {
    bar.setTotal(Math.max(1, total));
    bar.update(value, { stage, note });
  };
  return {
    sending: (sent, size) => show('sending', sent, size, ''),
    processing: ({ phase, bytesRead, fileSize, counts, queuePosition }) =>
      show(
        (phase ?? 'QUEUED').toLowerCase(),
        bytesRead,
        fileSize,
        queuePosition === undefined ? counted(counts.rows, 'row') : `${queuePosition} before it`,
      ),
    end,
  };
}
