/** Lineage as one would work it out by hand, with every sample in view: distances are relaxed until nothing changes. */
import type { Direction } from '../../src/registry/lineage/lineage-walk.js';
import type { Caller } from '../../src/registry/permissions.js';
import type { Relationship } from '../../src/registry/samples/sample.js';

export type Kind = 'public' | 'private' | 'withdrawn';

export interface Family {
  /** Accession of another registry. */
  elsewhere: string;
  /** By accession. `relationships`: as readers see them. */
  samples: Map<string, { account: string; kind: Kind; relationships: Relationship[] }>;
}

interface Link {
  by: string;
  source: string;
  type: string;
  target: string;
}

const OLDER_SOURCE = ['hasmember', 'parentof', 'haschild'];
const plain = (type: string): string => type.toLowerCase().replace(/[ _]/g, '');

export class ModelLineage {
  private readonly links: Link[] = [];

  constructor(
    private readonly family: Family,
    private readonly caller: Caller | undefined,
    types: readonly string[],
  ) {
    const followed = types.map(plain);
    for (const [by, { relationships }] of family.samples) {
      if (!this.mayRead(by)) continue;
      for (const { source = by, type, target } of relationships) {
        if (source === target || (source !== by && target !== by) || !followed.includes(plain(type))) continue;
        this.links.push({ by, source, type: plain(type), target });
      }
    }
  }

  mayRead(accession: string): boolean {
    const sample = this.family.samples.get(accession);
    if (sample === undefined) return false;
    return sample.kind === 'public' || this.caller?.admin === true || sample.account === this.caller?.account;
  }

  /** Accessions, sorted. */
  below(accession: string, direction: Direction): string[] {
    if (this.family.samples.has(accession) && !this.mayRead(accession)) return [];
    const distances = this.distances(accession, direction);
    return [...distances].flatMap(([other, steps]) => (steps > 0 ? [other] : [])).sort();
  }

  graph(accession: string, directions: readonly Direction[], depth: number) {
    const walks = new Map(directions.map((direction) => [direction, this.distances(accession, direction)]));
    const within = (direction: Direction, one: string): number | undefined => {
      const steps = walks.get(direction)?.get(one);
      return steps !== undefined && steps <= depth ? steps : undefined;
    };
    const inGraph = [...this.family.samples.keys()].filter((one) =>
      directions.some((direction) => within(direction, one) !== undefined),
    );
    const nodes = inGraph
      .map((one) => ({
        accession: one,
        ancestor: within('ancestors', one),
        descendant: within('descendants', one),
        more: (['ancestors', 'descendants'] as const).filter(
          (direction) =>
            within(direction, one) !== undefined &&
            this.links.some((link) => {
              const step = stepFrom(link, one, direction);
              return step && this.mayRead(step.to) && within(direction, step.to) === undefined;
            }),
        ),
      }))
      .sort((a, b) => a.accession.localeCompare(b.accession));
    const lookedFor = new Set(
      directions.flatMap((direction) =>
        inGraph
          .filter((one) => within(direction, one) !== undefined)
          .flatMap((one) =>
            this.links.flatMap((link) => (link.by === one ? (stepFrom(link, one, direction)?.to ?? []) : [])),
          ),
      ),
    );
    const texts = (links: Link[]): string[] =>
      [...new Set(links.map(({ source, type, target }) => `${source} ${type} ${target}`))].sort();
    const stated = this.links.filter(({ by }) => inGraph.includes(by));
    const other = ({ by, source, target }: Link): string => (source === by ? target : source);
    return {
      nodes,
      edges: texts(stated.filter((link) => inGraph.includes(other(link)))),
      outside: texts(stated.filter((link) => lookedFor.has(other(link)) && !this.mayRead(other(link)))),
    };
  }

  /** Steps to every readable sample that can be reached. */
  private distances(first: string, direction: Direction): Map<string, number> {
    const distances = new Map([[first, 0]]);
    for (let changed = true; changed; ) {
      changed = false;
      for (const link of this.links) {
        for (const from of [link.source, link.target]) {
          const here = distances.get(from);
          const step = here === undefined ? undefined : stepFrom(link, from, direction);
          if (here === undefined || step === undefined || !this.mayRead(step.to)) continue;
          const there = here + step.length;
          if (there >= (distances.get(step.to) ?? Number.POSITIVE_INFINITY)) continue;
          distances.set(step.to, there);
          changed = true;
        }
      }
    }
    return distances;
  }
}

/** Where a link leads from one of its ends, if it leads that way. */
function stepFrom(
  { source, type, target }: Link,
  from: string,
  direction: Direction,
): { to: string; length: 0 | 1 } | undefined {
  if (from !== source && from !== target) return undefined;
  const to = from === source ? target : source;
  if (type === 'sameas') return { to, length: 0 };
  const [older, younger] = OLDER_SOURCE.includes(type) ? [source, target] : [target, source];
  const goes = direction === 'ancestors' ? from === younger && to === older : from === older && to === younger;
  return goes ? { to, length: 1 } : undefined;
}
