import { describe, expect, it } from 'vitest';
import { fingerprint, matchesTag } from '../../../src/registry/samples/fingerprint.js';

describe('entity tags', () => {
  it('are equal for equal documents whatever the order of members, and differ otherwise', () => {
    const tag = fingerprint({ name: 'n', characteristics: { a: [1], b: [2] } });
    expect(tag).toMatch(/^"[A-Za-z0-9_-]{27}"$/);
    expect(fingerprint({ characteristics: { b: [2], a: [1] }, name: 'n' })).toBe(tag);
    expect(fingerprint({ name: 'n', characteristics: { a: [1], b: [3] } })).not.toBe(tag);
    expect(fingerprint(JSON.parse('{"__proto__":1}'))).not.toBe(fingerprint({}));
    // The first 27 characters of SHA-256 in base64url, from openssl: a change of the rule, which makes every
    // client's cache stale, is noticed.
    expect(fingerprint({ name: 'n' })).toBe('"5deyrbj7n5GHY4IpsKLPJBxfFVh"');
  });

  it.each([
    ['"a"', 'strong', true],
    ['W/"a"', 'weak', true],
    ['W/"a"', 'strong', false],
    ['"x", "a"', 'strong', true],
    ['"x",W/"a"', 'weak', true],
    ['*', 'strong', true],
    [' * ', 'weak', true],
    ['"x"', 'weak', false],
    ['a', 'weak', false],
    ['', 'weak', false],
    ['"b,a"', 'weak', false],
  ] as const)('%s compared %s', (header, compare, matches) => {
    expect(matchesTag(header, ['"a"', '"b"'], compare)).toBe(matches);
  });

  it('are compared whole', () => {
    const tag = fingerprint({ name: 'n' });
    expect(matchesTag(`"x", ${tag}`, [tag], 'strong')).toBe(true);
    expect(matchesTag('""', [tag], 'strong')).toBe(false);
  });
});
