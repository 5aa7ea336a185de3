import { VisuallyHidden } from '@mantine/core';

/** What a screen reader says once it is at rest; text that stays the same is said once. */
export function Announcer({ children }: { children: string }) {
  return (
    <VisuallyHidden role="status" aria-live="polite" aria-atomic>
      {children}
    </VisuallyHidden>
  );
}
