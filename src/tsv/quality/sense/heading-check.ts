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

export class HeadingCheck implements SenseCheck {
  readonly wanted = [];
  /** What names of samples look like. */
  readonly #shapes = new Set<string>();
  /** Rows above samples, by line. */
  readonly #headings = new Map<number, string>();
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
    this.#shapes.add(shapeOf(name));
    if (this.#before) this.#headings.set(this.#before.line, this.#before.name);
    this.#before = undefined;
  }

  look({ line, name }: SenseRow, found: Finding[]): void {
    if (!this.#headings.has(line) || found.some(({ code }) => code === 'suspect.name')) return;
    const headings = [...this.#headings.values()].filter((each) => !this.#shapes.has(shapeOf(each)));
    if (!headings.includes(name) || headings.length < FEWEST || this.#filled < headings.length * FEWEST) return;
    if (headings.every((each) => CONTROL.test(each))) return;
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
