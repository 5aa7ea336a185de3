import type { ServerResponse } from 'node:http';

const SUBMISSION = /\/submissions\/([\da-f-]{36})/;

/** Id of the submission that a request is about: the one it made, or the one in its address. */
export function submissionOf(response: ServerResponse, path: string): string | undefined {
  return SUBMISSION.exec(`${response.getHeader('location') ?? ''} ${path}`)?.[1];
}
