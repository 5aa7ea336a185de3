/** Workbooks, read in a process of their own that is killed when it stalls, grows or is no longer wanted. */
import { type ChildProcess, fork } from 'node:child_process';
import { open as openFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isFromOutside, isStarted, processorMs, sendSignal } from '../processes.js';
import { RegistryError } from '../registry/errors.js';
import type { WantedSheet } from './choose-sheet.js';
import type { ChosenSheet } from './convert.js';
import type { FromConverter } from './convert-process.js';
import { isCompoundFile, isGzip, isPackage, KIND_BYTES } from './kind.js';
import { HEAP_MIB, STALL_MS, STALL_PATIENCE, TOTAL_MS } from './limits.js';
import { broken, tooLarge, wrongKind } from './refusal.js';
import type { SheetNotes } from './sheet.js';

export interface OpenedWorkbook extends ChosenSheet {
  /**
   * The sheet as UTF-8 tab-separated text, one line per row of the sheet, blank ones too; the bytes of a file of an
   * archive as they are. Can be read once; leaving the loop early ends the reading process. @throws RegistryError file.*
   */
  tsv: AsyncIterable<Buffer>;
  /** What was noticed, once `tsv` has been read to its end. */
  notes(): SheetNotes | undefined;
  /** Ends the reading process; may be called at any time. */
  close(): void;
}

export interface WorkbookOptions extends WantedSheet {
  /** Milliseconds of the processor's time without progress, and in all, after which the reading process is killed. */
  stallMs?: number;
  totalMs?: number;
}

/** Processor time is looked at once in so many milliseconds at most while there is progress; and between two looks when there is none. */
const LOOK_MS = 1_000;
const LEAST_WAIT_MS = 100;

const CONVERTER = fileURLToPath(new URL('./convert-process.js', import.meta.url));

/**
 * Opens a local workbook file and finds the sheet to read.
 * @throws RegistryError file.wrong-kind, file.not-understood, file.too-large, service.unavailable
 */
export async function openWorkbook(path: string, options: WorkbookOptions = {}): Promise<OpenedWorkbook> {
  await checkKind(path);
  const conversion = new Conversion(path, options);
  const { kind: _, ...chosen } = await conversion.chosen();
  return {
    ...chosen,
    tsv: conversion.pieces(),
    notes: () => conversion.notes,
    close: () => conversion.kill(),
  };
}

/** @throws RegistryError file.wrong-kind */
async function checkKind(path: string): Promise<void> {
  const file = await openFile(path);
  try {
    const { buffer: head } = await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0);
    if (isPackage(head) || isGzip(head) || isCompoundFile(head)) return;
    throw wrongKind('This is no workbook.');
  } finally {
    await file.close();
  }
}

/** Resolves when the process has ended and all that it said has been heard, or could not be started. */
async function ending(child: ChildProcess): Promise<void> {
  const unheard = new Promise<void>((resolve) => child.once('disconnect', resolve));
  // `once` of node:events rejects with an error that is emitted meanwhile, and nobody may be waiting yet.
  await new Promise<void>((resolve) => void child.once('close', resolve).on('error', () => resolve()));
  if (child.connected) await unheard;
}

const notWhole = (received: number, written: number): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `Only ${received} of ${written} bytes of the workbook's text arrived from the process that reads it; nothing was stored. Upload it again.`,
  );

const notStarted = (cause?: unknown): RegistryError =>
  new RegistryError(
    'service.unavailable',
    'The process that reads workbooks could not be started; nothing was stored. Upload it again.',
    { cause },
  );

const heldUp = (seconds: number): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `The machine kept the process that reads the workbook from working for ${seconds} s; nothing was stored. Upload it again when it is less busy.`,
  );

const endedFromOutside = (signal: NodeJS.Signals | null): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `The process that reads the workbook was ended from outside (${signal}); nothing was stored. Upload it again.`,
  );

/** No environment: the process reads strangers' files and needs none of ours. @throws RegistryError service.unavailable */
function startConverter(path: string, wanted: WantedSheet): ChildProcess {
  try {
    return fork(CONVERTER, [path, JSON.stringify(wanted)], {
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=4'],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
  } catch (error) {
    throw notStarted(error);
  }
}

class Conversion {
  notes: SheetNotes | undefined;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #refused: RegistryError | undefined;
  #chosen: Extract<FromConverter, { kind: 'chosen' }> | undefined;
  /** Bytes of table text that the process wrote, once it has written all. */
  #written: number | undefined;
  #overdue: 'stalled' | 'held up' | 'too long' | undefined;
  readonly #total: NodeJS.Timeout;
  readonly #stallMs: number;
  /** Processor time of the reading process when it last made progress, to a second or so, and when that was looked at. */
  #used = { ms: 0, at: 0 };

  constructor(path: string, { stallMs = STALL_MS, totalMs = TOTAL_MS, ...wanted }: WorkbookOptions) {
    this.#stallMs = stallMs;
    this.#child = startConverter(path, wanted);
    this.#child.on('message', (message) => this.#hear(message as FromConverter));
    // Node throws away what nobody has begun to read of a process that has ended; one listener keeps it until it is read.
    this.#child.stdout?.on('readable', () => undefined);
    this.#ended = ending(this.#child);
    this.#total = setTimeout(() => this.#expire('too long'), totalMs);
    this.#total.unref();
    void this.#ended.finally(() => clearTimeout(this.#total));
  }

  kill(): void {
    sendSignal(this.#child, 'SIGKILL');
  }

  async chosen(): Promise<Extract<FromConverter, { kind: 'chosen' }>> {
    const seen = this.#watch();
    try {
      while (!this.#chosen && !this.#refused) {
        const news = new Promise((resolve) => this.#child.once('message', resolve));
        await Promise.race([news, this.#ended]);
        if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
      }
    } finally {
      seen();
    }
    if (this.#chosen) return this.#chosen;
    this.kill();
    throw this.#failure();
  }

  /** The stall clock runs only while the reader waits: a slow reader is no fault of the file. */
  async *pieces(): AsyncGenerator<Buffer> {
    const stream = this.#child.stdout;
    if (!stream) throw this.#failure();
    const pieces = stream[Symbol.asyncIterator]();
    let received = 0;
    try {
      for (;;) {
        const seen = this.#watch();
        const next = await pieces.next().finally(seen);
        if (next.done) break;
        const piece = next.value as Buffer;
        received += piece.length;
        yield piece;
      }
      await this.#ended;
      if (this.#written === undefined) throw this.#failure();
      if (received !== this.#written) throw notWhole(received, this.#written);
    } finally {
      this.kill();
      stream.destroy();
    }
  }

  #hear(message: FromConverter): void {
    if (message.kind === 'chosen') this.#chosen = message;
    else if (message.kind === 'done') {
      this.#written = message.bytes;
      this.notes = message.notes;
    } else {
      const { code, message: text, extra } = message.refusal;
      this.#refused = new RegistryError(code, text, extra ? { extra } : {});
    }
  }

  /**
   * Kills the reading process when it uses `#stallMs` of the processor without progress, or is kept from it for
   * `STALL_PATIENCE` times as long: on a busy machine a workbook is not to blame for the time that passes.
   * @returns to be called when there was progress
   */
  #watch(): () => void {
    const began = performance.now();
    if (began - this.#used.at > LOOK_MS) this.#used = { ms: processorMs(this.#child) ?? 0, at: began };
    const look = (): void => {
      const passed = performance.now() - began;
      const used = (processorMs(this.#child) ?? Number.POSITIVE_INFINITY) - this.#used.ms;
      if (used >= this.#stallMs) this.#expire('stalled');
      else if (passed >= this.#stallMs * STALL_PATIENCE) this.#expire('held up');
      else timer = setTimeout(look, Math.max(this.#stallMs - used, LEAST_WAIT_MS));
    };
    let timer = setTimeout(look, this.#stallMs);
    return () => clearTimeout(timer);
  }

  #expire(how: 'stalled' | 'held up' | 'too long'): void {
    this.#overdue ??= how;
    this.kill();
  }

  #failure(): RegistryError {
    if (this.#refused) return this.#refused;
    if (this.#overdue === 'held up') return heldUp((this.#stallMs * STALL_PATIENCE) / 1000);
    if (this.#overdue) return tooLarge('Reading the workbook took too long.');
    const { signalCode, exitCode } = this.#child;
    if (!isStarted(this.#child)) return notStarted();
    if (isFromOutside(signalCode)) return endedFromOutside(signalCode);
    // V8 ends the process with SIGABRT (or 134) when its heap is full.
    if (signalCode === 'SIGABRT' || exitCode === 134) return tooLarge('Reading the workbook took too much memory.');
    return broken(
      `The workbook could not be read to its end (the reading process ended with ${signalCode ?? exitCode}).`,
    );
  }
}
