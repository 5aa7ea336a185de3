import { Anchor, Button, Group, Skeleton, Stack, Table, TextInput } from '@mantine/core';
import { SearchIcon } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { type Account, useAccounts } from '../api/accounts.js';
import { isAdmin, useMe } from '../session/session.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { useOpenedForm } from '../show/opened-form.js';
import { ScrollBox } from '../show/scroll-box.js';
import { useTypedText } from '../show/typed-text.js';
import { View } from '../show/view.js';
import { Ago } from '../show/when.js';
import { count } from '../show/words.js';
import { NewAccountForm } from './new-account-form.js';

/** For administrators: who has an account, and the way to make one. */
export function AccountsView() {
  const me = useMe();
  if (me.data && !isAdmin(me.data)) {
    return (
      <View title="Accounts">
        <Empty title="For administrators only">Ask one of them, or sign in with an administrator's account.</Empty>
      </View>
    );
  }
  return <AccountList />;
}

function AccountList() {
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const { field } = useTypedText(text, (next) => setParams(next ? { text: next } : {}, { replace: true }));
  const { opened: making, open, close, button } = useOpenedForm();
  const list = useAccounts(text);
  const accounts = list.data?.pages.flatMap((page) => page.accounts) ?? [];
  return (
    <View
      title="Accounts"
      aside={
        !making && (
          <Button ref={button} variant="default" onClick={open}>
            Create an account
          </Button>
        )
      }
    >
      <Stack gap="md">
        {making && <NewAccountForm onClose={close} />}
        <TextInput label="Find an account" leftSection={<SearchIcon size={16} aria-hidden />} {...field} maw={360} />
        {list.error && <ErrorNote error={list.error} retry={() => list.refetch()} />}
        {list.isPending && <Skeleton h={240} aria-label="Loading the accounts" />}
        {list.data && accounts.length === 0 && (
          <Empty title="No account fits">Look at the spelling, or create an account of that name.</Empty>
        )}
        {accounts.length > 0 && <AccountTable accounts={accounts} />}
        {list.hasNextPage && (
          <Group>
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              Show more
            </Button>
          </Group>
        )}
      </Stack>
    </View>
  );
}

const PASSWORDS = { none: 'none', set: 'set', 'one-time': 'one-time, not used yet' };

function AccountTable({ accounts }: { accounts: readonly Account[] }) {
  return (
    <ScrollBox label="Accounts">
      <Table miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th>Administrator</Table.Th>
            <Table.Th>Password</Table.Th>
            <Table.Th>Tokens and sessions</Table.Th>
            <Table.Th>Last used</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map(({ account, administrator, password, tokens, lastUsed }) => (
            <Table.Tr key={account}>
              <Table.Td className="name">
                <Anchor component={Link} href={`/accounts/${encodeURIComponent(account)}`} fw={600}>
                  {account}
                </Anchor>
              </Table.Td>
              <Table.Td>{administrator ? 'yes' : 'no'}</Table.Td>
              <Table.Td>{PASSWORDS[password]}</Table.Td>
              <Table.Td>{count(tokens)}</Table.Td>
              <Table.Td>{lastUsed ? <Ago iso={lastUsed} /> : 'never'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
