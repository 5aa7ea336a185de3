/** A submission as clients see it. Times are ISO 8601, UTC. */

import { columnOf } from '../registry/changes/sample-change-list.js';
import type { NoteCode } from '../registry/issue-codes.js';
import { NOTE_CODES } from '../submissions/batch-edit/notes.js';
import { setbackMessage } from '../submissions/processing/attempts.js';
import type { EditOrder, Setbacks, Submission, UploadOptions } from '../submissions/submission.js';
import { changedSome, isFinal } from '../submissions/submission.js';

export function submissionDocument(
  submission: Submission,
  baseUrl: string,
  {
    queuePosition,
    undoneBy,
    committedBy,
  }: { queuePosition?: number | undefined; undoneBy?: string | undefined; committedBy?: string | undefined } = {},
): Record<string, unknown> {
  const { id, options, problem } = submission;
  const self = `${baseUrl}/submissions/${id}`;
  return {
    submissionId: id,
    submissionStatus: submission.state,
    phase: submission.phase,
    submissionDate: new Date(submission.created).toISOString(),
    lastUpdateDate: new Date(submission.updated).toISOString(),
    submitterDetails: submission.account,
    fileName: submission.fileName,
    fileSize: submission.fileSize,
    sha256: submission.sha256,
    ...(options.checklist === undefined ? {} : { checklist: options.checklist }),
    options: optionsDocument(options),
    ...(options.edit === undefined ? {} : { edit: editDocument(submission, options.edit) }),
    ...(submission.columns === undefined ? {} : { columns: submission.columns }),
    counts: submission.counts,
    ...(submission.standing === undefined ? {} : { standing: submission.standing }),
    becomePublic: submission.becomePublic,
    createdPublic: submission.createdPublic,
    bytesRead: bytesRead(submission),
    ...(queuePosition === undefined ? {} : { queuePosition }),
    attempts: submission.attempts,
    ...(submission.worker === undefined ? {} : { worker: submission.worker }),
    ...(submission.leaseUntil === undefined ? {} : { leaseUntil: new Date(submission.leaseUntil).toISOString() }),
    ...(submission.setbacks === undefined || isFinal(submission.state)
      ? {}
      : { setbacks: setbacksDocument(submission) }),
    ...(submission.cancelRequested && !isFinal(submission.state) ? { cancelRequested: true } : {}),
    ...(submission.earlierUpload === undefined ? {} : { earlierUpload: submission.earlierUpload }),
    ...(undoneBy === undefined ? {} : { undoneBy }),
    ...(committedBy === undefined ? {} : { committedBy }),
    ...(problem === undefined ? {} : { problem }),
    issues: submission.issues,
    _links: {
      self: { href: self },
      result: { href: `${self}/result` },
      mapping: { href: `${self}/mapping` },
      errors: { href: `${self}/errors` },
      original: { href: `${self}/original` },
      events: { href: `${self}/events` },
      // Of a file whose rows could not be read there is no result to put into it.
      ...(isFinal(submission.state) && submission.columns ? { roCrate: { href: `${self}/ro-crate` } } : {}),
      ...followUps(submission, self, undoneBy !== undefined),
    },
  };
}

/** What interrupted it since it last got further, and when it is tried again. */
function setbacksDocument({ setbacks, cursor }: Submission): Record<string, unknown> {
  const { outside, itself, since, nextTry } = setbacks as Setbacks;
  return {
    workersLost: outside,
    failures: itself,
    since: new Date(since).toISOString(),
    nextTry: new Date(nextTry).toISOString(),
    message: setbackMessage(setbacks as Setbacks, cursor, Date.now()),
  };
}

/** Of the file as it was uploaded; of a workbook, in proportion to its text. */
function bytesRead({ bytesRead: read, fileSize, options: { readAs } }: Submission): number {
  return readAs && readAs.bytes > 0 ? Math.min(fileSize, Math.round((read / readAs.bytes) * fileSize)) : read;
}

/** What can be done with a submission that has ended. */
function followUps(
  { state, problem, options, counts, standing }: Submission,
  self: string,
  undone: boolean,
): Record<string, { href: string }> {
  if (!isFinal(state)) return {};
  const missing = standing === undefined ? {} : { missing: { href: `${self}/missing` } };
  if (options.dryRun) {
    const changes = { changes: { href: `${self}/changes` }, ...missing };
    return problem || state === 'CANCELLED' ? changes : { ...changes, commit: { href: `${self}/commit` } };
  }
  const open = options.relationships === 'later' ? { openRelationships: { href: `${self}/open-relationships` } } : {};
  const undoable = !undone && options.undoOf === undefined && changedSome({ counts, standing });
  return {
    ...missing,
    ...open,
    ...(counts.updated > 0 && options.undoOf === undefined ? { changes: { href: `${self}/changes` } } : {}),
    ...(undoable ? { undo: { href: `${self}/undo` } } : {}),
  };
}

/** What a batch edit does, and to how many samples each of its changes does something. */
function editDocument(
  { issues, counts }: Submission,
  { changes, select, leftOut }: EditOrder,
): Record<string, unknown> {
  const noted = (code: NoteCode, column: string): number =>
    issues.find((group) => group.severity === 'note' && group.code === code && group.column === column)?.count ?? 0;
  return {
    ...(select === undefined ? {} : { select }),
    ...(leftOut === undefined ? {} : { leftOut }),
    changes: changes.map((change) => {
      const column = columnOf(change);
      const already = noted(NOTE_CODES.already, column);
      const lacking = noted(NOTE_CODES.lacking, column);
      return { ...change, changed: counts.updated + counts.unchanged - already - lacking, already, lacking };
    }),
  };
}

function optionsDocument(options: UploadOptions): Record<string, unknown> {
  const { releaseDate, readBy: _, datedBy: __, edit: ___, ...rest } = options;
  return releaseDate === undefined ? rest : { ...rest, releaseDate: new Date(releaseDate).toISOString() };
}
