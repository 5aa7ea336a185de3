import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { HelpLink } from './help-link.js';

let firstViewShown = false;

interface ViewProps {
  title: string;
  /** Text of the browser's tab when it should say more than the heading. */
  tabTitle?: string;
  heading?: ReactNode;
  /** Quiet actions at the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One view: its heading takes the focus when the reader came here by a link, so that a screen reader says where it is. */
export function View({ title, tabTitle, heading, aside, children }: ViewProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (firstViewShown) head.current?.focus({ preventScroll: true });
    firstViewShown = true;
  }, []);
  useEffect(() => {
    document.title = `${tabTitle ?? title} · Sample registry`;
  }, [title, tabTitle]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Title order={1} ref={head} tabIndex={-1} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {heading ?? title}
        </Title>
        <Group gap="xs">
          {aside}
          <HelpLink />
        </Group>
      </Group>
      {children}
    </Stack>
  );
}
