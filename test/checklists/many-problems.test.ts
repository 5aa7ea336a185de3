/** A sample may have as many problems as a body or a row has values: what is done for each must not go over all of them. */
import { Ajv } from 'ajv';
import { describe, expect, it, vi } from 'vitest';
import { createCompiler, type Verdict } from '../../src/checklists/compile.js';
import { readFields } from '../../src/checklists/fields.js';
import { type ChecklistFile, loadChecklistFiles } from '../../src/checklists/load.js';
import { findProblems, MORE_PROBLEMS, type RowChecklist } from '../../src/checklists/problems.js';
import { checkFor } from '../../src/checklists/sheet-check.js';
import { spellingOf } from '../../src/checklists/spelling.js';
import { joinProblems, MAX_PLACES } from '../../src/registry/body.js';
import type { CheckedSheet, ChecklistDocument } from '../../src/registry/checklist.js';

/** The checklist, and how often it was asked. */
function counted(id: string, schema?: Record<string, unknown>): { checklist: RowChecklist; asked: () => number } {
  const files = loadChecklistFiles();
  const shipped = files.find((file) => file.id === id);
  if (shipped === undefined) throw new Error(id);
  const file: ChecklistFile =
    schema === undefined ? shipped : { ...shipped, id: 'own', names: ['own'], source: 'directory', schema };
  const verdict = createCompiler([file])(file);
  let asked = 0;
  const counting: Verdict = (document) => {
    asked++;
    return verdict(document);
  };
  const spelling = spellingOf(file.schema);
  const fields = new Map(readFields(file.schema, spelling).map((field) => [field.name, field]));
  return { checklist: { id: file.id, schema: file.schema, spelling, verdict: counting, fields }, asked: () => asked };
}

const dates = (count: number): ChecklistDocument => ({
  name: 'many',
  characteristics: {
    'collection date': Array.from({ length: count }, (_, at) => ({ text: `${20 + (at % 8)}/11/2024` })),
  },
});

const ofDates = (document: ChecklistDocument, checklist: RowChecklist) =>
  findProblems(document, checklist).filter(({ characteristic }) => characteristic === 'collection date');

describe('a sample with many problems', () => {
  it('is checked as often as one with few, and each of its values has the suggestion that it would have alone', () => {
    const few = counted('plant');
    ofDates(dates(1), few.checklist);
    const many = counted('plant');
    const problems = ofDates(dates(300), many.checklist);
    expect(problems.map(({ suggestion }) => suggestion)).toEqual(
      Array.from({ length: 300 }, (_, at) => `2024-11-${20 + (at % 8)}`),
    );
    expect(many.asked()).toBe(few.asked());
  });

  it('has suggestions where only some of its values can be put right, each by another rewriting', () => {
    const { checklist } = counted('plant');
    const texts = ['21/11/2024', 'soon', '2024-11-21', '2024‐11‐22', 'Not Collected', '2024'];
    const document = { name: 'x', characteristics: { 'collection date': texts.map((text) => ({ text })) } };
    expect(ofDates(document, checklist).map(({ entry, suggestion }) => [entry, suggestion])).toEqual(
      texts.flatMap((text, entry) => {
        const [alone] = ofDates({ name: 'x', characteristics: { 'collection date': [{ text }] } }, checklist);
        return alone === undefined ? [] : [[entry, alone.suggestion]];
      }),
    );
  });

  it('is not asked about again where nobody is shown suggestions', () => {
    const { checklist, asked } = counted('plant');
    expect(findProblems(dates(20), checklist, 0).some(({ suggestion }) => suggestion !== undefined)).toBe(false);
    expect(asked()).toBe(1);
  });

  it('has the first thousand of them listed, and that there are more', () => {
    const problems = findProblems(dates(MAX_PLACES + 500), counted('plant').checklist);
    expect(problems).toHaveLength(MAX_PLACES + 1);
    expect(problems.at(-1)).toBe(MORE_PROBLEMS);
    expect(problems.slice(0, -1)).not.toContain(MORE_PROBLEMS);
  });
});

describe('a row of many columns', () => {
  const EVERY = {
    properties: {
      characteristics: {
        additionalProperties: { items: { properties: { text: { type: 'string', pattern: '^[A-Z]{3}$' } } } },
      },
    },
  };

  function sheetOf(columns: number, nameOf: (at: number) => string): CheckedSheet {
    const characteristics = Array.from({ length: columns }, (_, at) => ({ name: nameOf(at), text: at }));
    const rest = { relationships: [], externalReferences: [], contact: [], organization: [], publications: [] };
    const cells = characteristics.map(({ name }) => ({ column: `Characteristics[${name}]`, columnLetter: 'B' }));
    return {
      layout: { cells: columns, characteristics, ...rest },
      cells,
      name: { column: 'Sample Name', columnLetter: 'A' },
    };
  }

  /** How often cells are looked at for one row. */
  function looks(columns: number, nameOf: (at: number) => string, schema?: Record<string, unknown>): number {
    const check = checkFor(sheetOf(columns, nameOf), counted('plant', schema).checklist);
    let seen = 0;
    const cells = new Proxy(
      Array.from({ length: columns }, (_, at) => `${at}/13/x`),
      {
        get: (list, key) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) seen++;
          return Reflect.get(list, key) as unknown;
        },
      },
    );
    expect(check('row', 0, cells).length).toBeGreaterThanOrEqual(columns);
    return seen;
  }

  it.each([
    ['of one name', () => 'collection date', undefined],
    ['of a name each, by column', (at: number) => `column ${at}`, EVERY],
    ['of a name each, by row', (at: number) => `column ${at}`, { ...EVERY, not: { required: ['nothing'] } }],
  ])('%s has its cells looked at in proportion to them', (_, nameOf, schema) => {
    expect(looks(400, nameOf, schema)).toBeLessThan(5 * looks(100, nameOf, schema));
  });

  it('of a name each has the first thousand issues, and that there are more', () => {
    const check = checkFor(
      sheetOf(MAX_PLACES + 5, (at) => `c${at}`),
      counted('plant', EVERY).checklist,
    );
    const issues = check(
      'row',
      0,
      Array.from({ length: MAX_PLACES + 5 }, () => 'bad'),
    );
    expect(issues).toHaveLength(MAX_PLACES + 1);
    expect(issues.at(-1)).toMatchObject({ column: 'Sample Name', message: MORE_PROBLEMS.message });
  });
});

it('values that a checklist allows are known whatever their kind', () => {
  const kinds = { properties: { taxId: { enum: [9606, '10090', null, { a: [1] }] } } };
  const { checklist } = counted('plant', kinds);
  for (const taxId of [9606, '10090', null, { a: [1] }]) expect(findProblems({ taxId }, checklist)).toEqual([]);
  for (const taxId of ['9606', 10090, { a: [2] }, [], undefined, 0]) {
    expect(findProblems(taxId === undefined ? {} : { taxId }, checklist)).toHaveLength(taxId === undefined ? 0 : 1);
  }
});

it('problems of a second list are left out where the first says something at the place, around it or within it', () => {
  const at = (dataPath: string) => ({ dataPath, errors: [] });
  const first = ['/a/b', '/c', '/x~1y/0/text'].map(at);
  const left = ['/a/b', '/a', '/a/b/c', '/c/0', '/c', '/x~1y', '/x~1y/0', ''].map(at);
  const kept = ['/a/bc', '/a/c', '/cc', '/x', '/x~1y/1', '/x~1y/0/unit'].map(at);
  expect(joinProblems(first, [...left, ...kept])).toEqual([...first, ...kept]);
  expect(joinProblems([at('')], [...left, ...kept])).toEqual([at('')]);
  expect(joinProblems([], kept)).toEqual(kept);
});

/** Of all lists within. */
const longestOf = (node: unknown): number =>
  typeof node !== 'object' || node === null
    ? 0
    : Math.max(Array.isArray(node) ? node.length : 0, ...Object.values(node).map(longestOf));

describe('a checklist of very many values', () => {
  const tissues = (values: unknown[]) => ({
    properties: { characteristics: { properties: { tissue: { items: { properties: { text: { enum: values } } } } } } },
  });
  const terms = Array.from({ length: 20_000 }, (_, at) => `tissue ${at}`);

  it('is held to be a schema by some of them, as each is compared with each, and takes the last', () => {
    const check = vi.spyOn(Ajv.prototype, 'validateSchema');
    const { checklist } = counted('plant', tissues(terms));
    const lengths = check.mock.calls.flatMap(([schema]) => longestOf(schema));
    check.mockRestore();
    expect(Math.max(...lengths)).toBe(100);
    const sample = (text: string) => ({ name: 'x', characteristics: { tissue: [{ text }] } });
    expect(findProblems(sample('tissue 19999'), checklist)).toEqual([]);
    expect(findProblems(sample('tissue 20000'), checklist)).toHaveLength(1);
  });

  it('is refused where it has one twice, or something that is no list', () => {
    expect(() => counted('plant', tissues([...terms.slice(0, 300), 'tissue 7']))).toThrow(/cannot be used/);
    expect(() => counted('plant', tissues('tissue' as never))).toThrow(/cannot be used/);
  });
});
