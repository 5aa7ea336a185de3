/** `POST /submissions/edits`: many samples changed alike, as a submission. */
import type { Request, RequestHandler, Response } from 'express';
import { requireScope } from '../../auth/caller.js';
import type { BatchEdits } from '../../exports/batch-edits.js';
import { isFinal, type Submission } from '../../submissions/submission.js';
import { idempotencyKey, sayReplayed } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { negotiateJson } from '../negotiate.js';
import { readBatchEdit } from '../schemas/schemas-of-edits.js';
import { RETRY_AFTER_S } from './upload.js';

export function createBatchEdit(
  context: HttpContext,
  edits: BatchEdits,
  sendDocument: (request: Request, response: Response, status: number, submission: Submission) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    negotiateJson(request.headers.accept);
    const caller = requireScope(await context.caller(request), 'submit');
    const edit = readBatchEdit(await context.json(request));
    const { submission, replayed } = await edits.accept(edit, caller, idempotencyKey(request));
    response.setHeader('Location', `${context.publicUrl(request)}/submissions/${submission.id}`);
    sayReplayed(response, replayed);
    const ended = isFinal(submission.state);
    if (!ended) response.setHeader('Retry-After', RETRY_AFTER_S);
    await sendDocument(request, response, ended ? 201 : 202, submission);
  };
}
