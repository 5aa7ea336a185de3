/** What a read gave is taken back by validate and PUT and changes nothing, whatever the sample is and has attached. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

/** All of them in the proof: a thousand take about a minute on an idle machine. */
const SAMPLES = process.env.PROOF === '1' ? 1000 : 8;
/** Requests under way at once. */
const ABREAST = 8;

let service: Service;
let owner: string;
let other: string;
beforeAll(async () => {
  service = await startService({ env: { ACCOUNT_FIELD_ALIAS: 'webinSubmissionAccountId' } });
  owner = await service.token('lab-1');
  other = await service.token('other');
  await service.send('PUT', '/me/settings', { othersMayAttachData: true }, { token: owner });
});
afterAll(() => service.stop());

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
  .map((value) => `w${value.replaceAll('\0', '')}`);
const name = fc.oneof(word, fc.constantFrom('organism', 'Organism', '__proto__', 'constructor', '10', '2', 'a/b~c'));
const terms = fc.array(fc.oneof(word, fc.constantFrom('NCBITaxon:9606', 'http://e.org/NCBITaxon_10090', '9606')), {
  maxLength: 2,
});
const value = fc.oneof(word, fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.integer());
const entry = fc.record(
  { text: value, ontologyTerms: terms, unit: word, unitOntologyTerms: terms },
  { requiredKeys: ['text'] },
);
const table = fc.record(
  {
    type: word,
    domain: fc.option(word),
    schema: fc.option(word),
    content: fc.array(fc.dictionary(name, fc.record({ value, iri: fc.option(word) }), { maxKeys: 3 }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ['type', 'content'] },
);
const attribute = fc.record(
  { type: name, value: fc.oneof(word, fc.constant('')), iri: terms, unit: word },
  { requiredKeys: ['type'] },
);
const reference = fc.record({ url: word, duo: terms }, { requiredKeys: ['url'] });
/** Stands for the sample's own accession. */
const OWN = 'own';
const generated = fc.record({
  body: fc.record(
    {
      name: word,
      release: fc.constantFrom('2020-01-01', '2999-06-01T10:00:00.5+02:00'),
      domain: word,
      taxId: fc.integer({ min: 0, max: 20_000 }),
      characteristics: fc.dictionary(name, fc.array(entry, { maxLength: 3 }), { maxKeys: 4 }),
      relationships: fc.array(fc.record({ type: word, target: word.map((to) => `X${to}`) }), { maxLength: 2 }),
      externalReferences: fc.array(reference, { maxLength: 2 }),
      contact: fc.array(fc.dictionary(word, word, { maxKeys: 2 }), { maxLength: 1 }),
    },
    { requiredKeys: ['name', 'release'] },
  ),
  placeholder: fc.integer({ max: 5, min: 0 }).map((drawn) => drawn === 0),
  suppressed: fc.integer({ max: 9, min: 0 }).map((drawn) => drawn === 0),
  curations: fc.array(
    fc.record({
      attributesPost: fc.array(attribute, { maxLength: 2 }),
      externalReferencesPost: fc.array(reference, { maxLength: 1 }),
      relationshipsPost: fc.array(
        fc.record({ source: fc.constantFrom('', OWN, 'X1'), type: word, target: word.map((to) => `X${to}`) }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
  replacement: fc.option(attribute),
  tables: fc.option(fc.array(table, { minLength: 1, maxLength: 2 })),
  foreign: fc.option(fc.array(table, { minLength: 1, maxLength: 1 })),
});
type Generated = typeof generated extends fc.Arbitrary<infer T> ? T : never;

async function ok(answer: Promise<{ status: number; text: string }>, what: string): Promise<void> {
  const { status, text } = await answer;
  expect([200, 201].includes(status), `${what}: ${status} ${text}`).toBe(true);
}

async function made({ body, placeholder, suppressed, curations, replacement, tables, foreign }: Generated) {
  const { release, ...rest } = body;
  const answer = placeholder
    ? await service.send('POST', '/samples/accession', rest, { token: owner })
    : await service.send('POST', '/samples', { ...rest, release }, { token: owner });
  expect(answer.status, answer.text).toBe(201);
  const { accession, characteristics } = answer.json<{
    accession: string;
    characteristics: Record<string, { text: string; ontologyTerms?: string[]; unit?: string }[]>;
  }>();
  const mayReadIt = !placeholder && release.startsWith('2020');
  const links = `/samples/${accession}/curationlinks`;
  for (const { relationshipsPost, ...others } of curations) {
    const relationships = relationshipsPost.map((one) => (one.source === OWN ? { ...one, source: accession } : one));
    const curation = { ...others, relationshipsPost: relationships };
    await ok(service.send('POST', links, { curation }, { token: mayReadIt ? other : owner }), 'curation');
  }
  const [type] = Object.keys(characteristics);
  const first = type === undefined ? undefined : characteristics[type]?.[0];
  if (replacement && type !== undefined && first) {
    const pre = { type, value: first.text, iri: first.ontologyTerms ?? [], unit: first.unit ?? '' };
    const curation = { attributesPre: [pre], attributesPost: [replacement] };
    await ok(service.send('POST', links, { curation }, { token: owner }), 'replacement');
  }
  const data = `/structureddata/${accession}`;
  if (tables) await ok(service.send('PUT', data, { data: tables }, { token: owner }), 'tables');
  if (foreign && mayReadIt) await ok(service.send('PUT', data, { data: foreign }, { token: other }), 'foreign tables');
  if (suppressed && !placeholder) {
    const stored = await service.get(`/samples/${accession}?applyCurations=false`, { token: ADMIN_TOKEN });
    await ok(
      service.send('PUT', `/samples/${accession}`, { ...stored.json<object>(), status: 'SUPPRESSED' }),
      'suppressed',
    );
  }
  return accession;
}

/** As clients do that leave out what is null. */
const withoutNulls = (text: string): string => JSON.stringify(JSON.parse(text, (_, member) => member ?? undefined));

async function sentBack(one: Generated): Promise<void> {
  const accession = await made(one);
  const path = `/samples/${accession}`;
  for (const query of ['', '?applyCurations=false']) {
    const before = await service.get(path + query, { token: owner });
    for (const body of [before.text, withoutNulls(before.text)]) {
      const call = { token: owner, body, headers: { 'content-type': 'application/json' } };
      await ok(service.call('/validate', { ...call, method: 'POST' }), `validate ${body}`);
      await ok(service.call(path, { ...call, method: 'PUT' }), `PUT ${body}`);
    }
    const after = await service.get(path + query, { token: owner });
    expect(after.headers.get('etag'), before.text).toBe(before.headers.get('etag'));
    expect(after.text).toBe(before.text);
  }
}

/** But for placeholders, which any row that names them submits, and for targets that are neither a name of the file nor an accession. */
it('a JSON file of them changes nothing either', async () => {
  const samples = fc
    .sample(generated, { numRuns: process.env.PROOF === '1' ? 40 : 15, seed: 14 })
    .filter(({ placeholder }) => !placeholder);
  const accessions = await Promise.all(
    samples.map((one) =>
      made({
        ...one,
        body: { ...one.body, relationships: [] },
        curations: one.curations.map((curation) => ({ ...curation, relationshipsPost: [] })),
      }),
    ),
  );
  for (const query of ['', '?applyCurations=false']) {
    const shown = await Promise.all(
      accessions.map(async (accession) => (await service.get(`/samples/${accession}${query}`, { token: owner })).text),
    );
    const { status } = await service.uploadAndSettle(
      shown.map((text) => `${JSON.stringify(JSON.parse(text))}\n`).join(''),
      {
        token: owner,
        raw: 'application/x-ndjson',
      },
    );
    const { length } = accessions;
    expect(status.counts, JSON.stringify(status.issues)).toMatchObject({ rows: length, unchanged: length });
  }
});

it(`${SAMPLES} generated samples with curations, structured data, placeholders and aliases`, async () => {
  const queue = fc.sample(generated, { numRuns: SAMPLES, seed: 20_261_122 });
  const worker = async (): Promise<void> => {
    for (let one = queue.pop(); one; one = queue.pop()) await sentBack(one);
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
});
