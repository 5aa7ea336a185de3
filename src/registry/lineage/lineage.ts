/**
 * Where a sample comes from and what came of it. The privacy rule, the same for every caller and both directions: a
 * sample that the caller may not read is no node, and nothing is reached through it that cannot be reached in another way;
 * its accession is shown where the document of a readable sample shows it (`outside`), in which place it looks like
 * one of another registry or one that there is not.
 */

import { foldType } from '../curations/curation-rules.js';
import { ownText } from '../own-text.js';
import type { Caller } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import { followedTypes } from '../samples/relationship-types.js';
import { contentTaxId } from '../samples/representation.js';
import type { SampleContent, StoredSample } from '../samples/sample.js';
import { SampleReader } from '../samples/sample-reader.js';
import type { SampleStore } from '../samples/sample-store.js';
import { statusOf } from '../samples/status.js';
import {
  type LineageFacts,
  type LineageSample,
  LineageSamples,
  type LineageStore,
  type Statement,
} from './lineage-samples.js';
import { type CutReason, DIRECTIONS, type Direction, LineageWalk, type Walked } from './lineage-walk.js';

/** One graph takes no longer, milliseconds, but for the question to the index that is under way. */
const LINEAGE_MS = 3_000;
/** Relationships of one graph. */
const STATEMENTS = 10_000;

export interface LineageRequest {
  accession: string;
  types: readonly string[];
  directions: readonly Direction[];
  depth: number;
  nodes: number;
}

export interface LineageNode extends LineageFacts {
  accession: string;
  /** Steps back to it, and forth to it; 0 for the sample itself and its other accessions. */
  ancestor?: number;
  descendant?: number;
  /** Where the graph ends at this sample though there are, or may be, others behind it. */
  more?: Direction[];
}

export interface LineageCut {
  direction: Direction;
  reason: CutReason;
  /** Nodes that say `more` for this reason. */
  nodes: number;
  message: string;
}

export interface LineageDocument {
  accession: string;
  types: string[];
  nodes: LineageNode[];
  edges: Statement[];
  outside?: Statement[];
  cut?: LineageCut[];
  notIndexed?: number;
}

export class Lineage {
  private readonly reader: SampleReader;

  constructor(
    private readonly store: LineageStore & SampleStore,
    private readonly options: RegistryOptions,
  ) {
    this.reader = new SampleReader(store, options);
  }

  /** @throws RegistryError sample.not-found, sample.private, service.unavailable */
  async graph(request: LineageRequest, caller: Caller | undefined): Promise<LineageDocument> {
    const now = this.options.now();
    const types = followedTypes(request.types);
    const samples = new LineageSamples(this.store, {
      prefix: this.options.prefix,
      caller,
      now,
      types,
      statements: STATEMENTS,
      facts: (sample, content) => factsOf(sample, content, now),
    });
    const first = samples.take(await this.reader.readable(request.accession, caller));
    const until = performance.now() + LINEAGE_MS;
    const walks = new Map<Direction, Walked>();
    let left = request.nodes;
    for (const [at, direction] of request.directions.entries()) {
      // Many ancestors leave room for descendants.
      const nodes = at < request.directions.length - 1 ? Math.ceil(left / 2) : left;
      const walked = await new LineageWalk(samples, types, direction, { depth: request.depth, nodes, until }).from(
        first,
      );
      left -= walked.depths.size - 1;
      walks.set(direction, walked);
    }
    return this.document(request, walks, samples);
  }

  private document(
    { accession, types, depth, nodes: most }: LineageRequest,
    walks: ReadonlyMap<Direction, Walked>,
    samples: LineageSamples,
  ): LineageDocument {
    const all = new Map([...walks.values()].flatMap((walked) => [...walked.samples]));
    const nodes = [...all.values()].flatMap(({ accession: of, facts }) => (facts ? [nodeOf(of, facts, walks)] : []));
    const { edges, outside } = edgesBetween(all, (end) => samples.isOutside(end));
    const cut = [...walks].flatMap(([direction, walked]) => cutsOf(direction, walked, { accession, depth, most }));
    return {
      accession,
      types: [...types],
      nodes,
      edges,
      ...(outside.length > 0 ? { outside } : {}),
      ...(cut.length > 0 ? { cut } : {}),
      ...(samples.missing > 0 ? { notIndexed: samples.missing } : {}),
    };
  }
}

/** Of a text that is longer a node shows the beginning: a thousand nodes may each name an organism of a megabyte. */
const SHOWN_LENGTH = 250;

function factsOf(sample: StoredSample, content: SampleContent, now: number): LineageFacts {
  const organism = content.characteristics.organism?.find(({ text }) => text)?.text;
  return {
    name: beginningOf(sample.name),
    ...(organism === undefined ? {} : { organism: beginningOf(organism) }),
    ...contentTaxId(content),
    status: statusOf(sample, now),
  };
}

const beginningOf = (text: string): string =>
  text.length <= SHOWN_LENGTH ? text : ownText(`${text.slice(0, SHOWN_LENGTH)}…`);

function nodeOf(accession: string, facts: LineageFacts, walks: ReadonlyMap<Direction, Walked>): LineageNode {
  const ancestor = walks.get('ancestors')?.depths.get(accession);
  const descendant = walks.get('descendants')?.depths.get(accession);
  const more = DIRECTIONS.filter((direction) => walks.get(direction)?.more.has(accession));
  return {
    accession,
    ...facts,
    ...(ancestor === undefined ? {} : { ancestor }),
    ...(descendant === undefined ? {} : { descendant }),
    ...(more.length > 0 ? { more } : {}),
  };
}

/** What the samples say of one another, each once, and of others that were looked for and may not be read. */
function edgesBetween(all: ReadonlyMap<string, LineageSample>, isOutside: (accession: string) => boolean) {
  const edges = new Map<string, Statement>();
  const outside = new Map<string, Statement>();
  for (const { accession, statements } of all.values()) {
    for (const statement of statements) {
      const { source, type, target } = statement;
      const key = `${source}\0${foldType(type)}\0${target}`;
      const other = source === accession ? target : source;
      if (all.has(other)) edges.set(key, statement);
      else if (isOutside(other)) outside.set(key, statement);
    }
  }
  return { edges: [...edges.values()], outside: [...outside.values()] };
}

function cutsOf(
  direction: Direction,
  { more }: Walked,
  asked: { accession: string; depth: number; most: number },
): LineageCut[] {
  const counts = new Map<CutReason, number>();
  for (const reason of more.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, nodes]) => ({
    direction,
    reason,
    nodes,
    message: messageOf(reason, direction, asked),
  }));
}

function messageOf(
  reason: CutReason,
  direction: Direction,
  { accession, depth, most }: { accession: string; depth: number; most: number },
): string {
  const filter = `filter=${direction === 'ancestors' ? 'ancestorOf' : 'descendantOf'}:${accession}`;
  const goOn = `ask for the lineage of a sample that says "more", or list them with ${filter}.`;
  if (reason === 'depth')
    return `There are ${direction} more than ${depth} steps away: ask with a larger depth, or ${goOn}`;
  if (reason === 'nodes')
    return `There are more ${direction} than fit into ${most} nodes: ask with a larger number, or ${goOn}`;
  if (reason === 'time') return `Looking for ${direction} was stopped after ${LINEAGE_MS / 1000} s: ${goOn}`;
  return `The samples name more ${direction} than the ${STATEMENTS} relationships that one graph takes: ${goOn}`;
}
