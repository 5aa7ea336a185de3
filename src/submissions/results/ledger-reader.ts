/** Reads a submission's ledger beside its file: both go forward by lines, so one chunk is held at a time. */
import type { Issue } from '../../registry/samples/sample-batch.js';
import { LineIndex, runsOf } from '../reading/line-index.js';
import type { LedgerChunk, LedgerRun } from '../submission-store.js';

export class LedgerReader {
  readonly #chunks: AsyncIterator<LedgerChunk>;
  #toLine = 0;
  #done = false;
  #accessions = new LineIndex(new Float64Array());
  #created: LedgerRun[] = [];
  #run = 0;
  #rejected = new Map<number, Issue[]>();
  #warnings = new Map<number, Issue[]>();

  constructor(ledger: AsyncIterable<LedgerChunk>) {
    this.#chunks = ledger[Symbol.asyncIterator]();
  }

  /** Moves on until the chunk that holds this line is the present one. Answers itself; a promise only when it had to read. */
  advance(line: number): this | Promise<this> {
    return line <= this.#toLine || this.#done ? this : this.#readTo(line);
  }

  async #readTo(line: number): Promise<this> {
    while (line > this.#toLine && !this.#done) {
      const { value, done } = await this.#chunks.next();
      if (done) {
        this.#done = true;
        this.#accessions = new LineIndex(new Float64Array());
        this.#created = [];
        this.#rejected = new Map();
        this.#warnings = new Map();
      } else this.#take(value);
    }
    return this;
  }

  #take(chunk: LedgerChunk): void {
    this.#toLine = chunk.toLine;
    this.#accessions = new LineIndex(Float64Array.from(runsOf(chunk).flat()));
    this.#created = chunk.created;
    this.#run = 0;
    this.#warnings = new Map((chunk.warnings ?? []).map(({ line, issues }) => [line, issues]));
    this.#rejected = new Map();
    for (const { line, issues } of chunk.rejected) {
      this.#rejected.set(line, [...issues, ...(this.#warnings.get(line) ?? [])]);
      this.#warnings.delete(line);
    }
  }

  idAt(line: number): number | undefined {
    return this.#accessions.idAt(line);
  }

  /** Whether the line registered a sample, or would have. Asked in order of lines. */
  isCreatedAt(line: number): boolean {
    const ended = ([first, , count]: LedgerRun) => first + count <= line;
    while (this.#created[this.#run] && ended(this.#created[this.#run] as LedgerRun)) this.#run++;
    const run = this.#created[this.#run];
    return run !== undefined && run[0] <= line;
  }

  /** What the row was refused for, then what else is to be said of it: a row that the store refuses has its warnings by then. */
  rejectedAt(line: number): Issue[] | undefined {
    return this.#rejected.get(line);
  }

  /** Of a row that was not rejected. */
  warningsAt(line: number): Issue[] | undefined {
    return this.#warnings.get(line);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
