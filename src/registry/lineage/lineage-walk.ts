/** One direction of a lineage, step by step, through samples that the caller may read and no others. */

import { foldType } from '../curations/curation-rules.js';
import { addTo } from '../lists.js';
import type { FollowedTypes } from '../samples/relationship-types.js';
import { relatedTerm, sourceTerm } from '../search/search-terms.js';
import { Ahead, TOGETHER } from './lineage-ahead.js';
import type { LineageSample, LineageSamples, Statement } from './lineage-samples.js';

export const DIRECTIONS = ['ancestors', 'descendants'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Why a walk ended before it was through. */
export type CutReason = 'depth' | 'nodes' | 'relationships' | 'time';

export interface WalkLimits {
  /** Steps from the first sample. */
  depth: number;
  /** Samples, the first one included. */
  nodes: number;
  /** Of `performance.now()`. */
  until: number;
}

export interface Walked {
  /** Accession → steps from the first sample; a step to the same sample under another accession is none. */
  depths: Map<string, number>;
  samples: Map<string, LineageSample>;
  /** Samples behind which there are, or may be, others that were not followed. */
  more: Map<string, CutReason>;
}

interface Step {
  from: string;
  to: LineageSample;
  isSame: boolean;
}

interface Neighbours {
  /** The samples themselves under other accessions. */
  same: LineageSample[];
  /** By accession, those a step further. */
  next: Map<string, LineageSample>;
  /** Steps further than the walk goes, to samples that may turn out to be of this depth. */
  beyond: { from: string; to: string }[];
}

export class LineageWalk {
  private readonly ahead: Ahead;
  /** Samples that were asked for ahead → those that name them, all of them. */
  private readonly answers = new Map<string, LineageSample[]>();

  constructor(
    private readonly samples: LineageSamples,
    private readonly types: FollowedTypes,
    private readonly direction: Direction,
    private readonly limits: WalkLimits,
  ) {
    this.ahead = new Ahead(samples.prefix);
  }

  async from(first: LineageSample): Promise<Walked> {
    const walked: Walked = {
      depths: new Map([[first.accession, 0]]),
      samples: new Map([[first.accession, first]]),
      more: new Map(),
    };
    let level = [first];
    for (let depth = 0; level.length > 0; depth++) level = await this.level(level, depth, walked);
    return walked;
  }

  /** Takes in the neighbours of all samples of a depth. Resolves to those of the next depth, none when the walk is over. */
  private async level(level: LineageSample[], depth: number, walked: Walked): Promise<LineageSample[]> {
    const next = new Map<string, LineageSample>();
    const beyond: Neighbours['beyond'] = [];
    let cut: CutReason | undefined;
    for (let here = level; here.length > 0 && cut === undefined; ) {
      const same: LineageSample[] = [];
      cut = await this.takeIn(here, depth, walked, { same, next, beyond });
      if (cut !== undefined) {
        for (const { accession } of [...here, ...same, ...next.values()]) walked.more.set(accession, cut);
      }
      here = same;
    }
    for (const { from, to } of beyond) {
      if (!walked.depths.has(to) && !walked.more.has(from)) walked.more.set(from, 'depth');
    }
    return cut === undefined ? [...next.values()] : [];
  }

  /** Resolves to why the walk is over, where it is. */
  private async takeIn(
    here: readonly LineageSample[],
    depth: number,
    { depths, samples, more }: Walked,
    { same, next, beyond }: Neighbours,
  ): Promise<CutReason | undefined> {
    const last = depth >= this.limits.depth;
    for await (const { from, to, isSame } of this.steps(here, last, more)) {
      const known = depths.get(to.accession);
      // One that was found a step away may be this very sample under another accession.
      if (known !== undefined && !(isSame && known > depth)) continue;
      if (last && !isSame) {
        beyond.push({ from, to: to.accession });
        continue;
      }
      if (known === undefined && depths.size >= this.limits.nodes) return 'nodes';
      depths.set(to.accession, isSame ? depth : depth + 1);
      samples.set(to.accession, to);
      if (isSame) {
        next.delete(to.accession);
        same.push(to);
      } else next.set(to.accession, to);
    }
    return this.isLate() ? 'time' : undefined;
  }

  /** From these samples to their neighbours, known ones included. `probe`: one page of the index for each question is enough. */
  private async *steps(
    here: readonly LineageSample[],
    probe: boolean,
    more: Map<string, CutReason>,
  ): AsyncGenerator<Step> {
    for (const { accession, partial } of here) if (partial) more.set(accession, 'relationships');
    const after = this.ahead.after(here.map(({ accession }) => accession));
    const ahead = probe || !this.samples.hasRoom ? [] : after;
    yield* this.statedByThemselves(here, ahead);
    const open = here.flatMap(({ accession }) => (this.answers.has(accession) ? [] : [accession]));
    yield* this.statedBefore(here);
    for (let at = 0; at < open.length && !this.isLate(); at += TOGETHER) {
      const asked = new Set(open.slice(at, at + TOGETHER));
      const known = await this.askAhead(asked, ahead);
      if (known) yield* this.statedByOthers(known, asked);
      else yield* this.statedInPages(asked, probe, more);
    }
  }

  /** What is known of those that were asked for ahead. */
  private *statedBefore(here: readonly LineageSample[]): Generator<Step> {
    for (const { accession } of here) {
      yield* this.statedByOthers(this.answers.get(accession) ?? [], new Set([accession]));
      this.answers.delete(accession);
    }
  }

  private async *statedInPages(
    asked: ReadonlySet<string>,
    probe: boolean,
    more: Map<string, CutReason>,
  ): AsyncGenerator<Step> {
    for (let before: number | undefined; !this.isLate(); ) {
      const { samples, next } = await this.samples.find(this.terms(asked), before, this.limits.until);
      yield* this.statedByOthers(samples, asked);
      if (next === undefined) return;
      if (probe) {
        for (const accession of asked) more.set(accession, 'depth');
        return;
      }
      before = next;
    }
  }

  /** Who names these and those ahead of them; undefined where none are ahead, or so many name them that it is not known of each. */
  private async askAhead(
    asked: ReadonlySet<string>,
    ahead: readonly string[],
  ): Promise<readonly LineageSample[] | undefined> {
    const further = ahead.filter((accession) => !this.answers.has(accession) && !asked.has(accession));
    if (further.length === 0) return undefined;
    const { samples, next } = await this.samples.find(
      this.terms(new Set([...asked, ...further])),
      undefined,
      this.limits.until,
    );
    if (next !== undefined) return undefined;
    const naming = new Map<string, LineageSample[]>(further.map((accession) => [accession, []]));
    for (const sample of samples) {
      for (const other of new Set(sample.statements.map((statement) => otherEnd(statement, sample.accession)))) {
        naming.get(other)?.push(sample);
      }
    }
    for (const [accession, by] of naming) this.answers.set(accession, by);
    return samples;
  }

  private async *statedByThemselves(here: readonly LineageSample[], ahead: readonly string[]): AsyncGenerator<Step> {
    const wanted = new Map<string, Omit<Step, 'to'>[]>();
    for (const { accession: from, statements } of here) {
      for (const statement of statements) {
        const step = this.stepOf(statement, from);
        if (step) addTo(wanted, step.other, { from, isSame: step.isSame });
      }
    }
    for await (const to of this.samples.read([...wanted.keys()], this.limits.until, ahead)) {
      for (const step of wanted.get(to.accession) ?? []) yield { ...step, to };
      if (this.isLate()) return;
    }
  }

  private *statedByOthers(others: readonly LineageSample[], asked: ReadonlySet<string>): Generator<Step> {
    for (const to of others) {
      for (const statement of to.statements) {
        const from = otherEnd(statement, to.accession);
        const step = asked.has(from) ? this.stepOf(statement, from) : undefined;
        if (step) yield { from, to, isSame: step.isSame };
      }
    }
  }

  /** Where a statement leads from one of its ends, in the direction of this walk. */
  private stepOf({ source, type, target }: Statement, from: string): { other: string; isSame: boolean } | undefined {
    const descent = this.types.get(foldType(type));
    const other = otherEnd({ source, type, target }, from);
    if (descent === 'same') return { other, isSame: true };
    const older = descent === 'target' ? target : source;
    return (this.direction === 'ancestors') === (older === other) ? { other, isSame: false } : undefined;
  }

  /** What samples are found by that say of one of these that it is their neighbour. */
  private terms(asked: ReadonlySet<string>): string[] {
    const terms: string[] = [];
    for (const accession of asked) {
      for (const [type, descent] of this.types) {
        // The end that the others are: what they say first names them as the source.
        const asTarget = descent === 'same' || (descent === 'target') === (this.direction === 'descendants');
        terms.push(asTarget ? relatedTerm(type, accession) : sourceTerm(type, accession));
      }
    }
    return terms;
  }

  private isLate(): boolean {
    return performance.now() > this.limits.until;
  }
}

const otherEnd = ({ source, target }: Statement, one: string): string => (source === one ? target : source);
