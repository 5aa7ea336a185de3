/** The cookie of a session is one for all tabs of a browser: each hears when another one has signed in or out. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { serviceRoot } from '../api/request.js';

/** Several registries may stand on one host. */
const PLACE = `session ${serviceRoot.pathname}`;

/** Somebody has signed in or out here. */
export function tellOtherTabs(): void {
  try {
    localStorage.setItem(PLACE, crypto.getRandomValues(new Uint32Array(2)).join(' '));
  } catch {
    // Where the browser keeps nothing, the other tabs find out when they ask.
  }
}

/** Asks anew who is signed in, and then for everything else, when another tab has said so. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const hear = async ({ key }: StorageEvent) => {
      if (key !== PLACE) return;
      await client.refetchQueries({ queryKey: ['me'] });
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    };
    addEventListener('storage', hear);
    return () => removeEventListener('storage', hear);
  }, [client]);
}
