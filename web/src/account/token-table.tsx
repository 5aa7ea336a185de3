import { Table, Text } from '@mantine/core';
import type { Token } from '../api/tokens.js';
import { ConfirmedButton } from '../show/confirmed-button.js';
import { ScrollBox } from '../show/scroll-box.js';
import { Ago, When } from '../show/when.js';
import { dayAndTime } from '../show/words.js';

interface TokenTableProps {
  /** Name of the table. */
  label: string;
  /** Said when there are none. */
  none: string;
  tokens: readonly Token[];
  /** They are sign-ins of the page. */
  ofPage?: boolean;
  onRevoke: (id: string) => void;
  busy: string | undefined;
}

export function TokenTable({ label, none, tokens, ofPage = false, onRevoke, busy }: TokenTableProps) {
  if (tokens.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <ScrollBox label={label}>
      <Table miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{ofPage ? 'Signed in with' : 'Label'}</Table.Th>
            <Table.Th>May</Table.Th>
            <Table.Th>{ofPage ? 'Begun' : 'Made'}</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>Revoke</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map(({ id, name, kind, scopes, created, lastUsed, expires, current }) => (
            <Table.Tr key={id}>
              <Table.Td className="name">
                {kind === 'session' ? sessionWords(name) : name}
                {current === true && <b> · this one</b>}
              </Table.Td>
              <Table.Td>{scopes.join(', ')}</Table.Td>
              <Table.Td>
                <When iso={created} />
              </Table.Td>
              <Table.Td>{lastUsed ? <Ago iso={lastUsed} /> : 'never'}</Table.Td>
              <Table.Td>{expires ? <When iso={expires} /> : 'never'}</Table.Td>
              <Table.Td>
                <ConfirmedButton
                  label="Revoke"
                  name={
                    kind === 'session' ? `Revoke ${sessionWords(name)}, begun ${dayAndTime(created)}` : `Revoke ${name}`
                  }
                  loading={busy === id}
                  onConfirm={() => onRevoke(id)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** `page session, Firefox on Windows` → `Firefox on Windows`. */
const sessionWords = (name: string): string => name.replace(/^page session(, )?/, '') || 'a browser without a name';
