/** What came of a standing sheet. */
export interface StandingOutcome {
  /** Of a plan. `STOPPED`: something is above a ceiling; only a commit by hand carries it out. `WAITING`: for that. `COMMITTED`: by itself. */
  decision?: 'WAITING' | 'STOPPED' | 'COMMITTED';
  /** Why it was stopped, and what to do. */
  message?: string;
  /** Samples with keys in the key space, less those that are withdrawn and not in the file. */
  samples?: number;
  /** Of those, the ones that the export does not have. */
  missing?: number;
  /** Submission that carries the plan out by itself. */
  commit?: string;
  /** Of a commit: missing samples that it withdrew, and those that it left because they were changed after the plan. */
  withdrawn?: number;
  left?: number;
}
