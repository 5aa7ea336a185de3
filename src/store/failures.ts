/** What a database's failures mean in the catalogue's words, whichever database it is. */
import { RegistryError } from '../registry/errors.js';

/** The driver's or the system's code of a failure; '' without one. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const storageIsFull = (cause: unknown): RegistryError =>
  new RegistryError('storage.full', 'The disk that holds the store is full; nothing of this was stored.', { cause });

export const storeIsBusy = (cause?: unknown): RegistryError =>
  new RegistryError('service.unavailable', 'The store is busy with other writes; try again in a minute.', { cause });

export const storeIsAway = (cause: unknown): RegistryError =>
  new RegistryError('service.unavailable', 'The store cannot be reached now; try again in a minute.', { cause });

export const storeIsReadOnly = (cause?: unknown): RegistryError =>
  new RegistryError(
    'service.unavailable',
    'The store can be read and takes no changes now, as its database is read-only; try again in a minute.',
    { cause },
  );

/** `what`: the part of the database that is not as it was written, as the beginning of a sentence. */
export const storageIsDamaged = (what: string, cause?: unknown): RegistryError =>
  new RegistryError(
    'storage.damaged',
    `${what} in the database is not what was stored; whoever runs this service finds out with \`sample-registry verify\` and takes it from a backup.`,
    ...(cause === undefined ? [] : [{ cause }]),
  );
