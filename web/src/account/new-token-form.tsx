import { Anchor, Button, Checkbox, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ApiProblem } from '../api/request.js';
import { type MadeToken, type Token, useNewToken } from '../api/tokens.js';
import { isAdmin, type Me } from '../session/session.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';

type Scope = Token['scopes'][number];

const LIVES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'no expiry' },
];

/** The account that it is to be of. */
const isUnknown = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;

/** Characters; as the service has it. */
const LABEL_MAX = 100;

interface NewTokenFormProps {
  me: Me;
  /** Whose token it is to be; an administrator may name another. */
  account: string;
  onClose: () => void;
  onMade: (made: MadeToken) => void;
}

/** Administrators make tokens for others too. A name that nobody has is refused: a typing error makes no account. */
export function NewTokenForm({ me, account: whose, onClose, onMade }: NewTokenFormProps) {
  const admin = isAdmin(me);
  const [account, setAccount] = useState(whose);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['read', 'submit']);
  const [life, setLife] = useState<string | null>('90');
  const make = useNewToken();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = {
      account: account.trim(),
      name: name.trim(),
      scopes,
      ...(life ? { expiresInDays: Number(life) } : {}),
    };
    make.mutate(wanted, { onSuccess: onMade });
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Make a token">
      <Stack gap="md">
        <Group align="flex-start" gap="md">
          <TextInput
            label="Label"
            description="What the token is for."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder="the sequencer in room 12"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={LABEL_MAX}
            required
            autoFocus
            w={{ base: '100%', xs: 280 }}
          />
          {admin && (
            <TextInput
              label="Account"
              description="One that exists; new ones are created under Accounts."
              value={account}
              onChange={(event) => setAccount(event.currentTarget.value)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              w={{ base: '100%', xs: 220 }}
            />
          )}
          <Select label="Expires in" data={LIVES} value={life} onChange={setLife} allowDeselect={false} w={200} />
        </Group>
        <Checkbox.Group label="It may" value={scopes} onChange={(chosen) => setScopes(chosen as Scope[])}>
          <Group mt="xs">
            <Checkbox value="read" label="read" />
            <Checkbox value="submit" label="upload and change samples" />
            {admin && <Checkbox value="admin" label="administer" />}
          </Group>
        </Checkbox.Group>
        {make.error && !isUnknown(make.error) && <ErrorNote error={make.error} doing="The token was not made" />}
        {make.error && isUnknown(make.error) && (
          <Note tone="bad" title="The token was not made">
            <Text size="sm">
              There is no account “{make.variables.account}”. Look at the spelling, or create it under{' '}
              <Anchor component={Link} href="/accounts" inherit>
                Accounts
              </Anchor>
              .
            </Text>
          </Note>
        )}
        <Group>
          <Button type="submit" loading={make.isPending} disabled={name.trim() === '' || scopes.length === 0}>
            Make the token
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
