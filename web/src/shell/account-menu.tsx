import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDownIcon, KeyRoundIcon, LogOutIcon, MonitorIcon, MoonIcon, SunIcon, UserIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import { askToSignIn } from '../api/ended-session.js';
import { DraftList } from '../drafts/draft-list.js';
import { discardAllDrafts } from '../drafts/drafts.js';
import { SignOutDialog } from '../drafts/sign-out-dialog.js';
import { useDrafts } from '../drafts/use-draft.js';
import { useMe, useSignOut } from '../session/session.js';
import { ErrorDialog } from '../show/error-dialog.js';
import { counted } from '../show/words.js';

const SCHEMES = [
  { value: 'light', name: 'Light', icon: SunIcon },
  { value: 'dark', name: 'Dark', icon: MoonIcon },
  { value: 'auto', name: 'As the system', icon: MonitorIcon },
] as const;

/** Who is signed in, what belongs to them, and light or dark. */
export function AccountMenu() {
  const me = useMe();
  const signOut = useSignOut();
  const drafts = useDrafts();
  const [asked, { open: ask, close }] = useDisclosure(false);
  const [, go] = useLocation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const account = me.data?.account;
  const leave = (keepDrafts: boolean) => {
    close();
    signOut.mutate(undefined, {
      onSuccess: () => {
        if (!keepDrafts && account !== undefined) discardAllDrafts(account);
        go('/');
      },
    });
  };
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="subtle"
            c="var(--mantine-color-text)"
            rightSection={<ChevronDownIcon size={16} aria-hidden />}
            leftSection={<UserIcon size={18} aria-hidden />}
            maw={{ base: 150, xs: 260 }}
            px="xs"
          >
            {account ?? 'Menu'}
            {drafts.length > 0 && ` · ${counted(drafts.length, 'draft')}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {me.data ? (
            <>
              <Menu.Item leftSection={<KeyRoundIcon size={16} />} onClick={() => go('/account')}>
                Password and tokens
              </Menu.Item>
              <Menu.Item
                leftSection={<LogOutIcon size={16} />}
                onClick={() => (drafts.length > 0 ? ask() : leave(true))}
              >
                Sign out
              </Menu.Item>
            </>
          ) : (
            <Menu.Item leftSection={<KeyRoundIcon size={16} />} onClick={askToSignIn}>
              Sign in
            </Menu.Item>
          )}
          <DraftList />
          <Menu.Divider />
          <Menu.Label c="dimmed">Appearance</Menu.Label>
          {SCHEMES.map(({ value, name, icon: Icon }) => (
            <Menu.Item
              key={value}
              leftSection={<Icon size={16} />}
              onClick={() => setColorScheme(value)}
              rightSection={colorScheme === value ? '✓' : undefined}
              closeMenuOnClick={false}
            >
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ErrorDialog
        error={signOut.error}
        doing="You are still signed in"
        onClose={signOut.reset}
        retry={() => leave(true)}
      />
      <SignOutDialog drafts={drafts.length} opened={asked} onClose={close} onSignOut={leave} />
    </>
  );
}
