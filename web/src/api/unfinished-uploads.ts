/**
 * Uploads of large files whose pieces are with the service and which have not come to their end: kept in this browser, so
 * that they go on after a reload, once the file has been chosen again, which no page can do by itself. One account does
 * not see another's, and what another tab is sending is that tab's.
 */
import type { GivenOptions } from '../../../src/submissions/uploads/upload-options.js';
import { serviceRoot } from './request.js';

export interface UnfinishedUpload {
  /** Of the service. */
  id: string;
  name: string;
  size: number;
  lastModified: number;
  options: GivenOptions;
  /** Bytes that had arrived when it was last heard of. */
  arrived: number;
  /** Milliseconds since 1970, by this browser's clock: when it was begun, and when its tab last said that it is at it. */
  begun: number;
  seen: number;
  /** The tab that sends it, reloads included. */
  tab: string;
}

/** The service keeps pieces for a day. */
const LIFE_MS = 24 * 3_600_000;
/** A tab says at least once a minute that it is at it, also in the background. */
const SILENT_MS = 150_000;
export const SAID_EVERY_MS = 30_000;

/** Several registries may stand on one host. */
const PREFIX = `unfinished upload ${serviceRoot.pathname} `;
const placeOf = (account: string, id: string): string => `${PREFIX}${JSON.stringify([account, id])}`;

const listeners = new Set<() => void>();
/** For browsers that keep nothing: as long as the page. */
const inMemory = new Map<string, string>();

export function onUnfinishedUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function write(place: string, text: string | undefined): void {
  if (text === undefined) inMemory.delete(place);
  else inMemory.set(place, text);
  try {
    if (text === undefined) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch {
    // It goes on as long as the page is open.
  }
  for (const listener of listeners) listener();
}

export const keepUnfinished = (account: string, upload: Omit<UnfinishedUpload, 'seen' | 'tab'>): void =>
  write(placeOf(account, upload.id), JSON.stringify({ ...upload, seen: Date.now(), tab: thisTab() }));

export const forgetUnfinished = (account: string, id: string): void => write(placeOf(account, id), undefined);

/** Those of the account that this tab may go on with, as text that is the same until one of them is another; the latest first. */
export function unfinishedTexts(account: string): string {
  const now = Date.now();
  const found = places().flatMap((place) => {
    const upload = parsed(textAt(place));
    if (upload === undefined || now - upload.begun > LIFE_MS) {
      forgetPlace(place);
      return [];
    }
    const free = upload.tab === thisTab() || now - upload.seen > SILENT_MS;
    return free && placeOf(account, upload.id) === place ? [upload] : [];
  });
  return JSON.stringify(found.sort((one, other) => other.begun - one.begun));
}

export const unfinishedOf = (account: string): UnfinishedUpload[] =>
  JSON.parse(unfinishedTexts(account)) as UnfinishedUpload[];

type FileLike = Pick<File, 'name' | 'size' | 'lastModified'>;

export const isSameFile = (one: FileLike, other: FileLike): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

function places(): string[] {
  const kept = [...inMemory.keys()];
  try {
    return [...new Set([...kept, ...Object.keys(localStorage).filter((place) => place.startsWith(PREFIX))])];
  } catch {
    return kept;
  }
}

function textAt(place: string): string | null {
  try {
    return localStorage.getItem(place) ?? inMemory.get(place) ?? null;
  } catch {
    return inMemory.get(place) ?? null;
  }
}

function forgetPlace(place: string): void {
  inMemory.delete(place);
  try {
    localStorage.removeItem(place);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function parsed(text: string | null): UnfinishedUpload | undefined {
  try {
    const upload = JSON.parse(text ?? '') as Partial<UnfinishedUpload>;
    const texts = [upload.id, upload.name, upload.tab].every((part) => typeof part === 'string');
    const numbers = [upload.size, upload.lastModified, upload.arrived, upload.begun, upload.seen].every(
      Number.isFinite,
    );
    return texts && numbers && typeof upload.options === 'object' ? (upload as UnfinishedUpload) : undefined;
  } catch {
    return undefined;
  }
}

let tab: string | undefined;

function thisTab(): string {
  tab ??= rememberedTab();
  return tab;
}

function rememberedTab(): string {
  const fresh = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  try {
    const known = sessionStorage.getItem('tab') ?? fresh;
    sessionStorage.setItem('tab', known);
    return known;
  } catch {
    return fresh;
  }
}
