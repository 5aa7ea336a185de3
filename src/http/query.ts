/** Reads query parameters. Unknown ones are ignored; a known one with a bad value is an error that names it. */
import type { IncomingMessage } from 'node:http';
import { RegistryError } from '../registry/errors.js';
import { ID } from './submission-address.js';

export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '';
  const at = url.indexOf('?');
  return new Query(at < 0 ? '' : url.slice(at + 1));
}

/** What stands in a text for bytes that are no UTF-8. */
const REPLACED = '\uFFFD';

/**
 * Refuses a parameter that is unclear, once it is asked for. One whose bytes are no UTF-8, read as another text, would find nothing, and
 * who asked would believe that there is nothing; the addresses of paths are held to the same. Of one that is given twice, the value that was
 * passed over may be the one that was meant.
 */
class Query extends URLSearchParams {
  readonly #replaces: boolean;

  constructor(written: string) {
    super(written);
    this.#replaces = [...this.values()].some((value) => value.includes(REPLACED)) && !/%EF%BF%BD/i.test(written);
  }

  /** Of a parameter that has one value. @throws RegistryError request.invalid */
  override get(name: string): string | null {
    const [value, ...more] = this.getAll(name);
    const other = more.find((one) => one !== value);
    if (value === undefined || other === undefined) return value ?? null;
    throw new RegistryError(
      'request.invalid',
      `${name} is given twice with different values, ${name}=${value.slice(0, 40)} and ${name}=${other.slice(0, 40)}; give it once.`,
    );
  }

  /** @throws RegistryError request.invalid */
  override getAll(name: string): string[] {
    const values = super.getAll(name);
    const value = this.#replaces && values.find((one) => one.includes(REPLACED));
    if (!value) return values;
    throw new RegistryError(
      'request.invalid',
      `${name}=${value.slice(0, 40)} holds percent-encoded bytes that are no UTF-8 (shown as ${REPLACED}); encode the text as UTF-8: ü is %C3%BC.`,
    );
  }
}

/** @throws RegistryError request.invalid */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
  range: { min: number; max: number; default: number },
): number {
  const text = query.get(name);
  if (text === null || text === '') return range.default;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new RegistryError(
    'request.invalid',
    `${name}=${text.slice(0, 40)} must be a whole number from ${range.min} to ${range.max}.`,
  );
}

/** `true` or `false`. @throws RegistryError request.invalid */
export function trueOrFalse(query: URLSearchParams, name: string, byDefault: boolean): boolean {
  const text = query.get(name);
  if (text === null) return byDefault;
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new RegistryError('request.invalid', `${name}=${text.slice(0, 40)} must be true or false.`);
}

/** Where a list goes on that has no numbered pages: a walk by numbers would get its first page for ever. @throws RegistryError request.invalid */
export function cursorOf(query: URLSearchParams): string | undefined {
  const page = query.get('page') || '0';
  if (page === '0') return query.get('cursor') || undefined;
  throw new RegistryError(
    'request.invalid',
    `page=${page.slice(0, 40)}: this list has no numbered pages; leave page out and follow the link "next".`,
  );
}

/** The id of the last entry of the page before. @throws RegistryError request.invalid */
export function idCursor(query: URLSearchParams): string | undefined {
  const cursor = cursorOf(query);
  if (cursor === undefined || ID.test(cursor)) return cursor?.toLowerCase();
  throw new RegistryError('request.invalid', 'cursor must be one that an earlier page gave in its link "next".');
}

/** Most entries that a page of any list holds. */
export const MAX_PAGE_SIZE = 200;
