/** Submissions: status, list, results, events, cancel, retry. */
import { type Request, type Response, Router } from 'express';
import type { Scope } from '../../auth/account-store.js';
import { requireScope } from '../../auth/caller.js';
import type { BatchEdits } from '../../exports/batch-edits.js';
import { submissionCrate } from '../../exports/submission-crate.js';
import { NDJSON } from '../../registry/json-form.js';
import { formOf, REJECTED_ENDING, RESULT_ENDING } from '../../submissions/results/result-form.js';
import type { Results } from '../../submissions/results/results.js';
import { isFinal, type Submission } from '../../submissions/submission.js';
import type { SubmissionReader, Uploads } from '../../submissions/uploads/uploads.js';
import { VERSION } from '../../version.js';
import { sayReplayed } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { downloads } from '../downloads.js';
import { refuseBody } from '../json-body.js';
import { READERS_OF_SUBMISSIONS, sendEvents } from '../live/events.js';
import { liveReaders } from '../live/live-readers.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { CHANGED_ROWS } from '../openapi/submission-documents.js';
import { parse } from '../parse.js';
import { queryOf, trueOrFalse, wholeNumber } from '../query.js';
import { attachment, send } from '../respond.js';
import { idOf } from '../submission-address.js';
import { submissionDocuments } from '../submission-documents.js';
import { createBatchEdit } from './batch-edit.js';
import { errorsFormat, resultFormat } from './result-formats.js';
import { downloadResults, listSubmissions } from './submission-list.js';
import { createUpload, resultType, TSV, XLSX } from './upload.js';

export interface SubmissionParts {
  uploads: Uploads;
  results: Results;
  edits?: BatchEdits | undefined;
  /** The submission now and after each change, up to its end or the signal. */
  watch: (id: string, signal: AbortSignal) => AsyncIterable<Submission>;
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal;
}

export function submissionRoutes(context: HttpContext, parts: SubmissionParts): Router {
  const { uploads, results } = parts;
  const router = Router();
  const inPlace = liveReaders(READERS_OF_SUBMISSIONS);
  const download = downloads();

  const documents = submissionDocuments(context, uploads);
  const document = async (request: Request, submission: Submission) => (await documents(request, [submission]))[0];
  const answer = async (request: Request, response: Response, status: number, submission: Submission) => {
    const type = negotiateJson(request.headers.accept);
    send(request, response, status, type, JSON.stringify(await document(request, submission)));
  };

  const reader = async (request: Request, scope: Scope): Promise<SubmissionReader> => {
    const caller = requireScope(await context.caller(request), scope);
    return { account: caller.account, admin: caller.admin };
  };

  /** Of one who changes something. @throws RegistryError not-acceptable before anything is changed */
  const writer = async (request: Request): Promise<SubmissionReader> => {
    negotiateJson(request.headers.accept);
    return reader(request, 'submit');
  };

  const find = async (request: Request): Promise<Submission> => {
    const by = await reader(request, 'read');
    return context.inPlace(request, () => uploads.find(idOf(request), by));
  };

  /** A route that streams one file of a submission. */
  const file =
    (
      type: string | ((submission: Submission) => string),
      nameOf: (submission: Submission) => string,
      pieces: (submission: Submission, request: Request, by: SubmissionReader) => AsyncIterable<string | Buffer>,
      needs: 'outcomes' | 'original' = 'outcomes',
    ) =>
    async (request: Request, response: Response) => {
      const by = await reader(request, 'read');
      const submission = await find(request);
      if (needs === 'outcomes') await context.inPlace(request, () => results.requireOutcomes(submission));
      response.setHeader('Content-Disposition', attachment(nameOf(submission)));
      const said = typeof type === 'string' ? type : type(submission);
      await download(request, response, submission.account, said, () => pieces(submission, request, by));
    };

  address(router, '/', {
    post: createUpload(context, uploads, results, answer),
    get: listSubmissions(context, { uploads, results, documents }),
  });
  if (parts.edits) address(router, '/edits', { post: createBatchEdit(context, parts.edits, answer) });
  address(router, '/results', { get: downloadResults(context, { uploads, results, documents }, download) });
  address(router, '/:id', {
    get: context.briefly(async (request, response) => answer(request, response, 200, await find(request))),
    delete: context.briefly(async (request, response) =>
      answer(request, response, 200, await uploads.cancel(idOf(request), await writer(request))),
    ),
  });
  address(router, '/:id/retry', {
    post: context.briefly(async (request, response) =>
      answer(request, response, 202, await uploads.retry(idOf(request), await writer(request))),
    ),
  });
  for (const step of ['commit', 'undo'] as const) {
    address(router, `/:id/${step}`, {
      post: async (request, response) => {
        const by = await writer(request);
        await refuseBody(request, 'what is done was said with the upload; send nothing else.');
        const { submission, replayed } = await uploads[step](idOf(request), by);
        response.setHeader('Location', `${context.publicUrl(request)}/submissions/${submission.id}`);
        sayReplayed(response, replayed);
        await answer(request, response, isFinal(submission.state) ? 201 : 202, submission);
      },
    });
  }
  const result = {
    tsv: file(
      resultType,
      (submission) => named(submission.fileName, 'result', RESULT_ENDING[formOf(submission)]),
      (submission) => results.result(submission),
    ),
    xlsx: file(
      XLSX,
      ({ fileName }) => named(fileName, 'result', 'xlsx'),
      (submission) => results.resultWorkbook(submission),
    ),
  };
  address(router, '/:id/result', {
    get: (request, response) => result[resultFormat(request)](request, response),
  });
  const errors = {
    tsv: file(
      (submission) => (formOf(submission) === 'sheet' ? TSV : NDJSON),
      (submission) => named(submission.fileName, 'errors', REJECTED_ENDING[formOf(submission)]),
      (submission) => results.errors(submission),
    ),
    json: file(
      JSON_TYPE,
      ({ fileName }) => named(fileName, 'errors', 'json'),
      (submission) => results.errorsJson(submission),
    ),
    xlsx: file(
      XLSX,
      ({ fileName }) => named(fileName, 'errors', 'xlsx'),
      (submission) => results.errorsWorkbook(submission),
    ),
  };
  address(router, '/:id/errors', {
    get: (request, response) => errors[errorsFormat(request)](request, response),
  });
  address(router, '/:id/check', {
    post: async (request, response) => {
      const submission = await find(request);
      const { rows } = parse(CHANGED_ROWS, await context.json(request));
      const checked = await results.checkRows(submission, rows);
      send(request, response, 200, JSON_TYPE, JSON.stringify({ rows: checked }));
    },
  });
  address(router, '/:id/changes', {
    get: file(
      JSON_TYPE,
      ({ fileName }) => named(fileName, 'changes', 'json'),
      (submission, request, by) => results.changes(submission, by, sizeOf(request)),
    ),
  });
  address(router, '/:id/missing', {
    get: file(
      JSON_TYPE,
      ({ fileName }) => named(fileName, 'missing', 'json'),
      (submission, request) => results.missing(submission, sizeOf(request)),
    ),
  });
  address(router, '/:id/open-relationships', {
    get: file(
      JSON_TYPE,
      ({ fileName }) => named(fileName, 'open-relationships', 'json'),
      (submission, request) => results.openRelationships(submission, sizeOf(request)),
    ),
  });
  address(router, '/:id/mapping', {
    get: file(
      'application/json;charset=UTF-8',
      ({ id }) => `${id}.json`,
      (submission) => results.mapping(submission),
    ),
  });
  const placeOf = (request: Request, { id }: Submission) => {
    const registry = context.publicUrl(request);
    return { registry, targetRepository: new URL(registry).host, statusUrl: `${registry}/submissions/${id}/receipt` };
  };
  address(router, '/:id/receipt', {
    get: async (request, response) => {
      const submission = await find(request);
      await context.inPlace(request, () => results.requireOutcomes(submission));
      const receipt = await results.receipt(submission, placeOf(request, submission));
      await download(request, response, submission.account, JSON_TYPE, () => receipt);
    },
  });
  address(router, '/:id/ro-crate', {
    get: file(
      'application/zip',
      ({ fileName }) => `${fileName}.ro-crate.zip`,
      (submission, request) =>
        submissionCrate(
          { results, software: { name: 'Sample Registry', version: VERSION } },
          submission,
          placeOf(request, submission),
        ),
    ),
  });
  address(router, '/:id/original', {
    get: file(
      'application/octet-stream',
      ({ fileName }) => fileName,
      (submission, request) =>
        trueOrFalse(queryOf(request), 'text', false) ? results.text(submission) : results.original(submission),
      'original',
    ),
  });
  address(router, '/:id/events', {
    get: async (request, response) => {
      const by = await reader(request, 'read');
      const { id } = await find(request);
      await inPlace(request, by, () =>
        sendEvents(request, response, id, {
          watch: parts.watch,
          stopping: parts.stopping,
          // Asked again for each event: a token that is revoked ends what it has opened.
          document: async (submission) => {
            await reader(request, 'read');
            return document(request, submission);
          },
        }),
      );
    },
  });
  return router;
}

const sizeOf = (request: Request): number =>
  wholeNumber(queryOf(request), 'size', { min: 1, max: 1_000_000, default: Number.POSITIVE_INFINITY });
const JSON_TYPE = 'application/json;charset=UTF-8';

const named = (fileName: string, what: string, extension: string): string =>
  `${fileName.replace(/\.[^.]{1,6}$/, '')}.${what}.${extension}`;
