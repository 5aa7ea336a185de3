import { useCallback, useSyncExternalStore } from 'react';
import { useMe } from '../session/session.js';

const NONE: ReadonlySet<string> = new Set();
/** Whose choice it is, '' for somebody who is not signed in. */
let owner = '';
let present = NONE;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Accessions that are chosen in the list; they outlast a look at one of them, and are the account's own. */
export function useChosenSamples() {
  const account = useMe().data?.account ?? '';
  const chosen = useSyncExternalStore(subscribe, () => (owner === account ? present : NONE));
  const choose = useCallback(
    (next: ReadonlySet<string>) => {
      owner = account;
      present = next;
      for (const listener of listeners) listener();
    },
    [account],
  );
  const toggle = useCallback(
    (accession: string) => {
      const next = new Set(owner === account ? present : NONE);
      if (!next.delete(accession)) next.add(accession);
      choose(next);
    },
    [account, choose],
  );
  return { chosen, choose, toggle };
}
