/**
 * One pass over the whole file before anything is registered: can it be read to its end, which rows are bad, and which
 * samples its relationships mean. Keeps typed arrays only: per row 5 to 13 bytes, per name 11, per relationship 21.
 */

import type { Issue } from '../../registry/samples/sample-batch.js';
import { loadBlocks } from '../bytes/load.js';
import { RowReader } from '../bytes/row-reader.js';
import type { SheetPlan } from '../header/columns.js';
import { DataRows } from './data-rows.js';
import { countOpen, EdgeCollector, rejectDependents } from './edges.js';
import { RowExaminer } from './examine.js';
import { keptNumber } from './kept-targets.js';
import { KeyQuestions } from './key-questions.js';
import type { NameTable } from './name-table.js';
import { Float64List, Uint32List } from './number-list.js';
import { OwnerQuestions } from './owner-questions.js';
import { RowPacker } from './packer.js';
import type { RecordedRows, Survey, SurveyOptions } from './reading.js';

export type { Survey, SurveyOptions } from './reading.js';

/** @throws RegistryError file.encoding, file.quote-unclosed, file.receipt-unclosed, file.not-understood */
export async function surveySheet(
  bytes: AsyncIterable<Buffer>,
  plan: SheetPlan,
  options: SurveyOptions,
): Promise<Survey> {
  const surveyor = new Surveyor(plan, options);
  const { rows } = surveyor;
  for await (const block of loadBlocks(bytes, plan.encoding, rows.reader)) {
    while (rows.next()) surveyor.take();
    surveyor.expectOf(block.bytesAt(rows.reader.text.length));
    await surveyor.ask(false);
  }
  rows.requireClosedReceipts();
  await surveyor.ask(true);
  return surveyor.finish();
}

class Surveyor {
  readonly rows: DataRows;
  readonly #examiner: RowExaminer;
  readonly #packer: RowPacker;
  readonly #edges: EdgeCollector;
  readonly #questions: OwnerQuestions;
  readonly #lines = new Uint32List();
  readonly #ids = new Float64List();
  readonly #bad = new Uint32List();
  readonly #related: boolean;
  readonly #identified: boolean;
  readonly #keys: KeyQuestions | undefined;
  #count = 0;

  constructor(
    plan: SheetPlan,
    private readonly options: SurveyOptions,
  ) {
    this.rows = DataRows.ofSamples(new RowReader(plan.delimiter, plan.rowsAreLines), plan, options.merges);
    this.#examiner = new RowExaminer(plan, options);
    this.#packer = new RowPacker(plan);
    this.#edges = new EdgeCollector(plan, options.prefix);
    this.#questions = new OwnerQuestions(options);
    this.#related = plan.relationshipColumns.length > 0;
    this.#keys = plan.keyColumn !== undefined && options.decideKeys ? new KeyQuestions(options.decideKeys) : undefined;
    this.#identified = plan.identifierColumn !== undefined || this.#keys !== undefined;
  }

  take(): void {
    const { row, nameStart, nameEnd, reader } = this.rows;
    const examiner = this.#examiner;
    const ordinal = this.#count++;
    examiner.examine(row, nameStart, nameEnd, reader.rowHasNul);
    this.#lines.push(row.line);
    if (this.#identified) {
      this.#ids.push(examiner.id);
      if (examiner.id !== 0) this.#questions.identifier(examiner.id);
    }
    if (this.#related) this.#edges.collect(row, ordinal, examiner.id, examiner.names, this.#questions);
    if (examiner.issues !== undefined || this.#failsCheck()) this.#bad.push(ordinal);
    else if (this.#keys) {
      const key = row.text.substring(examiner.keyStart, examiner.keyEnd).toWellFormed();
      const released = !Number.isNaN(examiner.release) || this.options.releaseDate !== undefined;
      this.#keys.ask(ordinal, { line: row.line, key, id: examiner.id, released });
    }
  }

  /** From this many bytes read. */
  expectOf(bytes: number): void {
    const { fileSize } = this.options;
    if (fileSize !== undefined) this.#examiner.expect((this.#count * fileSize) / bytes);
  }

  async ask(last: boolean): Promise<void> {
    await this.#questions.ask(last);
    await this.#keys?.answer(last, this.#ids);
  }

  finish(): Survey {
    const { names } = this.#examiner;
    return surveyOf({
      count: this.#count,
      bad: this.#bad,
      ids: this.#ids,
      lines: this.#lines,
      names,
      edges: this.#edges,
      questions: this.#questions,
      ...(this.#keys ? { badKeys: this.#keys.bad } : {}),
      later: this.options.later,
      recorded: this.options.recorded,
    });
  }

  #failsCheck(): boolean {
    const { check } = this.options;
    if (!check) return false;
    const { row, nameStart, nameEnd } = this.rows;
    this.#packer.pack(row);
    const packed = this.#packer.packed(row);
    const issues = check(row.line, row.text.substring(nameStart, nameEnd), this.#examiner.checkedRelease, packed);
    return issues.some(({ severity }) => severity === 'error');
  }
}

/** What was gathered of every row, once the store has been asked. */
export interface Surveyed {
  /** Rows, good and bad. */
  count: number;
  /** Ordinals of the bad ones. */
  bad: Uint32List;
  /** Of each row the number that it updates, or 0; empty when no row updates. */
  ids: Float64List;
  lines: Uint32List;
  names: NameTable;
  edges: EdgeCollector;
  questions: OwnerQuestions;
  /** By ordinal. */
  badKeys?: ReadonlyMap<number, Issue>;
  later?: boolean | undefined;
  recorded?: RecordedRows | undefined;
}

export function surveyOf({
  count,
  bad,
  ids,
  lines,
  names,
  edges,
  questions,
  badKeys,
  later = false,
  recorded,
}: Surveyed): Survey {
  const { missing, badIdentifiers, kept } = questions;
  const rejected = new Uint8Array(count);
  for (let at = 0; at < bad.length; at++) rejected[bad.at(at)] = 1;
  for (let ordinal = 0; ordinal < ids.length; ordinal++) {
    if (badIdentifiers.has(ids.at(ordinal))) rejected[ordinal] = 1;
  }
  for (const ordinal of badKeys?.keys() ?? []) rejected[ordinal] = 1;
  const found = edges.resolve(names, lines, questions, rejected, later);
  const settled = recorded ? asRecorded(rejected, lines, recorded) : 0;
  if (!later) rejectDependents(found, rejected, settled);
  return {
    rows: count,
    open: later ? countOpen(found, rejected) : 0,
    rejected: rejected.reduce((sum, flag) => sum + flag, 0),
    names,
    ordinalOf: (line) => lines.search(line),
    isRejected: (ordinal) => rejected[ordinal] === 1,
    idOf: (ordinal) => (ordinal < ids.length ? ids.at(ordinal) : 0),
    missingTargets: missing,
    isKept: (ordinal, place) => kept.found.has(keptNumber(ordinal, place)),
    badIdentifiers,
    badKeys: badKeys ?? new Map(),
  };
}

/**
 * Rows whose outcome is recorded are what they became, whatever is to be said of them by now: no later row may mean a sample that
 * one of them did not become. Answers how many they are.
 */
function asRecorded(rejected: Uint8Array, lines: Uint32List, { toLine, isSample }: RecordedRows): number {
  let ordinal = 0;
  for (; ordinal < lines.length && lines.at(ordinal) <= toLine; ordinal++)
    rejected[ordinal] = isSample(lines.at(ordinal)) ? 0 : 1;
  return ordinal;
}
