import { List, Text } from '@mantine/core';
import type { Sample } from '../api/samples.js';
import { SafeLink } from '../show/term-link.js';
import { recordText } from './sample-differences.js';
import { Section } from './section.js';

/** References elsewhere, people and publications. */
export function References({ sample }: { sample: Sample }) {
  const { externalReferences = [], contact = [], organization = [], publications = [] } = sample;
  const people = [
    ...contact.map((record) => ({ what: 'Contact', record })),
    ...organization.map((record) => ({ what: 'Organization', record })),
    ...publications.map((record) => ({ what: 'Publication', record })),
  ];
  if (externalReferences.length + people.length === 0) return null;
  return (
    <Section title="References">
      <List size="sm" spacing={4}>
        {externalReferences.map(({ url }) => (
          <List.Item key={url}>
            <SafeLink url={url} />
          </List.Item>
        ))}
        {people.map(({ what, record }) => (
          <List.Item key={`${what} ${recordText(record)}`}>
            <Text component="span" inherit fw={500}>
              {what}:
            </Text>{' '}
            <span className="name">{recordText(record)}</span>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
