import { Anchor, Group, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Lineage, LineageNode } from '../../api/lineage.js';
import { ScrollBox } from '../../show/scroll-box.js';
import { SampleStatus } from '../sample-status.js';

type Direction = 'ancestors' | 'descendants';

interface Branch {
  node: LineageNode;
  /** How it is related to the one above it. */
  type: string;
}

/** What the picture shows, as nested lists: each sample once, below the first that leads to it. */
export function LineageTree({ lineage }: { lineage: Lineage }) {
  return (
    <>
      {(['ancestors', 'descendants'] as const).map((direction) => (
        <Half key={direction} lineage={lineage} direction={direction} />
      ))}
    </>
  );
}

function Half({ lineage, direction }: { lineage: Lineage; direction: Direction }) {
  const branches = branchesOf(lineage, direction);
  const count = [...branches.values()].reduce((sum, { length }) => sum + length, 0);
  if (count === 0) return null;
  const title = `${direction === 'ancestors' ? 'Where it comes from' : 'What came of it'}: ${count} ${count === 1 ? 'sample' : 'samples'}`;
  const below = (accession: string): ReactNode => {
    const own = branches.get(accession);
    if (!own) return null;
    return (
      <List size="sm" withPadding={accession !== lineage.accession}>
        {own.map(({ node, type }) => (
          <List.Item key={node.accession}>
            <Entry node={node} type={type} more={node.more?.includes(direction) === true} />
            {below(node.accession)}
          </List.Item>
        ))}
      </List>
    );
  };
  return (
    <details open={count <= 20}>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {title}
      </Text>
      <ScrollBox label={title} maxHeight={360}>
        {below(lineage.accession)}
      </ScrollBox>
    </details>
  );
}

function Entry({ node, type, more }: { node: LineageNode; type: string; more: boolean }) {
  const { accession, name, organism, status } = node;
  return (
    <Group gap="xs" component="span" display="inline-flex">
      <Anchor component={Link} href={`/samples/${encodeURIComponent(accession)}`} className="value">
        {accession}
      </Anchor>
      <span className="name">{name}</span>
      {organism !== undefined && (
        <Text component="span" size="sm" c="dimmed" className="name">
          {organism}
        </Text>
      )}
      <Text component="span" size="sm" c="dimmed" className="name">
        {type}
      </Text>
      {status !== 'PUBLIC' && <SampleStatus status={status} />}
      {more && (
        <Text component="span" size="sm" c="dimmed">
          and more behind it
        </Text>
      )}
    </Group>
  );
}

/** Accession → the samples that are first reached from it. */
function branchesOf({ accession: first, nodes, edges }: Lineage, direction: Direction): Map<string, Branch[]> {
  const field = direction === 'ancestors' ? 'ancestor' : 'descendant';
  const known = new Map(nodes.map((node) => [node.accession, node]));
  const linked = new Map<string, { other: string; type: string }[]>();
  for (const { source, type, target } of edges) {
    linked.set(source, [...(linked.get(source) ?? []), { other: target, type }]);
    linked.set(target, [...(linked.get(target) ?? []), { other: source, type }]);
  }
  const branches = new Map<string, Branch[]>();
  const seen = new Set([first]);
  for (let level = [first]; level.length > 0; ) {
    const next: string[] = [];
    for (const accession of level) {
      const steps = known.get(accession)?.[field] ?? 0;
      for (const { other, type } of linked.get(accession) ?? []) {
        const node = known.get(other);
        const distance = node?.[field];
        if (!node || seen.has(other) || distance === undefined || distance < steps || distance > steps + 1) continue;
        seen.add(other);
        branches.set(accession, [...(branches.get(accession) ?? []), { node, type }]);
        next.push(other);
      }
    }
    level = next;
  }
  return branches;
}
