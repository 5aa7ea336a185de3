import { Text } from '@mantine/core';
import type { OneTimePassword } from '../api/accounts.js';
import { Copyable } from '../show/copyable.js';
import { Note } from '../show/note.js';
import { When } from '../show/when.js';

/** The only time that it is shown. */
export function OneTimePasswordNote({
  password: { account, oneTimePassword, expires },
}: {
  password: OneTimePassword;
}) {
  return (
    <Note tone="good" title={`One-time password for ${account}, shown this once`}>
      <Copyable text={oneTimePassword} what="one-time password" />
      <Text size="sm" mt={4}>
        Give it to the person whose account it is. It holds until <When iso={expires} /> and for one sign-in, which asks
        for a password of their own.
      </Text>
    </Note>
  );
}
