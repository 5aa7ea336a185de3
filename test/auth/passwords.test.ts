/** How passwords are kept and compared. */
import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPassword, passwordMatches } from '../../src/auth/passwords.js';

const cost = { N: 16, r: 1, p: 1 };
const salt = Buffer.from('the salt of it');
/** As one that was stored years ago, by whatever program. */
const stored = (password: string, { kind = 'scrypt', N = 32, r = 2, p = 2 } = {}): string =>
  [kind, N, r, p, salt.toString('base64url'), scryptSync(password, salt, 32, { N, r, p }).toString('base64url')].join(
    '$',
  );

describe('a password', () => {
  it.each([10, 1024])('may have %i characters', async (length) => {
    const password = 'x'.repeat(length);
    expect(await passwordMatches(password, await hashPassword(password, cost))).toBe(true);
  });

  it.each([0, 9, 1025])('may not have %i', async (length) => {
    await expect(hashPassword('x'.repeat(length), cost)).rejects.toMatchObject({
      code: 'request.invalid',
      message: `A password has 10 to 1024 characters; this one has ${length}.`,
    });
  });

  it('is compared by the cost and the salt that it was stored with', async () => {
    expect(await passwordMatches('a long password', stored('a long password'))).toBe(true);
    expect(await passwordMatches('a long passworD', stored('a long password'))).toBe(false);
  });

  it('is the same however its letters are put together', async () => {
    expect(await passwordMatches('Mu\u0308ller \ufb01nds it', await hashPassword('M\u00fcller finds it', cost))).toBe(
      true,
    );
  });

  it('that is longer than any may be is not even compared', async () => {
    const long = 'x'.repeat(1025);
    expect(await passwordMatches(long, stored(long))).toBe(false);
  });

  it('matches nothing that is stored in another way, or in part', async () => {
    const whole = stored('a long password');
    const [kind, N, r, p, saltText] = whole.split('$');
    const without = [
      [kind, N, r, p, '', whole.split('$')[5]],
      [kind, N, r, p, saltText, ''],
      [kind, N, r, p, saltText],
      [kind],
    ];
    for (const parts of without) expect(await passwordMatches('a long password', parts.join('$'))).toBe(false);
    expect(await passwordMatches('a long password', stored('a long password', { kind: 'plain' }))).toBe(false);
    expect(await passwordMatches('a long password', '')).toBe(false);
  });

  it('costs as much to compare where there is none', async () => {
    expect(await passwordMatches('a long password', undefined, cost)).toBe(false);
    // A cost that scrypt refuses shows that it is asked.
    await expect(passwordMatches('a long password', undefined, { ...cost, N: 3 })).rejects.toThrow();
  });
});
