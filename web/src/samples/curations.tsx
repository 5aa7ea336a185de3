import { Stack, Text } from '@mantine/core';
import type { CurationLink } from '../api/curations.js';
import { Note } from '../show/note.js';
import { When } from '../show/when.js';
import { ChangeLines } from './change-lines.js';
import type { Difference } from './sample-differences.js';
import { Section } from './section.js';

/** What others have corrected; the submitted sample stays as it is. */
export function Curations({ links }: { links: readonly CurationLink[] }) {
  if (links.length === 0) return null;
  return (
    <Section title={`Curations (${links.length})`}>
      {links.map((link) => (
        <Note key={link.hash} tone={link.applied === false ? 'care' : 'plain'} role="group">
          <Stack gap={4}>
            <Text size="sm" c="dimmed">
              <span className="name">{link.submissionAccountId ?? link.domain ?? 'someone'}</span> ·{' '}
              <When iso={link.created} />
              {link.declined !== undefined
                ? ' · declined by the owner of the sample'
                : link.applied === false && ' · not applied: the sample no longer has what it would replace'}
            </Text>
            <ChangeLines differences={differencesIn(link)} />
          </Stack>
        </Note>
      ))}
    </Section>
  );
}

function differencesIn({ curation }: CurationLink): Difference[] {
  const { attributesPre = [], attributesPost = [] } = curation;
  const names = [...new Set([...attributesPre, ...attributesPost].map(({ type }) => type))];
  const attributes = names.flatMap((what) =>
    paired(
      what,
      attributesPre.filter(({ type }) => type === what).map(({ value }) => value),
      attributesPost.filter(({ type }) => type === what).map(({ value }) => value),
    ),
  );
  const urls = (list: { url: string }[] = []) => list.map(({ url }) => url);
  const relations = (list: { source?: string; type: string; target: string }[] = []) =>
    list.map(({ source, type, target }) => `${source ?? 'this'} ${type} ${target}`);
  return [
    ...attributes,
    ...paired('Reference', urls(curation.externalReferencesPre), urls(curation.externalReferencesPost)),
    ...paired('Relationship', relations(curation.relationshipsPre), relations(curation.relationshipsPost)),
  ];
}

function paired(what: string, before: string[], after: string[]): Difference[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    what,
    ...(before[at] === undefined ? {} : { before: before[at] }),
    ...(after[at] === undefined ? {} : { after: after[at] }),
  }));
}
