import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from '../../../src/registry/registry.js';
import type { SampleKeyStore } from '../../../src/registry/samples/sample-key-store.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, READER, refused } from '../open-registry.js';

let open: OpenRegistry;
let spaces = 0;
let space: string;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const put = (key: string, body: unknown, conditions = {}, caller = ADA) =>
  open.registry.putByKey({ space, key }, body, caller, conditions);
const newSpace = () => {
  space = `space-${++spaces}`;
};

it('a key registers a sample, updates it afterwards, and is of its account', async () => {
  newSpace();
  const { registry } = open;
  const first = await put('k', BODY);
  expect(first).toMatchObject({ created: true, document: { name: 'n', submittedVia: 'JSON_API' } });
  expect(await put('k', { ...BODY, name: 'm' })).toMatchObject({
    created: false,
    accession: first.accession,
    document: { name: 'm' },
  });
  expect(await registry.accessionOfKey(space, 'k', ADA)).toBe(first.accession);
  await expect(registry.accessionOfKey(space, 'k', BO)).rejects.toEqual(
    refused('not-found', `No sample has the key "k" in your key space ${space}.`),
  );
  await registry.takeKey(space, 'k', ADA);
  await expect(registry.takeKey(space, 'k', ADA)).rejects.toEqual(
    refused('not-found', `No sample has the key "k" in your key space ${space}.`),
  );
  expect((await registry.read(first.accession, ADA)).document.name).toBe('m');
});

it('a sample that the body names gets the key, where neither has another', async () => {
  newSpace();
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const other = await registry.register(BODY, ADA);
  expect(await put('k', { ...BODY, accession, name: 'm' })).toMatchObject({
    created: false,
    accession,
    document: { name: 'm' },
  });
  await expect(put('l', { ...BODY, accession })).rejects.toEqual(
    refused(
      'conflict',
      `Sample ${accession} has the key "k" in the key space ${space}; take that away first to give it "l".`,
    ),
  );
  await expect(put('k', { ...BODY, accession: other.accession })).rejects.toEqual(
    refused(
      'sample.accession-mismatch',
      `The address names ${accession} and the body ${other.accession}; make them the same.`,
    ),
  );
  for (const none of ['SAMR999999', 'OTHER1'])
    await expect(put('new', { ...BODY, accession: none })).rejects.toEqual(
      refused('sample.not-found', `There is no sample ${none} here; check the accession.`),
    );
  await expect(put('new', { ...BODY, accession: other.accession }, {}, BO)).rejects.toEqual(
    refused('sample.not-owned', `${other.accession} belongs to another account; ask its owner to change it.`),
  );
});

it('a key that others give and take in between is looked at again, and a conflict in the end', async () => {
  newSpace();
  const { registry, store, clock } = open;
  const { accession } = await registry.register(BODY, ADA);
  const other = await registry.register(BODY, ADA);
  const options = { prefix: 'SAMR', now: () => clock.now };
  /** After the key was looked for, and before it is given. */
  const overtaken = (faster: () => Promise<unknown>) => {
    const findKey: SampleKeyStore['findKey'] = async (key) => {
      const id = await store.findKey(key);
      await faster();
      return id;
    };
    return new Registry({ ...store, findKey }, options);
  };
  const given = overtaken(() => put('k', { ...BODY, accession: other.accession }));
  await expect(given.putByKey({ space, key: 'k' }, { ...BODY, accession }, ADA)).rejects.toEqual(
    refused('conflict', `The key "k" is that of sample ${other.accession}, and the body names ${accession}.`),
  );
  // What is refused takes nothing away that another has given the same sample.
  const refusedLate = overtaken(() => put('l', { ...BODY, accession, name: 'm' }));
  await expect(refusedLate.putByKey({ space, key: 'l' }, { ...BODY, accession, name: '' }, ADA)).rejects.toMatchObject({
    code: 'sample.invalid',
  });
  expect(await registry.accessionOfKey(space, 'l', ADA)).toBe(accession);
  let faster = 0;
  const once = overtaken(async () => {
    if (faster++ === 0) await put('once', { ...BODY, name: 'faster' });
  });
  const second = await once.putByKey({ space, key: 'once' }, { ...BODY, name: 'slower' }, ADA);
  expect([second.created, second.document.name]).toEqual([false, 'slower']);
  const unlucky = { ...store, createWithKey: async () => ({ id: 1 }) };
  await expect(new Registry(unlucky, options).putByKey({ space, key: 'y'.repeat(200) }, BODY, ADA)).rejects.toEqual(
    refused('conflict', `The key "${'y'.repeat(100)}" is given and taken again by others; try it again.`),
  );
});

it('a body that is refused gives no key', async () => {
  newSpace();
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  for (const body of [
    { ...BODY, accession, name: '' },
    { ...BODY, name: '' },
  ])
    await expect(put('k', body)).rejects.toMatchObject({ code: 'sample.invalid' });
  await expect(registry.accessionOfKey(space, 'k', ADA)).rejects.toMatchObject({ code: 'not-found' });
});

it('conditions are held to', async () => {
  newSpace();
  await expect(put('k', BODY, { ifMatch: '*' })).rejects.toEqual(
    refused(
      'precondition.failed',
      `No sample has the key "k" in your key space ${space}. If-Match wants one that is there.`,
    ),
  );
  const { accession, etag } = await put('k', BODY, { ifNoneMatch: '*' });
  await expect(put('k', BODY, { ifNoneMatch: '*' })).rejects.toEqual(
    refused(
      'precondition.failed',
      `Sample ${accession} has this key in the key space ${space} already, and If-None-Match wants none to have it.`,
    ),
  );
  expect((await put('k', { ...BODY, name: 'm' }, { ifMatch: etag })).document.name).toBe('m');
  await expect(put('k', { ...BODY, name: 'o' }, { ifMatch: etag })).rejects.toEqual(
    refused(
      'precondition.failed',
      `${accession} has changed since it was read; read it again and repeat the change on what it is now.`,
    ),
  );
});

it('a key and its space have a form', async () => {
  newSpace();
  const { registry } = open;
  for (const key of ['k'.repeat(500), 'a b', '1', 'ä/😀']) expect((await put(key, BODY)).created).toBe(true);
  for (const key of ['', ' k', 'k ', 'k'.repeat(501), 'a\0b', '\ud800'])
    await expect(put(key, BODY)).rejects.toEqual(
      refused(
        'request.invalid',
        `"${key.slice(0, 100)}" is no key; write 1 to 500 characters without blanks around them.`,
      ),
    );
  await expect(registry.accessionOfKey('-', 'k', ADA)).rejects.toEqual(
    refused(
      'request.invalid',
      '"-" is no name of a key space; write 1 to 64 letters, digits, points, dashes and underscores, beginning with a letter or digit.',
    ),
  );
});

it('only those who may submit write', async () => {
  newSpace();
  const scope = refused('auth.forbidden', 'This token may only read; use one with the scope "submit".');
  await expect(put('k', BODY, {}, READER)).rejects.toEqual(scope);
  await put('k', BODY);
  await expect(open.registry.takeKey(space, 'k', READER)).rejects.toEqual(scope);
  expect(await open.registry.accessionOfKey(space, 'k', READER)).toMatch(/^SAMR\d+$/);
});
