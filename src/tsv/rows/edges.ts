/** Which rows refer to which: gathered while names are still unknown, resolved once all are there. */
import { parseAccession } from '../../registry/accession.js';
import type { Row } from '../bytes/row.js';
import type { SheetPlan } from '../header/columns.js';
import { type GivenTarget, keptNumber } from './kept-targets.js';
import type { NameTable } from './name-table.js';
import { Float64List, Uint32List } from './number-list.js';
import type { OwnerQuestions } from './owner-questions.js';
import { isForeignAccession } from './relationships.js';

/** Rows that refer to rows of the same file, by ordinal: `from[i]` refers to `to[i]`. */
export interface Edges {
  from: Uint32List;
  to: Uint32List;
  /** Rows, each once for each of its targets that is still to come. */
  open: Uint32List;
}

/** What the store says. */
type Answers = Pick<OwnerQuestions, 'missing' | 'kept'>;

/** What a target may be when no row has it as its name: nothing, a foreign accession, or (2 and up) something to ask the store about. */
const NOTHING = 0;
const FOREIGN = 1;
const ASKED = 2;

export class EdgeCollector {
  /** Five numbers each: ordinal of the row, hash of the target's text, what else the target may be. */
  readonly #found = new Uint32List();
  /** What was asked about: the number of one of our samples, or -1 and down what its row's sample may say already. */
  readonly #asked = new Float64List();

  constructor(
    private readonly plan: Pick<SheetPlan, 'relationshipColumns'>,
    private readonly prefix: string,
  ) {}

  collect(row: Row, ordinal: number, id: number, names: NameTable, questions: OwnerQuestions): void {
    let place = 0;
    for (const { column } of this.plan.relationshipColumns) {
      if (column >= row.cells) continue;
      const start = row.trimmedStart(column);
      const end = row.trimmedEnd(column, start);
      if (start === end) continue;
      this.add({ ordinal, place, text: row.text.substring(start, end) }, id, names, questions);
      place++;
    }
  }

  /** `id`: number of the sample that the row updates, or 0. */
  add(target: GivenTarget, id: number, names: NameTable, questions: OwnerQuestions): void {
    const { ordinal, text } = target;
    names.hash(text, 0, text.length);
    this.#found.push(ordinal);
    this.#found.push(names.a);
    this.#found.push(names.b);
    this.#found.push(names.c);
    this.#found.push(this.#otherwise(target, id, questions));
  }

  #otherwise(target: GivenTarget, id: number, questions: OwnerQuestions): number {
    const own = parseAccession(this.prefix, target.text);
    if (own !== undefined) questions.target(own);
    else if (isForeignAccession(target.text)) return FOREIGN;
    else if (id === 0) return NOTHING;
    else questions.kept.add(target, id);
    this.#asked.push(own ?? -1 - keptNumber(target.ordinal, target.place));
    return ASKED + this.#asked.length - 1;
  }

  /** What a target is that no row has as its name. */
  #isNothing(other: number): boolean {
    return other === NOTHING || (other >= ASKED && this.#asked.at(other - ASKED) < 0);
  }

  #isMissing(other: number, { missing, kept }: Answers): boolean {
    if (other < ASKED) return other === NOTHING;
    const asked = this.#asked.at(other - ASKED);
    return asked < 0 ? !kept.found.has(-1 - asked) : missing.has(asked);
  }

  /** The edges inside the file; rows whose target is nothing at all are marked in `rejected`, or with `later` listed as open. */
  resolve(names: NameTable, lines: Uint32List, answers: Answers, rejected: Uint8Array, later: boolean): Edges {
    const edges: Edges = { from: new Uint32List(), to: new Uint32List(), open: new Uint32List() };
    const found = this.#found;
    for (let at = 0; at < found.length; at += 5) {
      const ordinal = found.at(at);
      const line = names.recall(found.at(at + 1), found.at(at + 2), found.at(at + 3)).find();
      if (line === 0) {
        const other = found.at(at + 4);
        if (!this.#isMissing(other, answers)) continue;
        if (later && this.#isNothing(other)) edges.open.push(ordinal);
        else rejected[ordinal] = 1;
      } else if (names.several) rejected[ordinal] = 1;
      else {
        edges.from.push(ordinal);
        edges.to.push(lines.search(line));
      }
    }
    return edges;
  }
}

/** Relationships of good rows whose targets are still to come: no row has the name, or one that is refused. */
export function countOpen({ from, to, open }: Edges, rejected: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < open.length; at++) if (rejected[open.at(at)] === 0) count++;
  for (let at = 0; at < from.length; at++) if (rejected[from.at(at)] === 0 && rejected[to.at(at)] === 1) count++;
  return count;
}

/** Marks every row that refers to a rejected one, and so on until no more follow; none of the first `settled` rows. */
export function rejectDependents({ from, to }: Pick<Edges, 'from' | 'to'>, rejected: Uint8Array, settled = 0): void {
  const waiting: number[] = [];
  for (let ordinal = 0; ordinal < rejected.length; ordinal++) if (rejected[ordinal] === 1) waiting.push(ordinal);
  if (waiting.length === 0 || from.length === 0) return;
  // Rows that refer to row r: dependents[first[r]] up to dependents[first[r + 1]].
  const first = new Uint32Array(rejected.length + 2);
  for (let edge = 0; edge < to.length; edge++) {
    const row = to.at(edge) + 2;
    first[row] = (first[row] as number) + 1;
  }
  for (let row = 2; row < first.length; row++) first[row] = (first[row] as number) + (first[row - 1] as number);
  const dependents = new Uint32Array(to.length);
  for (let edge = 0; edge < to.length; edge++) {
    const row = to.at(edge) + 1;
    dependents[first[row] as number] = from.at(edge);
    first[row] = (first[row] as number) + 1;
  }
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    for (let at = first[row] as number; at < (first[row + 1] as number); at++) {
      const dependent = dependents[at] as number;
      if (rejected[dependent] === 1 || dependent < settled) continue;
      rejected[dependent] = 1;
      waiting.push(dependent);
    }
  }
}
