/** What a token allows, by its scopes. */
import { describe, expect, it } from 'vitest';
import { isAccountName } from '../../src/auth/account-name.js';
import type { Scope } from '../../src/auth/account-store.js';
import { callerWith, hasScope, requireScope, type SignedIn } from '../../src/auth/caller.js';

const caller = (...scopes: Scope[]): SignedIn => ({ ...callerWith('lab-1', scopes), by: 'token' });

describe('scopes', () => {
  it.each<[Scope, ...boolean[]]>([
    // Whether it allows to read, to submit, to administer.
    ['read', true, false, false],
    ['submit', true, true, false],
    ['admin', true, true, true],
  ])('%s allows what it includes and nothing more', (scope, ...allowed) => {
    const asked: Scope[] = ['read', 'submit', 'admin'];
    expect(asked.map((wanted) => hasScope(caller(scope), wanted))).toEqual(allowed);
    expect(caller(scope)).toMatchObject({ account: 'lab-1', scopes: [scope], admin: scope === 'admin' });
  });

  it('that are missing are named, with what the token has', () => {
    const refusal = (scopes: Scope[]) => () => requireScope(caller(...scopes), 'admin');
    expect(refusal(['read', 'submit'])).toThrow(
      'needs a token with the scope "admin"; the one sent has: read, submit.',
    );
    expect(refusal([])).toThrow('the one sent has: none.');
    expect(refusal(['read'])).toThrow(expect.objectContaining({ code: 'auth.forbidden' }));
    expect(requireScope(caller('admin'), 'admin')).toEqual(caller('admin'));
  });

  it('ask of who is not signed in to send a token, and how', () => {
    expect(() => requireScope(undefined, 'read')).toThrow(
      expect.objectContaining({
        code: 'auth.required',
        message: expect.stringContaining('Authorization: Bearer TOKEN'),
      }),
    );
  });
});

describe('the name of an account', () => {
  it.each(['a', 'x'.repeat(128), 'ada@example.org', 'Größe 1', 'a b', 'a.', '...', '名前'])('may be %j', (name) => {
    expect(isAccountName(name)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    ' a',
    'a ',
    'x'.repeat(129),
    'a\nb',
    'a\u2028b',
    'a\u2029b',
    'a\u0000',
    'a\u200bb',
    '\ufeffa',
  ])('may not be %j', (name) => {
    expect(isAccountName(name)).toBe(false);
  });
});
