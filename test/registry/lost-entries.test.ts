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
