import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../src/registry/json-fault.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const parts = (elements: number): string => `[${Array.from({ length: elements }, () => '1').join(',')}]`;

describe('a JSON text has no fault', () => {
  it.each([
    '{}',
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"a"}',
    '["a","a"]',
    '{"a":["a","a"],"b":["a"]}',
    '{"\\"":1,"\\"\\"":2}',
    '"\\\\"',
    '{"a\\\\":1,"a":2}',
    '{"x":"{[,:"}',
    '{"😀":"\\ud83d\\ude00"}',
    // No JSON: the parser says so.
    '{"a":1',
    '"no end',
    '"\\x"',
    '{"\\x":1,"\\y":2}',
    ']]}',
    '',
  ])('%s', (text) => expect(findJsonFault(text)).toBeUndefined());

  it('of 64 levels, nor when other lists are closed before', () => {
    expect(findJsonFault(nested(64))).toBeUndefined();
    expect(findJsonFault(`[${Array.from({ length: 5 }, () => nested(40)).join(',')}]`)).toBeUndefined();
    expect(findJsonFault(`[${Array.from({ length: 70 }, () => '{}').join(',')}]`)).toBeUndefined();
  });

  it('of as many members and elements as a body may have, and more commas within texts', () => {
    expect(findJsonFault(parts(40_000))).toBeUndefined();
    expect(findJsonFault(`["${','.repeat(50_000)}"]`)).toBeUndefined();
  });
});

describe('a JSON text has a fault, which names it and what to do', () => {
  it.each([
    ['{"a":1,"a":2}', 'The member "a" is given twice in one object.'],
    ['{"a":1,"b":{},"a" \t\n\r:2}', 'The member "a" is given twice in one object.'],
    ['{"a":1,"\\u0061":2}', 'The member "a" is given twice in one object.'],
    ['[{"x":{"b":[],"b":0}}]', 'The member "b" is given twice in one object.'],
    [`{"${'y'.repeat(70)}":1,"${'y'.repeat(70)}":1}`, `The member "${'y'.repeat(60)}" is given twice in one object.`],
    ['"a\\u0000"', 'The text "a\\u0000" holds a NUL or half a surrogate pair, which cannot be stored.'],
    [
      `"\\u0000${'z'.repeat(70)}"`,
      `The text "\\u0000${'z'.repeat(59)}" holds a NUL or half a surrogate pair, which cannot be stored.`,
    ],
    ['["\\ud800"]', 'The text "\\ud800" holds a NUL or half a surrogate pair, which cannot be stored.'],
    ['{"\uDFFF":1}', 'The text "\\udfff" holds a NUL or half a surrogate pair, which cannot be stored.'],
    [nested(65), 'It is nested more than 64 levels deep.'],
    ['{"a":'.repeat(65), 'It is nested more than 64 levels deep.'],
    [
      parts(40_001),
      'It has 40001 members, elements, lists and objects in all, more than the 40000 that a body may have; leave out what says nothing, or divide it.',
    ],
  ])('%.40s', (text, fault) => expect(findJsonFault(text)).toBe(fault));

  it('of objects as of lists', () => {
    expect(findJsonFault(`[${Array.from({ length: 20_001 }, () => '{}').join(',')}]`)).toContain('It has 40002 ');
  });
});
