/**
 * Data-quality checks between the cells of a row and between the rows of a file: organisms and their ids, places and
 * their countries, days of collection, values that were filled down, rows that are equal or no
 * samples. Never changes data.
 */
import type { CheckedSheet } from '../../../registry/checklist.js';
import { batchCells, batchName, type RejectedRow, type SampleBatch } from '../../../registry/samples/sample-batch.js';
import { warningOf } from '../warnings.js';
import { BlockCheck } from './block-check.js';
import { ExplainedCheck } from './explained-check.js';
import type { Finding, SenseCheck, SenseRow } from './finding.js';
import { HeadingCheck } from './heading-check.js';
import { NameCheck } from './name-check.js';
import { OrganismCheck } from './organism-check.js';
import { PlaceCheck } from './place-check.js';
import { RepeatedCheck } from './repeated-check.js';
import { senseColumns } from './sense-columns.js';
import { SeriesCheck } from './series-check.js';
import { TimeCheck } from './time-check.js';

/** Up to here every row is looked at, behind it 16 of 64: rows that follow each other, for a series is seen in no others. */
const ALL_ROWS = 5_000;
const STRETCH = 64;
const LOOKED_AT = 16;
/** Warnings of one file. */
const MAX_WARNINGS = 20_000;

export class Sense {
  #checks: readonly SenseCheck[];
  readonly #names: NameCheck;
  /** Cells that they look at, in order. */
  #wanted: readonly number[] = [];
  /** Of the row before. */
  #line = 0;
  #rows = 0;
  #characters = 0;
  #warnings = 0;

  /** `now`: milliseconds since 1970. */
  constructor(
    private readonly sheet: CheckedSheet,
    now: number = Date.now(),
  ) {
    const { organisms, places, days, series } = senseColumns(sheet);
    this.#names = new NameCheck(sheet.name);
    this.#checks = [
      this.#names,
      new ExplainedCheck(sheet),
      new BlockCheck(),
      new HeadingCheck(),
      ...organisms.map((cells) => new OrganismCheck(cells)),
      ...places.map((cells) => new PlaceCheck(cells)),
      ...days.map((cell) => new TimeCheck(cell, now)),
      ...series.map(({ cell, constancy }) => new SeriesCheck(cell, constancy)),
      new RepeatedCheck(),
    ];
    this.#settle();
  }

  /** Warnings for the good rows of a batch, in order of lines. Batches come in order of lines too. */
  inspect(batch: SampleBatch): RejectedRow[] {
    const rows: SenseRow[] = [];
    for (let row = 0; row < batch.count && this.#warnings < MAX_WARNINGS; row++) {
      const at = this.#rows++;
      const name = batchName(batch, row);
      const line = batch.lines[row] as number;
      const apart = this.#isApart(line);
      const passed = at >= ALL_ROWS && at % STRETCH >= LOOKED_AT && !apart && !this.#names.concerns(name);
      if (passed || batch.documents.has(row)) continue;
      const own = batch.releases[row] as number;
      const release = Number.isNaN(own) && batch.ids[row] === 0 ? (batch.releaseDate ?? own) : own;
      const packed = batchCells(batch, row);
      rows.push({ line, name, apart, release, packed, cells: this.#cut(packed) });
    }
    for (const text of batch.texts) this.#characters += text.length;
    for (const row of rows) this.#learn(row);
    const said = rows.flatMap((row) => {
      const found = this.#look(row);
      if (found.length === 0) return [];
      this.#warnings += found.length;
      return [{ line: row.line, name: row.name, issues: found.map((one) => this.#issueOf(one, row.line)) }];
    });
    this.#settle();
    return said;
  }

  /** What there is to say of one row, given the rows before it. */
  inspectRow(place: Omit<SenseRow, 'cells' | 'apart'>): RejectedRow['issues'] {
    const row = { ...place, apart: this.#isApart(place.line), cells: this.#cut(place.packed) };
    this.#rows++;
    this.#characters += row.packed.length;
    this.#learn(row);
    const found = this.#look(row).map((one) => this.#issueOf(one, row.line));
    if (this.#checks.some((check) => this.#isDone(check))) this.#settle();
    return found;
  }

  #isApart(line: number): boolean {
    const apart = this.#line > 0 && line > this.#line + 1;
    this.#line = line;
    return apart;
  }

  /** Leaves out what can find nothing more. */
  #settle(): void {
    this.#checks = this.#checks.filter((check) => !this.#isDone(check));
    this.#wanted = [...new Set(this.#checks.flatMap(({ wanted }) => wanted))].sort((a, b) => a - b);
  }

  #isDone(check: SenseCheck): boolean {
    return check.isDone?.(this.#rows, this.#characters) ?? false;
  }

  #cut(packed: string): (string | undefined)[] {
    const cells: (string | undefined)[] = [];
    let cell = 0;
    let from = 0;
    for (const wanted of this.#wanted) {
      while (cell < wanted && from >= 0) {
        from = packed.indexOf('\t', from) + 1 || -1;
        cell++;
      }
      if (from < 0) break;
      const to = packed.indexOf('\t', from);
      cells[wanted] = packed.substring(from, to < 0 ? packed.length : to);
    }
    return cells;
  }

  #learn(row: SenseRow): void {
    for (const check of this.#checks) check.learn?.(row);
  }

  #look(row: SenseRow): readonly Finding[] {
    const found: Finding[] = [];
    for (const check of this.#checks) check.look(row, found);
    return found;
  }

  #issueOf({ cell, value, ...damage }: Finding, line: number): RejectedRow['issues'][number] {
    return warningOf(damage, value, this.sheet.cells[cell] ?? this.sheet.name, line);
  }
}
