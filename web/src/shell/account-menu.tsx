import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconChevronDown,
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useMe, useSignOut } from '../session/session.js';

const SCHEMES = [
  { value: 'light', name: 'Light', icon: IconSun },
  { value: 'dark', name: 'Dark', icon: IconMoon },
  { value: 'auto', name: 'As the system', icon: IconDeviceDesktop },
] as const;

/** Who is signed in, what belongs to them, and light or dark. */
export function AccountMenu() {
  const me = useMe();
  const signOut = useSignOut();
  const [, go] = useLocation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="subtle"
          c="var(--mantine-color-text)"
          rightSection={<IconChevronDown size={16} aria-hidden />}
          leftSection={<IconUser size={18} aria-hidden />}
          maw={180}
          px="xs"
        >
          {me.data?.account ?? 'Menu'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {me.data ? (
          <>
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => go('/account')}>
              Password and tokens
            </Menu.Item>
            <Menu.Item
              leftSection={<IconLogout size={16} />}
              onClick={() => signOut.mutate(undefined, { onSuccess: () => go('/') })}
            >
              Sign out
            </Menu.Item>
          </>
        ) : (
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => go('/')}>
            Sign in
          </Menu.Item>
        )}
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
  );
}
