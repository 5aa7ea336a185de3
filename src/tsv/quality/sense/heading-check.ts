/**
 * Headings between samples, `Group A` and `Group B`: names and nothing else, each right above rows that are called otherwise and have
 * values. One alone may be a sample of which nothing is known.
 */
import type { Finding, SenseCheck, SenseRow } from './finding.js';
import { CONTROL } from './repeated-check.js';

/** Rows that show what samples are like; headings that there are at least, and samples to each. */
const TEACHING_ROWS = 5_000;
const FEWEST = 2;
const LONGEST = 100;

interface Alike {
  rows: number;
  /** Those that are not names of controls, which may have nothing but a name. */
  others: number;
}

export class HeadingCheck implements SenseCheck {
  readonly wanted = [];
  /** What names of samples look like. */
  readonly #shapes = new Set<string>();
  /** Lines of rows above samples. */
  readonly #above = new Set<number>();
  /** Those rows, by what their names look like. */
  readonly #alike = new Map<string, Alike>();
  /** Those of them that look like no sample. */
  readonly #headings: Alike = { rows: 0, others: 0 };
  #before: { line: number; name: string } | undefined;
  #filled = 0;
  #taught = 0;

  learn({ line, name, packed }: SenseRow): void {
    if (this.#taught >= TEACHING_ROWS) return;
    this.#taught++;
    if (isBare(packed)) {
      this.#before = { line, name };
      return;
    }
    this.#filled++;
    this.#learnSample(shapeOf(name));
    if (this.#before) this.#learnAbove(this.#before);
    this.#before = undefined;
  }

  #learnSample(shape: string): void {
    if (this.#shapes.has(shape)) return;
    this.#shapes.add(shape);
    const { rows = 0, others = 0 } = this.#alike.get(shape) ?? {};
    this.#headings.rows -= rows;
    this.#headings.others -= others;
  }

  #learnAbove({ line, name }: { line: number; name: string }): void {
    this.#above.add(line);
    const shape = shapeOf(name);
    const alike = this.#alike.get(shape) ?? { rows: 0, others: 0 };
    this.#alike.set(shape, alike);
    for (const each of this.#shapes.has(shape) ? [alike] : [alike, this.#headings]) {
      each.rows++;
      if (!CONTROL.test(name)) each.others++;
    }
  }

  look({ line, name }: SenseRow, found: Finding[]): void {
    if (!this.#above.has(line) || found.some(({ code }) => code === 'suspect.name')) return;
    const { rows, others } = this.#headings;
    if (rows < FEWEST || others === 0 || this.#filled < rows * FEWEST || this.#shapes.has(shapeOf(name))) return;
    found.push({
      code: 'suspect.name',
      cell: -1,
      value: name,
      what: 'has nothing but a name, of another kind than those of the samples below it: if it is their heading, write what it says into a column of its own, and delete the row',
    });
  }
}

const isBare = (packed: string): boolean => !/[^\t]/.test(packed);

/** `S12` and `T3` look alike, and so do `mouse 4` and `Ratte 12`. */
const shapeOf = (name: string): string =>
  name
    .slice(0, LONGEST)
    .replace(/\p{L}+/gu, 'a')
    .replace(/\d+/g, '0');
