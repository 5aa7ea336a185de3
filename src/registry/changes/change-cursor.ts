/** A place in the log of changes, as clients hold it. */

import { RegistryError } from '../errors.js';
import type { ChangeRun } from './change-store.js';

/** `part` samples of the run with this number are behind; `at` tells that the run is still the same one. */
export interface ChangeCursor {
  number: number;
  part: number;
  at: number;
}

export const START: ChangeCursor = { number: 0, part: 0, at: 0 };

export const cursorOf = ({ number, at }: ChangeRun, part: number): ChangeCursor => ({ number, part, at });

export const writeCursor = ({ number, part, at }: ChangeCursor): string =>
  Buffer.from([number, part, at].map((value) => value.toString(36)).join('.')).toString('base64url');

/** Whether a place of the log lies behind another one. */
export function isBehind(cursor: string, other: string): boolean {
  const [one, two] = [readCursor(cursor), readCursor(other)];
  return one.number > two.number || (one.number === two.number && one.part > two.part);
}

/** @throws RegistryError request.invalid */
export function readCursor(text: string): ChangeCursor {
  const plain = Buffer.from(text, 'base64url').toString('latin1');
  const [number, part, at] = /^[0-9a-z]{1,10}\.[0-9a-z]{1,7}\.[0-9a-z]{1,10}$/.test(plain)
    ? plain.split('.').map((value) => Number.parseInt(value, 36))
    : [];
  if (number === undefined || part === undefined || at === undefined) {
    throw new RegistryError(
      'request.invalid',
      'The cursor is not one of ours; give that of a change, the header Changes-Cursor of a page, or "latest".',
    );
  }
  return { number, part, at };
}
