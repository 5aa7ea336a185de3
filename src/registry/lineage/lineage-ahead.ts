/**
 * Which samples a walk will likely come to: the generations of a file have accessions one after the other, and a walk that takes them
 * step by step asks the store twice for each, thousands of times for a long chain. As a file that is read from its beginning is read
 * ahead, so the next ones are asked for together with those of a step once some steps have gone one way.
 */
import { formatAccession, parseAccession } from '../accession.js';

/** Steps that go one way before anything is asked for ahead. */
const STEPS = 3;
/** Numbers between two steps of such a way, at most. */
const NEAR = 12;
/** Samples of one step and those ahead of it. */
export const TOGETHER = 25;

export class Ahead {
  private newest = Number.NaN;
  private oldest = Number.NaN;
  private up = 0;
  private down = 0;

  constructor(private readonly prefix: string) {}

  /** Those after the samples of this step, the nearest first; none where the steps go no one way. */
  after(here: readonly string[]): string[] {
    const ids = here.flatMap((accession) => parseAccession(this.prefix, accession) ?? []);
    const [newest, oldest] = ids.length < TOGETHER ? [Math.max(...ids), Math.min(...ids)] : [Number.NaN, Number.NaN];
    this.up = isNear(newest - this.newest) ? this.up + 1 : 0;
    this.down = isNear(this.oldest - oldest) ? this.down + 1 : 0;
    this.newest = newest;
    this.oldest = oldest;
    if (this.up < STEPS && this.down < STEPS) return [];
    const [from, way] = this.up >= STEPS ? [newest, 1] : [oldest, -1];
    const numbers = Array.from({ length: TOGETHER - ids.length }, (_, at) => from + way * (at + 1));
    return numbers.filter((id) => id > 0).map((id) => formatAccession(this.prefix, id));
  }
}

const isNear = (distance: number): boolean => distance > 0 && distance <= NEAR;
