import { describe, expect, it } from 'vitest';
import { pointedAt, pointerTo, stepName } from '../../src/registry/json-pointer.js';

describe('JSON pointers', () => {
  it('name steps as they are, with ~ and / written otherwise', () => {
    expect(pointerTo(['a', 0, 'b/~', '~1'])).toBe('/a/0/b~1~0/~01');
    expect(pointerTo([])).toBe('');
    expect(stepName('b~1~0')).toBe('b/~');
    expect(stepName('~01')).toBe('~1');
  });

  it.each([
    ['/a/0/b~1', 5],
    ['', { a: [{ 'b/': 5 }] }],
    ['/a/1', undefined],
    ['/toString', undefined],
    ['/a/0/b~1/c', undefined],
    ['/x/y', undefined],
  ])('%j points at %j', (pointer, value) => expect(pointedAt({ a: [{ 'b/': 5 }] }, pointer)).toEqual(value));

  it('point at nothing within null or a text', () => {
    expect(pointedAt({ a: null }, '/a/b')).toBeUndefined();
    for (const within of ['/a/0', '/a/length']) expect(pointedAt({ a: 'abc' }, within)).toBeUndefined();
  });
});
