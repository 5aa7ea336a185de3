/** A sheet → batches of samples for the store. Memory does not grow with the file but for 3 bytes per name where names come in order, else 11. */
import type { RowCheck } from '../../registry/checklist.js';
import { ownText } from '../../registry/own-text.js';
import { shorten } from '../../registry/row-issue.js';
import { CELL_SEPARATOR, unpackCells } from '../../registry/samples/packed-sample.js';
import { KEY_LIMIT } from '../../registry/samples/row-key.js';
import type { Issue, LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { loadBlocks } from '../bytes/load.js';
import { RowReader } from '../bytes/row-reader.js';
import { failedRows, passedOver } from '../forms/passed-over.js';
import { sheetPlaces } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import { BatchBuilder } from './batch-builder.js';
import { cutOff } from './cells-astray.js';
import { ClearedParts } from './cleared-parts.js';
import { DataRows } from './data-rows.js';
import { identifierIssue, RowExaminer } from './examine.js';
import { LikeRows } from './like-rows.js';
import { ownRow } from './own-row.js';
import { RowPacker } from './packer.js';
import type { ReadOptions } from './reading.js';
import { RelationshipResolver } from './relationships.js';

export type { ReadOptions } from './reading.js';

/**
 * Every line from 2 (or after `fromLine`) to the end of the file is in exactly one batch, in order; a batch may hold no
 * good row. Each row's problems are all found; bad rows are in `rejected`.
 * @throws RegistryError file.encoding, file.quote-unclosed, file.receipt-unclosed, file.not-understood
 */
export async function* readBatches(
  bytes: AsyncIterable<Buffer>,
  plan: SheetPlan,
  options: ReadOptions,
): AsyncGenerator<LaidOutBatch> {
  const reader = new RowReader(plan.delimiter, plan.rowsAreLines);
  const rows = DataRows.ofSamples(reader, plan, options.merges);
  const rowBatcher = new RowBatcher(rows, plan, options);
  const { builder } = rowBatcher;
  const skipTo = options.fromLine ?? 0;
  let bytesRead = 0;
  for await (const block of loadBlocks(bytes, plan.encoding, rows.reader)) {
    while (rows.next()) {
      rowBatcher.take(rows.row.line > skipTo);
      if (!builder.full) continue;
      rowBatcher.sayPassedOver();
      yield builder.take(rows.row.lastLine, block.bytesAt(reader.position));
    }
    builder.endBlock();
    bytesRead = block.bytesAt(reader.text.length);
    if (options.fileSize !== undefined) rowBatcher.expectOf(options.fileSize / bytesRead);
  }
  rows.requireClosedReceipts();
  const lastLine = reader.nextLine - 1;
  if (lastLine < builder.fromLine) return;
  rowBatcher.sayPassedOver();
  yield builder.take(lastLine, bytesRead);
}

const NO_ISSUES: readonly Issue[] = [];

class RowBatcher {
  readonly builder: BatchBuilder;
  readonly #examiner: RowExaminer;
  readonly #packer: RowPacker;
  readonly #resolver: RelationshipResolver | undefined;
  readonly #likeRows: LikeRows;
  #clearedParts: ClearedParts | undefined;
  #ordinal = -1;

  constructor(
    private readonly rows: DataRows,
    private readonly plan: SheetPlan,
    private readonly options: ReadOptions,
  ) {
    const { idOfRow, survey } = options;
    this.#examiner = new RowExaminer(plan, options);
    this.#packer = new RowPacker(plan);
    this.#likeRows = new LikeRows(plan);
    const firstLine = Math.max(2, (options.fromLine ?? 0) + 1);
    this.builder = new BatchBuilder(plan.layout, options.batchRows, firstLine, {
      reserves: idOfRow !== undefined,
      keyed: plan.keyColumn !== undefined,
      releaseDate: options.releaseDate,
      places: sheetPlaces(plan),
    });
    if (plan.relationshipColumns.length === 0) return;
    if (!survey) throw new Error('A sheet with relationship columns must be surveyed before it is read into batches.');
    this.#resolver = new RelationshipResolver(plan, survey, {
      prefix: options.prefix,
      idOfRow: idOfRow ?? ((ordinal) => ordinal + 1),
      later: options.later ?? false,
    });
  }

  /** The whole file is so many times what has been read. */
  expectOf(times: number): void {
    const rows = (this.#ordinal + 1) * times;
    this.#examiner.expect(rows);
    this.#likeRows.expect(rows);
  }

  /** Takes the row that the reader stands on; without `emit` only its name and identifier are noted. */
  take(emit: boolean): void {
    const { rows, builder } = this;
    const { row, nameStart, nameEnd } = rows;
    const examiner = this.#examiner;
    this.#ordinal++;
    examiner.examine(row, nameStart, nameEnd, rows.reader.rowHasNul);
    const { content } = this.options;
    if (content && !content.found) content.found = this.plan.keptColumns.some((column) => row.isFilled(column));
    const like = examiner.isOfOther ? undefined : this.#lookForLike();
    if (!emit) {
      rows.takePassedOver();
      rows.takeFailed();
      this.#passBy();
      return;
    }
    const replaced = examiner.isOfOther
      ? undefined
      : this.#resolver?.resolve(row, this.#ordinal, (issue) => examiner.add(issue));
    this.#checkIdentifier();
    const badKey = this.options.survey?.badKeys.get(this.#ordinal);
    if (badKey) examiner.add(badKey);
    if (examiner.issues === undefined) {
      this.#packer.pack(row, replaced);
      if (this.options.check) this.#check(this.options.check);
    }
    if (examiner.issues !== undefined) {
      this.#reject(examiner.issues);
      return;
    }
    const open = this.#resolver?.open;
    this.#add(open !== undefined && open.length > 0);
    builder.addOpen(open);
    const issues = rows.clearedColumns.length > 0 ? this.#clear(rows.clearedColumns) : NO_ISSUES;
    const { idOfRow, meantByRow } = this.options;
    const reserved = idOfRow && examiner.id === 0 ? idOfRow(this.#ordinal, row.line) : 0;
    const meant = meantByRow && examiner.id === 0 ? meantByRow(this.#ordinal) : 0;
    if (issues.length > 0 || like || rows.isCutOff) this.#warn(issues, like);
    builder.finishRow(row.line, examiner.release, examiner.id, reserved, meant);
  }

  /** Of the rows of a form that nobody has filled in, down to here. */
  sayPassedOver(): void {
    const blank = this.rows.takePassedOver();
    if (blank) this.builder.warn(passedOver(this.plan, blank));
    const failed = this.rows.takeFailed();
    if (failed) this.builder.warn(failedRows(this.plan, failed));
  }

  #reject(issues: readonly Issue[]): void {
    const { row, nameStart, nameEnd, isCutOff } = this.rows;
    const { keyStart, keyEnd } = this.#examiner;
    const key = this.plan.keyColumn === undefined ? undefined : row.text.substring(keyStart, keyEnd);
    const rejected = {
      line: row.line,
      name: shorten(row.text.substring(nameStart, nameEnd), 1000),
      ...(key === undefined ? {} : { key: ownText(key.slice(0, KEY_LIMIT + 1).toWellFormed()) }),
      issues: isCutOff ? [...issues, cutOff(row, this.plan, false)] : [...issues],
    };
    this.builder.reject(ownRow(rejected, this.#rowLength));
  }

  #warn(issues: readonly Issue[], like: Issue | undefined): void {
    const { row, nameStart, nameEnd, isCutOff } = this.rows;
    const name = row.text.substring(nameStart, nameEnd);
    const all = [...issues, ...(like ? [like] : []), ...(isCutOff ? [cutOff(row, this.plan, true)] : [])];
    this.builder.warn(ownRow({ line: row.line, name, issues: all }, this.#rowLength));
  }

  /** The marker stood in cells of these columns; what is to be said of it. */
  #clear(columns: readonly number[]): readonly Issue[] {
    const { row } = this.rows;
    this.#clearedParts ??= new ClearedParts(this.plan);
    this.builder.addCleared(this.#clearedParts.clearedBy(columns));
    if (!this.options.merges || (this.#examiner.id === 0 && this.plan.keyColumn === undefined)) return NO_ISSUES;
    return this.#clearedParts.unitsAlone(columns, row);
  }

  get #rowLength(): number {
    const { starts, ends, cells } = this.rows.row;
    return (ends[cells - 1] ?? 0) - (starts[0] ?? 0);
  }

  #lookForLike(): Issue | undefined {
    const { row, nameStart, nameEnd } = this.rows;
    const identified = this.#examiner.id !== 0 || (this.options.meantByRow?.(this.#ordinal) ?? 0) !== 0;
    return this.#likeRows.look(row, nameStart, nameEnd, identified);
  }

  /** `asDocument`: relationships will come in. */
  #add(asDocument: boolean): void {
    const { row, nameStart, nameEnd } = this.rows;
    const { from, to, text, cells } = this.#packer;
    const { keyStart, keyEnd } = this.#examiner;
    if (text === undefined && cells === undefined && !asDocument) {
      const end = row.ends[row.cells - 1] as number;
      this.builder.addSpan(row.text, row.starts[0] as number, end, nameStart, nameEnd, from, to);
      this.builder.addKeySpan(keyStart, keyEnd);
      return;
    }
    const name = row.text.substring(nameStart, nameEnd);
    const document = cells ?? (asDocument ? this.#packer.packed(row).split(CELL_SEPARATOR) : undefined);
    if (document) this.builder.addDocument(name, JSON.stringify(unpackCells(this.plan.layout, document)));
    else this.builder.addText(name, text ?? '');
    this.builder.addKeyText(row.text.substring(keyStart, keyEnd));
  }

  /** What the survey learned of the store about the row's identifier. */
  #checkIdentifier(): void {
    const { survey } = this.options;
    const { id } = this.#examiner;
    const verdict = id === 0 ? undefined : survey?.badIdentifiers.get(id);
    if (verdict) this.#examiner.add(identifierIssue(this.plan, this.rows.row, verdict));
  }

  /** A check may compare a row with those before it, whoever read them. */
  #passBy(): void {
    const { check } = this.options;
    if (!check || this.#examiner.issues !== undefined) return;
    const { row, nameStart, nameEnd } = this.rows;
    this.#packer.pack(row);
    check(row.line, row.text.substring(nameStart, nameEnd), this.#examiner.checkedRelease, this.#packer.packed(row));
  }

  #check(check: RowCheck): void {
    const { row, nameStart, nameEnd } = this.rows;
    const name = row.text.substring(nameStart, nameEnd);
    const issues = check(row.line, name, this.#examiner.checkedRelease, this.#packer.packed(row));
    if (!issues.some(({ severity }) => severity === 'error')) return;
    for (const issue of issues) this.#examiner.add(issue);
  }
}
