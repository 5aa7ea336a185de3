/** The lines of a batch edit, one after the other, as rows with whole new contents. Memory grows by 3 bytes a line where they come in order, else 11. */
import { formatAccession, parseAccession } from '../../registry/accession.js';
import { type EditedSample, editSample, type SampleChange } from '../../registry/changes/sample-change-list.js';
import { isObject } from '../../registry/json-form.js';
import { type JsonItem, jsonItems, parseItem } from '../../registry/json-items.js';
import {
  changedSince,
  damagedSample,
  foreignIdentifier,
  repeatedIdentifier,
  rowIssue,
  shorten,
  unknownIdentifier,
  unreadableItem,
} from '../../registry/row-issue.js';
import { accessionPlace, EDIT_PLACES } from '../../registry/row-places.js';
import { decodeContent, encodeContent } from '../../registry/samples/content-json.js';
import { emptyLayout } from '../../registry/samples/packed-sample.js';
import type { Issue, LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { BatchBuilder } from '../../tsv/rows/batch-builder.js';
import { NameTable } from '../../tsv/rows/name-table.js';
import { isReceipt } from '../json-file/examine.js';
import type { ItemCheck } from '../json-file/item-check.js';
import { notAsShown, type Preview } from '../preview.js';
import type { ReadTask, StoredForEdit } from '../reading/read-task.js';
import { isEditHead } from './edit-file.js';
import { EditNotes } from './notes.js';

/** Samples that are read at once: each may have a megabyte. */
const READ_AT_ONCE = 50;

interface EditReading {
  changes: readonly SampleChange[];
  task: Pick<ReadTask, 'account' | 'admin' | 'prefix' | 'batchRows' | 'cursor'>;
  stored: (ids: number[]) => Promise<StoredForEdit[]>;
  check?: ItemCheck;
  /** Of a commit. */
  preview?: Preview;
}

/** A line behind the first one: which sample it names, or what is wrong with it. */
interface EditLine {
  line: number;
  accession: string;
  /** 0 where no sample can have the accession. */
  id: number;
  issues: Issue[];
}

type Present = Exclude<StoredForEdit, { damaged: true }>;

export class EditReader {
  readonly #identifiers = new NameTable();
  readonly #notes: EditNotes;
  readonly #builder: BatchBuilder;
  #expected: number[] = [];

  constructor(private readonly reading: EditReading) {
    const { batchRows, cursor } = reading.task;
    this.#notes = new EditNotes(reading.changes);
    this.#builder = new BatchBuilder(emptyLayout(), batchRows, cursor + 1, {
      reserves: false,
      keyed: false,
      releaseDate: undefined,
      places: EDIT_PLACES,
    });
  }

  /** Every line behind the cursor to the end of the file is in exactly one batch, in order. */
  async *batches(bytes: AsyncIterable<Buffer>): AsyncGenerator<LaidOutBatch> {
    const { cursor } = this.reading.task;
    let lastLine = 0;
    let bytesRead = 0;
    for await (const block of jsonItems(bytes, 'edit')) {
      const lines = block.items.flatMap((item) => this.#lineOf(item)).filter(({ line }) => line > cursor);
      for (let at = 0; at < lines.length; at += READ_AT_ONCE) {
        const group = lines.slice(at, at + READ_AT_ONCE);
        const stored = await this.#storedOf(group);
        for (const line of group) {
          await this.#add(line, stored.get(line.id));
          if (this.#builder.full) yield this.#take(line.line, block.bytes);
        }
      }
      lastLine = block.items.at(-1)?.line ?? lastLine;
      bytesRead = block.bytes;
    }
    if (lastLine >= this.#builder.fromLine) yield this.#take(lastLine, bytesRead);
  }

  #take(toLine: number, bytes: number): LaidOutBatch {
    const expected = Float64Array.from(this.#expected);
    this.#expected = [];
    const batch = { ...this.#builder.take(toLine, bytes), expected, notes: this.#notes.take() };
    return this.reading.preview ? batch : { ...batch, mayBeReadAgain: true };
  }

  /** None for what the file says besides: its first line, and the receipt of a result. */
  #lineOf(item: JsonItem): EditLine[] {
    const parsed = parseItem(item);
    const value = 'value' in parsed ? parsed.value : undefined;
    if (isReceipt(value) || isEditHead(value)) return [];
    const { line } = item;
    const accession = isObject(value) && typeof value.accession === 'string' ? value.accession.trim() : '';
    if (accession === '') {
      const message = 'This line names no sample. Write it as {"accession": "…"}, or take it out.';
      return [{ line, accession, id: 0, issues: [unreadableItem(line, item.text, message)] }];
    }
    const first = this.#identifiers.add(accession, 0, accession.length, line, true);
    const id = parseAccession(this.reading.task.prefix, accession) ?? 0;
    if (first === 0) return [{ line, accession, id, issues: [] }];
    return [{ line, accession, id: 0, issues: [repeatedIdentifier(place(line), 'edit', accession, first)] }];
  }

  async #storedOf(lines: readonly EditLine[]): Promise<Map<number, StoredForEdit>> {
    const ids = lines.flatMap(({ id, issues }) => (id === 0 || issues.length > 0 ? [] : [id]));
    const stored = ids.length === 0 ? [] : await this.reading.stored(ids);
    return new Map(stored.map((sample) => [sample.id, sample]));
  }

  async #add({ line, accession, id, issues }: EditLine, stored: StoredForEdit | undefined): Promise<void> {
    const reject = (name: string, found: Issue[]): void => this.#builder.reject({ line, name, issues: found });
    if (issues.length > 0) return reject('', issues);
    const { account, admin } = this.reading.task;
    // Nothing is said of what others have, not even by a checklist.
    if (stored === undefined) return reject('', [unknownIdentifier(place(line), 'edit', accession)]);
    if ('damaged' in stored) return reject('', [damagedSample(place(line), 'edit', accession)]);
    if (stored.account !== account && !admin) return reject('', [foreignIdentifier(place(line), 'edit', accession)]);
    if (!stored.submitted) return reject(stored.name, [notSubmitted(line, accession)]);
    const edited = editSample({ release: stored.release, content: decodeContent(stored.doc) }, this.reading.changes);
    const found = await this.#issuesOf(line, stored, edited);
    if (found.length > 0) return reject(stored.name, found);
    this.#builder.addDocument(stored.name, encodeContent(edited.content));
    this.#builder.finishRow(line, edited.release, id, 0);
    this.#expected.push(stored.version);
    this.#notes.add(line, edited.outcomes);
  }

  async #issuesOf(line: number, stored: Present, { refusals, outcomes, release, content }: EditedSample) {
    const { preview, check, task } = this.reading;
    const accession = formatAccession(task.prefix, stored.id);
    const shown = preview?.versionAt(line);
    if (shown !== undefined && shown !== stored.version)
      return [changedSince(place(line), 'edit', accession, stored.version)];
    if (refusals.length > 0) {
      return refusals.map(({ column, message }) =>
        rowIssue('edit.target-exists', { line, column }, { value: accession, message }),
      );
    }
    // A sample that stays as it is need not meet what it may not have met before.
    const issues =
      check && outcomes.includes('changed')
        ? await check({ line, name: stored.name, id: stored.id, release, content, issues: [] })
        : [];
    return issues.length === 0 && preview && shown === undefined ? [notAsShown(line)] : issues;
  }
}

const place = (line: number) => accessionPlace(line, EDIT_PLACES);

const notSubmitted = (line: number, accession: string): Issue =>
  rowIssue('edit.not-submitted', place(line), {
    value: accession,
    message: `Sample ${shorten(accession)} has an accession and was never submitted; submit it before it is edited.`,
  });
