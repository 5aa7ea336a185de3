/** How many resumable uploads may be unfinished: their pieces lie on this machine's disk. */
import { RegistryError } from '../../registry/errors.js';

export interface Unfinished {
  account: string;
  size: number;
}

/** In all, and of one account. */
const MOST_UNFINISHED = 5_000;
const MOST_OF_ACCOUNT = 200;

/** Those of the account. @throws RegistryError rate.limited where there may be no more */
export function withRoom(unfinished: ReadonlyMap<string, Unfinished>, account: string): Unfinished[] {
  const mine = [...unfinished.values()].filter((upload) => upload.account === account);
  if (unfinished.size < MOST_UNFINISHED && mine.length < MOST_OF_ACCOUNT) return mine;
  throw new RegistryError(
    'rate.limited',
    `There are ${mine.length} unfinished uploads of this account, and ${unfinished.size} of all; finish some or give them up (DELETE), or wait until they expire.`,
    { extra: { retryAfter: 600 } },
  );
}
