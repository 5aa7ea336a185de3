import { Modal } from '@mantine/core';
import { ErrorNote } from './error-note.js';

interface ErrorDialogProps {
  /** Undefined or null: nothing went wrong. */
  error: unknown;
  /** What could not be done, as a whole sentence. */
  doing: string;
  onClose: () => void;
  retry?: () => void;
}

/** What went wrong with something that a menu did, which leaves no place of its own to say it. */
export function ErrorDialog({ error, doing, onClose, retry }: ErrorDialogProps) {
  const wrong = error !== undefined && error !== null;
  return (
    <Modal opened={wrong} onClose={onClose} title={doing} closeButtonProps={{ 'aria-label': 'Close' }}>
      {wrong && <ErrorNote error={error} {...(retry ? { retry } : {})} />}
    </Modal>
  );
}
