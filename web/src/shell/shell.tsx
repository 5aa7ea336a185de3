import { Anchor, AppShell, Burger, Button, Container, Drawer, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TestTubeIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { isAdmin, useMe } from '../session/session.js';
import { wayTo } from '../show/kept-places.js';
import { AccountMenu } from './account-menu.js';
import { FOOT_HEIGHT, Foot } from './foot.js';

const PLACES = [
  { path: '/', name: 'Upload' },
  { path: '/submissions', name: 'Submissions' },
  { path: '/samples', name: 'Samples' },
  { path: '/checklists', name: 'Checklists' },
];
const FOR_ADMINISTRATORS = [
  { path: '/accounts', name: 'Accounts' },
  { path: '/operations', name: 'Operations' },
];

const isHere = (location: string, path: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);

/** The frame of every view: name, places, account. */
export function Shell({ children }: { children: ReactNode }) {
  const [open, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  const me = useMe();
  const places = isAdmin(me.data) ? [...PLACES, ...FOR_ADMINISTRATORS] : PLACES;
  return (
    <AppShell header={{ height: 56 }} padding={{ base: 'sm', sm: 'lg' }}>
      <SkipLink />
      <AppShell.Header style={{ borderColor: 'var(--line)', background: 'var(--surface)' }}>
        <Group h="100%" px={{ base: 'sm', sm: 'lg' }} justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label="Main navigation"
              aria-expanded={open}
            />
            <Anchor
              component={Link}
              href="/"
              underline="never"
              c="var(--mantine-color-text)"
              aria-label="Sample registry"
            >
              <Group gap={8} wrap="nowrap">
                <TestTubeIcon size={22} color="var(--mantine-color-anchor)" aria-hidden />
                <Text fw={650} style={{ whiteSpace: 'nowrap' }} visibleFrom="xs">
                  Sample registry
                </Text>
              </Group>
            </Anchor>
          </Group>
          <Group gap={4} wrap="nowrap">
            <Group component="nav" aria-label="Main navigation" gap={4} visibleFrom="md" wrap="nowrap">
              {places.map(({ path, name }) => (
                <Button
                  key={path}
                  component={Link}
                  href={wayTo(path, location)}
                  variant={isHere(location, path) ? 'light' : 'subtle'}
                  color={isHere(location, path) ? 'petrol' : 'gray'}
                  fw={isHere(location, path) ? 600 : 500}
                  aria-current={isHere(location, path) ? 'page' : undefined}
                  c={isHere(location, path) ? 'var(--mantine-color-anchor)' : 'var(--mantine-color-text)'}
                >
                  {name}
                </Button>
              ))}
            </Group>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <Drawer opened={open} onClose={close} title="Main navigation" size="xs" hiddenFrom="md">
        <Stack component="nav" aria-label="Main navigation" gap={4}>
          {places.map(({ path, name }) => (
            <NavLink
              key={path}
              component={Link}
              href={wayTo(path, location)}
              label={name}
              active={isHere(location, path)}
              onClick={close}
            />
          ))}
        </Stack>
      </Drawer>
      <AppShell.Main id="main" tabIndex={-1} mih={`calc(100dvh - ${FOOT_HEIGHT}px)`}>
        <Container size="xl" px={0}>
          {children}
        </Container>
      </AppShell.Main>
      <Foot />
    </AppShell>
  );
}

/** A button, because the address after # is the view. */
function SkipLink() {
  return (
    <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
      Skip to the content
    </button>
  );
}
