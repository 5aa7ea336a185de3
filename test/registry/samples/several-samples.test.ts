import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from '../../../src/registry/registry.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, READER, ROOT, refused } from '../open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const named = (name: string, changes: object = {}) => ({ ...BODY, name, ...changes });
const numberOf = (accession: string): number => Number(accession.slice(4));
const latest = async () => numberOf((await open.registry.register(BODY, ADA)).accession);
/** The errors by their places, and the sentence about all of them. */
const invalid = (message: string, errors: Record<string, string[]>) =>
  expect.objectContaining({
    code: 'samples.invalid',
    message,
    detail: { errors: Object.entries(errors).map(([dataPath, each]) => ({ dataPath, errors: each })) },
  });

it('samples of one request are registered and updated in the order of their bodies', async () => {
  const { registry } = open;
  const { accession } = await registry.register(named('old'), ADA);
  const many = Array.from({ length: 60 }, (_, at) => named(`s${at}`));
  const views = await registry.submitAll([...many.slice(0, 30), named('new', { accession }), ...many.slice(30)], ADA);
  const names = many.map(({ name }) => name);
  expect(views.map(({ document }) => document.name)).toEqual([...names.slice(0, 30), 'new', ...names.slice(30)]);
  expect(views[30]?.accession).toBe(accession);
  expect((await registry.read(accession, ADA)).document.name).toBe('new');
  expect(new Set(views.map((view) => view.accession)).size).toBe(61);
});

it('large ones among small ones are all written, once', async () => {
  const characteristics = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`c${at}`, [{ text: 'x' }]]));
  const bodies = [0, 1, 2, 3, 4].map((at) => named(`s${at}`, at % 2 === 0 ? { characteristics } : {}));
  const views = await open.registry.submitAll(bodies, ADA);
  expect(views.map(({ document }) => document.name)).toEqual(['s0', 's1', 's2', 's3', 's4']);
  expect(Object.keys(views[4]?.document.characteristics ?? {})).toHaveLength(1500);
});

it('one that has more characteristics than are written at once is written, wherever it stands', async () => {
  const characteristics = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`c${at}`, [{ text: 'x' }]]));
  const large = named('large', { characteristics });
  for (const bodies of [[large, named('small')], [named('small'), large], [large]]) {
    const views = await open.registry.submitAll(bodies, ADA);
    expect(views.map(({ document }) => document.name)).toEqual(bodies.map(({ name }) => name));
  }
});

it('the sentence about all of them ends once, and one without a name has none', async () => {
  const { registry } = open;
  await expect(registry.submitAll([named('n', { accession: 'x.y' })], ADA)).rejects.toMatchObject({
    message:
      '1 of 1 samples cannot be taken, and nothing was written. /0/accession There is no sample x.y here; check the accession.',
  });
  const { refused: others } = await registry.submitGood([5, { ...BODY, name: 5, accession: 'SAMR999999' }], ADA);
  expect(others.map(({ name }) => name)).toEqual(['', '']);
});

it('a store that fails is not taken for a sample that is wrong', async () => {
  const away = { ...open.store, readSample: () => Promise.reject(new Error('the disk is damaged')) };
  const registry = new Registry(away, { prefix: 'SAMR', now: () => open.clock.now });
  await expect(registry.submitAll([named('n', { accession: 'SAMR1' })], ADA)).rejects.toThrow('the disk is damaged');
});

it('nothing is written while one is wrong, and every wrong one is named at its place', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const foreign = (await registry.register(BODY, BO)).accession;
  const before = await latest();
  const bodies = [
    named('good'),
    named(''),
    named('x', { accession: 'SAMR999999' }),
    named('x', { accession: 'OTHER1' }),
    named('x', { accession: foreign }),
    named('x', { accession, release: 'soon' }),
    named('x', { accession }),
    5,
  ];
  const date = '"soon" is not a date such as 2024-11-21 or 2024-11-21T09:30:00Z';
  const refusal = invalid(
    '7 of 8 samples cannot be taken, and nothing was written. /1/name is required and must not be empty.',
    {
      '/1/name': ['is required and must not be empty'],
      '/2/accession': ['names SAMR999999, which is not here'],
      '/3/accession': ['There is no sample OTHER1 here; check the accession.'],
      '/4/accession': [`names ${foreign}, which belongs to another account`],
      '/5/release': [date],
      '/6/accession': [`names ${accession}, as another sample of the list does`],
      '/7': ['The body must be one JSON object in { }.'],
    },
  );
  await expect(registry.submitAll(bodies, ADA)).rejects.toEqual(refusal);
  await expect(registry.validateAll(bodies, ADA)).rejects.toEqual(refusal);
  expect(await latest()).toBe(before + 1);
  const { samples, refused: others } = await registry.submitGood(bodies.slice(0, 3), ADA);
  expect(samples.map(({ document }) => document.name)).toEqual(['good']);
  expect(others).toEqual([
    { name: '', problems: [{ dataPath: '/name', errors: ['is required and must not be empty'] }] },
    { name: 'x', problems: [{ dataPath: '/accession', errors: ['names SAMR999999, which is not here'] }] },
  ]);
  expect(await latest()).toBe(before + 3);
});

it('of very many wrong places the first thousand are listed', async () => {
  const bodies = Array.from({ length: 1001 }, () => named(''));
  await expect(open.registry.validateAll(bodies, ADA)).rejects.toMatchObject({
    message: expect.stringMatching(/^1001 of 1001 samples/),
    detail: { errors: { length: 1000 } },
  });
});

it('what would be taken is valid, and nothing is stored; a token that only reads may ask', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const before = await latest();
  expect(await registry.validateAll([named('a'), named('b', { accession })], ADA)).toBeUndefined();
  expect(await registry.validateAll([named('a')], READER)).toBeUndefined();
  expect(await latest()).toBe(before + 1);
  const foreign = (await registry.register(BODY, BO)).accession;
  expect(await registry.validateAll([named('b', { accession: foreign })], ROOT)).toBeUndefined();
});

it('placeholders are made for all, their releases left aside, each name once', async () => {
  const { registry } = open;
  const [one, other] = await registry.accessionAll([named('a'), { name: 'b' }], ADA);
  for (const view of [one, other])
    expect(view?.document).toMatchObject({ status: 'PRIVATE', release: '2130-01-01T00:00:00.000Z' });
  await expect(registry.accessionAll([{ name: 'a' }, { name: 'b' }, { name: 'a' }], ADA)).rejects.toEqual(
    invalid(
      '1 of 3 samples cannot be taken, and nothing was written. /2/name is given twice; the answer is a map of names.',
      {
        '/2/name': ['is given twice; the answer is a map of names'],
      },
    ),
  );
});

it('only those who may submit write', async () => {
  const { registry } = open;
  const scope = refused('auth.forbidden', 'This token may only read; use one with the scope "submit".');
  for (const write of ['submitAll', 'submitGood', 'accessionAll'] as const)
    await expect(registry[write]([BODY], READER)).rejects.toEqual(scope);
});
