import { useLocation } from 'wouter';
import type { Relationship } from '../api/samples.js';
import { ScrollBox } from '../show/scroll-box.js';

/** More neighbours than these stand in the list alone. */
const SHOWN = 8;
const NODE_WIDTH = 150;
const NODE_HEIGHT = 30;
const GAP = 46;
const WIDTH = 640;
const TYPE_LETTERS = 22;

interface Neighbour {
  accession: string;
  type: string;
}

interface RelationshipGraphProps {
  accession: string;
  relationships: readonly Relationship[];
}

/**
 * What points here at the left, this sample in the middle, what it points to at the right. Drawn by hand: three columns
 * of boxes need no graph library, the smallest of which weighs more than this whole view.
 */
export function RelationshipGraph({ accession, relationships }: RelationshipGraphProps) {
  const outgoing = neighbours(relationships, ({ source, target }) =>
    (source ?? accession) === accession ? target : undefined,
  );
  const incoming = neighbours(relationships, ({ source, target }) =>
    target === accession && source !== accession ? source : undefined,
  );
  const rows = Math.max(outgoing.length, incoming.length, 1);
  const height = rows * GAP + 10;
  const middle = height / 2;
  const spread = (count: number, at: number) => middle + (at - (count - 1) / 2) * GAP;
  const left = 4;
  const right = WIDTH - NODE_WIDTH - 4;
  const centre = (WIDTH - NODE_WIDTH) / 2;
  const label = `${incoming.length} samples point to this one, it points to ${outgoing.length}. The list below names them.`;
  if (outgoing.length + incoming.length === 0) return null;
  return (
    <ScrollBox label="Picture of the relationships">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} height={height} role="img" aria-label={label}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" fill="var(--mantine-color-dimmed)" />
          </marker>
        </defs>
        {outgoing.map(({ accession: other, type }, at) => (
          <Edge
            key={`to ${other}`}
            from={[centre + NODE_WIDTH, middle]}
            to={[right, spread(outgoing.length, at)]}
            type={type}
          />
        ))}
        {incoming.map(({ accession: other, type }, at) => (
          <Edge
            key={`from ${other}`}
            from={[left + NODE_WIDTH, spread(incoming.length, at)]}
            to={[centre, middle]}
            type={type}
          />
        ))}
        <Node x={centre} y={middle} text={accession} here />
        {outgoing.map(({ accession: other }, at) => (
          <Node key={other} x={right} y={spread(outgoing.length, at)} text={other} />
        ))}
        {incoming.map(({ accession: other }, at) => (
          <Node key={other} x={left} y={spread(incoming.length, at)} text={other} />
        ))}
      </svg>
    </ScrollBox>
  );
}

function neighbours(all: readonly Relationship[], other: (one: Relationship) => string | undefined): Neighbour[] {
  const found = new Map<string, string>();
  for (const one of all) {
    const accession = other(one);
    if (accession === undefined) continue;
    const types = found.get(accession);
    found.set(accession, types ? `${types}, ${one.type}` : one.type);
  }
  return [...found].slice(0, SHOWN).map(([accession, type]) => ({ accession, type }));
}

function Edge({ from, to, type }: { from: [number, number]; to: [number, number]; type: string }) {
  const shown = type.length > TYPE_LETTERS ? `${type.slice(0, TYPE_LETTERS - 1)}…` : type;
  return (
    <g>
      <line
        x1={from[0]}
        y1={from[1]}
        x2={to[0]}
        y2={to[1]}
        stroke="var(--mantine-color-dimmed)"
        markerEnd="url(#arrow)"
      />
      <text
        x={(from[0] + to[0]) / 2}
        y={(from[1] + to[1]) / 2 - 5}
        textAnchor="middle"
        fontSize="11"
        fill="var(--mantine-color-dimmed)"
      >
        {shown}
      </text>
    </g>
  );
}

function Node({ x, y, text, here = false }: { x: number; y: number; text: string; here?: boolean }) {
  const [, go] = useLocation();
  const shown = text.length > 18 ? `${text.slice(0, 17)}…` : text;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the mouse; the list below holds the links
    <g
      onClick={here ? undefined : () => go(`/samples/${encodeURIComponent(text)}`)}
      style={here ? undefined : { cursor: 'pointer' }}
    >
      <title>{text}</title>
      <rect
        x={x}
        y={y - NODE_HEIGHT / 2}
        width={NODE_WIDTH}
        height={NODE_HEIGHT}
        rx={4}
        fill={here ? 'var(--mantine-primary-color-filled)' : 'var(--surface-quiet)'}
        stroke="var(--line)"
      />
      <text
        x={x + NODE_WIDTH / 2}
        y={y + 4}
        textAnchor="middle"
        fontSize="12"
        fontFamily="var(--mantine-font-family-monospace)"
        fill={here ? 'var(--mantine-color-white)' : 'var(--mantine-color-text)'}
      >
        {shown}
      </text>
    </g>
  );
}
