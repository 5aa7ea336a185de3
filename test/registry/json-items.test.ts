import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonForm, mayBeIsaJson } from '../../src/registry/json-form.js';
import { type JsonItem, jsonFormOf, jsonItems, parseItem } from '../../src/registry/json-items.js';
import '../support/seeds.js';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function itemsOf(
  text: string | Buffer,
  form: JsonForm = 'array',
  options: { size?: number; maxBytes?: number } = {},
): Promise<JsonItem[]> {
  const bytes = Buffer.from(text as string);
  const { size = bytes.length, ...others } = options;
  const items: JsonItem[] = [];
  for await (const block of jsonItems(inPieces(bytes, Math.max(1, size)), form, others)) {
    expect(block.items.length).toBeGreaterThan(0);
    expect(block.bytes % size === 0 || block.bytes === bytes.length).toBe(true);
    items.push(...block.items);
  }
  return items;
}
const refused = (line: number, message: string) =>
  expect.objectContaining({ code: 'file.not-understood', message, detail: { extra: { line } } });

describe('items of a JSON array', () => {
  it.each([
    ['[]', []],
    [' \t\r\n[ \n ] \n', []],
    ['[1]', ['1']],
    ['[ {"a":[1,{"b":2}],"c":"]},[{"} , [1,[2]] ]', ['{"a":[1,{"b":2}],"c":"]},[{"}', '[1,[2]]']],
    ['["a\\"]","b\\\\"]', ['"a\\"]"', '"b\\\\"']],
    ['["",{"":1},","]', ['""', '{"":1}', '","']],
    ['\ufeff[1,2]', ['1', '2']],
  ])('%s', async (text, texts) => {
    for (const size of [1, 2, 3, 1000]) {
      expect(await itemsOf(text, 'array', { size })).toEqual(texts.map((each, at) => ({ line: at + 1, text: each })));
    }
  });

  it('are the same in whatever pieces the text comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.nat(3),
        fc.integer({ min: 1, max: 9 }),
        async (values, indent, size) => {
          const items = await itemsOf(JSON.stringify(values, undefined, indent), 'array', { size });
          expect(items.map((item) => parseItem(item))).toEqual(
            JSON.parse(JSON.stringify(values)).map((value: unknown) => ({ value })),
          );
        },
      ),
    );
  });

  it('are as long as they are, whatever stands around the array', async () => {
    for (const size of [1, 2, 1000])
      expect(await itemsOf('   [12345]   ', 'array', { size, maxBytes: 5 })).toEqual([{ line: 1, text: '12345' }]);
  });

  it('are numbered where one is missing, and say so', async () => {
    const missing = 'There is nothing before this comma.';
    expect(await itemsOf('[,1,,2]')).toEqual([
      { line: 1, text: '', fault: missing },
      { line: 2, text: '1' },
      { line: 3, text: '', fault: missing },
      { line: 4, text: '2' },
    ]);
    expect((await itemsOf('[1, ]')).at(-1)).toEqual({
      line: 2,
      text: '',
      fault: 'There is nothing behind the last comma.',
    });
  });

  it.each(['[1,2', '[{"a":1', '["x]', '[', '[1,"a\\"]', '[1,2}', '[{"a":1}}'])('must end: %s', async (text) => {
    const line = text.startsWith('[1,') ? 2 : 1;
    await expect(itemsOf(text)).rejects.toEqual(
      refused(
        line,
        `The JSON array does not end: item ${line} or its closing bracket ] is cut off. Send the file whole.`,
      ),
    );
  });

  it('are followed by nothing', async () => {
    for (const text of ['[1,2] 3', '[1,2]]', '[1,2][3]']) {
      await expect(itemsOf(text)).rejects.toEqual(
        refused(2, 'Something follows the JSON array behind item 2. Send one array, or one object on each line.'),
      );
    }
    await expect(itemsOf('{"a":1}')).rejects.toEqual(refused(1, 'The JSON text does not begin with [ of an array.'));
  });
});

describe('items on lines', () => {
  it('have the number of their line; blank ones are left out and counted', async () => {
    for (const size of [1, 3, 1000]) {
      expect(await itemsOf('\ufeff{"a":1}\n\n  \r\n {"b":2} \r\n{"c":3}', 'lines', { size })).toEqual([
        { line: 1, text: '{"a":1}' },
        { line: 4, text: '{"b":2}' },
        { line: 5, text: '{"c":3}' },
      ]);
    }
  });
});

describe('an item that cannot be taken', () => {
  it('is longer than a sample may be: its beginning is shown, and the others are taken', async () => {
    const long = `"${'x'.repeat(200)}"`;
    for (const size of [1, 50, 1000]) {
      const [one, other] = await itemsOf(`${long}\n"${'y'.repeat(148)}"`, 'lines', { maxBytes: 150, size });
      expect(one).toMatchObject({ line: 1, fault: 'It is longer than 150 bytes, the most that one sample may have.' });
      expect(long.slice(0, 100).startsWith(one?.text ?? '-')).toBe(true);
      expect(other).toEqual({ line: 2, text: `"${'y'.repeat(148)}"` });
    }
  });

  it('is no UTF-8', async () => {
    const [item] = await itemsOf(Buffer.from([0x22, 0xff, 0x22]), 'lines');
    expect(item).toMatchObject({ line: 1, fault: 'It is not valid UTF-8.' });
    const [long] = await itemsOf(Buffer.from([0x22, 0xff, ...Buffer.from('x'.repeat(300)), 0x22]), 'lines');
    expect(long).toEqual({ line: 1, text: `"\ufffd${'x'.repeat(98)}`, fault: 'It is not valid UTF-8.' });
  });

  it('says why: the fault that was found, that of the text, or that of the parser', () => {
    expect(parseItem({ line: 1, text: '{', fault: 'f' })).toEqual({ fault: 'f' });
    expect(parseItem({ line: 1, text: '{"a":1,"a":2}' })).toEqual({
      fault: 'The member "a" is given twice in one object.',
    });
    expect(parseItem({ line: 1, text: '{"a"}' })).toEqual({
      fault: expect.stringMatching(/^It is not valid JSON: .+\.$/),
    });
    expect(parseItem({ line: 1, text: '{"a":1}' })).toEqual({ value: { a: 1 } });
  });
});

describe('the form of a JSON text', () => {
  it.each([
    ['[{', 'array'],
    [' [ ]', 'array'],
    ['[', 'array'],
    ['\ufeff[{"a":1}]', 'array'],
    ['{"a":1}\n{"a":2}', 'lines'],
    ['{"a":1} \r\n', 'lines'],
    ['{}', 'lines'],
    ['{"name":"a long sample', 'lines'],
    ['{"edit":{}}\n{}', 'edit'],
    ['{ "edit" : 1', 'edit'],
    ['\n {"edit":{}}\n{}', 'edit'],
    ['{"a":{"edit":1}}\n', 'lines'],
    ['{"editor":1}', 'lines'],
    ['{\n"a":1\n}', undefined],
    ['{"a":1,\n"b":2}', undefined],
    ['[1]', undefined],
    ['[x]', undefined],
    ['a\tb', undefined],
    ['x[{', undefined],
    ['x{"a":1}', undefined],
    ['{a', undefined],
    ['', undefined],
  ])('%j is %s', (text, form) => expect(jsonFormOf(Buffer.from(text))).toBe(form));
});

it.each([
  ['{"identifier":"","studies":[]}', true],
  ['\ufeff \n{ "studies":', true],
  ['{"name":"x"}', false],
  ['["studies"]', false],
  ['x{"studies":1}', false],
])('%j may be ISA-JSON: %s', (text, may) => expect(mayBeIsaJson(text)).toBe(may));
