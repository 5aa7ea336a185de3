import { Button } from '@mantine/core';
import { useState } from 'react';

interface ConfirmedButtonProps {
  /** What it does, as a verb and its object. */
  label: string;
  loading: boolean;
  onConfirm: () => void;
}

/** For what cannot be taken back: the first press asks, the second does it. */
export function ConfirmedButton({ label, loading, onConfirm }: ConfirmedButtonProps) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
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
      onClick={onConfirm}
      autoFocus
    >
      {label} now
    </Button>
  );
}
