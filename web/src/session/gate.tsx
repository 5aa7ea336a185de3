import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNote } from '../show/error-note.js';
import { useMe } from './session.js';
import { SignIn } from './sign-in.js';

/** Shows its children to those who are signed in, the sign-in to all others. */
export function Gate({ children }: { children: ReactNode }) {
  const me = useMe();
  if (me.data) return children;
  if (me.data === null) return <SignIn />;
  if (me.error) return <ErrorNote error={me.error} retry={() => me.refetch()} />;
  return <Loader aria-label="Loading" />;
}
