/** Submissions: status, list, results, events, cancel, retry (tsv.md-style bulk route; docs/api.md). */
import { type Request, type Response, Router } from 'express';
import type { Scope } from '../../auth/account-store.js';
import { isAdmin, requireScope } from '../../auth/caller.js';
import { RegistryError } from '../../registry/errors.js';
import type { Results } from '../../submissions/results.js';
import { isFinal, type Submission } from '../../submissions/submission.js';
import type { SubmissionReader, Uploads } from '../../submissions/uploads.js';
import type { HttpContext } from '../context.js';
import { sendEvents } from '../events.js';
import { address } from '../methods.js';
import { negotiate, negotiateJson } from '../negotiate.js';
import { MAX_PAGE_SIZE, queryOf, wholeNumber } from '../query.js';
import { attachment, send, stream } from '../respond.js';
import { submissionDocument } from '../submission-document.js';
import { createUpload, TSV, XLSX } from './upload.js';

export interface SubmissionParts {
  uploads: Uploads;
  results: Results;
  /** The submission now and after each change, up to its end or the signal. */
  watch: (id: string, signal: AbortSignal) => AsyncIterable<Submission>;
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal;
}

export function submissionRoutes(context: HttpContext, parts: SubmissionParts): Router {
  const { uploads, results } = parts;
  const router = Router();

  const document = async (request: Request, submission: Submission) =>
    submissionDocument(
      submission,
      context.publicUrl(request),
      submission.phase === 'QUEUED' ? await uploads.queuePosition(submission.id) : undefined,
    );

  const answer = async (request: Request, response: Response, status: number, submission: Submission) =>
    send(
      request,
      response,
      status,
      negotiateJson(request.headers.accept),
      JSON.stringify(await document(request, submission)),
    );

  const reader = async (request: Request, scope: Scope): Promise<SubmissionReader> => {
    const caller = requireScope(await context.caller(request), scope);
    return { account: caller.account, admin: isAdmin(caller) };
  };

  const find = async (request: Request): Promise<Submission> =>
    uploads.find(idOf(request), await reader(request, 'read'));

  /** A route that streams one file of a submission. */
  const file =
    (
      type: string,
      nameOf: (submission: Submission) => string,
      pieces: (submission: Submission) => AsyncIterable<string | Buffer>,
    ) =>
    async (request: Request, response: Response) => {
      const submission = await find(request);
      response.setHeader('Content-Disposition', attachment(nameOf(submission)));
      await stream(request, response, type, pieces(submission));
    };

  address(router, '/', {
    post: createUpload(context, uploads, results, answer),
    get: async (request, response) => {
      const query = queryOf(request);
      const size = wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: 20 });
      const before = query.get('cursor') || undefined;
      if (before !== undefined && !UUID.test(before))
        throw new RegistryError('request.invalid', 'cursor must be one that an earlier page gave in its link "next".');
      const page = await uploads.list(await reader(request, 'read'), {
        size: size + 1,
        ...(before === undefined ? {} : { before }),
      });
      const shown = page.slice(0, size);
      const documents = await Promise.all(shown.map((submission) => document(request, submission)));
      const here = `${context.publicUrl(request)}/submissions`;
      const last = shown.at(-1);
      const body = {
        ...(documents.length > 0 ? { _embedded: { submissions: documents } } : {}),
        _links: {
          self: { href: `${here}?size=${size}${before === undefined ? '' : `&cursor=${before}`}` },
          ...(page.length > size && last ? { next: { href: `${here}?size=${size}&cursor=${last.id}` } } : {}),
        },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    },
  });
  address(router, '/:id', {
    get: async (request, response) => answer(request, response, 200, await find(request)),
    delete: async (request, response) =>
      answer(request, response, 200, await uploads.cancel(idOf(request), await reader(request, 'submit'))),
  });
  address(router, '/:id/retry', {
    post: async (request, response) =>
      answer(request, response, 202, await uploads.retry(idOf(request), await reader(request, 'submit'))),
  });
  for (const step of ['commit', 'undo'] as const) {
    address(router, `/:id/${step}`, {
      post: async (request, response) => {
        const { submission, replayed } = await uploads[step](idOf(request), await reader(request, 'submit'));
        response.setHeader('Location', `${context.publicUrl(request)}/submissions/${submission.id}`);
        if (replayed) response.setHeader('Idempotent-Replayed', 'true');
        await answer(request, response, isFinal(submission.state) ? 201 : 202, submission);
      },
    });
  }
  address(router, '/:id/result', {
    get: file(
      TSV,
      ({ fileName }) => named(fileName, 'result', 'tsv'),
      (submission) => results.result(submission),
    ),
  });
  const errors = {
    tsv: file(
      TSV,
      ({ fileName }) => named(fileName, 'errors', 'tsv'),
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
  address(router, '/:id/changes', {
    get: file(
      JSON_TYPE,
      ({ fileName }) => named(fileName, 'changes', 'json'),
      (submission) => results.changes(submission),
    ),
  });
  address(router, '/:id/mapping', {
    get: file(
      'application/json;charset=UTF-8',
      ({ id }) => `${id}.json`,
      (submission) => results.mapping(submission),
    ),
  });
  address(router, '/:id/original', {
    get: file(
      'application/octet-stream',
      ({ fileName }) => fileName,
      (submission) => results.original(submission),
    ),
  });
  address(router, '/:id/events', {
    get: async (request, response) => {
      const { id } = await find(request);
      await sendEvents(request, response, id, {
        watch: parts.watch,
        stopping: parts.stopping,
        document: (submission) => document(request, submission),
      });
    },
  });
  return router;
}

const JSON_TYPE = 'application/json;charset=UTF-8';

/** By the parameter `format`, else by what the client accepts. */
function errorsFormat(request: Request): 'tsv' | 'json' | 'xlsx' {
  const format = queryOf(request).get('format');
  if (format === 'tsv' || format === 'json' || format === 'xlsx') return format;
  if (format !== null)
    throw new RegistryError('request.invalid', `format=${format.slice(0, 40)} must be tsv, json or xlsx.`);
  const accepted = negotiate(request.headers.accept, ['text/tab-separated-values', 'application/json', XLSX]);
  return accepted === XLSX ? 'xlsx' : accepted === 'application/json' ? 'json' : 'tsv';
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Anything but an id of ours names nothing; the store is not asked. */
function idOf(request: Request): string {
  const { id } = request.params;
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
  throw new RegistryError(
    'submission.not-found',
    `There is no submission ${JSON.stringify(String(id).slice(0, 60))} of yours.`,
  );
}

const named = (fileName: string, what: string, extension: string): string =>
  `${fileName.replace(/\.[^.]{1,5}$/, '')}.${what}.${extension}`;
