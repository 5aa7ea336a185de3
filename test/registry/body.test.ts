import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  filledText,
  invalid,
  joinProblems,
  Problems,
  requireObject,
  text,
  textOrNumber,
} from '../../src/registry/body.js';

const at = (dataPath: string, ...errors: string[]) => ({ dataPath, errors });
const found = (schema: z.ZodType, value: unknown, path: PropertyKey[] = ['a']) => {
  const problems = new Problems();
  const read = problems.read(schema, value, path);
  return problems.found.length > 0 ? problems.found : read;
};

describe('a value of a body', () => {
  it.each([
    [text, ' x ', 'x'],
    [text, '', ''],
    [textOrNumber, 5, '5'],
    [textOrNumber, 1.5, '1.5'],
    [textOrNumber, 9_007_199_254_740_991, '9007199254740991'],
    [textOrNumber, 1e-7, '1e-7'],
    [textOrNumber, ' x ', 'x'],
    [filledText, ' x ', 'x'],
  ])('%# is read', (schema, value, read) => expect(found(schema, value)).toBe(read));

  const unstorable = 'holds a NUL or half of a surrogate pair; take it out';
  it.each([
    [text, 5, 'must be a text in quotes'],
    [text, null, 'is required'],
    [text, undefined, 'is required'],
    [text, 'a\0', unstorable],
    [text, '\ud800', unstorable],
    [textOrNumber, true, 'must be a text in quotes'],
    [textOrNumber, undefined, 'is required'],
    [textOrNumber, null, 'is required'],
    [textOrNumber, 9_007_199_254_740_992, 'must be a text in quotes: a number of this size loses digits'],
    [textOrNumber, '\udfff', unstorable],
    [filledText, ' ', 'is required and must not be empty'],
    [z.array(text), {}, 'must be a list in [ ]'],
    [z.looseObject({}), [], 'must be an object in { }'],
    [z.int(), '5', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.number(), '5', 'must be a number'],
    [z.boolean(), '5', 'must be true or false'],
    [z.int().max(9), 10, 'must be 9 or less'],
    [z.int().min(0), -1, 'must be 0 or more'],
    [z.string().max(1), 'ab', 'must have at most 1 characters'],
    [z.array(text).min(1), [], 'must have at least 1 elements'],
    [z.enum(['a', 'b']), 'c', 'must be "a" or "b"'],
    [z.strictObject({}), { odd: 1 }, 'has "odd", which is not known here; correct it or leave it out'],
    [
      z.union([z.literal(1), z.strictObject({ x: text })]),
      'c',
      'has none of the forms that it may have; /docs shows them',
    ],
  ])('%# is refused in words at its place', (schema, value, message) => {
    expect(found(schema, value)).toEqual([at('/a', message)]);
  });

  it('is named by where it stands in the whole', () => {
    expect(found(z.array(z.object({ 'b/~': text })), [{ 'b/~': 'x' }, { 'b/~': 5 }], ['a', 0])).toEqual([
      at('/a/0/1/b~1~0', 'must be a text in quotes'),
    ]);
  });
});

describe('problems of a body', () => {
  it('are reported once, several of one place together', () => {
    const problems = new Problems();
    for (const message of ['one', 'two', 'one']) problems.add(['a'], message);
    expect(problems.found).toEqual([at('/a', 'one', 'two')]);
  });

  it('are those of a thousand places, and that there are more', () => {
    const problems = new Problems();
    for (let place = 0; place < 1000; place++) problems.add([place], 'm');
    expect([problems.found.length, problems.full]).toEqual([1000, false]);
    problems.add([999], 'another');
    expect(problems.full).toBe(false);
    for (const place of [1000, 1001]) problems.add([place], 'm');
    expect([problems.found.length, problems.full]).toEqual([1001, true]);
    expect(problems.found.at(-1)).toEqual(
      at('', 'has more problems than the 1000 places listed here; correct these first'),
    );
    expect(problems.found[999]).toEqual(at('/999', 'm', 'another'));
  });

  it('are thrown where there are any', () => {
    const problems = new Problems();
    expect(problems.throwAs('curation.invalid')).toBeUndefined();
    problems.add(['a'], 'is wrong');
    expect(() => problems.throwAs('curation.invalid')).toThrow(
      expect.objectContaining({
        code: 'curation.invalid',
        message: '/a is wrong.',
        detail: { errors: [at('/a', 'is wrong')] },
      }),
    );
  });

  it('are summed up by the first three', () => {
    const errors = [at('', 'is wrong.'), at('/b', 'is bad...', 'and more'), at('/c', 'c'), at('/d', 'd'), at('/e')];
    expect(invalid('sample.invalid', errors.slice(0, 3)).message).toBe('the body is wrong; /b is bad; /c c.');
    expect(invalid('sample.invalid', errors).message).toBe('the body is wrong; /b is bad; /c c; and 2 more.');
    expect(invalid('sample.invalid', errors).detail.errors).toEqual(errors);
  });

  it('of two lists are joined: of one place, what is around it and within it, those of the first', () => {
    const first = [at('/a', 'first'), at('/b/0/c', 'first')];
    const second = ['/a', '/a/0', '/ab', '/b', '/b/0', '/b/0/c', '/b/0/cd', '/c'].map((path) => at(path, 'second'));
    expect(joinProblems(first, second)).toEqual([
      ...first,
      at('/ab', 'second'),
      at('/b/0/cd', 'second'),
      at('/c', 'second'),
    ]);
    expect(joinProblems([], second)).toEqual(second);
  });
});

describe('what is wrong with a body, in one sentence', () => {
  it('ends once, whatever points the problems have', () => {
    const problems = [at('/a', 'must be 1.5 or more.'), at('', 'is too long...'), at('/c', 'no. 3'), at('/d', 'x')];
    expect(invalid('request.invalid', problems).message).toBe(
      '/a must be 1.5 or more; the body is too long; /c no. 3; and 1 more.',
    );
  });

  it('is said by the rule that it breaks, where that is no matter of types', () => {
    expect(found(z.array(text).max(1, 'holds more than one'), ['x', 'y'])).toEqual([at('/a', 'holds more than one')]);
    const [{ errors } = { errors: [''] }] = found(z.array(text).max(1), ['x', 'y']) as { errors: string[] }[];
    expect(errors[0]).not.toMatch(/^must be/);
  });
});

describe('a body', () => {
  it.each([null, undefined, 5, 'x', [], [{}]])('is one JSON object, not %j', (body) => {
    expect(() => requireObject(body)).toThrow(
      expect.objectContaining({ code: 'request.invalid', message: 'The body must be one JSON object in { }.' }),
    );
  });

  it('is given back as it is', () => {
    const body = { a: 1 };
    expect(requireObject(body)).toBe(body);
  });
});
