import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessionIn, parseSampleBody } from '../../../src/registry/samples/sample-body.js';
import { runs } from '../../support/seeds.js';

const NEED = { release: true, accession: false };
const parse = (body: unknown, need = NEED) =>
  parseSampleBody(body, need, ['submissionAccountId', 'webinSubmissionAccountId']);
const content = (members: Record<string, unknown>) => parse({ name: 'n', release: '2021-01-01', ...members }).content;

const problemsOf = (body: unknown, need = NEED): Record<string, string[]> =>
  Object.fromEntries(parse(body, need).problems.map(({ dataPath, errors }) => [dataPath, errors]));

describe('the body of a sample', () => {
  it('says no taxonomy identifier with null, and nothing more of characteristics that are none', () => {
    expect(content({ taxId: null })).not.toHaveProperty('taxId');
    for (const characteristics of ['abc', [{ a: 1 }]])
      expect(problemsOf({ name: 'n', release: '2021-01-01', characteristics })).toEqual({
        '/characteristics': ['must be an object in { }'],
      });
  });

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
      account: { name: 'Webin-1', field: 'webinSubmissionAccountId' },
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

  const date = 'a date such as 2024-11-21 or 2024-11-21T09:30:00Z';
  it.each([
    [{ name: undefined }, '/name', 'is required'],
    [{ name: ' ' }, '/name', 'is required and must not be empty'],
    [{ release: null }, '/release', 'is required'],
    [{ release: 5 }, '/release', 'must be a text in quotes'],
    [{ release: 'soon' }, '/release', `"soon" is not ${date}`],
    [{ release: '21/11/2024' }, '/release', `"21/11/2024" is not ${date}; did you mean 2024-11-21?`],
    [{ release: 'x'.repeat(101) }, '/release', `"${'x'.repeat(100)}" is not ${date}`],
    [{ taxId: 1.5 }, '/taxId', 'must be a whole number, the NCBI taxonomy identifier'],
    [{ taxId: -1 }, '/taxId', 'must be a whole number, the NCBI taxonomy identifier'],
    [{ taxId: '9606x' }, '/taxId', 'must be a whole number, the NCBI taxonomy identifier'],
    [{ taxId: '1'.repeat(16) }, '/taxId', 'must be a whole number, the NCBI taxonomy identifier'],
    [{ status: 5 }, '/status', 'must be a text in quotes'],
    [{ domain: 5 }, '/domain', 'must be a text in quotes'],
    [{ characteristics: [] }, '/characteristics', 'must be an object in { }'],
    [{ characteristics: { ' ': [] } }, '/characteristics/ ', 'has an empty name'],
    [
      { characteristics: { a: [{ ontologyTerms: 'x' }] } },
      '/characteristics/a/0/ontologyTerms',
      'must be a list in [ ]',
    ],
    [{ characteristics: { '\0': [] } }, '/characteristics/\0', 'holds a NUL or half of a surrogate pair; take it out'],
    [{ relationships: {} }, '/relationships', 'must be a list in [ ]'],
    [{ relationships: [{ type: ' ', target: 'x' }] }, '/relationships/0/type', 'is required and must not be empty'],
    [{ externalReferences: [{ url: 'u', duo: [5] }] }, '/externalReferences/0/duo/0', 'must be a text in quotes'],
    [{ contact: {} }, '/contact', 'must be a list in [ ]'],
    [{ organization: ['x'] }, '/organization/0', 'must be an object in { }'],
    [{ publications: [{ a: {} }] }, '/publications/0/a', 'must be a text in quotes'],
    [{ contact: [{ '\0': 'x' }] }, '/contact/0/\0', 'holds a NUL or half of a surrogate pair; take it out'],
  ])('tells a problem in words at its place: %j', (members, place, message) => {
    expect(problemsOf({ name: 'n', release: '2021-01-01', ...members })).toEqual({ [place]: [message] });
  });

  it('keeps what it can read beside a problem', () => {
    const read = parse({
      name: 'n',
      release: 'soon',
      characteristics: { a: [{ text: 'x' }], b: 5 },
      contact: [5, { Name: 'Ada' }],
    });
    expect(read.problems).toHaveLength(3);
    expect(read.content).toMatchObject({ characteristics: { a: [{ text: 'x' }] }, contact: [{ Name: 'Ada' }] });
    expect(read).not.toHaveProperty('release');
  });

  it('keeps every member of an entry that says something', () => {
    const entry = { text: 'x', ontologyTerms: ['T:1'], unit: 'kg', unitOntologyTerms: ['U:1'] };
    const members = {
      domain: 'd',
      taxId: 0,
      characteristics: { a: [entry, { ontologyTerms: ['', 'T:1'] }, { unit: 'kg' }, { ontologyTerms: [''] }] },
      relationships: [{ source: 'SAMR2', type: 't', target: 'SAMR1' }],
      externalReferences: [{ url: 'u', duo: ['', 'DUO:1'] }],
    };
    expect(content(members)).toMatchObject({
      ...members,
      characteristics: { a: [entry, { ontologyTerms: ['T:1'] }, { unit: 'kg' }] },
      externalReferences: [{ url: 'u', duo: ['DUO:1'] }],
    });
  });

  it.each([
    [{ submissionAccountId: ' ada ', webinSubmissionAccountId: 'bo' }, 'ada'],
    [{ submissionAccountId: 5, webinSubmissionAccountId: 'bo' }, 'bo'],
    [{ submissionAccountId: ' ' }, undefined],
    [{}, undefined],
  ])('says the account that it is for under any of its names: %j', (members, account) => {
    const read = parse({ name: 'n', release: '2021-01-01', ...members });
    expect('account' in read ? read.account?.name : undefined).toBe(account);
  });

  it.each([
    [[{ type: 't' }], [{ type: 't' }]],
    ['x', 'x'],
    [{}, {}],
    [[], undefined],
    [null, undefined],
    [undefined, undefined],
  ])('says what data it has, which are no part of it: %j', (data, said) => {
    const read = parse({ name: 'n', release: '2021-01-01', data });
    expect('data' in read ? read.data : undefined).toEqual(said);
  });

  it('stops looking where it has more wrong places than are listed', () => {
    const characteristics = Object.fromEntries(Array.from({ length: 1500 }, (_, each) => [`c${each}`, 5]));
    for (const many of [{ characteristics }, { contact: Array.from({ length: 1500 }, () => 5) }]) {
      const { problems } = parse({ name: 'n', release: '2021-01-01', ...many });
      expect(problems).toHaveLength(1001);
    }
  });

  it('names the sample that it means, if any', () => {
    expect(accessionIn({ accession: ' SAMR1 ' })).toBe('SAMR1');
    for (const none of [{}, { accession: ' ' }, { accession: 5 }, { accession: null }, null, [], 'SAMR1'])
      expect(accessionIn(none)).toBeUndefined();
    expect(parse({ accession: ' SAMR1 ', name: 'n', release: '2021-01-01' }).accession).toBe('SAMR1');
    expect(parse({ accession: ' ', name: 'n', release: '2021-01-01' })).not.toHaveProperty('accession');
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
