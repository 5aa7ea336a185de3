import { Anchor, Button, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { kindOf } from '../api/submission-kind.js';
import { CountsLine } from '../show/counts-line.js';
import { ErrorNote } from '../show/error-note.js';
import { StatusBadge } from '../show/status-badge.js';
import { rowsHeldBack, rowsToFix } from '../show/to-fix.js';
import { bytes, count, counted } from '../show/words.js';
import { type ChosenFile, changeFile, removeFile, titleOf } from './file-list.js';
import { Findings } from './findings.js';
import { FirstRows } from './first-rows.js';
import { askAgain, askOther, unseen } from './mapping/mapping-state.js';
import { MappingStep } from './mapping/mapping-step.js';
import { NameColumn, rememberName } from './name-column.js';
import { NotTaken, type Offers } from './not-taken.js';
import { ReadAs } from './read-as.js';
import { SheetTabs } from './sheet-tabs.js';
import { UnseenWorkbook } from './unseen-workbook.js';

interface FileCardProps extends Offers {
  chosen: ChosenFile;
  /** What became of it, once that is known. */
  outcome: SubmissionStatus | undefined;
}

/**
 * One chosen file: what is known of it, and how its upload goes. Drawn again only when one of its props is another: of
 * fifty files on their way every step would else draw all fifty: they took 25 s, of which the service needs 6.
 */
export const FileCard = memo(function FileCard({ chosen, outcome, onOffer, onTables }: FileCardProps) {
  const { key, file, check, state } = chosen;
  const title = titleOf(chosen);
  const removable = state.step === 'ready' || state.step === 'failed' || state.step === 'done';
  return (
    <Paper withBorder p="sm" component="li" style={{ listStyle: 'none' }}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="md" style={{ rowGap: 4 }}>
            <Text fw={600} className="name">
              {title}
            </Text>
            <Text size="sm" c="dimmed">
              {bytes(file.size)}
            </Text>
            {check?.rows !== undefined && (
              <Text size="sm" c="dimmed">
                {check.rowsExact ? counted(check.rows, 'row') : `about ${count(check.rows)} rows`}
              </Text>
            )}
          </Group>
          {removable && <CloseButton aria-label={`Take ${title} off the list`} onClick={() => removeFile(key)} />}
        </Group>
        {check && state.step !== 'done' && <Findings check={check} />}
        {state.step === 'ready' && <ReadAs chosen={chosen} />}
        {chosen.table && state.step === 'ready' && <SheetTabs chosen={chosen} table={chosen.table} />}
        {unseen(chosen) && <UnseenWorkbook chosen={chosen} />}
        {check?.top && state.step === 'ready' && chosen.mapping === undefined && (
          <FirstRows
            name={title}
            top={check.top}
            onHeader={chosen.mapped ? undefined : (headerLine) => askOther(chosen, { headerLine })}
          />
        )}
        {chosen.mapping?.step === 'asking' && state.step === 'ready' && (
          <Text size="sm">Looking at what its columns are…</Text>
        )}
        {chosen.mapping?.step === 'unanswered' && state.step === 'ready' && (
          <ErrorNote
            error={chosen.mapping.failure}
            doing={`The columns of ${title} were not looked at`}
            retry={() => askAgain(chosen)}
          />
        )}
        {chosen.mapping?.step === 'open' && state.step === 'ready' && (
          <MappingStep
            chosen={chosen}
            open={chosen.mapping}
            onAsItWas={
              check?.kind === 'table' || chosen.table
                ? () => changeFile(key, { mapping: undefined, checkedFor: 'again' })
                : undefined
            }
            onNamesOnly={check?.nameable && (() => changeFile(key, { mapping: undefined, namesOnly: true }))}
          />
        )}
        {check?.packed && !check.nameable && chosen.unproposed && !chosen.nameColumn && state.step === 'ready' && (
          <Text size="sm">What its columns become is shown after the upload. {chosen.unproposed}</Text>
        )}
        {check?.nameable &&
          (chosen.mapping === undefined || chosen.mapping.step === 'unanswered') &&
          state.step === 'ready' && (
            <NameColumn
              fileName={title}
              headers={check.nameable}
              unproposed={chosen.unproposed}
              value={chosen.nameColumn}
              onChoose={(nameColumn) => {
                rememberName(check.nameable ?? [], nameColumn);
                changeFile(chosen.key, { nameColumn });
              }}
            />
          )}
        <Progressing chosen={chosen} outcome={outcome} onOffer={onOffer} onTables={onTables} />
      </Stack>
    </Paper>
  );
});

function Progressing({ chosen, outcome, onOffer, onTables }: FileCardProps) {
  const { file, state } = chosen;
  const title = titleOf(chosen);
  if (state.step === 'checking') return <Text size="sm">Looking at the first lines…</Text>;
  if (state.step === 'looking')
    return (
      <Group justify="space-between">
        {state.waits === undefined ? (
          <Text size="sm">
            Looking at what it would change…
            {state.sent !== undefined && state.sent < file.size && ` ${bytes(state.sent)} of ${bytes(file.size)} sent`}
          </Text>
        ) : (
          <GoesOn title={title} reason={state.waits} />
        )}
        {state.stop && <StopButton title={title} onStop={state.stop} />}
      </Group>
    );
  if (state.step === 'failed') return <NotTaken chosen={chosen} failed={state} onOffer={onOffer} onTables={onTables} />;
  if (state.step === 'done') return <Sent name={title} state={state} outcome={outcome} />;
  if (state.step === 'ready') return null;
  const sent = state.step === 'sending' ? Math.min(state.sent, file.size) : file.size;
  const percent = file.size === 0 ? 100 : Math.floor((100 * sent) / file.size);
  const waits = state.step === 'sending' ? state.waits : undefined;
  return (
    <Stack gap={4}>
      <Progress value={percent} aria-label={`Upload of ${title}`} transitionDuration={100} />
      <Group justify="space-between" mih={26}>
        <Text size="sm" c="dimmed">
          {percent < 100 || waits !== undefined
            ? `${bytes(sent)} of ${bytes(file.size)} sent`
            : 'Sent; waiting for the answer'}
        </Text>
        {state.step === 'sending' && <StopButton title={title} onStop={state.stop} />}
      </Group>
      {waits !== undefined && <GoesOn title={title} reason={waits} />}
    </Stack>
  );
}

/** Of one that is cut: nothing need be done. */
function GoesOn({ title, reason }: { title: string; reason: string }) {
  return (
    <Text size="sm" role="status">
      {title} is interrupted and goes on by itself from where it was, as soon as that is possible: {reason}
    </Text>
  );
}

/** For the wrong file, or one that takes too long: those behind it go on. */
function StopButton({ title, onStop }: { title: string; onStop: () => void }) {
  return (
    <Button size="compact-sm" variant="default" aria-label={`Stop sending ${title}`} onClick={onStop}>
      Stop
    </Button>
  );
}

interface SentProps {
  name: string;
  state: Extract<ChosenFile['state'], { step: 'done' }>;
  outcome: SubmissionStatus | undefined;
}

/** What became of a sent file in one line, and the way to the rest of it. */
function Sent({ name, state, outcome }: SentProps) {
  const toFix = outcome ? rowsToFix(outcome) : 0;
  const said = toFix > 0 ? `Fix the ${counted(toFix, 'row')}` : 'Open the outcome';
  return (
    <Group gap="lg" style={{ rowGap: 4 }}>
      {outcome && (
        <>
          <StatusBadge state={outcome.submissionStatus} phase={outcome.phase} dryRun={state.dryRun} />
          {outcome.counts.rows > 0 && (
            <CountsLine counts={outcome.counts} heldBack={rowsHeldBack(outcome)} kind={kindOf(outcome)} />
          )}
        </>
      )}
      {state.replayed && <Text size="sm">This very file was uploaded before; nothing was registered twice.</Text>}
      <Anchor component={Link} href={`/submissions/${state.submissionId}`} size="sm" aria-label={`${said} of ${name}`}>
        {said}
      </Anchor>
    </Group>
  );
}
