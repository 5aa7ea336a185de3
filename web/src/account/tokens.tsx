import { Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type Token, useRevokeToken, useTokens } from '../api/tokens.js';
import type { Me } from '../session/session.js';
import { Copyable } from '../show/copyable.js';
import { Note } from '../show/note.js';
import { ScrollBox } from '../show/scroll-box.js';
import { Trouble } from '../show/trouble.js';
import { Ago, When } from '../show/when.js';
import { NewTokenForm } from './new-token-form.js';

/** Tokens let programs upload and read in your name. The text of one is shown once. */
export function Tokens({ me }: { me: Me }) {
  const tokens = useTokens(me.account);
  const revoke = useRevokeToken();
  const [making, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<{ text: string; account: string }>();
  return (
    <Stack gap="sm" component="section" aria-labelledby="tokens">
      <Group justify="space-between">
        <Title order={2} id="tokens">
          Tokens
        </Title>
        {!making && (
          <Button
            onClick={() => {
              setMade(undefined);
              open();
            }}
          >
            Make a token
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        A token lets a program work in your name: instrument software, a LIMS, the command line. Give each its own, so
        that you can revoke one without stopping the others.
      </Text>
      {made && (
        <Note tone="good" title={`The token for ${made.account}, shown this once`}>
          <Copyable text={made.text} what="token" />
          <Text size="sm" mt={4}>
            Copy it now and keep it like a password. Whoever lost it makes a new one.
          </Text>
        </Note>
      )}
      {making && (
        <NewTokenForm
          me={me}
          onClose={close}
          onMade={(text, account) => {
            setMade({ text, account });
            close();
          }}
        />
      )}
      {revoke.error && <Trouble error={revoke.error} doing="The token was not revoked" />}
      {tokens.error && <Trouble error={tokens.error} retry={() => tokens.refetch()} />}
      {tokens.isPending && <Skeleton h={120} aria-label="Fetching the tokens" />}
      {tokens.data && (
        <TokenTable
          tokens={tokens.data.filter(isAlive)}
          onRevoke={(id) => revoke.mutate(id)}
          busy={revoke.isPending ? revoke.variables : undefined}
        />
      )}
    </Stack>
  );
}

const isAlive = ({ revoked, expires }: Token): boolean =>
  revoked !== true && (expires === undefined || new Date(expires).getTime() > Date.now());

interface TokenTableProps {
  tokens: readonly Token[];
  onRevoke: (id: string) => void;
  busy: string | undefined;
}

function TokenTable({ tokens, onRevoke, busy }: TokenTableProps) {
  const [asked, setAsked] = useState<string>();
  if (tokens.length === 0) return <Text size="sm">You have no tokens.</Text>;
  return (
    <ScrollBox label="Your tokens">
      <Table miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>May</Table.Th>
            <Table.Th>Made</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Ends</Table.Th>
            <Table.Th>Revoke</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map(({ id, name, scopes, created, lastUsed, expires }) => (
            <Table.Tr key={id}>
              <Table.Td className="name">{name}</Table.Td>
              <Table.Td>{scopes.join(', ')}</Table.Td>
              <Table.Td>
                <When iso={created} />
              </Table.Td>
              <Table.Td>{lastUsed ? <Ago iso={lastUsed} /> : 'never'}</Table.Td>
              <Table.Td>{expires ? <When iso={expires} /> : 'never'}</Table.Td>
              <Table.Td>
                {asked === id ? (
                  <Button size="compact-sm" color="red" loading={busy === id} onClick={() => onRevoke(id)}>
                    Revoke it now
                  </Button>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${name}`}
                    onClick={() => setAsked(id)}
                  >
                    Revoke…
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
