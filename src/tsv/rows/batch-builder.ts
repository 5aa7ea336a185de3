/** Gathers rows into a batch: few texts, typed arrays, no object per row. */

import type { RowPlaces } from '../../registry/row-places.js';
import type { Cleared } from '../../registry/samples/merge.js';
import type { SampleLayout } from '../../registry/samples/packed-sample.js';
import {
  type LaidOutBatch,
  type OpenTarget,
  type RejectedRow,
  SHORT_TEXT,
} from '../../registry/samples/sample-batch.js';

/** UTF-16 units of text after which a batch is handed over, however few its rows. */
const TEXT_LIMIT = 4 * 1024 * 1024;
/** UTF-16 units after which rows that are spelled anew get another text. */
const SPELLED_LIMIT = SHORT_TEXT / 2;
/** Problems of rejected rows after which it is handed over: they are written and grouped in one step of the store. */
const ISSUE_LIMIT = 2_000;

export class BatchBuilder {
  count = 0;
  #fromLine: number;
  #spans: Uint32Array;
  #lines: Uint32Array;
  #releases: Float64Array;
  #ids: Float64Array;
  #reserved: Float64Array | undefined;
  /** Of an upload with keys; `meant` beside them where a survey knows the samples. */
  #keys: Uint32Array | undefined;
  #meant: Float64Array | undefined;
  #documents = new Map<number, string>();
  #documentsLength = 0;
  #cleared = new Map<number, Cleared>();
  #open = new Map<number, OpenTarget[]>();
  #rejected: RejectedRow[] = [];
  #warned: RejectedRow[] = [];
  #issues = 0;
  /** What rows point into; the two that are still growing are empty in here. */
  #texts: string[] = [];
  #textsLength = 0;
  #inTexts: Uint16Array;
  /** The stretch of a block that rows stand in, and its number among the texts. */
  #block = '';
  #blockFrom = -1;
  #blockTo = 0;
  #blockText = 0;
  /** Names and cells of rows that were spelled anew, and its number; -1 when none is growing. */
  #spelled = '';
  #spelledText = -1;

  constructor(
    private readonly layout: SampleLayout,
    private readonly batchRows: number,
    fromLine: number,
    private readonly upload: { reserves: boolean; keyed: boolean; releaseDate: number | undefined; places: RowPlaces },
  ) {
    this.#fromLine = fromLine;
    this.#inTexts = new Uint16Array(batchRows);
    this.#spans = new Uint32Array(batchRows * 4);
    this.#lines = new Uint32Array(batchRows);
    this.#releases = new Float64Array(batchRows);
    this.#ids = new Float64Array(batchRows);
    if (upload.reserves) this.#reserved = new Float64Array(batchRows);
    if (upload.keyed) this.#keys = new Uint32Array(batchRows * 2);
    if (upload.keyed && upload.reserves) this.#meant = new Float64Array(batchRows);
  }

  get full(): boolean {
    return (
      this.count === this.batchRows ||
      this.#rejected.length >= this.batchRows ||
      this.#issues >= ISSUE_LIMIT ||
      this.#textsLength + this.#blockTo - Math.max(0, this.#blockFrom) + this.#spelled.length + this.#documentsLength >
        TEXT_LIMIT
    );
  }

  /** First line that no batch has accounted for. */
  get fromLine(): number {
    return this.#fromLine;
  }

  /** A row that stands in `text` from `rowFrom` to `rowTo`, with its name and cells inside. */
  addSpan(
    text: string,
    rowFrom: number,
    rowTo: number,
    nameFrom: number,
    nameTo: number,
    from: number,
    to: number,
  ): void {
    if (this.#blockFrom < 0) {
      this.#block = text;
      this.#blockFrom = rowFrom;
      this.#blockText = this.#texts.push('') - 1;
    }
    this.#blockTo = rowTo;
    this.#inTexts[this.count] = this.#blockText;
    const start = this.#blockFrom;
    const at = this.count * 4;
    this.#spans[at] = nameFrom - start;
    this.#spans[at + 1] = nameTo - start;
    this.#spans[at + 2] = to === from ? nameTo - start : from - start;
    this.#spans[at + 3] = to === from ? nameTo - start : to - start;
  }

  /** The key of the row that `addSpan` was called for, in the same text. */
  addKeySpan(from: number, to: number): void {
    if (!this.#keys) return;
    this.#keys[this.count * 2] = from - this.#blockFrom;
    this.#keys[this.count * 2 + 1] = to - this.#blockFrom;
  }

  /** The key of a row that was spelled anew, after `addText` or `addDocument`. */
  addKeyText(key: string): void {
    if (!this.#keys) return;
    this.#keys[this.count * 2] = this.#spelled.length;
    this.#keys[this.count * 2 + 1] = this.#spelled.length + key.length;
    this.#spelled += key;
  }

  /** A row whose cells were spelled anew. */
  addText(name: string, packed: string): void {
    if (this.#spelled.length > SPELLED_LIMIT) this.#endSpelled();
    if (this.#spelledText < 0) this.#spelledText = this.#texts.push('') - 1;
    this.#inTexts[this.count] = this.#spelledText;
    const at = this.count * 4;
    const start = this.#spelled.length;
    this.#spans[at] = start;
    this.#spans[at + 1] = start + name.length;
    this.#spans[at + 2] = start + name.length;
    this.#spans[at + 3] = start + name.length + packed.length;
    this.#spelled += name + packed;
  }

  /** A row that cannot be packed. `document`: its content as JSON. */
  addDocument(name: string, document: string): void {
    this.#documents.set(this.count, document);
    this.#documentsLength += document.length;
    this.addText(name, '');
  }

  /** What the row that one of the three above began takes away of its sample. */
  addCleared(cleared: Cleared | undefined): void {
    if (cleared) this.#cleared.set(this.count, cleared);
  }

  /** Relationships of the row that wait for samples still to come; it is a document. */
  addOpen(targets: OpenTarget[] | undefined): void {
    if (targets && targets.length > 0) this.#open.set(this.count, targets);
  }

  /** Ends a row that one of the three above began. */
  finishRow(line: number, release: number, id: number, reserved: number, meant = 0): void {
    const row = this.count++;
    this.#lines[row] = line;
    this.#releases[row] = release;
    this.#ids[row] = id;
    if (this.#reserved) this.#reserved[row] = reserved;
    if (this.#meant) this.#meant[row] = meant;
  }

  /** Something is to be said of a good row. */
  warn(row: RejectedRow): void {
    this.#warned.push(row);
    this.#issues += row.issues.length;
  }

  reject(row: RejectedRow): void {
    this.#rejected.push(row);
    this.#issues += row.issues.length;
  }

  /** The block that rows pointed into is gone after this. */
  endBlock(): void {
    if (this.#blockFrom >= 0) {
      this.#texts[this.#blockText] = this.#block.substring(this.#blockFrom, this.#blockTo);
      this.#textsLength += this.#blockTo - this.#blockFrom;
    }
    this.#block = '';
    this.#blockFrom = -1;
    this.#blockTo = 0;
  }

  #endSpelled(): void {
    if (this.#spelledText >= 0) {
      this.#texts[this.#spelledText] = this.#spelled;
      this.#textsLength += this.#spelled.length;
    }
    this.#spelled = '';
    this.#spelledText = -1;
  }

  /** The batch so far, accounting for all lines up to `toLine`; the next one begins after it. */
  take(toLine: number, bytesRead: number): LaidOutBatch {
    this.endBlock();
    this.#endSpelled();
    const { count } = this;
    const batch: LaidOutBatch = {
      fromLine: this.#fromLine,
      toLine,
      bytesRead,
      count,
      texts: this.#texts,
      inTexts: this.#inTexts.slice(0, count),
      spans: this.#spans.slice(0, count * 4),
      lines: this.#lines.slice(0, count),
      releases: this.#releases.slice(0, count),
      ...(this.upload.releaseDate === undefined ? {} : { releaseDate: this.upload.releaseDate }),
      ids: this.#ids.slice(0, count),
      ...(this.#reserved ? { reserved: this.#reserved.slice(0, count) } : {}),
      ...(this.#keys ? { keys: this.#keys.slice(0, count * 2) } : {}),
      ...(this.#meant ? { meant: this.#meant.slice(0, count) } : {}),
      documents: this.#documents,
      places: this.upload.places,
      ...(this.#cleared.size > 0 ? { cleared: this.#cleared } : {}),
      ...(this.#open.size > 0 ? { open: this.#open } : {}),
      rejected: this.#rejected,
      ...(this.#warned.length > 0 ? { warnings: this.#warned } : {}),
      layout: this.layout,
    };
    this.count = 0;
    this.#fromLine = toLine + 1;
    this.#documents = new Map();
    this.#cleared = new Map();
    this.#open = new Map();
    this.#documentsLength = 0;
    this.#rejected = [];
    this.#warned = [];
    this.#issues = 0;
    this.#texts = [];
    this.#textsLength = 0;
    return batch;
  }
}
