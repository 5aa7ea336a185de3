/** How much of what may be asked for, by whom. */

/** reads are counted per address and process; writes and uploads per account; sign-ins per address. */
export const REQUEST_KINDS = ['read', 'write', 'upload', 'sign-in'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** Requests per minute; 0 for as many as one likes. */
export type RatePolicy = Record<RequestKind, number>;

/** Per account; 0 for none. A day is the last 24 hours. */
export interface Quotas {
  submissionsPerDay: number;
  bytesPerDay: number;
  waiting: number;
}

export const WINDOW_SECONDS = 60;
