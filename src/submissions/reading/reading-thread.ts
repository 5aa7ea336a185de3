/**
 * The talk between the thread that reads a file and the thread that writes its samples: batches one way, credit and
 * answers about the store the other. A batch is a few strings and typed arrays, whose buffers are transferred.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { KnownKeys } from '../../registry/samples/row-key.js';
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { receivedError, type SentError, sentError } from '../../registry/sent-error.js';
import type { Blobs } from '../blobs.js';
import type { ReadFile } from '../processing/processing.js';
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
const WINDOW = 2;

type FromReader =
  | { kind: 'batch'; batch: LaidOutBatch }
  | { kind: 'end' }
  | { kind: 'owners'; ids: number[] }
  | { kind: 'reserve'; count: number }
  | { kind: 'stored'; ids: number[] }
  | { kind: 'keys'; keys: string[]; samples: number[] }
  | { kind: 'open' }
  | ({ kind: 'error' } & SentError);

type ToReader =
  | { kind: 'read'; source: StoredSource; task: ReadTask }
  | { kind: 'credit' }
  | { kind: 'owners'; owners: Map<number, string> }
  | { kind: 'reserved'; first: number }
  | { kind: 'keys'; known: KnownKeys }
  | { kind: 'open'; count: number }
  | { kind: 'stored'; samples: StoredForEdit[] };

/** In the reading thread: reads the file it is asked for, and then the next one. */
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
    knownKeys: async (keys, samples) => ((await asked({ kind: 'keys', keys, samples })) as { known: KnownKeys }).known,
    reserve: async (count) => ((await asked({ kind: 'reserve', count })) as { first: number }).first,
    openRelationships: async () => ((await asked({ kind: 'open' })) as { count: number }).count,
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
    if (message.kind === 'read') {
      credit = WINDOW;
      void read(message.source, message.task);
    } else if (message.kind === 'credit') {
      credit++;
      onCredit?.();
    } else onAnswer?.(message);
  });
}

const buffersOf = ({ inTexts, spans, lines, releases, ids, reserved, keys }: LaidOutBatch): ArrayBuffer[] =>
  [
    ...new Set(
      [
        spans,
        lines,
        releases,
        ids,
        ...(inTexts ? [inTexts] : []),
        ...(reserved ? [reserved] : []),
        ...(keys ? [keys] : []),
      ].map((array) => array.buffer),
    ),
  ] as ArrayBuffer[];

type Question = Extract<FromReader, { kind: 'owners' | 'reserve' | 'stored' | 'keys' | 'open' }>;

async function answerOf(question: Question, ask: StoreQuestions): Promise<ToReader> {
  if (question.kind === 'owners') return { kind: 'owners', owners: await ask.ownersOf(question.ids) };
  if (question.kind === 'stored') return { kind: 'stored', samples: await ask.storedForEdit(question.ids) };
  if (question.kind === 'open') return { kind: 'open', count: await ask.openRelationships() };
  if (question.kind === 'reserve') return { kind: 'reserved', first: await ask.reserve(question.count) };
  return { kind: 'keys', known: await ask.knownKeys(question.keys, question.samples) };
}

/** A thread that had nothing to read for so long ends: it holds some 40 MB. */
const IDLE_MS = 60_000;

export interface ReadingThreads {
  read: ReadFile;
  /** Starts the thread for a file that is still coming, unless there is one: it takes a quarter of a second to load its modules. */
  prepare(): void;
}

/**
 * In the writing thread: reads through a thread of its own. One that has read a file to its end waits for the next one,
 * since loading its modules takes more time than reading hundreds of rows.
 */
export function readInThread(spawn: () => Worker, idleMs = IDLE_MS): ReadingThreads {
  let idle: Reader | undefined;
  let busy = 0;
  const take = (): Reader => {
    const waiting = idle;
    idle = undefined;
    waiting?.wake();
    return waiting?.isAlive ? waiting : new Reader(spawn());
  };
  const keep = async (reader: Reader): Promise<void> => {
    if (idle !== undefined || !reader.isAlive) return reader.end();
    idle = reader;
    reader.rest(idleMs, () => {
      if (idle === reader) idle = undefined;
    });
  };
  const prepare = (): void => {
    if (busy > 0) return;
    const reader = take();
    void keep(reader);
  };
  const read: ReadFile = async function* (source, task, ask) {
    const reader = take();
    let isFree = false;
    busy++;
    try {
      reader.say({ kind: 'read', source, task });
      for (;;) {
        const message = await reader.next();
        if (message.kind === 'end') {
          isFree = true;
          return;
        }
        if (message.kind === 'error') {
          // What is wrong with the file is said with a code; after anything else nobody knows what is left in the thread.
          isFree = message.code !== undefined;
          throw receivedError(message);
        }
        if (message.kind === 'batch') {
          yield message.batch;
          reader.say({ kind: 'credit' });
        } else reader.say(await answerOf(message, ask));
      }
    } finally {
      busy--;
      await (isFree ? keep(reader) : reader.end());
    }
  };
  return { read, prepare };
}

/** A thread that reads, with its messages in order and a crash as the last one. */
class Reader {
  isAlive = true;
  readonly #messages: FromReader[] = [];
  #wake: (() => void) | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(private readonly thread: Worker) {
    const put = (message: FromReader) => {
      this.#messages.push(message);
      this.#wake?.();
    };
    const crash = (error: Extract<FromReader, { kind: 'error' }>) => {
      this.isAlive = false;
      put(error);
    };
    thread.on('message', put);
    thread.on('error', (error) => crash({ kind: 'error', ...sentError(error) }));
    thread.on('exit', () => crash({ kind: 'error', message: 'The reading thread ended early.' }));
  }

  say(message: ToReader): void {
    this.thread.postMessage(message);
  }

  async next(): Promise<FromReader> {
    while (this.#messages.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#messages.shift() as FromReader;
  }

  /** Ends after so many milliseconds unless it is woken; keeps no process alive meanwhile. */
  rest(ms: number, onEnd: () => void): void {
    this.thread.unref();
    this.#rest = setTimeout(() => {
      onEnd();
      void this.end();
    }, ms).unref();
  }

  wake(): void {
    clearTimeout(this.#rest);
    this.thread.ref();
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }
}
