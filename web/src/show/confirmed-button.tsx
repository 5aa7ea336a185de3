import { Button } from '@mantine/core';
import { useState } from 'react';

interface ConfirmedButtonProps {
  /** What it does, as a verb and, but where it stands beside it, its object. */
  label: string;
  /** For who does not see beside what it stands; begins with the label. */
  name?: string;
  loading: boolean;
  onConfirm: () => void;
}

/** For what cannot be taken back: the first press asks, the second does it. A double click, and a key that is held, are one. */
export function ConfirmedButton({ label, name, loading, onConfirm }: ConfirmedButtonProps) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <Button size="compact-sm" variant="default" aria-label={name} onClick={() => setAsked(true)}>
        {label}…
      </Button>
    );
  }
  return (
    <Button
      size="compact-sm"
      color="red.9"
      loading={loading}
      onBlur={() => setAsked(false)}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={({ detail }) => {
        if (detail < 2) onConfirm();
      }}
      autoFocus
    >
      {label} now
    </Button>
  );
}
