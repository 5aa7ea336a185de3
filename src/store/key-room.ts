/** How many key spaces an account may have. */
import { RegistryError } from '../registry/errors.js';
import { REQUEST_KEYS } from '../registry/samples/repeated-requests.js';
import { MOST_KEY_SPACES } from '../registry/samples/row-key.js';

/** @throws RegistryError conflict for one key space too many */
export function requireRoomForSpace(present: number, name: string): void {
  if (present < MOST_KEY_SPACES || name === REQUEST_KEYS) return;
  throw new RegistryError(
    'conflict',
    `The account has ${present} key spaces, as many as it may have; use one of them instead of ${name}.`,
  );
}
