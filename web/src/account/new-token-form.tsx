import { Button, Checkbox, Group, Paper, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Token, useNewToken } from '../api/tokens.js';
import { isAdmin, type Me } from '../session/session.js';
import { Trouble } from '../show/trouble.js';

type Scope = Token['scopes'][number];

const LIVES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'until it is revoked' },
];

interface NewTokenFormProps {
  me: Me;
  onClose: () => void;
  onMade: (text: string, account: string) => void;
}

/** Administrators make tokens for others too; an account that is new begins with its first one. */
export function NewTokenForm({ me, onClose, onMade }: NewTokenFormProps) {
  const admin = isAdmin(me);
  const [account, setAccount] = useState(me.account);
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
    make.mutate(wanted, { onSuccess: ({ token }) => onMade(token, wanted.account) });
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Make a token">
      <Stack gap="md">
        <Group align="flex-start" gap="md">
          <TextInput
            label="What it is for"
            placeholder="the sequencer in room 12"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
            w={{ base: '100%', xs: 280 }}
          />
          {admin && (
            <TextInput
              label="Account"
              description="A new name makes a new account."
              value={account}
              onChange={(event) => setAccount(event.currentTarget.value)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              w={{ base: '100%', xs: 220 }}
            />
          )}
          <Select label="It ends after" data={LIVES} value={life} onChange={setLife} allowDeselect={false} w={200} />
        </Group>
        <Checkbox.Group label="It may" value={scopes} onChange={(chosen) => setScopes(chosen as Scope[])}>
          <Group mt="xs">
            <Checkbox value="read" label="read" />
            <Checkbox value="submit" label="upload and change samples" />
            {admin && <Checkbox value="admin" label="administer" />}
          </Group>
        </Checkbox.Group>
        {make.error && <Trouble error={make.error} doing="The token was not made" />}
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
