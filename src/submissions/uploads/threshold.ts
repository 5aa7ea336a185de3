/** Small or large: exactly the limit is large. The limits are settings. */
import type { Counts, Lane } from '../submission.js';

export interface SmallLimits {
  /** A small file has fewer bytes than this. */
  bytes: number;
  /** A small file has fewer data rows than this. */
  rows: number;
}

/** The lane that a file of this many bytes waits in; rows are not known yet. */
export const laneOf = (bytes: number, limits: SmallLimits): Lane => (bytes < limits.bytes ? 'small' : 'large');

/** Whether a processed file is answered with its result: known only when its rows have been counted. */
export const isSmall = (file: { fileSize: number; counts: Counts }, limits: SmallLimits): boolean =>
  file.fileSize < limits.bytes && file.counts.rows < limits.rows;
