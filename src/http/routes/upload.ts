/** `POST /submissions`: multipart with one file, or the raw file with its options in the query. */
import { parse } from 'content-type';
import type { Request, RequestHandler, Response } from 'express';
import { requireScope } from '../../auth/caller.js';
import { RegistryError } from '../../registry/errors.js';
import { NDJSON } from '../../registry/json-form.js';
import { fileTooLarge } from '../../submissions/blobs.js';
import { formOf, RESULT_TYPE } from '../../submissions/results/result-form.js';
import type { Results } from '../../submissions/results/results.js';
import type { Submission } from '../../submissions/submission.js';
import type { UploadAnswer, UploadRequest, Uploads } from '../../submissions/uploads/uploads.js';
import { idempotencyKey, sayReplayed } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { refuseCoding } from '../json-body.js';
import { HAL, negotiate } from '../negotiate.js';
import { queryOf } from '../query.js';
import { attachment, send, sendOrStream } from '../respond.js';
import { cleanName, resultName } from '../uploads/file-names.js';
import { FORM_TYPE, readUploadForm } from '../uploads/upload-form.js';
import { readUploadOptions } from '../uploads/upload-options.js';

export const TSV = 'text/tab-separated-values;charset=UTF-8';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const RAW_TYPES: Record<string, string> = {
  'text/tab-separated-values': 'samples.tsv',
  'text/plain': 'samples.tsv',
  'text/csv': 'samples.csv',
  'application/csv': 'samples.csv',
  'application/octet-stream': 'samples.tsv',
  'application/vnd.ms-excel': 'samples.xls',
  [XLSX]: 'samples.xlsx',
  'application/vnd.oasis.opendocument.spreadsheet': 'samples.ods',
  'application/zip': 'samples.zip',
  'application/gzip': 'samples.gz',
  'application/json': 'samples.json',
  [NDJSON]: 'samples.ndjson',
  'application/jsonl': 'samples.ndjson',
};

/** What a form adds to its file: boundaries, part headers, option fields. */
const FORM_SLACK = 4 * 1024 * 1024;
export const RETRY_AFTER_S = 2;

type SendDocument = (
  request: Request,
  response: Response,
  status: number,
  submission: Submission,
) => void | Promise<void>;

export function createUpload(
  context: HttpContext,
  uploads: Uploads,
  results: Results,
  sendDocument: SendDocument,
): RequestHandler {
  const { MAX_UPLOAD_BYTES } = context.config;

  /** Of whose token was not revoked before its end. */
  const standing = async function* (request: Request, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* source;
    await context.requireStanding(request);
  };

  const receive = async (request: Request, response: Response): Promise<UploadAnswer> => {
    const caller = requireScope(await context.caller(request), 'submit');
    const query = queryOf(request);
    const key = idempotencyKey(request);
    const common = {
      account: caller.account,
      admin: caller.admin,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    };
    const { type } = parse(request.headers['content-type'] ?? '');
    const form = type === FORM_TYPE;
    refuseDeclared(request, MAX_UPLOAD_BYTES + (form ? FORM_SLACK : 0), MAX_UPLOAD_BYTES);
    if (!form) {
      const raw = rawUpload(request, type, query);
      return uploads.accept({ ...common, ...raw, source: standing(request, raw.source) });
    }
    // Options in front of the file are checked before the file is read, those behind it when its source ends.
    return readUploadForm(request, response, async ({ fileName, source, fields }) => {
      const options = readUploadOptions(query, fields);
      return uploads.accept({
        ...common,
        fileName: cleanName(fileName),
        options,
        source: (async function* () {
          yield* standing(request, source);
          Object.assign(options, readUploadOptions(query, fields));
        })(),
      });
    });
  };

  return async (request, response) => {
    const asked = request.headers.accept;
    const wanted = negotiate(asked, [TSV_TYPE, 'application/json', HAL, NDJSON]);
    const { submission, replayed, small, read } = await receive(request, response);
    response.setHeader('Location', `${context.publicUrl(request)}/submissions/${submission.id}`);
    sayReplayed(response, replayed);
    if (!small) response.setHeader('Retry-After', RETRY_AFTER_S);
    const status = small ? 201 : 202;
    const json = submission.columns?.json !== undefined;
    if (wanted === 'application/json' || wanted === HAL) return sendDocument(request, response, status, submission);
    if (!small) {
      if (json && takesAnything(asked)) return sendDocument(request, response, status, submission);
      return wanted === NDJSON
        ? send(request, response, status, NDJSON, `${JSON.stringify({ submissionId: submission.id })}\n`)
        : send(request, response, status, TSV, `Submission ID\n${submission.id}\n`);
    }
    if (replayed) await requireAnswer(results, submission);
    response.statusCode = status;
    response.setHeader('Content-Disposition', attachment(resultName(submission)));
    return sendOrStream(request, response, resultType(submission), results.result(submission, read));
  };
}

/** Of a file that came before. @throws RegistryError conflict for one whose outcomes are not kept any more */
async function requireAnswer(results: Results, submission: Submission): Promise<void> {
  try {
    await results.requireOutcomes(submission);
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'submission.outcomes-gone') throw error;
    const day = new Date(submission.created).toISOString().slice(0, 10);
    throw new RegistryError(
      'conflict',
      `This file was uploaded before, on ${day}, and is not registered twice. ${error.message} Put their identifiers into your sheet to update them; the option duplicate=allow registers each row as a new sample.`,
      { cause: error, extra: { submissionId: submission.id } },
    );
  }
}

const takesAnything = (accept: string | undefined): boolean => accept === undefined || accept === '*/*';

/** Samples that came as JSON come back as JSON. */
export function resultType(submission: Submission): string {
  const type = RESULT_TYPE[formOf(submission)];
  return type === NDJSON ? type : `${type};charset=UTF-8`;
}

const TSV_TYPE = 'text/tab-separated-values';

function rawUpload(
  request: Request,
  type: string,
  query: URLSearchParams,
): Pick<UploadRequest, 'fileName' | 'options' | 'declared' | 'source'> {
  const fallback = RAW_TYPES[type];
  if (fallback === undefined) {
    throw new RegistryError(
      'media-type.unsupported',
      `The Content-Type is ${JSON.stringify(request.headers['content-type'] ?? '')}; send ${FORM_TYPE} with one file, or the file itself as text/tab-separated-values, text/csv or ${XLSX}.`,
    );
  }
  refuseCoding(request, 'file');
  return {
    fileName: cleanName(query.get('fileName') || fallback),
    options: readUploadOptions(query),
    declared: Number(request.headers['content-length'] ?? 0) || 0,
    source: rawSource(request),
  };
}

/** A connection that is cut is an error, never a short file. */
async function* rawSource(request: Request): AsyncGenerator<Buffer> {
  try {
    // The request outlives its reader: destroying it would cut the connection before the refusal is out.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    throw new RegistryError('request.invalid', 'The connection ended before the file was whole; send it again.', {
      cause: error,
    });
  }
  if (!request.complete)
    throw new RegistryError('request.invalid', 'The connection ended before the file was whole; send it again.');
}

/** @throws RegistryError file.too-large for a length that is declared, before a byte of it is read */
function refuseDeclared(request: Request, limit: number, shown: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw fileTooLarge(shown);
}
