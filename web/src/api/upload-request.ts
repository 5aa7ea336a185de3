/** What an upload is asked for with, and how it ends: the same whether a file is sent at once or in pieces. */
import type { GivenOptions as UploadOptions } from '../../../src/submissions/uploads/upload-options.js';

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
  /** It is interrupted, for that reason, and goes on by itself. */
  onWait?: (reason: string) => void;
  /** Aborted by whoever wants it sent no more, whether it moves or not. */
  signal?: AbortSignal;
}

/** Somebody has stopped an upload. */
export class UploadStopped extends Error {
  constructor(name: string) {
    super(`You stopped sending ${name}. Sent again it is registered once, even if it had arrived.`);
    this.name = 'UploadStopped';
  }
}
