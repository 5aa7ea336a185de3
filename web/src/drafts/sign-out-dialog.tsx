import { Button, Modal, Stack, Text } from '@mantine/core';
import { counted } from '../show/words.js';

interface SignOutDialogProps {
  drafts: number;
  opened: boolean;
  onClose: () => void;
  onSignOut: (keep: boolean) => void;
}

/** Asked when somebody signs out who has drafts: on a shared computer they may not want to leave them behind. */
export function SignOutDialog({ drafts, opened, onClose, onSignOut }: SignOutDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Sign out?" closeButtonProps={{ 'aria-label': 'Stay signed in' }}>
      <Stack>
        <Text size="sm">
          You have {counted(drafts, 'draft')} that {drafts === 1 ? 'is' : 'are'} not sent. Kept in this browser, they
          are there when you sign in again; on a shared computer you may rather discard them.
        </Text>
        <Button onClick={() => onSignOut(true)}>Keep the drafts and sign out</Button>
        <Button variant="default" onClick={() => onSignOut(false)}>
          Discard the drafts and sign out
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Stay signed in
        </Button>
      </Stack>
    </Modal>
  );
}
