import { EmptyState } from '@mantine/core';
import type { ReactNode } from 'react';

/** Nothing here yet, and what to do first. */
export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <EmptyState title={title} description={children} py="xl">
      {actions && <EmptyState.Actions>{actions}</EmptyState.Actions>}
    </EmptyState>
  );
}
