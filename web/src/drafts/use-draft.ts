import { useCallback, useSyncExternalStore } from 'react';
import { useMe } from '../session/session.js';
import { useAskBeforeLeaving } from '../show/ask-before-leaving.js';
import { type Draft, discardDraft, draftsOf, isUnkept, keepDraft, subscribeToDrafts } from './drafts.js';

export interface DraftPlace<Value> {
  /** Unique among the drafts of the account, `sample SAMR1` say. */
  key: string;
  /** What it is, for the list of drafts. */
  title: string;
  /** View in which it goes on. */
  path: string;
  /** The value when it is one that this version of the page can go on with, else undefined. */
  read: (value: unknown) => Value | undefined;
}

export interface KeptDraft<Value> {
  /** Undefined: nothing is being edited. */
  value: Value | undefined;
  /** When it was last changed, ISO 8601. */
  changed: string | undefined;
  /** True when the browser has no room for it: it is lost with the page. */
  unkept: boolean;
  keep: (value: Value) => void;
  /** When it has been sent, or is not wanted any more. */
  discard: () => void;
}

const NONE: readonly Draft[] = [];

/** All drafts of who is signed in. */
export function useDrafts(): readonly Draft[] {
  const account = useMe().data?.account;
  return useSyncExternalStore(subscribeToDrafts, () => (account === undefined ? NONE : draftsOf(account)));
}

/**
 * One draft of who is signed in. It survives reloads, links and the end of the session. The browser asks before the
 * page is left while this view shows one.
 */
export function useDraft<Value>({ key, title, path, read }: DraftPlace<Value>): KeptDraft<Value> {
  const account = useMe().data?.account ?? '';
  const found = useDrafts().find((draft) => draft.key === key);
  const value = found === undefined ? undefined : read(found.value);
  useAskBeforeLeaving(value !== undefined);
  const keep = useCallback(
    (next: Value) => void keepDraft(account, { key, title, path, value: next }),
    [account, key, title, path],
  );
  const discard = useCallback(() => discardDraft(account, key), [account, key]);
  const changed = value === undefined ? undefined : found?.changed;
  return { value, changed, unkept: isUnkept(account, key), keep, discard };
}

/** Whether there is such a draft. A view that shows much beside the draft is not drawn again by each letter that is typed. */
export function useHasDraft<Value>({ key, read }: DraftPlace<Value>): boolean {
  const account = useMe().data?.account;
  return useSyncExternalStore(subscribeToDrafts, () => {
    const found = account === undefined ? undefined : draftsOf(account).find((draft) => draft.key === key);
    return found !== undefined && read(found.value) !== undefined;
  });
}
