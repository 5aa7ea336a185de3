/** The service's documents as the page reads them, taken from its own description. */
import type { paths } from './interface.js';

/** What a GET of this path answers when all goes well. */
export type Answered<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** What a POST of this path answers with 201. */
export type Made<Path extends keyof paths> = paths[Path] extends {
  post: { responses: { 201: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** What a POST of this path takes. */
export type Asked<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** `worker` and `leaseUntil` are there while one works on it. */
export type SubmissionStatus = Answered<'/submissions/{id}'> & { worker?: string; leaseUntil?: string };
export type SubmissionState = SubmissionStatus['submissionStatus'];
export type SubmissionPhase = SubmissionStatus['phase'];
export type Counts = SubmissionStatus['counts'];
export type IssueGroup = SubmissionStatus['issues'][number];

/** One thing wrong at one cell, in the sheet's words. */
export type CellIssue = Answered<'/submissions/{id}/errors'>['warnings'][number];
