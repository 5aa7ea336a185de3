/**
 * Resumable uploads for bad lines: the tus protocol (https://tus.io, version 1.0.0 with creation, checksum, expiration
 * and termination). The options of an upload are metadata; when the last byte is there the file becomes an ordinary
 * submission, whose id and address the last answer carries. The pieces lie on this machine, so behind several
 * machines a client has to come back to the same one (docs/cli.md).
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ERRORS, Server } from '@tus/server';
import type { Request, RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import { requireScope } from '../../auth/caller.js';
import type { UploadQuotas } from '../../limits/quotas.js';
import { DAY_MS } from '../../registry/date-time.js';
import { RegistryError } from '../../registry/errors.js';
import { fileTooLarge } from '../../submissions/blobs.js';
import type { Uploads } from '../../submissions/uploads/uploads.js';
import type { HttpContext } from '../context.js';
import { expectedFailure, problemOf, setProblemHeaders } from '../problem.js';
import { cleanName } from '../uploads/file-names.js';
import { CHECKSUMS, type Checksum, ResumableFiles } from '../uploads/resumable-files.js';
import { readUploadOptions } from '../uploads/upload-options.js';

/** An upload that nobody has finished by then is removed; so is what remains of a finished one. */
const LIFE_MS = DAY_MS;
const CLEAN_EVERY_MS = 3600_000;
const ID = /^[\da-f]{32}$/;
const METHODS_OF_ALL = ['OPTIONS', 'POST'];
/** Not GET, which the library has: what a finished upload was lies with its submission. */
const METHODS_OF_ONE = ['DELETE', 'HEAD', 'OPTIONS', 'PATCH'];

type WebRequest = Parameters<NonNullable<ConstructorParameters<typeof Server>[0]['onIncomingRequest']>>[0];
type TusUpload = Awaited<ReturnType<ResumableFiles['getUpload']>>;

/** What a whole file has become. `replayed`: the same bytes came before, by another upload. */
interface Made {
  id: string;
  replayed: boolean;
}

const begunAt = ({ creation_date }: TusUpload): number => Date.parse(creation_date ?? '');

export interface TusParts {
  uploads: Uploads;
  quotas: Pick<UploadQuotas, 'check'>;
  /** Of the pieces. */
  folder: string;
  stopping: AbortSignal;
}

export function tusRoutes(context: HttpContext, { uploads, quotas, folder, stopping }: TusParts): RequestHandler {
  const { config } = context;
  const files = new ResumableFiles(folder, LIFE_MS);
  const nodeRequest = (request: WebRequest): Request => request.runtime?.node?.req as Request;
  const submissionUrl = (request: WebRequest, id: string): string =>
    `${context.publicUrl(nodeRequest(request))}/submissions/${id}`;

  /** Safe to repeat: the key of the submission is the id of the upload. */
  const makeSubmission = async (upload: TusUpload): Promise<Made> => {
    const { account = '', admin, filename, sha256, submission, replayed, ...options } = upload.metadata ?? {};
    if (submission) return { id: submission, replayed: replayed === 'true' };
    const made = await uploads
      .accept({
        account: account ?? '',
        admin: admin === 'true',
        fileName: cleanName(filename ?? 'samples.tsv'),
        options: readUploadOptions(new URLSearchParams(), present(options)),
        idempotencyKey: `tus ${upload.id}`,
        source: readWhole(join(folder, upload.id), sha256 ?? undefined),
      })
      .then(
        // By its own key it is only asked for again; what was there before it began is another upload's.
        ({ submission: { id, created }, replayed }) => ({ id, replayed: replayed && created < begunAt(upload) }),
        async (error: unknown) => {
          // A file that is refused is a submission that failed, and not another one each time that the client asks.
          const failed = expectedFailure(error)?.detail.extra?.submissionId;
          if (typeof failed === 'string') await files.markSubmitted(upload.id, failed);
          throw error;
        },
      );
    await files.markSubmitted(upload.id, made.id, { replayed: String(made.replayed) });
    return made;
  };
  const underWay = new Map<string, Promise<Made>>();
  /**
   * Once at a time, of what is known by then: whoever lost the last answer asks while its submission is made, and the disk space of the file
   * is given back as soon as it is.
   */
  const submit = (id: string): Promise<Made> => {
    const made =
      underWay.get(id) ??
      files
        .getUpload(id)
        .then(makeSubmission)
        .finally(() => underWay.delete(id));
    underWay.set(id, made);
    return made;
  };
  const reported = (request: WebRequest, { id, replayed }: Made) => ({
    headers: {
      'Submission-Id': id,
      'Content-Location': submissionUrl(request, id),
      ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    },
  });

  const server = new Server({
    path: '/files',
    datastore: files,
    maxSize: config.MAX_UPLOAD_BYTES,
    allowedOrigins: () => false,
    exposedHeaders: ['Submission-Id', 'Content-Location', 'Idempotent-Replayed'],
    generateUrl: (request, { id }) => `${context.publicUrl(nodeRequest(request))}/files/${id}`,
    getFileIdFromRequest: (_request, last) => (last !== undefined && ID.test(last) ? last : undefined),
    onUploadCreate: async (request, upload) => {
      const caller = requireScope(await context.caller(nodeRequest(request)), 'submit');
      const {
        account: _account,
        admin: _admin,
        submission: _submission,
        replayed: _replayed,
        ...given
      } = upload.metadata ?? {};
      const { filename: _filename, sha256: _sha256, ...options } = given;
      readUploadOptions(new URLSearchParams(), present(options));
      // Promised bytes count: the pieces lie on the disk long before the file is whole.
      const promised = await files.promisedTo(caller.account);
      await quotas.check(caller.account, upload.size ?? 0, promised);
      return { metadata: { ...given, account: caller.account, admin: String(caller.admin) } };
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const caller = requireScope(await context.caller(nodeRequest(request)), 'submit');
      const upload = await files.getUpload(id);
      if (upload.metadata?.account !== caller.account) {
        throw new RegistryError('not-found', `There is no upload ${id} of yours.`);
      }
      // The file is no longer an administrator's alone.
      if (request.method === 'PATCH' && !caller.admin && upload.metadata.admin === 'true')
        await files.remember(id, { admin: 'false' });
    },
    onUploadFinish: async (request, upload) => {
      await context.requireStanding(nodeRequest(request));
      return reported(request, await submit(upload.id));
    },
    onResponseError: (request, raised) => {
      const error = raised === ERRORS.ERR_MAX_SIZE_EXCEEDED ? fileTooLarge(config.MAX_UPLOAD_BYTES) : raised;
      if (!expectedFailure(error) && 'status_code' in error) return undefined;
      const failure = problemOf(nodeRequest(request), error, { log: context.log, basePath: config.BASE_PATH });
      const response = request.runtime?.node?.res;
      if (response instanceof ServerResponse) onHeaders(response, () => setProblemHeaders(response, failure));
      return { status_code: failure.problem.status, body: JSON.stringify(failure.problem) };
    },
  });

  const { HEAD } = server.handlers;
  const lookUp = HEAD.send.bind(HEAD);
  /** The process may have died between the last byte and the submission, or its answer be lost: whoever asks finds it made. */
  HEAD.send = async (request, context, headers) => {
    const answer = await lookUp(request, context, headers);
    const id = HEAD.getFileIdFromRequest(request);
    if (id === undefined || answer.headers.get('Upload-Offset') !== answer.headers.get('Upload-Length')) return answer;
    const made = reported(request, await submit(id));
    for (const [name, value] of Object.entries(made.headers)) answer.headers.set(name, value);
    return answer;
  };

  const clean = setInterval(() => {
    server.cleanUpExpiredUploads().catch((error: unknown) => context.log.warn({ err: error }, 'old uploads stay'));
  }, CLEAN_EVERY_MS);
  clean.unref();
  stopping.addEventListener('abort', () => clearInterval(clean), { once: true });

  return async (request: Request, response: Response) => {
    const allowed = request.path === '/' ? METHODS_OF_ALL : METHODS_OF_ONE;
    if (!allowed.includes(request.method)) refuseMethod(request, response, allowed);
    if (request.method === 'OPTIONS') response.setHeader('Allow', allowed.join(', '));
    response.setHeader('Tus-Checksum-Algorithm', CHECKSUMS.join(','));
    // The library ends the connection with each refusal, which would be lost with the rest of the piece that is still to come.
    if (!response.hasHeader('Connection')) onHeaders(response, () => response.removeHeader('Connection'));
    await files.declared.run(readChecksum(request), () => server.handle(request, response));
  };
}

/** @throws RegistryError method.not-allowed */
function refuseMethod(request: Request, response: Response, allowed: readonly string[]): never {
  response.setHeader('Allow', allowed.join(', '));
  const instead =
    request.method === 'GET' ? ' HEAD says how much has arrived; a whole file is read from its submission.' : '';
  throw new RegistryError(
    'method.not-allowed',
    `${request.method} is not taken here; this address takes ${allowed.join(', ')}.${instead}`,
  );
}

/** @throws RegistryError request.invalid */
function readChecksum(request: Request): Checksum | undefined {
  const header = request.headers['upload-checksum'];
  if (header === undefined) return undefined;
  const [algorithm, value] = String(header).split(' ');
  const known = CHECKSUMS.find((name) => name === algorithm);
  if (known && value) return { algorithm: known, value };
  throw new RegistryError(
    'request.invalid',
    `Upload-Checksum must be one of ${CHECKSUMS.join(', ')}, a blank, and the checksum in base64.`,
  );
}

/** @throws RegistryError file.checksum when the file is not the one that the metadata `sha256` (hex) speaks of */
async function* readWhole(path: string, sha256: string | undefined): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    yield chunk as Buffer;
  }
  const found = hash.digest('hex');
  if (sha256 !== undefined && found !== sha256.toLowerCase()) {
    throw new RegistryError(
      'file.checksum',
      `The file that arrived has the SHA-256 ${found}, not ${sha256.slice(0, 80)}; send it again.`,
    );
  }
}

const present = (metadata: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, value ?? '']));
