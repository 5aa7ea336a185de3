/**
 * Large files, sent in pieces by the service's resumable protocol (https://tus.io, at /files): what has arrived is not
 * sent again, and an upload that is cut goes on by itself until somebody stops it. The browser reads each piece from the
 * disk when it is its turn.
 */
import type { DetailedError } from 'tus-js-client';
import { optionFields } from '../../../src/submissions/uploads/upload-options.js';
import { FileChanged, whyNotSent } from './chosen-file.js';
import { signedInAccount, stillWanted } from './ended-session.js';
import { ApiProblem, address, inSession, problemOf, request, requestOnce, ServerAway } from './request.js';
import { type StillChoice, watchSending } from './still-uploads.js';
import {
  forgetUnfinished,
  isSameFile,
  keepUnfinished,
  SAID_EVERY_MS,
  type UnfinishedUpload,
  unfinishedOf,
} from './unfinished-uploads.js';
import { type UploadAnswer, type UploadRequest, UploadStopped } from './upload-request.js';

/** A proxy that holds requests back until they are whole passes on, and loses, at most as much; files up to this size go in one request. */
export const PIECE_BYTES = 8_000_000;

const TUS = { 'Tus-Resumable': '1.0.0' };
const LONGEST_PAUSE_MS = 15_000;

/** Whose it is; nobody who is not signed in sends anything. */
type Sending = Omit<UnfinishedUpload, 'seen' | 'tab'> & { account: string };

/**
 * Resolves to undefined where the service's pieces cannot be sent one after the other, as behind a proxy that leads each
 * to another machine: the file is then to be sent in one request.
 * @throws ApiProblem, ServerAway while nothing is there yet, FileChanged, UploadStopped
 */
export async function uploadInPieces(asked: UploadRequest): Promise<UploadAnswer | undefined> {
  const { file, signal } = asked;
  const isWanted = stillWanted();
  const requireWanted = (): void => {
    if (signal?.aborted || !isWanted()) throw new UploadStopped(file.name);
  };
  let begun = 0;
  let sending = unfinished(asked);
  for (let failures = 0; ; failures++) {
    requireWanted();
    if (sending === undefined) begun += 1;
    sending ??= await beginIfPossible(asked);
    if (sending === undefined) return undefined;
    const from = sending.arrived;
    try {
      const answer = await sendRest(sending, asked, isWanted);
      forgetUnfinished(sending.account, sending.id);
      return answer;
    } catch (error) {
      requireWanted();
      if (isGone(error)) {
        forgetUnfinished(sending.account, sending.id);
        // One that was begun a moment ago is with another machine than the one that was asked.
        if (begun > 1 || (begun === 1 && sending.arrived === 0)) return undefined;
        sending = undefined;
        continue;
      }
      requirePassing(error, sending);
      if (sending.arrived > from) failures = 0;
      asked.onWait?.(whyItWaits(error));
      await pause(Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures), signal);
    }
  }
}

/** @throws whatever no waiting cures */
function requirePassing(error: unknown, { account, id }: Sending): void {
  if (isPassing(error)) return;
  if (isFinal(error)) giveUpUpload(account, id);
  throw error;
}

const whyItWaits = (error: unknown): string =>
  error instanceof ServerAway ? 'The server does not answer.' : (error as Error).message;

/** Neither kept by this browser nor by the service any more. */
export function giveUpUpload(account: string, id: string): void {
  forgetUnfinished(account, id);
  // What stays is removed by the service after a day.
  requestOnce(pathOf(id), { method: 'DELETE', headers: TUS }).catch(() => undefined);
}

const pathOf = (id: string): string => `/files/${encodeURIComponent(id)}`;

/** The one that was begun with this file and these options, if there is one. */
function unfinished({ file, options }: UploadRequest): Sending | undefined {
  const account = signedInAccount() ?? '';
  const same = (one: UnfinishedUpload) => isSameFile(one, file) && wordsOf(one.options) === wordsOf(options);
  const found = unfinishedOf(account).find(same);
  return found && { ...found, account };
}

const wordsOf = (options: UploadRequest['options']): string =>
  JSON.stringify(Object.entries(optionFields(options)).sort());

/** Undefined where nothing is between here and the service that lets pieces through. */
const beginIfPossible = (asked: UploadRequest): Promise<Sending | undefined> =>
  begin(asked).catch((error: unknown) => {
    if (error instanceof ApiProblem && NO_WAY.includes(error.status)) return undefined;
    throw error;
  });

/** @throws ApiProblem, ServerAway */
async function begin({ file, options, signal }: UploadRequest): Promise<Sending> {
  const account = signedInAccount() ?? '';
  const metadata = Object.entries({ ...optionFields(options), filename: file.name })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',');
  const { headers } = await request<undefined>('/files', {
    method: 'POST',
    headers: { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata },
    signal,
  });
  const id = headers.get('Location')?.split('/files/')[1];
  if (!id) throw new ApiProblem(404, { detail: 'The service did not say where the pieces of the file go.' });
  const { name, size, lastModified } = file;
  const sending = { account, id, name, size, lastModified, options, arrived: 0, begun: Date.now() };
  keepUnfinished(account, sending);
  return sending;
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Sends what has not arrived yet. @throws ApiProblem, ServerAway, FileChanged, UploadStopped */
async function sendRest(sending: Sending, asked: UploadRequest, isWanted: () => boolean): Promise<UploadAnswer> {
  const { account, ...kept } = sending;
  const say = () => keepUnfinished(account, { ...kept, arrived: sending.arrived });
  say();
  const saying = setInterval(say, SAID_EVERY_MS);
  try {
    return await inSession(() => sendOnce(sending, asked, isWanted, say), asked.signal);
  } finally {
    clearInterval(saying);
  }
}

/** Where it was begun again by itself, which it is once from the same place: a line that is slow looks like one that is dead. */
const stoodStill = new WeakMap<Sending, number>();

async function sendOnce(
  sending: Sending,
  { file, onSent, signal }: UploadRequest,
  isWanted: () => boolean,
  onPiece: () => void,
): Promise<UploadAnswer> {
  // Not part of the first view: most files are small.
  const { Upload } = await import('tus-js-client');
  return new Promise((resolve, reject) => {
    const decide = (choice: StillChoice) => {
      void upload.abort();
      if (choice === 'again') upload.start();
      else end(() => reject(new UploadStopped(file.name)));
    };
    const stop = () => decide('stop');
    const goesOnByItself = () => {
      const again = stoodStill.get(sending) !== sending.arrived;
      stoodStill.set(sending, sending.arrived);
      return again;
    };
    const watch = watchSending(file.name, decide, goesOnByItself);
    const end = (settle: () => void) => {
      watch.ended();
      signal?.removeEventListener('abort', stop);
      settle();
    };
    const arrived = (bytes: number) => {
      sending.arrived = bytes;
      onPiece();
      if (!isWanted()) decide('stop');
    };
    const upload = new Upload(file, {
      uploadUrl: address(pathOf(sending.id)),
      chunkSize: PIECE_BYTES,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: (sent) => {
        watch.moved(sent >= file.size);
        onSent?.(sent);
      },
      onChunkComplete: (_piece, bytes) => arrived(bytes),
      onAfterResponse: (asking, answer) => {
        const offset = Number(answer.getHeader('Upload-Offset'));
        if (asking.getMethod() === 'HEAD' && offset > 0) arrived(offset);
      },
      onError: (error) => end(() => void reasonOf(error as DetailedError, sending, file).then(reject, reject)),
      onSuccess: ({ lastResponse }) => {
        const submissionId = lastResponse.getHeader('Submission-Id');
        const replayed = lastResponse.getHeader('Idempotent-Replayed') === 'true';
        if (submissionId) return end(() => resolve({ submissionId, replayed }));
        return end(() => reject(problemOf(lastResponse.getStatus(), '')));
      },
    });
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop);
    return upload.start();
  });
}

/** Why it was not taken, in the service's words. */
async function reasonOf({ originalRequest, originalResponse }: DetailedError, { id }: Sending, file: File) {
  if (!originalResponse) return whyNotSent(file, new ServerAway());
  const refused = problemOf(originalResponse.getStatus(), originalResponse.getBody());
  if (originalRequest.getMethod() !== 'HEAD' || isGone(refused) || refused.status === 401) return refused;
  // The refusal of a look has no words: that of nothing behind the last byte has.
  const headers = { ...TUS, 'Upload-Offset': String(file.size), 'Content-Type': 'application/offset+octet-stream' };
  return requestOnce(pathOf(id), { method: 'PATCH', headers }).then(
    () => new ServerAway(),
    (error: unknown) => (error instanceof ApiProblem && error.status !== refused.status ? refused : error),
  );
}

/** Of a service, or of what stands in front of it, that does not take pieces. */
const NO_WAY: readonly number[] = [404, 405, 412, 501];
const PASSING: readonly number[] = [408, 423, 502, 503, 504];
/** It is refused, but not for good: signed in again, or later, it can go on. */
const FOR_NOW: readonly number[] = [401, 403, 429, 507];

const isGone = (error: unknown): boolean => error instanceof ApiProblem && [404, 410].includes(error.status);

/** A conflict without a code is the protocol's: the piece begins where the service does not stand. */
const isPassing = (error: unknown): boolean =>
  error instanceof ServerAway ||
  (error instanceof ApiProblem &&
    (PASSING.includes(error.status) || (error.status === 409 && error.problem.code === undefined)));

const isFinal = (error: unknown): boolean =>
  error instanceof FileChanged || (error instanceof ApiProblem && !FOR_NOW.includes(error.status));

/** Shorter once the browser sees the network again. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { signal: over.signal });
    signal?.addEventListener('abort', end, { signal: over.signal });
  });
}
