import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StructuredDataDocument } from '../../src/registry/samples/representation.js';
import { parseStructuredData } from '../../src/registry/structured-data/structured-data-body.js';
import { DATA_OF_OTHERS } from '../../src/registry/structured-data/structured-data-service.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, READER, ROOT, refused } from './open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const table = (type: string, value = '1') => ({ type, content: [{ a: { value } }] });
const problemsOf = (body: unknown): Record<string, string[]> => {
  try {
    parseStructuredData(body, ['submissionAccountId']);
  } catch (error) {
    const { code, detail } = error as { code: string; detail: { errors: { dataPath: string; errors: string[] }[] } };
    expect(code).toBe('data.invalid');
    return Object.fromEntries(detail.errors.map(({ dataPath, errors }) => [dataPath, errors]));
  }
  return {};
};

it('a table is read with its texts trimmed, numbers as text, empty members null, and names that are traps elsewhere', () => {
  const content = JSON.parse('[{"__proto__":{"value":" x ","iri":" i "},"n":{"value":5}}, {}]');
  const read = parseStructuredData(
    {
      accession: ' SAMR1 ',
      data: [
        { type: ' t ', domain: '', schema: ' s ', submissionAccountId: 'ada', content },
        { type: 'u', content: [] },
      ],
    },
    ['submissionAccountId'],
  );
  expect(read.accession).toBe('SAMR1');
  const [first, second] = read.tables;
  expect(first).toMatchObject({ type: 't', domain: null, schema: 's', account: 'ada' });
  expect(first?.content.map((row) => Object.entries(row))).toEqual([
    [
      ['__proto__', { value: 'x', iri: 'i' }],
      ['n', { value: '5', iri: null }],
    ],
    [],
  ]);
  expect(second).toEqual({ type: 'u', domain: null, schema: null, account: null, content: [] });
});

it('every problem of a table is reported at its place', () => {
  expect(problemsOf({})).toEqual({ '/data': ['is required'] });
  expect(problemsOf({ data: [] })).toEqual({ '/data': ['must hold at least one table'] });
  expect(problemsOf({ data: Array.from({ length: 1001 }, () => table('t')) })).toEqual({
    '/data': ['must hold at most 1000 tables, not 1001'],
  });
  expect(problemsOf({ data: Array.from({ length: 1000 }, () => table('t')) })).toEqual({});
  expect(
    problemsOf({
      accession: 5,
      data: [
        5,
        { type: ' ', schema: 1 },
        { type: 't', content: [5, { 'a/b': {}, '\u0000': { value: 'x' }, c: { value: true } }] },
      ],
    }),
  ).toEqual({
    '/accession': ['must be a text in quotes'],
    '/data/0': ['must be an object in { }'],
    '/data/1/type': ['is required and must not be empty'],
    '/data/1/schema': ['must be a text in quotes'],
    '/data/1/content': ['is required'],
    '/data/2/content/0': ['must be an object in { }'],
    '/data/2/content/1/a~1b/value': ['is required'],
    '/data/2/content/1/\u0000': ['holds a NUL or half of a surrogate pair; take it out'],
    '/data/2/content/1/c/value': ['must be a text in quotes'],
  });
});

it('tables replace those of the caller, and come back with when the first came and the last', async () => {
  const { registry, clock } = open;
  const { accession } = await registry.register(BODY, ADA);
  const document = (type: string) => ({
    domain: null,
    submissionAccountId: 'ada',
    type,
    schema: null,
    content: [{ a: { value: '1', iri: null } }],
  });
  const created = new Date(clock.now).toISOString();
  expect(await registry.putStructuredData(accession, { accession, data: [table('t')] }, ADA)).toEqual({
    accession,
    create: created,
    update: created,
    data: [document('t')],
  });
  clock.now += 1000;
  await registry.putStructuredData(
    accession,
    { data: [{ ...table('t'), submissionAccountId: 'ada' }, table('u')] },
    ADA,
  );
  expect(await registry.getStructuredData(accession, undefined)).toMatchObject({
    update: new Date(clock.now).toISOString(),
    data: [document('t'), document('u')],
  });
  await registry.deleteStructuredData(accession, { type: 't' }, ADA);
  expect((await registry.getStructuredData(accession, undefined)).data).toEqual([document('u')]);
});

it('others attach where the owner lets them, no more than there is room for, and take away their own', async () => {
  const { registry, store, clock } = open;
  const { accession } = await registry.register(BODY, ADA);
  const put = (data: object[], caller = BO) => registry.putStructuredData(accession, { data }, caller);
  await expect(put([table('t')])).rejects.toEqual(
    refused(
      'sample.not-owned',
      `${accession} belongs to another account, which lets no others attach data; ask its owner to attach it, or to open its samples with PUT /me/settings.`,
    ),
  );
  await store.setAccountSettings('ada', { othersMayAttachData: true }, clock.now);
  await put([table('t')]);
  const { ofAccount, inAll } = DATA_OF_OTHERS;
  await expect(put([table('t', 'x'.repeat(ofAccount))])).rejects.toMatchObject({
    code: 'data.limit',
    message: expect.stringMatching(
      new RegExp(
        `^Accounts other than the owner attach at most ${ofAccount} bytes each to a sample, while it holds at most ${inAll}; these tables are \\d+ bytes, \\d+ with what is there\\. Send less, or have the owner attach it\\.$`,
      ),
    ),
  });
  // The owner has as much as the others leave, and what another replaces does not count.
  await put([table('large', 'x'.repeat(inAll - 10_000))], ADA);
  for (let times = 0; times < 2; times++) await put([table('t', 'x'.repeat(9_000))]);
  await expect(put([table('t', 'x'.repeat(10_000))])).rejects.toMatchObject({ code: 'data.limit' });
  await expect(registry.deleteStructuredData(accession, { account: 'ada' }, BO)).rejects.toEqual(
    refused(
      'auth.forbidden',
      'Tables of account "ada" are taken away by that account, the sample\'s owner or an administrator.',
    ),
  );
  await registry.deleteStructuredData(accession, {}, BO);
  expect((await registry.getStructuredData(accession, ADA)).data.map(({ type }) => type)).toEqual(['large']);
  await put([table('t')]);
  await registry.deleteStructuredData(accession, { account: 'bo' }, ADA);
  await registry.deleteStructuredData(accession, {}, ROOT);
});

it('what was read is sent back with a change by each of several accounts, and the tables of others stay as they are', async () => {
  const { registry, store, clock } = open;
  const { accession } = await registry.register(BODY, ADA);
  await store.setAccountSettings('ada', { othersMayAttachData: true }, clock.now);
  const put = (data: object[], caller: typeof ADA) => registry.putStructuredData(accession, { data }, caller);
  const read = async () => (await registry.getStructuredData(accession, ADA)).data;
  await put([table('a'), table('a2')], ADA);
  await put([table('b', 'of bo')], BO);
  const all = await read();
  clock.now += 1000;
  expect((await put(all, ADA)).data).toEqual(all);
  expect((await put(all, BO)).data).toEqual(all);
  const [first, second, theirs] = all as [StructuredDataDocument, StructuredDataDocument, StructuredDataDocument];
  await put([{ ...second, content: [] }, theirs], ADA);
  expect(await read()).toEqual([theirs, { ...second, content: [] }]);
  const refusal = { code: 'auth.forbidden', message: expect.stringContaining('account "bo"') };
  for (const changed of [
    { ...theirs, content: [] },
    { ...theirs, type: 'a' },
    { ...theirs, schema: 's' },
  ])
    await expect(put([first, changed], ADA)).rejects.toMatchObject(refusal);
  await expect(put([{ ...first, submissionAccountId: 'bo' }, theirs], ADA)).rejects.toMatchObject(refusal);
  await expect(put([theirs], ADA)).rejects.toMatchObject({
    code: 'data.invalid',
    message: '/data holds no table of yours; add one, or take yours away with DELETE and ?account= your account.',
  });
  expect(await read()).toEqual([theirs, { ...second, content: [] }]);
});

it('what is not there or does not fit is refused in words', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  await expect(registry.getStructuredData(accession, ADA)).rejects.toEqual(
    refused('not-found', `${accession} has no structured data.`),
  );
  const takes = (which: object) => registry.deleteStructuredData(accession, which, ADA);
  await expect(takes({})).rejects.toEqual(refused('not-found', `${accession} has no structured data.`));
  await expect(takes({ account: 'bo', type: 't' })).rejects.toEqual(
    refused('not-found', `${accession} has no structured data of account "bo" of the type "t".`),
  );
  await expect(registry.putStructuredData(accession, { accession: 'SAMR9', data: [table('t')] }, ADA)).rejects.toEqual(
    refused('sample.accession-mismatch', `The address names ${accession} and the body SAMR9; make them the same.`),
  );
  await expect(
    registry.putStructuredData(accession, { data: [{ ...table('t'), submissionAccountId: 'bo' }] }, ADA),
  ).rejects.toEqual(
    refused(
      'auth.forbidden',
      'A table of account "bo" is replaced by that account only; send your own tables, with your account or null, and those of others as they are or not at all.',
    ),
  );
  const scope = refused('auth.forbidden', 'This token may only read; use one with the scope "submit".');
  await expect(registry.putStructuredData(accession, { data: [table('t')] }, READER)).rejects.toEqual(scope);
  await expect(registry.deleteStructuredData(accession, {}, READER)).rejects.toEqual(scope);
});
