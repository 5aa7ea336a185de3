import { optionFields } from '../../../src/submissions/uploads/upload-options.js';
import { whyNotSent } from './chosen-file.js';
import type { SubmissionStatus } from './contract.js';
import { ApiProblem, address, inSession, problemOf, query, ServerAway } from './request.js';
import { type StillChoice, watchSending } from './still-uploads.js';
import { idInLocation } from './submissions.js';
import { PIECE_BYTES, uploadInPieces } from './upload-in-pieces.js';
import { type UploadAnswer, type UploadOptions, type UploadRequest, UploadStopped } from './upload-request.js';

export { type UploadAnswer, type UploadOptions, type UploadRequest, UploadStopped } from './upload-request.js';

/** Sends one file, a large one in pieces. @throws ApiProblem, ServerAway, FileChanged, UploadStopped */
export async function upload(request: UploadRequest): Promise<UploadAnswer> {
  const inPieces = request.file.size > PIECE_BYTES ? await uploadInPieces(request) : undefined;
  return inPieces ?? uploadAtOnce(request);
}

/**
 * Sends one file, as often as somebody wants it who sees it stand still. The service knows a file by its bytes, so that a
 * second click, a second person at the same account or a lost answer never registers anything twice; where these are to be
 * registered again, by a key. XMLHttpRequest, because fetch tells nothing of the bytes sent.
 * @throws ApiProblem, ServerAway, FileChanged, UploadStopped
 */
async function uploadAtOnce(request: UploadRequest): Promise<UploadAnswer> {
  const { file, options, signal } = request;
  const key = options.duplicate === 'allow' ? keyOf(file, options) : undefined;
  for (;;) {
    const ended = await inSession(() => send(request, key), signal).catch((error: unknown) => {
      if (signal?.aborted) return 'stop' as const;
      if (error instanceof ApiProblem && error.status < 500) forgetKey(file);
      throw error;
    });
    if (ended === 'stop') throw new UploadStopped(file.name);
    if (ended === 'again') continue;
    forgetKey(file);
    return ended;
  }
}

function send(
  { file, options, onSent, signal }: UploadRequest,
  key: string | undefined,
): Promise<UploadAnswer | StillChoice> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return resolve('stop');
    const call = new XMLHttpRequest();
    call.open('POST', address(`/submissions${query(optionFields(options))}`));
    call.setRequestHeader('Accept', 'application/json');
    if (key !== undefined) call.setRequestHeader('Idempotency-Key', key);
    const decide = (choice: StillChoice) => {
      resolve(choice);
      call.abort();
    };
    const watch = watchSending(file.name, decide);
    const stop = () => decide('stop');
    signal?.addEventListener('abort', stop);
    call.onloadend = () => {
      watch.ended();
      signal?.removeEventListener('abort', stop);
    };
    call.upload.onprogress = ({ loaded, total }) => {
      watch.moved(loaded >= total);
      onSent?.(loaded);
    };
    call.onerror = () => void whyNotSent(file, new ServerAway()).then(reject);
    call.onload = () => {
      if (call.status < 200 || call.status >= 300) return reject(problemOf(call.status, call.responseText));
      const submissionId = idInLocation(call.getResponseHeader('Location')) ?? idInBody(call.responseText);
      if (submissionId === undefined) return reject(problemOf(call.status, ''));
      return resolve({ submissionId, replayed: call.getResponseHeader('Idempotent-Replayed') === 'true' });
    };
    const form = new FormData();
    form.append('file', file, file.name);
    call.send(form);
  });
}

/**
 * Keys of files whose bytes are to be registered although they were before, until there is an answer: sent again after none
 * came, they are registered once.
 */
const keys = new WeakMap<File, { of: string; key: string }>();

function keyOf(file: File, options: UploadOptions): string {
  const of = JSON.stringify(options);
  const known = keys.get(file);
  if (known?.of === of) return known.key;
  const key = newKey();
  keys.set(file, { of, key });
  return key;
}

/** Not crypto.randomUUID, which a page without TLS does not have. */
const newKey = (): string =>
  `page ${[...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16)).join('-')}`;

const forgetKey = (file: File): void => void keys.delete(file);

function idInBody(text: string): string | undefined {
  try {
    return (JSON.parse(text) as Partial<SubmissionStatus>).submissionId;
  } catch {
    return undefined;
  }
}
