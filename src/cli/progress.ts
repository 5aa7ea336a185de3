import { Presets, SingleBar } from 'cli-progress';
import type { SubmissionDocument } from '../client/documents.js';

/** What a long upload shows while it runs. */
export interface Progress {
  sending(sent: number, size: number): void;
  processing(submission: SubmissionDocument): void;
  end(): void;
}

const SILENT: Progress = { sending: () => undefined, processing: () => undefined, end: () => undefined };

/** A bar on standard error when that is a terminal, nothing otherwise. */
export function progressFor(label: string, quiet: boolean): Progress {
  if (quiet || !process.stderr.isTTY) return SILENT;
  const bar = new SingleBar(
    { format: `${label} {stage} {bar} {percentage} % {note}`, hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(1, 0, { stage: 'sending', note: '' });
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
        queuePosition === undefined ? `${counts.rows} rows` : `${queuePosition} before it`,
      ),
    end: () => bar.stop(),
  };
}
