/** Structured data: whether a body says what is attached, and how much others may attach. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StructuredDataTable } from '../../src/registry/structured-data/structured-data.js';
import {
  parseStructuredData,
  sameTables,
  structuredDataDocument,
} from '../../src/registry/structured-data/structured-data-body.js';
import { DATA_OF_OTHERS } from '../../src/registry/structured-data/structured-data-service.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry } from './open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const cell = (value: string, iri: string | null = null) => ({ value, iri });
const stored = (changes: Partial<StructuredDataTable> = {}): StructuredDataTable => ({
  domain: null,
  account: 'ada',
  type: 't',
  schema: null,
  content: [{ a: cell('1') }],
  created: 1,
  updated: 2,
  ...changes,
});
const sent = { type: 't', submissionAccountId: 'ada', content: [{ a: { value: '1' } }] };

it.each<[string, unknown, StructuredDataTable[], boolean]>([
  ['the same', [sent], [stored()], true],
  ['empty and null for what is absent', [{ ...sent, domain: '', schema: null }], [stored()], true],
  ['a number for its text', [{ ...sent, content: [{ a: { value: 1, iri: null } }] }], [stored()], true],
  ['the account under its other name', [{ ...sent, submissionAccountId: null, labAccount: 'ada' }], [stored()], true],
  ['with a domain and a schema', [{ ...sent, domain: 'd', schema: 's' }], [stored({ domain: 'd', schema: 's' })], true],
  ['an empty domain and schema of old', [sent], [stored({ domain: '', schema: '' })], true],
  ['another domain', [{ ...sent, domain: 'd' }], [stored()], false],
  ['no domain', [sent], [stored({ domain: 'd' })], false],
  ['another schema', [{ ...sent, schema: 's' }], [stored({ schema: 'r' })], false],
  ['another account', [{ ...sent, submissionAccountId: 'bo' }], [stored()], false],
  ['another type', [{ ...sent, type: 'u' }], [stored()], false],
  ['another cell', [{ ...sent, content: [{ a: { value: '2' } }] }], [stored()], false],
  ['a term more', [{ ...sent, content: [{ a: { value: '1', iri: 'i' } }] }], [stored()], false],
  ['a cell that cannot be read', [{ ...sent, content: [{ a: { value: '1' }, b: 5 }] }], [stored()], false],
  ['a table less', [sent], [stored(), stored({ type: 'u' })], false],
  ['another order', [{ ...sent, type: 'u' }, sent], [stored(), stored({ type: 'u' })], false],
  ['no list', 'x', [], false],
  ['a list of nothing', [5], [], false],
])('what is attached is said by a body, or is not: %s', (_, data, present, same) => {
  expect(sameTables(data, present, ['submissionAccountId', 'labAccount'])).toBe(same);
});

it('a body of a sample with data that is no list is refused', async () => {
  const { accession, document } = await open.registry.register(BODY, ADA);
  await expect(open.registry.update(accession, { ...document, data: 'x' }, ADA)).rejects.toMatchObject({
    code: 'request.invalid',
  });
});

it.each([
  ['a bad name', { 'a\0': { value: 'x' } }, ['/data/0/content/0/a\0']],
  ['a bad name among good ones', { b: { value: 'x' }, 'a\0': { value: 'x' } }, ['/data/0/content/0/a\0']],
  ['a bad cell among good ones', { b: { value: 'x' }, c: { value: null } }, ['/data/0/content/0/c/value']],
])('a row with %s is refused at its place', (_, row, places) => {
  const read = () => parseStructuredData({ data: [{ type: 't', content: [row] }] }, ['submissionAccountId']);
  expect(read).toThrow(
    expect.objectContaining({
      code: 'data.invalid',
      detail: { errors: places.map((dataPath) => expect.objectContaining({ dataPath })) },
    }),
  );
});

it('tables are as old as the first of them and as new as the last change of one', () => {
  const tables = [stored({ created: 3_000, updated: 9_000 }), stored({ created: 1_000, updated: 4_000 })];
  for (const order of [tables, tables.toReversed()])
    expect(structuredDataDocument('SAMR1', order, {})).toMatchObject({
      create: '1970-01-01T00:00:01.000Z',
      update: '1970-01-01T00:00:09.000Z',
    });
});

it('others attach to the last byte that there is room for, and take away what is theirs by their own name', async () => {
  const { registry, store, clock } = open;
  await store.setAccountSettings('ada', { othersMayAttachData: true }, clock.now);
  const { accession } = await registry.register(BODY, ADA);
  const put = (length: number, caller = BO) =>
    registry.putStructuredData(
      accession,
      { data: [{ type: 't', content: [{ a: { value: 'x'.repeat(length) } }] }] },
      caller,
    );
  /** How many bytes the tables would be, in all where the owner has some. */
  const refused = async (length: number, which: number): Promise<number> => {
    const { message } = await put(length).then(
      () => new Error('it was taken'),
      (error: Error) => error,
    );
    return Number(message.match(/these tables are (\d+) bytes, (\d+) with/)?.[which]);
  };
  const { ofAccount, inAll } = DATA_OF_OTHERS;
  const own = ofAccount - ((await refused(ofAccount, 1)) - ofAccount);
  await put(own);
  expect(await refused(own + 1, 1)).toBe(ofAccount + 1);
  await put(inAll - 40_000, ADA);
  const beside = own - ((await refused(own, 2)) - inAll);
  await put(beside);
  expect(await refused(beside + 1, 2)).toBe(inAll + 1);
  await registry.deleteStructuredData(accession, { account: 'bo' }, BO);
  expect((await registry.getStructuredData(accession, BO)).data).toHaveLength(1);
});
