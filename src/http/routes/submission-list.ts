/** `GET /submissions`, with its filters, and `GET /submissions/results`: many results as one archive. */

import type { Request, Response } from 'express';
import { requireScope } from '../../auth/caller.js';
import { DAY_MS } from '../../registry/date-time.js';
import { RegistryError } from '../../registry/errors.js';
import { parseTimestamp } from '../../registry/timestamp.js';
import type { Results } from '../../submissions/results/results.js';
import { archiveResults } from '../../submissions/results/results-archive.js';
import { SUBMISSION_STATES, type Submission, type SubmissionState } from '../../submissions/submission.js';
import type { SubmissionFilter } from '../../submissions/submission-search.js';
import type { SubmissionReader, Uploads } from '../../submissions/uploads/uploads.js';
import type { HttpContext } from '../context.js';
import type { Download } from '../downloads.js';
import { negotiateJson } from '../negotiate.js';
import { idCursor, MAX_PAGE_SIZE, queryOf, trueOrFalse, wholeNumber } from '../query.js';
import { attachment, send } from '../respond.js';
import { ID } from '../submission-address.js';
import type { Documents } from '../submission-documents.js';

/** Results in one archive. */
const MAX_ARCHIVED = 100;
const MAX_NAME = 200;

interface ListParts {
  uploads: Uploads;
  results: Results;
  documents: Documents;
}

const readerOf = async (context: HttpContext, request: Request): Promise<SubmissionReader> => {
  const caller = requireScope(await context.caller(request), 'read');
  return { account: caller.account, admin: caller.admin };
};

export function listSubmissions(context: HttpContext, { uploads, documents }: ListParts) {
  return context.briefly(async (request, response) => {
    const query = queryOf(request);
    const size = wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: 20 });
    const before = idCursor(query);
    const { submissions, next } = await uploads.list(await readerOf(context, request), {
      ...filterOf(query),
      size,
      ...(before === undefined ? {} : { before }),
    });
    const shown = await documents(request, submissions);
    const here = `${context.publicUrl(request)}/submissions`;
    const linkTo = (cursor: string | undefined): { href: string } => ({
      href: `${here}?${addressOf(query, size, cursor)}`,
    });
    const body = {
      ...(shown.length > 0 ? { _embedded: { submissions: shown } } : {}),
      _links: { self: linkTo(before), ...(next === undefined ? {} : { next: linkTo(next) }) },
    };
    send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
  });
}

const FILTERS = ['status', 'account', 'fileName', 'from', 'to', 'dryRuns'];

function addressOf(query: URLSearchParams, size: number, cursor: string | undefined): string {
  const kept = new URLSearchParams({ size: String(size) });
  for (const [name, value] of query) if (FILTERS.includes(name) && value !== '') kept.append(name, value);
  if (cursor !== undefined) kept.set('cursor', cursor);
  return kept.toString();
}

/** @throws RegistryError request.invalid */
function filterOf(query: URLSearchParams): SubmissionFilter {
  const states = listOf(query, 'status');
  for (const state of states) {
    if (!(SUBMISSION_STATES as readonly string[]).includes(state)) {
      throw new RegistryError(
        'request.invalid',
        `status=${state.slice(0, 40)} must be ${SUBMISSION_STATES.join(', ')}, or several of them with commas between.`,
      );
    }
  }
  const account = query.get('account') || undefined;
  const fileName = query.get('fileName') || undefined;
  if ((fileName?.length ?? 0) > MAX_NAME)
    throw new RegistryError('request.invalid', `fileName must be at most ${MAX_NAME} characters long.`);
  const from = timeOf(query, 'from');
  const to = timeOf(query, 'to');
  // Who asks time after time may ask for no time at all, and finds nothing; a day is never empty.
  if (from !== undefined && to !== undefined && (from > to || (from === to && isDay(query.get('to') ?? ''))))
    throw new RegistryError('request.invalid', 'from is after to, so that no submission can be between them.');
  return {
    dryRuns: trueOrFalse(query, 'dryRuns', true),
    ...(states.length === 0 ? {} : { states: states as SubmissionState[] }),
    ...(account === undefined ? {} : { account }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

const listOf = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean);

/** A day as `to` means up to its end, in UTC. @throws RegistryError request.invalid */
function timeOf(query: URLSearchParams, name: 'from' | 'to'): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  const read = parseTimestamp(text);
  if (typeof read !== 'number') throw new RegistryError('request.invalid', `${name}: ${read.message}`);
  return name === 'to' && isDay(text) ? read + DAY_MS : read;
}

const isDay = (text: string): boolean => /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text);

export function downloadResults(context: HttpContext, { uploads, results }: ListParts, download: Download) {
  return async (request: Request, response: Response): Promise<void> => {
    const reader = await readerOf(context, request);
    const ids = [...new Set(listOf(queryOf(request), 'id').map((id) => id.toLowerCase()))];
    if (ids.length === 0 || ids.length > MAX_ARCHIVED) {
      throw new RegistryError(
        'request.invalid',
        `Say which submissions: id=…,… with 1 to ${MAX_ARCHIVED} submission IDs; there are ${ids.length}.`,
      );
    }
    const submissions: Submission[] = [];
    for (const id of ids) {
      if (!ID.test(id)) throw new RegistryError('request.invalid', `id=${id.slice(0, 60)} is no submission ID.`);
      submissions.push(await context.inPlace(request, () => uploads.find(id, reader)));
    }
    response.setHeader('Content-Disposition', attachment('results.zip'));
    await download(request, response, reader.account, 'application/zip', () => archiveResults(results, submissions));
  };
}
