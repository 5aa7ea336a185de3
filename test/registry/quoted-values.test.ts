/** What a client sends comes back in a message cut to a length that a person reads. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, BO, BODY, type OpenRegistry, openRegistry } from './open-registry.js';

let open: OpenRegistry;
let accession: string;
beforeAll(async () => {
  open = await openRegistry();
  accession = (await open.registry.register(BODY, ADA)).accession;
  await open.registry.putByKey({ space: 'full', key: LONG }, { ...BODY, accession }, ADA);
  await open.registry.curate(accession, { curation: { attributesPost: [{ type: 'x', value: '1' }] } }, BO);
});
afterAll(() => open.close());

const LONG = 'x'.repeat(300);
const table = { type: 't', content: [] };

it.each<[string, (registry: OpenRegistry['registry']) => Promise<unknown>, number?]>([
  ['an accession of a new sample', (to) => to.register({ ...BODY, accession: LONG }, ADA)],
  ['another accession in the body', (to) => to.update(accession, { ...BODY, accession: LONG }, ADA)],
  ['data of a sample that is looked at', (to) => to.validate({ ...BODY, accession: LONG, data: [table] }, ADA)],
  ['another accession of a curation', (to) => to.curate(accession, { sample: LONG, curation: {} }, ADA)],
  ['the hash of a curation', (to) => to.getCuration(LONG, ADA)],
  ['the hash of a curation link', (to) => to.getCurationLink(accession, LONG, ADA)],
  ['another accession of tables', (to) => to.putStructuredData(accession, { accession: LONG, data: [table] }, ADA)],
  ['the account of tables', (to) => to.deleteStructuredData(accession, { account: LONG }, ADA)],
  ['the type of tables', (to) => to.deleteStructuredData(accession, { type: LONG }, ADA)],
  ['the account of tables of others', (to) => to.deleteStructuredData(accession, { account: LONG }, BO)],
  ['a key', (to) => to.accessionOfKey('empty', LONG, ADA)],
  ['the key that a sample has', (to) => to.putByKey({ space: 'full', key: 'k' }, { ...BODY, accession }, ADA)],
  [
    'a key that it cannot have',
    (to) => to.putByKey({ space: 'full', key: `${LONG}y` }, { ...BODY, accession }, ADA),
    2,
  ],
  ['a key space', (to) => to.accessionOfKey(LONG, 'k', ADA)],
  ['an accession in a list', (to) => to.submitAll([{ ...BODY, accession: LONG }], ADA)],
])('%s', async (_, refused, times = 1) => {
  const message = await refused(open.registry).then(
    () => 'it was taken',
    (error: Error) => error.message,
  );
  expect(message.match(/x{2,}/g)?.map(({ length }) => length)).toEqual(Array.from({ length: times }, () => 100));
});

it('an accession that stands twice in a list, and the name of a sample that is refused', async () => {
  const body = { ...BODY, accession: LONG, name: LONG.repeat(4) };
  const { refused } = await open.registry.submitGood([body, body], ADA);
  expect(refused.map(({ name }) => name.length)).toEqual([1_000, 1_000]);
  expect(refused[1]?.problems).toEqual([
    { dataPath: '/accession', errors: [`names ${'x'.repeat(100)}, as another sample of the list does`] },
  ]);
});
