import type { ServerResponse } from 'node:http';

/** A whole ID of ours, of a submission or a kept export, and nothing else. */
export const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const SUBMISSION = /\/submissions\/([\da-f-]{36})/;

/** Id of the submission that a request is about: the one it made, or the one in its address. */
export function submissionOf(response: ServerResponse, path: string): string | undefined {
  return SUBMISSION.exec(`${response.getHeader('location') ?? ''} ${path}`)?.[1];
}
