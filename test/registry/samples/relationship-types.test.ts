import { describe, expect, it } from 'vitest';
import { followedTypes, readTypes } from '../../../src/registry/samples/relationship-types.js';

const invalid = (message: string) => expect.objectContaining({ code: 'request.invalid', message });

describe('types of relationships that are followed', () => {
  it('are those that say descent, unless others are named', () => {
    for (const none of [[], [' ', '']]) expect(readTypes(none)).toEqual(['derived from', 'child of', 'same as']);
    expect(readTypes([' made of ', ''])).toEqual(['made of']);
  });

  it('say which end is the older sample', () => {
    const types = ['Derived_From', 'same as', 'has member', 'parent of', 'HAS CHILD', 'constructor'];
    expect([...followedTypes(types)]).toEqual([
      ['derivedfrom', 'target'],
      ['sameas', 'same'],
      ['hasmember', 'source'],
      ['parentof', 'source'],
      ['haschild', 'source'],
      ['constructor', 'target'],
    ]);
  });

  it('are ten at most, of a hundred characters', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);
    expect(readTypes(names(10))).toHaveLength(10);
    expect(() => readTypes(names(11))).toThrow(invalid('types= names 11 types; 10 at most are followed at once.'));
    expect(readTypes(['x'.repeat(100)])).toHaveLength(1);
    expect(() => readTypes(['t', 'x'.repeat(101)])).toThrow(
      invalid(`types=${'x'.repeat(40)}… has more than 100 characters.`),
    );
  });
});
