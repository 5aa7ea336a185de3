import { Button, Group, Stack, Text } from '@mantine/core';
import { type CurationLink, useCurationAct, type useCurations } from '../api/curations.js';
import { isAdmin, type Me } from '../session/session.js';
import { ConfirmedButton } from '../show/confirmed-button.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { When } from '../show/when.js';
import { count } from '../show/words.js';
import { ChangeLines } from './change-lines.js';
import type { Difference } from './sample-differences.js';
import { Section } from './section.js';

interface CurationsProps {
  accession: string;
  curations: ReturnType<typeof useCurations>;
  me: Me | null | undefined;
  /** The sample's owner, or an administrator. */
  mayDecline: boolean;
}

/** What others have corrected, and who; the submitted sample stays as it is. Its owner decides what readers see. */
export function Curations({ accession, curations, me, mayDecline }: CurationsProps) {
  const act = useCurationAct(accession);
  const pages = curations.data?.pages ?? [];
  const links = pages.flatMap((page) => page.links);
  const total = pages.at(-1)?.total ?? 0;
  if (total === 0 && !curations.error) return null;
  return (
    <Section title={total === 0 ? 'Curations' : `Curations (${count(total)})`}>
      {curations.error && (
        <ErrorNote error={curations.error} doing="The curations did not arrive" retry={() => curations.refetch()} />
      )}
      {act.error && <ErrorNote error={act.error} doing="The curation is as it was" />}
      {links.map((link) => {
        const mayRemove = me?.account === link.submissionAccountId || isAdmin(me);
        const busy = act.isPending && act.variables.hash === link.hash;
        return (
          <Note key={link.hash} tone={link.applied === false ? 'care' : 'plain'} role="group">
            <Stack gap={4}>
              <Text size="sm" c="dimmed">
                Curated by <span className="name">{link.submissionAccountId ?? link.domain ?? 'someone'}</span> ·{' '}
                <When iso={link.created} />
                {standing(link)}
              </Text>
              <ChangeLines differences={differencesIn(link)} />
              {(mayDecline || mayRemove) && (
                <Group gap="xs" mt={4}>
                  {mayDecline && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={busy}
                      onClick={() => act.mutate({ hash: link.hash, act: link.declined ? 'accept' : 'decline' })}
                    >
                      {link.declined ? 'Accept this curation' : 'Decline this curation'}
                    </Button>
                  )}
                  {mayRemove && (
                    <ConfirmedButton
                      label="Remove this curation"
                      loading={busy}
                      onConfirm={() => act.mutate({ hash: link.hash, act: 'remove' })}
                    />
                  )}
                </Group>
              )}
            </Stack>
          </Note>
        );
      })}
      {curations.hasNextPage && (
        <Group>
          <Button variant="default" loading={curations.isFetchingNextPage} onClick={() => curations.fetchNextPage()}>
            Show more
          </Button>
          <Text size="sm" c="dimmed">
            {count(links.length)} of {count(total)}
          </Text>
        </Group>
      )}
    </Section>
  );
}

function standing(link: CurationLink): string {
  const { applied, declined } = link;
  if (declined !== undefined) return ' · declined by the owner, so readers do not see it';
  return applied === false ? ` · not applied: the sample does not have what it would replace${missingIn(link)}` : '';
}

/** As many are named. */
const MOST_NAMED = 3;

function missingIn({ curation, missing = [] }: CurationLink): string {
  const named = missing.slice(0, MOST_NAMED).flatMap((pointer) => {
    const [list, at] = pointer.split('/').slice(2) as [
      'attributesPre' | 'externalReferencesPre' | 'relationshipsPre',
      string,
    ];
    const entry = curation[list]?.[Number(at)];
    if (entry === undefined) return [];
    if ('url' in entry) return [entry.url];
    if ('target' in entry) return [`${entry.type} ${entry.target}`];
    const { type, value, unit, iri = [] } = entry;
    return [[`${type}:`, value, unit, ...iri].filter(Boolean).join(' ')];
  });
  const more = missing.length - named.length;
  return named.length === 0 ? '' : ` (${named.join(', ')}${more > 0 ? `, and ${more} more` : ''})`;
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
