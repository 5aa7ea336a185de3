import { Button, Group, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Note } from './note.js';

interface BoundaryState {
  broken: boolean;
}

/** When a view breaks, or a part of a newer page is missing because the service was renewed, the way on is to reload. */
export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { broken: false };

  static getDerivedStateFromError(): BoundaryState {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Note tone="care" title="This view cannot be shown">
        <Text size="sm">The page may have been renewed while you had it open. Your data is safe.</Text>
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Load the page again
          </Button>
        </Group>
      </Note>
    );
  }
}
