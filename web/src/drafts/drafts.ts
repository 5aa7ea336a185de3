/**
 * What somebody has typed and not sent yet, kept in this browser until it is sent or discarded: it survives a reload, a
 * link, a session that ends and a browser that is closed. One account does not see another's.
 */
import { serviceRoot } from '../api/request.js';

export interface Draft {
  /** Unique among the drafts of the account, `sample SAMR1` say. */
  key: string;
  /** What it is, for the list of drafts. */
  title: string;
  /** View in which it goes on, `/samples/SAMR1`. */
  path: string;
  /** When it was last changed, ISO 8601. */
  changed: string;
  value: unknown;
}

/** Nobody misses an older one. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;
const MAX_DRAFTS = 100;

/** Several registries may stand on one host. */
const PREFIX = `draft ${serviceRoot.pathname} `;
const placeOf = (account: string, key: string): string => `${PREFIX}${JSON.stringify([account, key])}`;

const listeners = new Set<() => void>();
/** Drafts for which the browser has no room: they last as long as the page. */
const unkept = new Map<string, Draft>();
/** What useSyncExternalStore needs: the same list until something changes. */
const lists = new Map<string, readonly Draft[]>();

function tell(): void {
  lists.clear();
  for (const listener of listeners) listener();
}

export function subscribeToDrafts(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', tell);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', tell);
  };
}

/** The drafts of an account, the latest first; old ones are removed. */
export function draftsOf(account: string): readonly Draft[] {
  const known = lists.get(account);
  if (known) return known;
  const found: Draft[] = [];
  for (const place of places()) {
    const draft = draftAt(place);
    if (draft === undefined || Date.parse(draft.changed) < Date.now() - MAX_AGE_MS) forget(place);
    else if (placeOf(account, draft.key) === place) found.push(draft);
  }
  found.sort((one, other) => other.changed.localeCompare(one.changed));
  lists.set(account, found);
  return found;
}

/** False when the browser has no room for it: then it lasts only as long as the page. */
export function keepDraft(account: string, draft: Omit<Draft, 'changed'>): boolean {
  const place = placeOf(account, draft.key);
  const dated = { ...draft, changed: new Date().toISOString() };
  const others = draftsOf(account).filter(({ key }) => key !== draft.key);
  for (const { key } of others.slice(MAX_DRAFTS - 1)) forget(placeOf(account, key));
  let kept = true;
  try {
    localStorage.setItem(place, JSON.stringify(dated));
    unkept.delete(place);
  } catch {
    forget(place);
    unkept.set(place, dated);
    kept = false;
  }
  tell();
  return kept;
}

export function discardDraft(account: string, key: string): void {
  forget(placeOf(account, key));
  tell();
}

export const discardAllDrafts = (account: string): void => {
  for (const { key } of draftsOf(account)) forget(placeOf(account, key));
  tell();
};

/** True while a draft would be lost with the page. */
export const isUnkept = (account: string, key: string): boolean => unkept.has(placeOf(account, key));

function places(): string[] {
  try {
    const stored = Object.keys(localStorage).filter((place) => place.startsWith(PREFIX));
    return [...new Set([...stored, ...unkept.keys()])];
  } catch {
    return [...unkept.keys()];
  }
}

function draftAt(place: string): Draft | undefined {
  const inMemory = unkept.get(place);
  if (inMemory) return inMemory;
  try {
    const draft = JSON.parse(localStorage.getItem(place) ?? '') as Partial<Draft> | null;
    const whole = [draft?.key, draft?.title, draft?.path, draft?.changed].every((part) => typeof part === 'string');
    return whole ? (draft as Draft) : undefined;
  } catch {
    return undefined;
  }
}

function forget(place: string): void {
  unkept.delete(place);
  try {
    localStorage.removeItem(place);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
