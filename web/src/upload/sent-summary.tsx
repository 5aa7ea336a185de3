import { Button, Group, Paper, Text } from '@mantine/core';
import type { SubmissionStatus } from '../api/contract.js';
import { DownloadButton } from '../show/download.js';
import { count, counted } from '../show/words.js';
import { type ChosenFile, clearSent } from './file-list.js';
import { standingOf } from './sent-files.js';

/** As many as the service puts into one archive. */
const MAX_RESULTS = 100;

interface SentSummaryProps {
  files: readonly ChosenFile[];
  outcomes: ReadonlyMap<string, SubmissionStatus>;
}

/** Of several files: how many went well, and all their results at once. */
export function SentSummary({ files, outcomes }: SentSummaryProps) {
  const sent = files.filter(({ state }) => state.step === 'done' || state.step === 'failed');
  if (sent.length < 2) return null;
  const of = (standing: string) => sent.filter((one) => standingOf(one, outcomes) === standing).length;
  const results = archives(sent, outcomes);
  const parts = [
    { value: of('refused'), word: 'not taken', ink: 'var(--bad)' },
    { value: of('to-fix'), word: 'with rows to fix', ink: 'var(--care)' },
    { value: of('open'), word: 'still running', ink: undefined },
    { value: of('good'), word: 'without errors', ink: 'var(--good)' },
  ].filter(({ value }) => value > 0);
  return (
    <Paper withBorder p="md" component="section" aria-label="What became of the files">
      <Group justify="space-between" gap="md">
        <Group gap="md" style={{ rowGap: 4 }}>
          <Text fw={600}>{counted(sent.length, 'file')} sent:</Text>
          {parts.map(({ value, word, ink }) => (
            <Text key={word} c={ink}>
              {count(value)} {word}
            </Text>
          ))}
        </Group>
        <Group gap="sm">
          {results.map((path, part) => (
            <DownloadButton key={path} path={path} variant="default">
              {results.length === 1 ? 'Download all results' : `Download results, part ${part + 1}`}
            </DownloadButton>
          ))}
          <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={clearSent}>
            Clear the list
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

/** Addresses of the archives with every result there is, the fewest that will do. */
function archives(sent: readonly ChosenFile[], outcomes: ReadonlyMap<string, SubmissionStatus>): string[] {
  const ids = [...new Set(sent.flatMap(({ state }) => (state.step === 'done' ? [state.submissionId] : [])))].filter(
    (id) => (outcomes.get(id)?.counts.rows ?? 0) > 0,
  );
  const parts: string[] = [];
  for (let at = 0; at < ids.length; at += MAX_RESULTS) {
    parts.push(`/submissions/results?id=${ids.slice(at, at + MAX_RESULTS).join(',')}`);
  }
  return parts;
}
