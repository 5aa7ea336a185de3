/**
 * Stored files that no submission has and that no note names: of processes of versions before the notes, or where notes could not be listed.
 * That nobody needs them is known of this store alone, so they are removed only where that was asked for.
 */
import type { Blobs } from '../submissions/blobs.js';
import { UNACCEPTED_MS } from './purge.js';
import type { UpkeepStore } from './upkeep-store.js';

export interface OrphanDependencies {
  store: Pick<UpkeepStore, 'originalsAmong'>;
  blobs: Pick<Blobs, 'storedBefore' | 'delete'>;
  now: number;
}

/** Each question reads all submissions once. */
const ASKED_AT_ONCE = 10_000;
/** How originals and the texts of their workbooks are called; what else lies there is another's. */
const ORIGINAL = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(\.table)?$/;

/** Names them, sorted; `remove`: after each was deleted. */
export async function findOrphans({ store, blobs, now }: OrphanDependencies, remove: boolean): Promise<string[]> {
  const orphans: string[] = [];
  let asked: string[] = [];
  const ask = async (): Promise<void> => {
    const kept = new Set(await store.originalsAmong([...new Set(asked.map(originalOf))]));
    for (const key of asked) {
      if (kept.has(originalOf(key))) continue;
      if (remove) await blobs.delete(key);
      orphans.push(key);
    }
    asked = [];
  };
  for await (const keys of blobs.storedBefore(now - UNACCEPTED_MS)) {
    asked.push(...keys.filter((key) => ORIGINAL.test(key)));
    if (asked.length >= ASKED_AT_ONCE) await ask();
  }
  await ask();
  return orphans.sort();
}

const originalOf = (key: string): string => ORIGINAL.exec(key)?.[1] as string;
