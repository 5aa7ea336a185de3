import { optionFields, type GivenOptions as UploadOptions } from '../../../src/submissions/upload-options.js';
import { whyNotSent } from './chosen-file.js';
import type { SubmissionStatus } from './contract.js';
import { address, inSession, problemOf, query, ServerAway } from './request.js';
import { idInLocation } from './submissions.js';

export type { UploadOptions };

export interface UploadAnswer {
  submissionId: string;
  /** The same bytes came before; this is what became of them. */
  replayed: boolean;
}

export interface UploadRequest {
  file: File;
  options: UploadOptions;
  /** Bytes that have left the browser. */
  onSent?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends one file. No idempotency key: without one the service knows a file by its bytes, so a second click, a second
 * person at the same account or a lost answer never registers anything twice. XMLHttpRequest, because fetch tells
 * nothing of the bytes sent.
 * @throws ApiProblem, ServerAway, FileChanged
 */
export const upload = (request: UploadRequest): Promise<UploadAnswer> => inSession(() => send(request), request.signal);

function send({ file, options, onSent, signal }: UploadRequest): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', address(`/submissions${query(optionFields(options))}`));
    call.setRequestHeader('Accept', 'application/json');
    call.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    call.onerror = () => void whyNotSent(file, new ServerAway()).then(reject);
    call.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    call.onload = () => {
      if (call.status < 200 || call.status >= 300) return reject(problemOf(call.status, call.responseText));
      const submissionId = idInLocation(call.getResponseHeader('Location')) ?? idInBody(call.responseText);
      if (submissionId === undefined) return reject(problemOf(call.status, ''));
      return resolve({ submissionId, replayed: call.getResponseHeader('Idempotent-Replayed') === 'true' });
    };
    signal?.addEventListener('abort', () => call.abort(), { once: true });
    const form = new FormData();
    form.append('file', file, file.name);
    call.send(form);
  });
}

function idInBody(text: string): string | undefined {
  try {
    return (JSON.parse(text) as Partial<SubmissionStatus>).submissionId;
  } catch {
    return undefined;
  }
}
