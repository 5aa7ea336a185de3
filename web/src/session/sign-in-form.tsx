import { Button, PasswordInput, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../api/request.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { type Credentials, useSignIn } from './session.js';

type Way = 'password' | 'token';

/** Account and password, or a token. `account` is the one whose session has ended. */
export function SignInForm({ account: former = '' }: { account?: string | undefined }) {
  const [way, setWay] = useState<Way>('password');
  const [account, setAccount] = useState(former);
  const [password, setPassword] = useState('');
  const [token, setToken] = useState('');
  const [own, setOwn] = useState('');
  const [again, setAgain] = useState('');
  const [forgotten, { toggle: toggleForgotten }] = useDisclosure(false);
  const signIn = useSignIn();

  // Stays while a new password that does not do is put right.
  const [oneTime, setOneTime] = useState(false);
  if (!oneTime && signIn.error instanceof ApiProblem && signIn.error.problem.code === 'auth.password-change') {
    setOneTime(true);
    signIn.reset();
  }

  const choose = (next: string) => {
    setWay(next as Way);
    // What was wrong with a password says nothing about a token.
    signIn.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const byPassword = { account: account.trim(), password, ...(oneTime ? { newPassword: own } : {}) };
    const credentials: Credentials = way === 'token' ? { token: token.trim() } : byPassword;
    signIn.mutate(credentials);
  };
  const chosen = !oneTime || (own !== '' && own === again);
  const ready = way === 'token' ? token.trim() !== '' : account.trim() !== '' && password !== '' && chosen;

  return (
    <form onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label="Sign in with"
          value={way}
          onChange={choose}
          data={[
            { value: 'password', label: 'Account and password' },
            { value: 'token', label: 'Token' },
          ]}
          fullWidth
        />
        {way === 'password' ? (
          <>
            <TextInput
              label="Account"
              name="username"
              autoComplete="username"
              value={account}
              onChange={(event) => setAccount(event.currentTarget.value)}
              required
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              data-autofocus={former !== '' || undefined}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              required
            />
            {oneTime && (
              <>
                <Note tone="plain" title="Choose a password of your own">
                  <Text size="sm">The one you typed is right and works this once.</Text>
                </Note>
                <PasswordInput
                  label="New password"
                  autoComplete="new-password"
                  value={own}
                  onChange={(event) => setOwn(event.currentTarget.value)}
                  required
                />
                <PasswordInput
                  label="Confirm new password"
                  autoComplete="new-password"
                  value={again}
                  onChange={(event) => setAgain(event.currentTarget.value)}
                  error={again !== '' && again !== own ? 'The two are not the same.' : undefined}
                  required
                />
              </>
            )}
          </>
        ) : (
          <PasswordInput
            label="Token"
            description="The one you were given, or one you made under Account."
            name="token"
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            required
          />
        )}
        {signIn.error && <ErrorNote error={signIn.error} doing="You are not signed in" />}
        <Button type="submit" size="md" loading={signIn.isPending} disabled={!ready}>
          Sign in
        </Button>
        <UnstyledButton
          onClick={toggleForgotten}
          aria-expanded={forgotten}
          c="var(--mantine-color-anchor)"
          fz="sm"
          w="fit-content"
        >
          No account yet, or password forgotten?
        </UnstyledButton>
        {forgotten && <Forgotten />}
      </Stack>
    </form>
  );
}

function Forgotten() {
  return (
    <Note tone="plain" title="Ask an administrator of this registry">
      <Text size="sm">
        The registry sends no e-mail. An administrator creates accounts and sets a new password for you: on this page
        under Accounts, or with the command “sample-registry account”. If you still have a token, choose Token above and
        sign in with it; then ask for a new password.
      </Text>
    </Note>
  );
}
