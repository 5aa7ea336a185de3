import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSampleBody } from '../../src/registry/sample-body.js';
import { runs } from '../support/seeds.js';

const NEED = { release: true, accession: false };
const parse = (body: unknown, need = NEED) =>
  parseSampleBody(body, need, ['submissionAccountId', 'webinSubmissionAccountId']);
const content = (members: Record<string, unknown>) => parse({ name: 'n', release: '2021-01-01', ...members }).content;

const problemsOf = (body: unknown, need = NEED): Record<string, string[]> =>
  Object.fromEntries(parse(body, need).problems.map(({ dataPath, errors }) => [dataPath, errors]));

describe('the body of a sample', () => {
  it('is read with its texts trimmed and its empty and null members folded away', () => {
    const read = parse({
      name: '  n ',
      release: '2021-01-01',
      domain: null,
      taxId: ' 9606 ',
      characteristics: { ' a ': [{ text: ' x ', ontologyTerms: null, unit: '' }, {}, { text: ' ' }], b: [], c: null },
      externalReferences: [{ url: 'u', duo: [] }],
      relationships: [{ source: ' ', type: 't', target: ' SAMR1 ' }],
      contact: [{ Name: ' Ada ', Email: null }, {}],
      unknown: { deep: true },
      _links: { self: {} },
      status: 'PUBLIC',
      webinSubmissionAccountId: 'Webin-1',
    });
    expect(read).toEqual({
      problems: [],
      name: 'n',
      release: Date.UTC(2021, 0, 1),
      status: 'PUBLIC',
      account: 'Webin-1',
      content: {
        taxId: 9606,
        characteristics: { a: [{ text: 'x' }] },
        relationships: [{ type: 't', target: 'SAMR1' }],
        externalReferences: [{ url: 'u' }],
        contact: [{ Name: 'Ada' }],
        organization: [],
        publications: [],
      },
    });
  });

  it('keeps names that are traps elsewhere, and joins those that differ in blanks at their ends', () => {
    const { characteristics } = content(
      JSON.parse(
        '{"characteristics":{"__proto__":[{"text":"p"}],"constructor":[{"text":"c"}],"a":[{"text":"1"}],"a ":[{"text":"2"}]}}',
      ),
    );
    expect(Object.keys(characteristics)).toEqual(['__proto__', 'constructor', 'a']);
    expect(characteristics.a).toEqual([{ text: '1' }, { text: '2' }]);
  });

  it('does not take inherited members for its own', () => {
    expect(problemsOf(Object.create({ name: 'n', release: '2021-01-01' }))).toHaveProperty('/name');
  });

  it('tells every problem at once, each at its place', () => {
    const problems = problemsOf({
      name: ' ',
      release: '21/11/2024',
      taxId: 1.5,
      characteristics: { a: [{ text: true }, 'x'], 'b/~c': 'no', ' ': [] },
      relationships: [{ type: 't' }],
      externalReferences: [{ url: '' }],
      contact: [{ Name: 5 }],
      publications: 'x',
    });
    expect(Object.keys(problems).sort()).toEqual([
      '/characteristics/ ',
      '/characteristics/a/0/text',
      '/characteristics/a/1',
      '/characteristics/b~1~0c',
      '/contact/0/Name',
      '/externalReferences/0/url',
      '/name',
      '/publications',
      '/relationships/0/target',
      '/release',
      '/taxId',
    ]);
    expect(problems['/release']?.[0]).toContain('did you mean 2024-11-21');
    expect(problems['/relationships/0/target']).toEqual(['is required']);
  });

  it('asks for a release and an accession only where they are needed', () => {
    expect(Object.keys(problemsOf({ name: 'n' }))).toEqual(['/release']);
    expect(problemsOf({ name: 'n' }, { release: false, accession: false })).toEqual({});
    expect(Object.keys(problemsOf({ name: 'n', release: '2021-01-01' }, { release: true, accession: true }))).toEqual([
      '/accession',
    ]);
  });

  it.each([null, 5, 'x', [], undefined])('%j is no body', (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'request.invalid' }));
  });

  it.each(['a\u0000b', '\uD800', 'x\uDFFFy'])('refuses what cannot be stored everywhere: %j', (text) => {
    expect(problemsOf({ name: text, release: '2021-01-01' })).toHaveProperty('/name');
    const names = problemsOf({ name: 'n', release: '2021-01-01', characteristics: { [text]: [] } });
    expect(Object.keys(names)).toHaveLength(1);
    expect(content({ characteristics: { a: [{ text: '😀' }] } }).characteristics.a).toEqual([{ text: '😀' }]);
  });

  it('of any JSON is read or refused in words, never an error of ours', () => {
    const some = fc.record(
      {
        name: fc.oneof(fc.string(), fc.jsonValue()),
        release: fc.oneof(fc.constant('2021-01-01'), fc.jsonValue()),
        characteristics: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
        relationships: fc.jsonValue(),
        externalReferences: fc.array(fc.jsonValue()),
        contact: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
        taxId: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(some, (body) => {
        for (const { dataPath, errors } of parse(body).problems)
          expect([typeof dataPath, errors.length > 0]).toEqual(['string', true]);
      }),
      { numRuns: runs(500) },
    );
  });
});
