import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type OneTimePassword, useNewAccount, usePasswordReset } from '../api/accounts.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { OneTimePasswordNote } from './one-time-password-note.js';

/** Creates an account on purpose, with a password for its first sign-in. */
export function NewAccountForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<string>();
  const [first, setFirst] = useState<OneTimePassword>();
  const create = useNewAccount();
  const reset = usePasswordReset();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { account: name.trim() },
      {
        onSuccess: ({ account }) => {
          setMade(account);
          reset.mutate(account, { onSuccess: setFirst });
        },
      },
    );
  };
  if (made !== undefined) {
    return (
      <Stack gap="sm">
        <Note tone="good" title={`The account ${made} is created`}>
          <Text size="sm">
            Its tokens and password are under{' '}
            <Anchor component={Link} href={`/accounts/${encodeURIComponent(made)}`} inherit>
              {made}
            </Anchor>
            .
          </Text>
        </Note>
        {first && <OneTimePasswordNote password={first} />}
        {reset.error && (
          <ErrorNote
            error={reset.error}
            doing="It has no password yet"
            retry={() => reset.mutate(made, { onSuccess: setFirst })}
          />
        )}
        <Group>
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Create an account">
      <Stack gap="md">
        <TextInput
          label="Name of the account"
          description="For a person or a laboratory. Its samples are owned by it under this name, for good."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          autoFocus
          maw={360}
        />
        {create.error && <ErrorNote error={create.error} doing="The account was not created" />}
        <Group>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Create the account
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
