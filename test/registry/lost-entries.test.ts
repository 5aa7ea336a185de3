/** Entries of which nothing would be kept (docs/decisions/0194): refused where they say something, and passed over where they say nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSampleBody } from '../../src/registry/samples/sample-body.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry } from './open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const parse = (body: object) =>
  parseSampleBody({ name: 'n', release: '2021-01-01', ...body }, { release: true, accession: false }, []);
const problemsIn = (body: object): Record<string, string[]> =>
  Object.fromEntries(parse(body).problems.map(({ dataPath, errors }) => [dataPath, errors]));
const contentOf = (body: object) => parse(body).content;

it('does not drop an entry that says something in members that are not known alone', () => {
  const entries = [
    { value: 'liver' },
    { text: 'kidney', value: 'x' },
    { text: '', tag: 'attribute' },
    { terms: [], value: null },
  ];
  const said =
    'which is not known here and would not be kept; its members are text, ontologyTerms, unit, unitOntologyTerms';
  expect(
    problemsIn({ name: 'n', release: '2021-01-01', characteristics: { tissue: entries, age: [{}, { Text: 5 }] } }),
  ).toEqual({
    '/characteristics/tissue/0': [`has "value", ${said}`],
    '/characteristics/age/1': [`has "Text", ${said}`],
  });
  expect(contentOf({ characteristics: { tissue: entries.slice(1) } }).characteristics).toEqual({
    tissue: [{ text: 'kidney' }],
  });
});

it.each([
  ['Characteristics', { tissue: [{ text: 'liver' }] }, 'characteristics'],
  ['characteristic', { tissue: [{ text: 'liver' }] }, 'characteristics'],
  ['external_references', [{ url: 'u' }], 'externalReferences'],
  ['relationship', [{ type: 'derived from', target: 'SAMR1' }], 'relationships'],
  ['contacts', [{ name: 'Ada' }], 'contact'],
  ['organisation', [{ name: 'Lab' }], 'organization'],
  ['taxID', 9606, 'taxId'],
  ['Status', 'WITHDRAWN', 'status'],
  ['DATA', [{}], 'data'],
  ['owner_', 'ada', 'owner'],
])('a sample does not lose what stands in %s', (name, said, meant) => {
  const read = (body: object) =>
    parseSampleBody({ name: 'n', release: '2021-01-01', ...body }, { release: true, accession: false }, ['owner']);
  const wrong = { dataPath: `/${name}`, errors: [`is not known here and would not be kept; write ${meant}`] };
  expect(read({ [name]: said }).problems).toEqual([wrong]);
  expect(read({ [name]: said, [meant]: null }).problems).toEqual([wrong]);
  for (const nothing of [null, '', [], {}]) expect(read({ [name]: nothing }).problems).toEqual([]);
  // Beside the known one it is ignored, as everything that is not known.
  expect(read({ [name]: said, [meant]: said }).problems.map(({ dataPath }) => dataPath)).not.toContain(`/${name}`);
});

it('a sample may have other members, as answers of ours and of others have', () => {
  const others = { update: 'x', create: 'x', submitted: 'x', submittedVia: 'JSON_API', _links: { self: {} } };
  const of = { names: ['a'], date: '2020', releaseDate: '2020-01-01', sraAccession: 'ERS1', certificates: [1] };
  expect(problemsIn({ ...others, ...of, structuredData: [1], constructor: 1, toString: 2 })).toEqual({});
});

it('names are looked for among a hundred members that are not known, however many a body has', () => {
  const others = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`other ${at}`, at]));
  expect(problemsIn({ ...others(99), relationship: [1] })).toEqual({
    '/relationship': ['is not known here and would not be kept; write relationships'],
  });
  expect(problemsIn({ ...others(100), relationship: [1] })).toEqual({});
});

const ATTRIBUTE = 'its members are value, iri, unit, tag';
it.each([
  [
    { attributesPost: [{ type: 'age', text: '43' }] },
    'attributesPost/0',
    `has "text", which is not known here and would not be kept; ${ATTRIBUTE}`,
  ],
  [
    {
      attributesPre: [
        { type: 'a', value: 'b' },
        { type: 'age', ontologyTerms: ['T:1'] },
      ],
    },
    'attributesPre/1',
    `has "ontologyTerms", which is not known here and would not be kept; ${ATTRIBUTE}`,
  ],
  [
    { attributePost: [{ type: 'age', value: '43' }] },
    'attributePost',
    'is not known here; the lists are attributesPre, attributesPost, externalReferencesPre, externalReferencesPost, relationshipsPre, relationshipsPost',
  ],
])('a curation of which something would be lost is refused: %j', async (curation, at, error) => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const detail = { errors: [{ dataPath: `/curation/${at}`, errors: [error] }] };
  await expect(registry.curate(accession, { curation }, BO)).rejects.toMatchObject({
    code: 'curation.invalid',
    detail,
  });
});

it('a curation may have empty lists of other names, and attributes that say nothing or more than is known', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const curation = {
    more: [],
    hash: 'h',
    externalPre: [{ url: 'u' }],
    attributesPost: [{ type: 'a' }, { type: 'b', text: '', tags: [] }, { type: 'c', value: 'd', text: 'e' }],
  };
  expect((await registry.curate(accession, { curation }, BO)).added).toBe(true);
});
