import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { serverNow } from '../api/server-clock.js';
import { type MadeToken, type Token, useRevokeToken, useTokens } from '../api/tokens.js';
import { type Me, maySubmit } from '../session/session.js';
import { Copyable } from '../show/copyable.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { useOpenedForm } from '../show/opened-form.js';
import { When } from '../show/when.js';
import { NewTokenForm } from './new-token-form.js';
import { TokenTable } from './token-table.js';

/** Tokens let programs upload and read in an account's name. The text of one is shown once. */
export function Tokens({ me, account = me.account }: { me: Me; account?: string }) {
  const own = account === me.account;
  const tokens = useTokens(account);
  const revoke = useRevokeToken();
  const { opened: making, open, close, button } = useOpenedForm();
  const alive = tokens.data?.pages.flatMap((page) => page.tokens).filter(isAlive) ?? [];
  const sessions = alive.filter(isSession);
  const revoking = {
    onRevoke: (id: string) => revoke.mutate(id),
    busy: revoke.isPending ? revoke.variables : undefined,
  };
  /** Shown until another is made or the view is left: nothing brings it back. */
  const [made, setMade] = useState<MadeToken>();
  return (
    <Stack gap="sm" component="section" aria-labelledby="tokens">
      <Group justify="space-between">
        <Title order={2} id="tokens">
          Tokens
        </Title>
        {!making && maySubmit(me) && (
          <Button ref={button} onClick={open}>
            Make a token
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        A token lets a program work in {own ? 'your' : 'this account’s'} name: instrument software, a LIMS, the command
        line. Give each its own, so that you can revoke one without stopping the others.
      </Text>
      {!maySubmit(me) && (
        <Text size="sm">The token you signed in with may only read: sign in with another one to make tokens.</Text>
      )}
      {made && (
        <Note tone="good" title={`The token for ${made.account}, shown this once`}>
          <Copyable text={made.token} what="token" />
          <Text size="sm" mt={4}>
            Copy it now and keep it like a password. Whoever lost it makes a new one. It holds{' '}
            {made.expires === undefined ? (
              'until it is revoked'
            ) : (
              <>
                until <When iso={made.expires} />
              </>
            )}
            .
          </Text>
        </Note>
      )}
      {making && (
        <NewTokenForm
          me={me}
          account={account}
          onClose={close}
          onMade={(next) => {
            setMade(next);
            close();
          }}
        />
      )}
      {revoke.error && <ErrorNote error={revoke.error} doing="The token was not revoked" />}
      {tokens.error && <ErrorNote error={tokens.error} retry={() => tokens.refetch()} />}
      {tokens.isPending && <Skeleton h={120} aria-label="Loading the tokens" />}
      {tokens.data && (
        <>
          <TokenTable
            label={own ? 'Your tokens' : `Tokens of ${account}`}
            none={noneWords(own, tokens.hasNextPage)}
            tokens={alive.filter((token) => !isSession(token))}
            {...revoking}
          />
          {sessions.length > 0 && (
            <>
              <Title order={3} mt="sm">
                Active sessions
              </Title>
              <TokenTable label="Active sessions" none="" ofPage tokens={sessions} {...revoking} />
            </>
          )}
          {tokens.hasNextPage && (
            <Group>
              <Button variant="default" loading={tokens.isFetchingNextPage} onClick={() => tokens.fetchNextPage()}>
                Show older ones
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

function noneWords(own: boolean, more: boolean): string {
  if (more) return 'None among the newest; older ones follow below.';
  return own ? 'You have no tokens.' : 'It has no tokens.';
}

/** A sign-in of the page is a token that the browser keeps. */
const isSession = ({ kind }: Token): boolean => kind === 'session';

const isAlive = ({ revoked, expires }: Token): boolean =>
  revoked !== true && (expires === undefined || new Date(expires).getTime() > serverNow());
