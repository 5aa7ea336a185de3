/** Where the samples of a lineage stand: a column for each generation, older ones at the left; wide generations fold into several. */
import type { Lineage, LineageEdge } from '../../api/lineage.js';

export const NODE_WIDTH = 168;
export const NODE_HEIGHT = 40;
const ROW = 52;
const COLUMN = 200;
/** Between generations there is room for edges. */
const GENERATION = 60;
/** Samples of one generation above each other. */
const MOST_ROWS = 24;
const SWEEPS = 4;

export interface Placed {
  accession: string;
  /** Centre. */
  x: number;
  y: number;
  /** Absent: it is named by a sample of the graph and not in it. */
  name?: string;
  generation: number;
}

export interface Layout {
  nodes: Map<string, Placed>;
  edges: (LineageEdge & { from: Placed; to: Placed })[];
  width: number;
  height: number;
}

export function layOut(lineage: Lineage): Layout {
  const generations = generationsOf(lineage);
  const all = [...lineage.edges, ...(lineage.outside ?? [])];
  const neighbours = new Map<string, string[]>();
  for (const { source, target } of all) {
    neighbours.set(source, [...(neighbours.get(source) ?? []), target]);
    neighbours.set(target, [...(neighbours.get(target) ?? []), source]);
  }
  const columns = new Map<number, string[]>();
  for (const [accession, generation] of generations) {
    columns.set(generation, [...(columns.get(generation) ?? []), accession]);
  }
  const order = [...columns.keys()].sort((a, b) => a - b);
  const rank = new Map<string, number>();
  const setRanks = (column: string[]) => {
    for (const [at, one] of column.entries()) rank.set(one, (at + 0.5) / column.length);
  };
  for (const column of columns.values()) setRanks(column);
  // Each column in the order of what its samples are linked with, from the sample outwards and back.
  const sweep = [...order].sort((a, b) => Math.abs(a) - Math.abs(b));
  for (let time = 0; time < SWEEPS; time++) {
    for (const generation of time % 2 === 0 ? sweep : [...sweep].reverse()) {
      const column = columns.get(generation) ?? [];
      const middle = new Map(
        column.map((one) => {
          const linked = (neighbours.get(one) ?? []).filter((other) => generations.get(other) !== generation);
          const sum = linked.reduce((total, other) => total + (rank.get(other) ?? 0.5), 0);
          return [one, linked.length > 0 ? sum / linked.length : (rank.get(one) ?? 0.5)];
        }),
      );
      column.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
      setRanks(column);
    }
  }
  return place(lineage, order, columns, all);
}

function place(lineage: Lineage, order: number[], columns: Map<number, string[]>, all: LineageEdge[]): Layout {
  const names = new Map(lineage.nodes.map(({ accession, name }) => [accession, name]));
  const nodes = new Map<string, Placed>();
  const tallest = Math.max(...[...columns.values()].map(({ length }) => Math.min(length, MOST_ROWS)));
  const height = tallest * ROW;
  let left = 0;
  for (const generation of order) {
    const column = columns.get(generation) ?? [];
    const folds = Math.ceil(column.length / MOST_ROWS);
    const rows = Math.ceil(column.length / folds);
    for (const [at, accession] of column.entries()) {
      const name = names.get(accession);
      // Neighbours stay beside each other: a fold is filled across, then down.
      const x = left + (at % folds) * COLUMN + COLUMN / 2;
      const y = height / 2 + (Math.floor(at / folds) - (rows - 1) / 2) * ROW;
      nodes.set(accession, { accession, x, y, generation, ...(name === undefined ? {} : { name }) });
    }
    left += folds * COLUMN + GENERATION;
  }
  const edges = all.flatMap((edge) => {
    const from = nodes.get(edge.source);
    const to = nodes.get(edge.target);
    return from && to ? [{ ...edge, from, to }] : [];
  });
  return { nodes, edges, width: Math.max(left - GENERATION, COLUMN), height };
}

/** Steps from the sample, back below zero; what is named alone stands beside the one that names it. */
function generationsOf({ nodes, outside = [] }: Lineage): Map<string, number> {
  const found = new Map<string, number>();
  for (const { accession, ancestor, descendant } of nodes) {
    const back = descendant === undefined || (ancestor !== undefined && ancestor <= descendant);
    found.set(accession, back ? 0 - (ancestor ?? 0) : descendant);
  }
  for (const { source, target } of outside) {
    const [known, other, step] = found.has(source) ? [source, target, -1] : [target, source, 1];
    if (!found.has(other)) found.set(other, (found.get(known) ?? 0) + step);
  }
  return found;
}
