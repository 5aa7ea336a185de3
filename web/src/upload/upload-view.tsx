import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { FileUpIcon } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { stillWanted } from '../api/ended-session.js';
import type { UnfinishedUpload } from '../api/unfinished-uploads.js';
import type { UploadOptions } from '../api/upload.js';
import { Announcer } from '../show/announcer.js';
import { Note } from '../show/note.js';
import { View } from '../show/view.js';
import { count, counted } from '../show/words.js';
import { askFirst } from './ask-first.js';
import { ChoicesForm } from './choices.js';
import { useChosenFiles } from './chosen-files.js';
import { type Choices, choicesProblem, optionsOf } from './chosen-options.js';
import { Examples } from './examples.js';
import { FileCard } from './file-card.js';
import { type FileCheck, needsReleaseDate, samplesOf } from './file-check.js';
import {
  addFiles,
  type ChosenFile,
  leaveReady,
  listedFiles,
  removeFile,
  splitFile,
  titleOf,
  UNDER_WAY,
} from './file-list.js';
import { useChoices } from './kept-choices.js';
import { useRememberedRelease } from './remembered-release.js';
import { ofFile, sendFile } from './send-files.js';
import { useOutcomes, worstFirst } from './sent-files.js';
import { SentSummary } from './sent-summary.js';
import { UnfinishedNotes } from './unfinished-note.js';

const ACCEPTED =
  '.tsv,.txt,.csv,.tab,.xlsx,.xls,.ods,.json,.ndjson,.jsonl,.zip,.gz,text/tab-separated-values,text/csv,text/plain';

/** Choose, look, send. One file leads to its outcome, several stay listed here, each with what became of it. */
export function UploadView() {
  const [choices, setChoices] = useChoices();
  const files = useChosenFiles(choices);
  const outcomes = useOutcomes(files);
  const [asked, setAsked] = useState(false);
  const [said, setSaid] = useState('');
  const [sending, setSending] = useState(false);
  const [, go] = useLocation();
  const resetPicker = useRef<() => void>(null);
  // Who has gone to another view meanwhile is not called away from it.
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const ready = files.filter(({ state, check }) => state.step === 'ready' && check?.problem === undefined);
  const busy = sending || files.some(({ state }) => UNDER_WAY.includes(state.step));
  const plainHeaders = ready.some(({ check }) => (check?.fromPlainHeaders.length ?? 0) > 0);
  const undated = ready.some(({ check }) => check && needsReleaseDate(check));
  const remembered = useRememberedRelease(ready, choices, setChoices);
  const lacksDate = choices.release === 'date' ? choices.date === '' : undated && choices.release === 'sheet';
  const releaseError = asked && lacksDate ? releaseFix(choices) : undefined;
  // While files are on their way nothing moves; then those that need a hand come first.
  const shown = busy ? files : worstFirst(files, outcomes);

  const sendAll = async (dryRun: boolean) => {
    setAsked(true);
    if (lacksDate) return setSaid(releaseFix(choices));
    const problem = choicesProblem(choices);
    if (problem !== undefined) return setSaid(problem);
    if (!dryRun) remembered.settle();
    await send(ready, { ...optionsOf(choices), ...(dryRun ? { dryRun } : {}) });
  };

  const send = async (wanted: readonly ChosenFile[], options: UploadOptions) => {
    setSending(true);
    const isWanted = stillWanted();
    const taken = options.dryRun ? wanted : await askFirst(wanted, options, isWanted);
    setSaid(`Sending ${counted(taken.length, 'file')}.`);
    for (const { key } of taken) {
      if (!isWanted()) break;
      // As it is by now: one that was taken off the list meanwhile is not sent, and what was said of it meanwhile counts.
      const present = listedFiles().find((one) => one.key === key);
      if (present) await sendOne(present, options);
    }
    leaveReady(wanted);
    setSending(false);
    if (!isWanted()) setSaid('Your session has ended; files that were not sent yet stay listed.');
    else if (listedFiles().length > 1) setSaid('All files are sent; each shows what became of it.');
  };

  // The same function for good, so that no card is drawn again for its sake.
  const latestSend = useRef(send);
  latestSend.current = send;
  const offer = useCallback(
    (chosen: ChosenFile, options: UploadOptions) => void latestSend.current([chosen], options),
    [],
  );

  const offerTables = useCallback(
    (chosen: ChosenFile, tables: readonly string[], options: UploadOptions) =>
      void latestSend.current(splitFile(chosen.key, tables, true), options),
    [],
  );

  /** `all`: what is said of this file is in the options already. */
  const sendOne = async (chosen: ChosenFile, options: UploadOptions, all = false) => {
    const isAlone = () => listedFiles().length === 1;
    const wasAlone = isAlone();
    const id = await sendFile(chosen, all ? options : ofFile(chosen, options));
    if (id === undefined) setSaid(`${titleOf(chosen)} was not taken.`);
    // Who has put another file on the table meanwhile is not called away from it.
    if (wasAlone && isAlone() && id !== undefined) {
      removeFile(chosen.key);
      if (here.current) go(`/submissions/${id}`);
    }
  };

  const goOn = async (file: File, { options }: UnfinishedUpload) => {
    setSending(true);
    setSaid(`Sending ${file.name} on.`);
    for (const chosen of addFiles([file])) await sendOne(chosen, options, true);
    setSending(false);
  };

  const choose = (chosen: File[]) => {
    addFiles(chosen);
    resetPicker.current?.();
    setSaid(`${counted(chosen.length, 'file')} chosen.`);
  };

  return (
    <View title="Upload samples">
      <Stack gap="lg">
        <Paper withBorder p="xl" style={{ borderStyle: 'dashed' }}>
          <Group gap="md">
            <FileButton
              onChange={choose}
              accept={ACCEPTED}
              multiple
              resetRef={resetPicker}
              inputProps={{ 'aria-label': 'Files to upload' }}
            >
              {(picker) => (
                <Button
                  {...picker}
                  size="md"
                  variant={files.length === 0 ? 'filled' : 'default'}
                  leftSection={<FileUpIcon size={20} aria-hidden />}
                >
                  Choose files…
                </Button>
              )}
            </FileButton>
            <Text>or drop them anywhere on this page</Text>
            <Text size="sm" c="dimmed">
              TSV, CSV or Excel, also zipped, up to 1 GB each
            </Text>
          </Group>
        </Paper>

        <UnfinishedNotes files={files} busy={busy} onGoOn={(file, upload) => void goOn(file, upload)} />
        {files.length === 0 && <Examples />}
        <SentSummary files={files} outcomes={outcomes} />
        {files.length > 0 && (
          <Stack component="ul" gap="xs" p={0} m={0} aria-label="Chosen files">
            {shown.map((chosen) => (
              <FileCard
                key={chosen.key}
                chosen={chosen}
                outcome={chosen.state.step === 'done' ? outcomes.get(chosen.state.submissionId) : undefined}
                onOffer={offer}
                onTables={offerTables}
              />
            ))}
          </Stack>
        )}

        <ChoicesForm
          choices={choices}
          onChange={setChoices}
          releaseError={releaseError}
          mayKeepRelease={remembered.asked}
          releaseKept={remembered.kept}
          onKeepRelease={remembered.keep}
          plainHeaders={plainHeaders || choices.unknownColumns !== 'characteristics'}
        />

        <Stack gap="xs" className={files.length === 0 ? undefined : 'staying'}>
          {releaseError !== undefined && <Note tone="bad">{releaseError}</Note>}
          <Group>
            <Button size="md" variant="default" disabled={ready.length === 0 || busy} onClick={() => sendAll(true)}>
              Check first
            </Button>
            <Button
              size="md"
              variant={files.length === 0 ? 'default' : 'filled'}
              disabled={ready.length === 0}
              loading={busy}
              onClick={() => sendAll(false)}
            >
              {registerLabel(ready)}
            </Button>
          </Group>
        </Stack>
        <Announcer>{said}</Announcer>
      </Stack>
    </View>
  );
}

const releaseFix = ({ release }: Choices): string =>
  release === 'date'
    ? 'Fill in the release date.'
    : 'Your sheet has no Release Date column: choose "today" or a date, or add the column.';

/** What will be done, in numbers where the files have been read whole. */
function registerLabel(ready: readonly ChosenFile[]): string {
  if (ready.length === 0) return 'Register';
  const checks = ready.flatMap(({ check }) => check ?? []);
  const sum = (of: (check: FileCheck) => number) => checks.reduce((all, check) => all + of(check), 0);
  const updates = sum(({ updates = 0 }) => updates);
  if (!checks.every(({ rows, rowsExact }) => rows !== undefined && rowsExact)) {
    if (ready.length > 1) return `Send ${counted(ready.length, 'file')}`;
    return updates > 0 ? 'Register and update the samples' : 'Register the samples';
  }
  const fresh = sum(samplesOf) - updates;
  if (fresh + updates === 0) return `Send ${counted(ready.length, 'file')}`;
  if (updates === 0) return `Register ${counted(fresh, 'sample')}`;
  return fresh === 0 ? `Update ${counted(updates, 'sample')}` : `Register ${count(fresh)}, update ${count(updates)}`;
}
