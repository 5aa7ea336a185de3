import { Button, Center, Paper, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Trouble } from '../show/trouble.js';
import { View } from '../show/view.js';
import { type Credentials, useSignIn } from './session.js';

type Way = 'password' | 'token';

/** Account and password, or a token; shown in place of a view that needs to know who asks. */
export function SignIn() {
  const [way, setWay] = useState<Way>('password');
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [token, setToken] = useState('');
  const signIn = useSignIn();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const credentials: Credentials = way === 'token' ? { token: token.trim() } : { account: account.trim(), password };
    signIn.mutate(credentials);
  };
  const ready = way === 'token' ? token.trim() !== '' : account.trim() !== '' && password !== '';

  return (
    <Center>
      <Paper withBorder p="xl" maw={440} w="100%">
        <View title="Sign in">
          <form onSubmit={submit}>
            <Stack>
              <SegmentedControl
                aria-label="Sign in with"
                value={way}
                onChange={(value) => setWay(value as Way)}
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
                    value={password}
                    onChange={(event) => setPassword(event.currentTarget.value)}
                    required
                  />
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
              {signIn.error && <Trouble error={signIn.error} doing="You are not signed in" />}
              <Button type="submit" size="md" loading={signIn.isPending} disabled={!ready}>
                Sign in
              </Button>
              <Text size="sm" c="dimmed">
                No account yet, or password forgotten? Ask the person who runs this registry; they can make you a token.
              </Text>
            </Stack>
          </form>
        </View>
      </Paper>
    </Center>
  );
}
