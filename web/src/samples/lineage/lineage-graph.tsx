import { ActionIcon, Group } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Maximize2Icon, MinusIcon, PlusIcon } from 'lucide-react';
import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Lineage } from '../../api/lineage.js';
import { type Layout, layOut, NODE_HEIGHT, NODE_WIDTH, type Placed } from './lineage-layout.js';

/** Until it is known how wide the page is. */
const WIDTH = 640;
const HEIGHT = 420;
const LETTERS = 22;
const STEP = 60;
const NEAREST = 160;

const WAYS = new Map<string, readonly [number, number]>([
  ['ArrowLeft', [-STEP, 0]],
  ['ArrowRight', [STEP, 0]],
  ['ArrowUp', [0, -STEP]],
  ['ArrowDown', [0, STEP]],
]);

interface Window {
  x: number;
  y: number;
  /** Units of the drawing that are to be seen from left to right. */
  width: number;
}

/**
 * The lineage as a picture that is moved and zoomed with mouse, fingers or keys. Drawn by hand: the generations are known, so that
 * nothing is left for a layout library to do. What it shows stands in the list below it, too.
 */
export function LineageGraph({ lineage }: { lineage: Lineage }) {
  const layout = useMemo(() => layOut(lineage), [lineage]);
  const { ref, width: pixels } = useElementSize<HTMLElement>();
  const drag = useRef<{ x: number; y: number; from: Window } | undefined>(undefined);
  const [moved, setMoved] = useState<Window | undefined>(undefined);
  const seen = pixels || WIDTH;
  const first = atFirst(layout, seen, lineage.accession);
  const view = moved ?? first;
  const scale = view.width / seen;
  const height = HEIGHT * scale;
  const zoom = (factor: number) => {
    const width = Math.min(Math.max(view.width * factor, NEAREST), Math.max(layout.width, first.width) * 2);
    const ratio = width / view.width;
    setMoved({ x: view.x + (view.width - width) / 2, y: view.y + (height * (1 - ratio)) / 2, width });
  };
  const move = (dx: number, dy: number) => setMoved({ ...view, x: view.x + dx * scale, y: view.y + dy * scale });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS.get(event.key);
    if (way) move(way[0], way[1]);
    else if (event.key === '+') zoom(0.8);
    else if (event.key === '-') zoom(1.25);
    else if (event.key === '0') setMoved(undefined);
    else return;
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent) => {
    const { current } = drag;
    if (!current) return;
    const dx = (current.x - event.clientX) * scale;
    const dy = (current.y - event.clientY) * scale;
    setMoved({ ...current.from, x: current.from.x + dx, y: current.from.y + dy });
  };
  const label = `${lineage.nodes.length} samples and ${layout.edges.length} relationships, older ones at the left. The list below names them. Arrows move the picture, plus and minus zoom, 0 shows it as at first.`;
  return (
    <div style={{ position: 'relative' }}>
      <section
        ref={ref}
        className="scrollbox"
        aria-label="Picture of the lineage"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move what is seen of it
        tabIndex={0}
        style={{ overflow: 'hidden', touchAction: 'pan-y', cursor: 'grab' }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, from: view };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          drag.current = undefined;
        }}
        onPointerLeave={() => {
          drag.current = undefined;
        }}
      >
        <svg
          width="100%"
          height={HEIGHT}
          viewBox={`${view.x} ${view.y} ${view.width} ${height}`}
          preserveAspectRatio="xMinYMin meet"
          role="img"
          aria-label={label}
          style={{ display: 'block' }}
        >
          <Drawing layout={layout} here={lineage.accession} />
        </svg>
      </section>
      <Group gap={4} style={{ position: 'absolute', right: 8, top: 8 }}>
        <ActionIcon variant="default" aria-label="Zoom in" onClick={() => zoom(0.8)}>
          <PlusIcon size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Zoom out" onClick={() => zoom(1.25)}>
          <MinusIcon size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Show all of it" onClick={() => setMoved(all(layout, seen))}>
          <Maximize2Icon size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** At first: all of it where that can be read, else the sample in the middle. */
function atFirst(layout: Layout, pixels: number, accession: string): Window {
  if (layout.width <= pixels && layout.height <= HEIGHT) return all(layout, pixels);
  const at = layout.nodes.get(accession);
  return { x: (at?.x ?? 0) - pixels / 2, y: (at?.y ?? 0) - HEIGHT / 2, width: pixels };
}

function all({ width: whole, height }: Layout, pixels: number): Window {
  const width = Math.max(whole, pixels, (height * pixels) / HEIGHT);
  return { x: (whole - width) / 2, y: (height - (HEIGHT * width) / pixels) / 2, width };
}

/** Drawn once for a lineage, whatever is moved. */
const Drawing = memo(function Drawing({ layout, here }: { layout: Layout; here: string }) {
  return (
    <>
      <defs>
        <marker id="older" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" fill="var(--mantine-color-dimmed)" />
        </marker>
      </defs>
      {layout.edges.map(({ from, to, type }) => (
        <path
          key={`${from.accession} ${type} ${to.accession}`}
          d={curve(from, to)}
          fill="none"
          stroke="var(--mantine-color-dimmed)"
          strokeDasharray={from.name === undefined || to.name === undefined ? '4 3' : undefined}
          markerEnd="url(#older)"
        >
          <title>{`${from.accession} ${type} ${to.accession}`}</title>
        </path>
      ))}
      {[...layout.nodes.values()].map((node) => (
        <Node key={node.accession} node={node} here={node.accession === here} />
      ))}
    </>
  );
});

function curve(from: Placed, to: Placed): string {
  if (from.x === to.x) {
    const x = from.x + NODE_WIDTH / 2;
    return `M${x} ${from.y} C${x + 40} ${from.y} ${x + 40} ${to.y} ${x} ${to.y}`;
  }
  const side = from.x < to.x ? 1 : -1;
  const x1 = from.x + (side * NODE_WIDTH) / 2;
  const x2 = to.x - (side * NODE_WIDTH) / 2;
  return `M${x1} ${from.y} C${x1 + side * 30} ${from.y} ${x2 - side * 30} ${to.y} ${x2} ${to.y}`;
}

const short = (text: string): string => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

function Node({ node: { accession, name, x, y }, here }: { node: Placed; here: boolean }) {
  const [, go] = useLocation();
  const ink = here ? 'var(--mantine-color-white)' : 'var(--mantine-color-text)';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the mouse; the list below holds the links
    <g
      onClick={here || name === undefined ? undefined : () => go(`/samples/${encodeURIComponent(accession)}`)}
      style={here || name === undefined ? undefined : { cursor: 'pointer' }}
    >
      <title>{name === undefined ? accession : `${accession} ${name}`}</title>
      <rect
        x={x - NODE_WIDTH / 2}
        y={y - NODE_HEIGHT / 2}
        width={NODE_WIDTH}
        height={NODE_HEIGHT}
        rx={4}
        fill={here ? 'var(--mantine-primary-color-filled)' : 'var(--surface-quiet)'}
        stroke="var(--line)"
        strokeDasharray={name === undefined ? '4 3' : undefined}
      />
      <text
        x={x}
        y={y + (name === undefined ? 4 : -3)}
        textAnchor="middle"
        fontSize="12"
        fontFamily="var(--mantine-font-family-monospace)"
        fill={ink}
      >
        {short(accession)}
      </text>
      {name !== undefined && (
        <text x={x} y={y + 13} textAnchor="middle" fontSize="11" fill={ink}>
          {short(name)}
        </text>
      )}
    </g>
  );
}
