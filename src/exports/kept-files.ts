/** Files of kept whole results: each attempt to make one has a name of its own, so that no two write the same. */

import type { KeptClaim } from '../registry/search/kept-export-store.js';
import type { Blobs } from '../submissions/blobs.js';

export const keyOf = ({ id, attempts }: KeptClaim): string => `${id}-${attempts}.export`;

/** Removes those of all attempts before the given one. */
export async function removeFilesBefore(blobs: Pick<Blobs, 'delete'>, { id, attempts }: KeptClaim): Promise<void> {
  for (let attempt = 1; attempt < attempts; attempt++) await blobs.delete(keyOf({ id, attempts: attempt }));
}

/** Removes those of all attempts. */
export const removeFiles = (blobs: Pick<Blobs, 'delete'>, { id, attempts }: KeptClaim): Promise<void> =>
  removeFilesBefore(blobs, { id, attempts: attempts + 1 });
