/** Texts that travel to PostgreSQL in one parameter: as one string, or as bytes where there are many. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JoinedTexts, readText, SEPARATOR } from '../../src/store/postgres/text.js';

const special = fc.constantFrom('', '\u0000', '\u0001', SEPARATOR, '\u00010', 'plain', 'µl', '😀');
const text = fc.array(special, { maxLength: 4 }).map((parts) => parts.join(''));

const read = (sent: string | Buffer): string[] => sent.toString().split(SEPARATOR).map(readText);

describe('texts in one parameter', () => {
  it('come back as they were, however long and whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.constantFrom(0, 0, 1, 3000, 40_000)), { minLength: 1, maxLength: 40 }),
        (drawn) => {
          const texts = drawn.map(([one, times], at) => one + `${at} `.repeat(times));
          expect(read(new JoinedTexts(texts).toPostgres())).toEqual(texts);
        },
      ),
    );
  });

  it('are bytes where they are many, and a list before is not read again', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `sample ${at}, ${'liver '.repeat(8)}`);
    const first = new JoinedTexts(many).toPostgres();
    expect(first).toBeInstanceOf(Buffer);
    expect(read(first)).toEqual(many);
    const fewer = many.slice(1000);
    expect(read(new JoinedTexts(fewer).toPostgres())).toEqual(fewer);
    expect(new JoinedTexts(many.slice(0, 2)).toPostgres()).toBe(many.slice(0, 2).join(SEPARATOR));
  });
});
