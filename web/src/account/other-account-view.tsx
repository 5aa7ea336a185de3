import { Button, DataList, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAccount, usePasswordReset } from '../api/accounts.js';
import type { Me } from '../session/session.js';
import { isAdmin, useMe } from '../session/session.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { View } from '../show/view.js';
import { Ago, When } from '../show/when.js';
import { OneTimePasswordNote } from './one-time-password-note.js';
import { Tokens } from './tokens.js';

/** For administrators: the tokens and sessions of an account, and a new password for who forgot theirs. */
export function OtherAccountView({ account }: { account: string }) {
  const me = useMe();
  if (!me.data) return null;
  if (!isAdmin(me.data)) {
    return (
      <View title={`Account ${account}`}>
        <Empty title="For administrators only">Your own tokens and password are under your name, above.</Empty>
      </View>
    );
  }
  return <Known account={account} me={me.data} />;
}

function Known({ account, me }: { account: string; me: Me }) {
  const known = useAccount(account);
  const { data } = known;
  return (
    <View title={`Account ${account}`}>
      {known.error && (
        <ErrorNote error={known.error} doing="This account cannot be shown" retry={() => known.refetch()} />
      )}
      {known.isPending && <Skeleton h={240} aria-label="Loading the account" />}
      {data && (
        <Stack gap="xl">
          <DataList withDivider={false} orientation="horizontal">
            <DataList.Item>
              <DataList.ItemLabel c="dimmed">Created</DataList.ItemLabel>
              <DataList.ItemValue>
                <When iso={data.created} />
              </DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel c="dimmed">Last used</DataList.ItemLabel>
              <DataList.ItemValue>{data.lastUsed ? <Ago iso={data.lastUsed} /> : 'never'}</DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel c="dimmed">Administrator</DataList.ItemLabel>
              <DataList.ItemValue>{data.administrator ? 'yes' : 'no'}</DataList.ItemValue>
            </DataList.Item>
          </DataList>
          <PasswordReset account={account} state={data.password} />
          <Tokens me={me} account={account} />
        </Stack>
      )}
    </View>
  );
}

const STATES = {
  none: 'It has no password and signs in with tokens alone.',
  set: 'It has a password.',
  'one-time': 'It has a one-time password that was not used yet.',
};

function PasswordReset({ account, state }: { account: string; state: keyof typeof STATES }) {
  const reset = usePasswordReset();
  const [asked, { open, close }] = useDisclosure(false);
  return (
    <Stack gap="sm" component="section" aria-labelledby="password">
      <Title order={2} id="password">
        Password
      </Title>
      <Text size="sm">{STATES[state]}</Text>
      {reset.data && <OneTimePasswordNote password={reset.data} />}
      {reset.error && <ErrorNote error={reset.error} doing="The password is as it was" />}
      <Group>
        <Button variant="default" loading={reset.isPending} onClick={open}>
          Reset the password…
        </Button>
      </Group>
      <Modal opened={asked} onClose={close} title={`Reset the password of ${account}?`}>
        <Stack>
          <Text size="sm">
            The present password stops working and browsers that are signed in are signed out. You get a one-time
            password to hand over; tokens of programs go on.
          </Text>
          <Group>
            <Button
              onClick={() => {
                close();
                reset.mutate(account);
              }}
            >
              Reset the password
            </Button>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}
