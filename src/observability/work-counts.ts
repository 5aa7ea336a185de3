/** Counts what a worker process does, for metrics that another process shows. */

import type { ProcessingEvents } from '../submissions/processing/processing.js';
import type { Counts, Submission } from '../submissions/submission.js';
import type { WorkReport } from './metrics.js';

const KINDS = ['created', 'updated', 'unchanged', 'rejected'] as const;

export class WorkCounts {
  private report = emptyReport();
  /** Counts of each submission under way as of its last chunk. */
  private readonly last = new Map<string, Counts>();

  /** `also` hears of the same. */
  events(also: ProcessingEvents): ProcessingEvents {
    return {
      ...also,
      applied: (submission, rows, ms) => {
        this.countChunk(submission);
        also.applied?.(submission, rows, ms);
      },
      ended: (submission) => {
        this.last.delete(submission.id);
        this.report.ended[submission.state] = (this.report.ended[submission.state] ?? 0) + 1;
        also.ended?.(submission);
      },
      claimLost: (claim) => {
        this.last.delete(claim.submission.id);
        also.claimLost?.(claim);
      },
      takenOver: (submissionId) => {
        this.report.takeovers++;
        also.takenOver?.(submissionId);
      },
    };
  }

  /** What happened since the last call; undefined when nothing did. */
  drain(): WorkReport | undefined {
    const { report } = this;
    if (report.chunks === 0 && report.takeovers === 0 && Object.keys(report.ended).length === 0) return undefined;
    this.report = emptyReport();
    return report;
  }

  /** What a process beside this one reports. */
  add({ chunks, rows, ended, takeovers }: WorkReport): void {
    this.report.chunks += chunks;
    for (const kind of KINDS) this.report.rows[kind] += rows[kind];
    for (const [state, n] of Object.entries(ended)) this.report.ended[state] = (this.report.ended[state] ?? 0) + n;
    this.report.takeovers += takeovers;
  }

  private countChunk({ id, attempts, counts }: Submission): void {
    this.report.chunks++;
    // What a former attempt registered is not ours; of the first chunk of a later one only the end is known.
    const before = this.last.get(id) ?? (attempts > 1 ? counts : undefined);
    for (const kind of KINDS) this.report.rows[kind] += counts[kind] - (before?.[kind] ?? 0);
    this.last.set(id, counts);
  }
}

const emptyReport = (): WorkReport => ({
  chunks: 0,
  rows: { created: 0, updated: 0, unchanged: 0, rejected: 0 },
  ended: {},
  takeovers: 0,
});
