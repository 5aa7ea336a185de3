import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ApiProblem } from '../api/request.js';
import type { UploadOptions } from '../api/upload.js';
import { Note } from '../show/note.js';
import { counted } from '../show/words.js';

/** The same bytes were uploaded before with other choices, and the service will not guess what is meant. */
export const isOtherChoices = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 409 && error.problem.submissionId !== undefined;

interface ConflictProps {
  error: ApiProblem;
  name: string;
  /** It was to be looked at only. */
  dryRun: boolean;
  onOffer: (options: UploadOptions) => void;
}

/** What differs, in the words of the form. */
const CHOICES: Record<string, string> = {
  releaseDate: 'release date',
  releaseExisting: 'choice about the release of known samples',
  checklist: 'checklist',
  mode: 'choice for a wrong row',
  update: 'way of updating',
  unknownColumns: 'choice for unrecognised columns',
  encoding: 'encoding',
  nameColumn: 'column for the names',
  profile: 'import profile',
  key: 'column that identifies the rows',
  keySpace: 'key space',
  onlyUpdate: 'choice about unknown keys',
  onlyCreate: 'choice about known keys',
};

/** What the answer offers, as the page says it and sends it. */
const OFFERS: Record<string, { label: string; options: UploadOptions }> = {
  'move-release': { label: 'Move the release of its samples', options: { releaseExisting: true } },
  'register-anew': { label: 'Register it again as new samples', options: { duplicate: 'allow' } },
};

/** Offers what the answer offers, each with what it leads to, and the way to the earlier upload. */
export function Conflict({ error: { problem }, name, dryRun, onOffer }: ConflictProps) {
  const { differingOptions = [], changedSamples = [], offers = [] } = problem;
  const others = differingOptions.map((option) => `another ${CHOICES[option] ?? option}`).join(' and ');
  return (
    <Note tone="care" title={`${name} was uploaded before, with ${others || 'other choices'}`}>
      <Stack gap="sm" align="flex-start">
        {changedSamples.length > 0 && (
          <Text size="sm">
            Its samples cannot be read anew from it: {counted(changedSamples.length, 'sample')}{' '}
            {changedSamples.length === 1 ? 'was' : 'were'} changed since, by something else than this file:{' '}
            <span className="name">{namesOf(changedSamples)}</span>.
          </Text>
        )}
        <Text size="sm">
          To change its samples one by one, download the result of{' '}
          <Anchor component={Link} href={`/submissions/${problem.submissionId}`} inherit>
            the earlier upload
          </Anchor>
          , edit it and upload that.
        </Text>
        {offers.map(({ action, consequence }) => {
          const offer = OFFERS[action];
          if (!offer) return null;
          return (
            <Group key={action} gap="sm" style={{ rowGap: 4 }}>
              <Button size="xs" variant="default" onClick={() => onOffer(offer.options)}>
                {dryRun ? `Check first: ${lowered(offer.label)}` : offer.label}
              </Button>
              <Text size="sm">{consequence}</Text>
            </Group>
          );
        })}
      </Stack>
    </Note>
  );
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const namesOf = (changed: readonly { line: number; accession: string }[]): string =>
  changed
    .slice(0, 5)
    .map(({ line, accession }) => `${accession} (line ${line})`)
    .join(', ') + (changed.length > 5 ? ' …' : '');
