import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { RegistryError } from '../registry/errors.js';

/** A whole ID of ours, of a submission or a kept export, and nothing else. */
export const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const SUBMISSION = /\/submissions\/([\da-f-]{36})/i;

/** Id of the submission that a request is about, as it is stored: the one it made, or the one in its address. */
export function submissionOf(response: ServerResponse, path: string): string | undefined {
  return SUBMISSION.exec(`${response.getHeader('location') ?? ''} ${path}`)?.[1]?.toLowerCase();
}

/**
 * Id of a submission in the address. Anything but an id of ours names nothing; the store is not asked.
 * @throws RegistryError submission.not-found
 */
export const idOf = (request: Request): string => submissionId(String(request.params.id));

/** So of one that is written elsewhere. @throws RegistryError submission.not-found */
export function submissionId(written: string): string {
  if (ID.test(written)) return written.toLowerCase();
  throw new RegistryError(
    'submission.not-found',
    `There is no submission ${JSON.stringify(written.slice(0, 60))} of yours.`,
  );
}
