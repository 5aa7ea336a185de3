/** The documents of submissions, with what the store says beside each: its place in the queue, and what followed it. */
import type { Request } from 'express';
import type { Submission } from '../submissions/submission.js';
import type { Uploads } from '../submissions/uploads/uploads.js';
import type { HttpContext } from './context.js';
import { submissionDocument } from './submission-document.js';

export type Documents = (request: Request, submissions: readonly Submission[]) => Promise<Record<string, unknown>[]>;

export function submissionDocuments(context: HttpContext, uploads: Uploads): Documents {
  return (request, submissions) =>
    context.inPlace(request, async () => {
      const followedBy = await uploads.followedBy(submissions);
      const shown: Record<string, unknown>[] = [];
      for (const submission of submissions) {
        const queuePosition = submission.phase === 'QUEUED' ? await uploads.queuePosition(submission.id) : undefined;
        const beside = { queuePosition, ...followedBy(submission) };
        shown.push(submissionDocument(submission, context.publicUrl(request), beside));
      }
      return shown;
    });
}
