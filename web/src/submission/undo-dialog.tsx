import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { SubmissionStatus } from '../api/contract.js';
import { ErrorNote } from '../show/error-note.js';
import { counted } from '../show/words.js';

interface UndoDialogProps {
  opened: boolean;
  submission: SubmissionStatus;
  busy: boolean;
  /** Why it was not undone. */
  error: unknown;
  onClose: () => void;
  onUndo: () => void;
}

/** Says what undoing does before it does it. */
export function UndoDialog({ opened, submission, busy, error, onClose, onUndo }: UndoDialogProps) {
  const { created, updated } = submission.counts;
  const withdrawn = submission.standing?.withdrawn ?? 0;
  return (
    <Modal opened={opened} onClose={onClose} title="Undo this submission?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <List size="sm">
          {updated > 0 && (
            <List.Item>
              {counted(updated, 'sample')} {updated === 1 ? 'gets its' : 'get their'} former content back.
            </List.Item>
          )}
          {created > 0 && (
            <List.Item>
              {counted(created, 'new sample')}{' '}
              {created === 1 ? 'is withdrawn; its accession is' : 'are withdrawn; their accessions are'} kept and never
              given to another sample.
            </List.Item>
          )}
          {withdrawn > 0 && (
            <List.Item>
              {counted(withdrawn, 'sample')} that the sheet has no more {withdrawn === 1 ? 'is' : 'are'} no longer
              withdrawn.
            </List.Item>
          )}
          <List.Item>Samples that were changed since then stay as they are and are listed.</List.Item>
        </List>
        <Text size="sm">The undoing is a submission of its own, with a result that you can download.</Text>
        {error !== null && error !== undefined && <ErrorNote error={error} doing="The submission was not undone" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it
          </Button>
          <Button color="red.9" loading={busy} onClick={onUndo}>
            Undo
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
