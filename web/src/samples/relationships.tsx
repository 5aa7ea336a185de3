import { Anchor, List } from '@mantine/core';
import { Link } from 'wouter';
import type { Relationship, Sample } from '../api/samples.js';
import { Section } from './section.js';

/** Links to other samples, as the document of this one says them. */
export function Relationships({ sample }: { sample: Sample }) {
  const relationships = sample.relationships ?? [];
  if (relationships.length === 0) return null;
  return (
    <Section title="Relationships">
      <List size="sm">
        {relationships.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same relationship may be listed twice
          <List.Item key={at}>
            <Side accession={one.source} here={sample.accession} /> <em className="name">{one.type}</em>{' '}
            <Side accession={one.target} here={sample.accession} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Side({ accession, here }: { accession: Relationship['source']; here: string }) {
  if (accession === undefined || accession === here) return <>this sample</>;
  return (
    <Anchor component={Link} href={`/samples/${encodeURIComponent(accession)}`} className="value">
      {accession}
    </Anchor>
  );
}
