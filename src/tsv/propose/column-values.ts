/** What the first values of a column look like: filled, repeated, numbers, dates, terms, units. */
import { unitOf } from '../header/units.js';

/** Words for "no value", as tables of many programs have them. */
const MISSING =
  /^(?:[-?.]|n\/?a|nan|null|nil|none|nd|n\.d\.|k\.a\.|missing|unknown|not (?:known|collected|provided|applicable|available|recorded)|restricted access)$/i;
export const saysNoValue = (text: string): boolean => MISSING.test(text);
const EXAMPLES = 3;
/** Characters of a cell. */
const LOOKED_AT = 200;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:e[+-]?\d+)?$/i;
const TERM =
  /^(?:[A-Za-z][A-Za-z0-9_]{1,19}[:_][A-Z]{0,4}\d+|https?:\/\/\S*(?:obo|purl|ontology|ebi\.ac\.uk\/efo)\S+)$/;
const SPECIES = /^[A-Z][a-z]+[ _](?:[a-z]{2,}|sp\.)/;
const OTHER_ORGANISM = /^[a-z]+\b.*virus|metagenome$|^(?:human|mouse|rat)$/i;

export class ColumnValues {
  /** Texts of its filled cells, from the top; words for no value are none of them. */
  readonly values: readonly string[];
  /** Rows that were looked at. */
  readonly rows: number;
  #distinct: ReadonlySet<string> | undefined;

  constructor(cells: readonly string[]) {
    const texts = cells.map((cell) => cell.trim().slice(0, LOOKED_AT));
    this.rows = texts.length;
    this.values = texts.filter((text) => text !== '' && !MISSING.test(text));
  }

  get empty(): boolean {
    return this.values.length === 0;
  }

  get distinct(): ReadonlySet<string> {
    this.#distinct ??= new Set(this.values);
    return this.#distinct;
  }

  /** Different values, the first of them, as they would be shown. */
  get examples(): string[] {
    return [...this.distinct].slice(0, EXAMPLES).map((text) => (text.length > 80 ? `${text.slice(0, 79)}…` : text));
  }

  /** A value in every row, and none twice. */
  get unique(): boolean {
    return this.rows > 0 && this.distinct.size === this.rows;
  }

  /** 1, 2, 3 …: the lines of the table, not something of the samples. */
  get counts(): boolean {
    return (
      this.unique && this.rows > 1 && this.values.every((text, at) => text === String(at + Number(this.values[0])))
    );
  }

  get numeric(): boolean {
    return this.all((text) => NUMBER.test(text));
  }

  get terms(): boolean {
    return this.all((text) => text.split(/\s*[;|]\s*/).every((each) => TERM.test(each)));
  }

  get units(): boolean {
    return this.all((text) => unitOf(text) !== undefined);
  }

  get addresses(): boolean {
    return this.all((text) => /^https?:\/\/\S+$/i.test(text));
  }

  /** `Homo sapiens`, `Escherichia coli K-12`, `soil metagenome`; of two words the genus alone has a capital. */
  get organisms(): boolean {
    return this.all((text) => SPECIES.test(text) || OTHER_ORGANISM.test(text));
  }

  /** Every value passes; false when there is none. */
  all(test: (text: string) => boolean): boolean {
    return !this.empty && this.values.every(test);
  }
}
