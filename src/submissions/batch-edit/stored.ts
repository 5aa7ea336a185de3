/** The samples that an edit names, as they are now. */

import { RegistryError } from '../../registry/errors.js';
import { encodeContent } from '../../registry/samples/content-json.js';
import type { StoredSample } from '../../registry/samples/sample.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import type { StoredForEdit } from '../reading/read-task.js';

type Store = Pick<SearchStore, 'readSamples'>;

/** Those that there are; one whose stored row was damaged keeps no other from being read. */
export async function storedForEdit(store: Store, ids: readonly number[]): Promise<StoredForEdit[]> {
  try {
    return (await store.readSamples(ids)).map(({ sample }) => forEdit(sample));
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === 'storage.damaged')) throw error;
    if (ids.length === 1) return [{ id: ids[0] as number, damaged: true }];
    const each: StoredForEdit[] = [];
    for (const id of ids) each.push(...(await storedForEdit(store, [id])));
    return each;
  }
}

export const forEdit = ({ id, account, name, release, version, submitted, content }: StoredSample): StoredForEdit => ({
  id,
  account,
  name,
  release,
  version,
  submitted: submitted !== undefined,
  doc: encodeContent(content),
});
