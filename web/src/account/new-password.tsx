import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNewPassword } from '../api/tokens.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';

export function NewPassword({ account }: { account: string }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const change = useNewPassword();
  const differs = again !== '' && again !== password;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const empty = () => {
      setCurrent('');
      setPassword('');
      setAgain('');
    };
    change.mutate({ ...(current === '' ? {} : { current }), password }, { onSuccess: empty });
  };
  return (
    <Stack gap="sm" component="section" aria-labelledby="password">
      <Title order={2} id="password">
        Password
      </Title>
      <form onSubmit={submit}>
        <Stack gap="sm" maw={380}>
          <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
          <PasswordInput
            label="Current password"
            description="Whoever never had one, or forgot it, asks an administrator for a one-time password."
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
          />
          <PasswordInput
            label="Confirm new password"
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            error={differs ? 'The two are not the same.' : undefined}
            required
          />
          {change.error && <ErrorNote error={change.error} doing="The password is as it was" />}
          {change.isSuccess && (
            <Note tone="good">
              <Text size="sm">The new password holds from now on.</Text>
            </Note>
          )}
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={change.isPending}
              disabled={password === '' || password !== again}
            >
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
