/**
 * The talk between the thread that reads a file and the thread that writes its samples: batches one way, credit and
 * answers about the store the other. A batch is one string and a few typed arrays, whose buffers are transferred.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { LaidOutBatch } from '../registry/sample-batch.js';
import { receivedError, type SentError, sentError } from '../registry/sent-error.js';
import type { Blobs } from './blobs.js';
import type { ReadFile } from './process-submission.js';
import { readSubmission } from './read-submission.js';
import type { ReadTask, StoredForEdit, StoreQuestions } from './read-task.js';
import type { RowChecks } from './row-checks.js';
import { openSource, type StoredSource } from './stored-source.js';

/** What the thread is started with. */
export interface ReadingThreadData {
  blobUrl: string;
  checklistsDir?: string | undefined;
  defaultChecklist?: string | undefined;
}

/** Batches that may be under way; bounds memory and keeps both threads busy. */
const WINDOW = 3;

type FromReader =
  | { kind: 'batch'; batch: LaidOutBatch }
  | { kind: 'end' }
  | { kind: 'owners'; ids: number[] }
  | { kind: 'reserve'; count: number }
  | { kind: 'stored'; ids: number[] }
  | ({ kind: 'error' } & SentError);

type ToReader =
  | { kind: 'read'; source: StoredSource; task: ReadTask }
  | { kind: 'credit' }
  | { kind: 'owners'; owners: Map<number, string> }
  | { kind: 'reserved'; first: number }
  | { kind: 'stored'; samples: StoredForEdit[] };

/** In the reading thread: reads the one file it is asked for. */
export function serveReading(port: MessagePort, blobs: Blobs, rowChecks: RowChecks): void {
  const say = (message: FromReader, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let credit = WINDOW;
  let onCredit: (() => void) | undefined;
  let onAnswer: ((message: ToReader) => void) | undefined;
  const asked = (question: FromReader) =>
    new Promise<ToReader>((resolve) => {
      onAnswer = resolve;
      say(question);
    });
  const ask: StoreQuestions = {
    ownersOf: async (ids) => ((await asked({ kind: 'owners', ids })) as { owners: Map<number, string> }).owners,
    reserve: async (count) => ((await asked({ kind: 'reserve', count })) as { first: number }).first,
    storedForEdit: async (ids) => ((await asked({ kind: 'stored', ids })) as { samples: StoredForEdit[] }).samples,
  };
  const read = async (source: StoredSource, task: ReadTask): Promise<void> => {
    try {
      for await (const batch of readSubmission((range) => openSource(blobs, source, range), task, ask, rowChecks)) {
        while (credit === 0) await new Promise<void>((resolve) => (onCredit = resolve));
        credit--;
        say({ kind: 'batch', batch }, buffersOf(batch));
      }
      say({ kind: 'end' });
    } catch (error) {
      say({ kind: 'error', ...sentError(error) });
    }
  };
  port.on('message', (message: ToReader) => {
    if (message.kind === 'read') void read(message.source, message.task);
    else if (message.kind === 'credit') {
      credit++;
      onCredit?.();
    } else onAnswer?.(message);
  });
}

const buffersOf = ({ spans, lines, releases, ids, reserved }: LaidOutBatch): ArrayBuffer[] =>
  [
    ...new Set([spans, lines, releases, ids, ...(reserved ? [reserved] : [])].map((array) => array.buffer)),
  ] as ArrayBuffer[];

/** In the writing thread: reads through a thread of its own, which ends with the reading. */
export const readInThread = (spawn: () => Worker): ReadFile =>
  async function* (source, task, ask) {
    const thread = spawn();
    const inbox = new Inbox(thread);
    try {
      thread.postMessage({ kind: 'read', source, task } satisfies ToReader);
      for (;;) {
        const message = await inbox.next();
        if (message.kind === 'end') return;
        if (message.kind === 'error') throw receivedError(message);
        if (message.kind === 'batch') {
          yield message.batch;
          thread.postMessage({ kind: 'credit' } satisfies ToReader);
        } else if (message.kind === 'owners') {
          thread.postMessage({ kind: 'owners', owners: await ask.ownersOf(message.ids) } satisfies ToReader);
        } else if (message.kind === 'stored') {
          thread.postMessage({
            kind: 'stored',
            samples: await ask.storedForEdit(message.ids),
          } satisfies ToReader);
        } else {
          thread.postMessage({ kind: 'reserved', first: await ask.reserve(message.count) } satisfies ToReader);
        }
      }
    } finally {
      await thread.terminate();
    }
  };

/** Messages in order, with a crash of the thread as the last one. */
class Inbox {
  readonly #messages: FromReader[] = [];
  #wake: (() => void) | undefined;

  constructor(thread: Worker) {
    const put = (message: FromReader) => {
      this.#messages.push(message);
      this.#wake?.();
    };
    thread.on('message', put);
    thread.on('error', (error) => put({ kind: 'error', ...sentError(error) }));
    thread.on('exit', () => put({ kind: 'error', message: 'The reading thread ended early.' }));
  }

  async next(): Promise<FromReader> {
    while (this.#messages.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#messages.shift() as FromReader;
  }
}
