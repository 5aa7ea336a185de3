import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { giveUp, signInWanted, subscribeToSignInWanted } from '../api/ended-session.js';
import { useOtherTabs } from './other-tabs.js';
import { SignInForm } from './sign-in-form.js';

/** Over whatever view is open when a session has ended; the view and what was typed in it stay as they are. */
export function SignInDialog() {
  useOtherTabs();
  const wanted = useSyncExternalStore(subscribeToSignInWanted, signInWanted);
  return (
    <Modal
      opened={wanted !== undefined}
      onClose={giveUp}
      closeOnClickOutside={false}
      title={wanted?.account === undefined ? 'Sign in' : 'Your session has ended'}
      closeButtonProps={{ 'aria-label': 'Not now' }}
      zIndex={1000}
    >
      {wanted && (
        <Stack>
          {wanted.account !== undefined && (
            <Text size="sm">
              Sign in again as <strong className="name">{wanted.account}</strong>, and what you were doing goes on.
              Nothing you typed is lost.
            </Text>
          )}
          <SignInForm account={wanted.account} />
          <Group>
            <Button variant="default" size="xs" onClick={giveUp}>
              Not now
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
