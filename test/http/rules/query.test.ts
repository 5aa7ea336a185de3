/** What a query parameter may say, and that a refusal names the parameter, its value and what to do. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { cursorOf, idCursor, queryOf, trueOrFalse, wholeNumber } from '../../../src/http/query.js';
import { RegistryError } from '../../../src/registry/errors.js';

const query = (written: string): URLSearchParams => queryOf({ url: `/samples?${written}` } as IncomingMessage);

const refusal = (ask: () => unknown): string => {
  try {
    ask();
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'request.invalid') return error.message;
    throw error;
  }
  return 'taken';
};
const LONG = 'x'.repeat(60);

describe('a query', () => {
  it('is what stands behind the first question mark, or empty', () => {
    const of = (url?: string) => [...queryOf({ url } as IncomingMessage)];
    expect(of('/samples')).toEqual([]);
    expect(of('/samples?')).toEqual([]);
    expect(of(undefined)).toEqual([]);
    expect(of('?size=2')).toEqual([['size', '2']]);
    expect(of('/samples?text=a?b&size=2')).toEqual([
      ['text', 'a?b'],
      ['size', '2'],
    ]);
  });
});

describe('a parameter', () => {
  it('that is given twice with one value has that one, and with two is refused with both', () => {
    expect(query('size=2').get('size')).toBe('2');
    expect(query('size=2&size=2&size=2').get('size')).toBe('2');
    expect(query('size=2').get('page')).toBeNull();
    expect(refusal(() => query('size=2&size=2&size=3').get('size'))).toBe(
      'size is given twice with different values, size=2 and size=3; give it once.',
    );
    expect(refusal(() => query(`text=${LONG}&text=y${LONG}`).get('text'))).toBe(
      `text is given twice with different values, text=${LONG.slice(0, 40)} and text=y${LONG.slice(0, 39)}; give it once.`,
    );
    expect(query('size=2&size=3').getAll('size')).toEqual(['2', '3']);
  });

  it('whose bytes are no UTF-8 is refused, and others beside it are read', () => {
    const broken = query(`text=a&filter=b&filter=M%FC${LONG}`);
    expect(broken.get('text')).toBe('a');
    expect(broken.getAll('size')).toEqual([]);
    for (const ask of [() => broken.get('filter'), () => broken.getAll('filter')])
      expect(refusal(ask)).toBe(
        `filter=M\uFFFD${LONG.slice(0, 38)} holds percent-encoded bytes that are no UTF-8 (shown as \uFFFD); encode the text as UTF-8: ü is %C3%BC.`,
      );
  });

  it('that says the mark for unreadable bytes itself is read', () => {
    for (const mark of ['%EF%BF%BD', '%ef%bf%bd']) expect(query(`text=a${mark}`).get('text')).toBe('a\uFFFD');
  });
});

describe('a whole number', () => {
  const sizeOf = (written: string) => wholeNumber(query(written), 'size', { min: 1, max: 200, default: 20 });

  it.each([
    ['', 20],
    ['size=', 20],
    ['size=1', 1],
    ['size=200', 200],
    ['size=007', 7],
  ])('is read of %s', (written, number) => {
    expect(sizeOf(written)).toBe(number);
  });

  it.each(['0', '201', '-1', '+1', '1.0', '1e1', '0x10', ' 1', 'NaN', '1 ', '9'.repeat(16), '1,2'])(
    'is not read of size=%s, which is refused with its range',
    (written) => {
      expect(refusal(() => sizeOf(`size=${encodeURIComponent(written)}`))).toBe(
        `size=${written} must be a whole number from 1 to 200.`,
      );
    },
  );

  it('may have fifteen digits, and of more as many as tell what was written are repeated', () => {
    const versionOf = (written: string) => wholeNumber(query(written), 'version', { min: 0, max: 1e15, default: 1 });
    expect(versionOf(`version=${'9'.repeat(15)}`)).toBe(999_999_999_999_999);
    expect(refusal(() => versionOf(`version=${'9'.repeat(60)}`))).toContain(`version=${'9'.repeat(40)} must`);
  });
});

describe('true or false', () => {
  it('is one of the two words, or what is meant by default', () => {
    const asked = (written: string, byDefault: boolean) => trueOrFalse(query(written), 'dryRun', byDefault);
    expect([asked('', true), asked('', false)]).toEqual([true, false]);
    expect([asked('dryRun=true', false), asked('dryRun=false', true)]).toEqual([true, false]);
    for (const other of ['', '1', 'TRUE', 'yes', 'falsey'])
      expect(refusal(() => asked(`dryRun=${other}`, true))).toBe(`dryRun=${other} must be true or false.`);
    expect(refusal(() => asked(`dryRun=${LONG}`, true))).toBe(`dryRun=${LONG.slice(0, 40)} must be true or false.`);
  });
});

describe('where a list goes on', () => {
  const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';

  it('is said by the cursor, and not by the number of a page', () => {
    expect(cursorOf(query(''))).toBeUndefined();
    expect(cursorOf(query('cursor=&page='))).toBeUndefined();
    expect(cursorOf(query('cursor=a&page=0'))).toBe('a');
    expect(refusal(() => cursorOf(query('page=1&cursor=a')))).toBe(
      'page=1: this list has no numbered pages; leave page out and follow the link "next".',
    );
    expect(refusal(() => cursorOf(query(`page=${LONG}`)))).toContain(`page=${LONG.slice(0, 40)}: this`);
  });

  it('by the id of an entry: of one of ours, in either case, and of nothing else', () => {
    expect(idCursor(query(''))).toBeUndefined();
    expect(idCursor(query(`cursor=${ID}`))).toBe(ID);
    expect(idCursor(query(`cursor=${ID.toUpperCase()}`))).toBe(ID);
    for (const other of ['7', `${ID}0`, `0${ID}`, ID.replace('-', '0')])
      expect(refusal(() => idCursor(query(`cursor=${other}`)))).toBe(
        'cursor must be one that an earlier page gave in its link "next".',
      );
  });
});
