/** How many key spaces an account may have. */
import { RegistryError } from '../registry/errors.js';
import { MOST_KEY_SPACES } from '../registry/samples/row-key.js';

/** @throws RegistryError conflict for one key space too many */
export function requireRoomForSpace(present: number, name: string): void {
  if (present < MOST_KEY_SPACES) return;
  throw new RegistryError(
    'conflict',
    `The account has ${present} key spaces, as many as it may have; use one of them instead of ${name}.`,
  );
}
