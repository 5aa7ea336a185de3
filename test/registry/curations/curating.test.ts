import { afterAll, beforeAll, expect, it } from 'vitest';
import { CURATION_LIMITS, type CurationUsage, requireRoom } from '../../../src/registry/curations/curation-limits.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, READER, ROOT, refused } from '../open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const adds = (value: string) => ({ curation: { attributesPost: [{ type: 'x', value }] } });
const replaces = { curation: { attributesPre: [{ type: 'organism', value: 'mouse' }] } };
const page = { page: 0, size: 10 };

it('a curation is read with its texts trimmed, its missing lists empty and its empty members left out', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const { link, added } = await registry.curate(
    accession,
    {
      sample: ` ${accession} `,
      domain: ' d ',
      curation: {
        attributesPre: [{ type: ' organism ', value: ' human ', iri: ['', 'T:1'], unit: '', tag: null }],
        attributesPost: [{ type: 'age', value: null, iri: [], unit: 'year', tag: 't' }],
        externalReferencesPost: [{ url: 'u', duo: ['', 'DUO:1'] }],
        externalReferencesPre: [{ url: 'v', duo: null }],
        relationshipsPre: [{ source: '', type: 't', target: 'SAMR1' }],
        relationshipsPost: [{ source: 'SAMR2', type: 't', target: 'SAMR1' }],
      },
    },
    BO,
  );
  expect(added).toBe(true);
  expect(link).toEqual({
    sample: accession,
    curation: {
      attributesPre: [{ type: 'organism', value: 'human', iri: ['T:1'] }],
      attributesPost: [{ type: 'age', value: '', iri: [], unit: 'year', tag: 't' }],
      externalReferencesPre: [{ url: 'v', duo: [] }],
      externalReferencesPost: [{ url: 'u', duo: ['DUO:1'] }],
      relationshipsPre: [{ type: 't', target: 'SAMR1' }],
      relationshipsPost: [{ source: 'SAMR2', type: 't', target: 'SAMR1' }],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    domain: 'd',
    submissionAccountId: 'bo',
    created: '2030-01-01T00:00:00.000Z',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await registry.getCurationLink(accession, link.hash, undefined)).toEqual({
    ...link,
    applied: false,
    missing: ['attributesPre', 'externalReferencesPre', 'relationshipsPre'].map((list) => `/curation/${list}/0`),
  });
  expect(await registry.getCuration(link.curation.hash, undefined)).toEqual(link.curation);
});

it.each([
  ['SAMR999999', 'there is no such sample here'],
  ['samr1', 'write SAMR1 if that is meant'],
  ['SAMR 1', 'write SAMR1 if that is meant'],
])('a relationship that a curation brings to %s is refused as one of a sample is', async (target, words) => {
  const { registry } = open;
  const { accession, document } = await registry.register(BODY, ADA);
  const relationships = [
    { type: 'same as', target: 'SAMEA1' },
    { type: 'same as', target },
  ];
  const refusedAt = (code: string, path: string) =>
    expect.objectContaining({
      code,
      detail: { errors: [{ dataPath: `${path}/1/target`, errors: [expect.stringContaining(words)] }] },
    });
  const curation = { relationshipsPost: relationships };
  const refusal = refusedAt('curation.invalid', '/curation/relationshipsPost');
  await expect(registry.curate(accession, { curation }, BO)).rejects.toEqual(refusal);
  const body = { ...document, relationships };
  await expect(registry.update(accession, body, ADA)).rejects.toEqual(refusedAt('sample.invalid', '/relationships'));
  // What is there already may be left as it is, or taken away.
  for (const relationshipsPost of [relationships, []]) {
    const { added } = await registry.curate(
      accession,
      { curation: { relationshipsPre: relationships, relationshipsPost } },
      BO,
    );
    expect(added).toBe(true);
  }
});

it('lists say of each whether it applies, by page', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const { link: one } = await registry.curate(accession, adds('1'), BO);
  const { link: other } = await registry.curate(accession, replaces, BO);
  expect((await registry.curate(accession, adds('1'), BO)).added).toBe(false);
  expect(await registry.listCurationLinks(accession, undefined, page)).toEqual({
    links: [
      { ...one, applied: true },
      { ...other, applied: false, missing: ['/curation/attributesPre/0'] },
    ],
    total: 2,
  });
  expect(await registry.listCurationLinks(accession, undefined, { page: 1, size: 1 })).toEqual({
    links: [{ ...other, applied: false, missing: ['/curation/attributesPre/0'] }],
    total: 2,
  });
  expect(one.domain).toBeNull();
  for (const value of ['2', '3']) await registry.curate(accession, adds(value), BO);
  const second = await registry.listCurationLinks(accession, undefined, { page: 1, size: 2 });
  expect(second.links.map(({ curation }) => curation.attributesPost[0]?.value)).toEqual(['2', '3']);
});

it('a list that a curation leaves out is empty', async () => {
  const { accession } = await open.registry.register(BODY, ADA);
  const relationshipsPost = [{ type: 't', target: 'SAMR1' }];
  const { link } = await open.registry.curate(accession, { curation: { relationshipsPost } }, BO);
  const none = { attributesPre: [], attributesPost: [], externalReferencesPre: [], externalReferencesPost: [] };
  expect(link.curation).toEqual({ ...none, relationshipsPre: [], relationshipsPost, hash: link.curation.hash });
});

it('one account curates a sample so often, and no more', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const most = CURATION_LIMITS.ofAccount.links;
  for (let at = 0; at < most; at++) await registry.curate(accession, adds(`${at}`), BO);
  await expect(registry.curate(accession, adds('one more'), BO)).rejects.toMatchObject({ code: 'curation.limit' });
  expect((await registry.curate(accession, adds('0'), BO)).added).toBe(false);
  expect((await registry.curate(accession, adds('by its owner'), ADA)).added).toBe(true);
});

it('the owner declines one and lets it in again; readers may ask for it all the same', async () => {
  const { registry, clock } = open;
  const { accession } = await registry.register(BODY, ADA);
  const { link } = await registry.curate(accession, adds('1'), BO);
  const shown = async (options = {}) => (await registry.read(accession, undefined, options)).document.characteristics.x;
  clock.now += 1000;
  const declined = await registry.declineCuration(accession, link.hash, ADA, true);
  expect(declined).toEqual({ ...link, declined: new Date(clock.now).toISOString(), applied: false });
  expect([await shown(), await shown({ declined: true })]).toEqual([undefined, [{ text: '1' }]]);
  expect(await registry.declineCuration(accession, link.hash, ROOT, false)).toEqual({ ...link, applied: true });
  expect(await shown()).toEqual([{ text: '1' }]);
  expect(await shown({ applyCurations: false })).toBeUndefined();
});

it('what is not there or not the caller’s is refused in words', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const { link } = await registry.curate(accession, adds('1'), BO);
  const none = refused('not-found', `${accession} has no curation link none.`);
  await expect(registry.getCurationLink(accession, 'none', ADA)).rejects.toEqual(none);
  await expect(registry.declineCuration(accession, 'none', ADA, true)).rejects.toEqual(none);
  await expect(registry.deleteCurationLink(accession, 'none', ADA)).rejects.toEqual(none);
  await expect(registry.getCuration('none', ADA)).rejects.toEqual(
    refused('not-found', 'There is no curation with the hash none.'),
  );
  await expect(registry.curate(accession, { ...adds('2'), sample: 'SAMR999' }, BO)).rejects.toEqual(
    refused('sample.accession-mismatch', `The address names ${accession} and the body SAMR999; make them the same.`),
  );
  await expect(registry.curate(accession, { curation: 5 }, BO)).rejects.toMatchObject({
    code: 'curation.invalid',
    detail: { errors: [{ dataPath: '/curation', errors: ['must be an object in { }'] }] },
  });
  const scope = refused('auth.forbidden', 'This token may only read; use one with the scope "submit".');
  await expect(registry.curate(accession, adds('2'), READER)).rejects.toEqual(scope);
  await expect(registry.declineCuration(accession, link.hash, READER, true)).rejects.toEqual(scope);
  await expect(registry.deleteCurationLink(accession, link.hash, READER)).rejects.toEqual(scope);
  await expect(registry.declineCuration(accession, link.hash, BO, true)).rejects.toEqual(
    refused(
      'sample.not-owned',
      `Curations of ${accession} are declined and accepted by its owner or an administrator.`,
    ),
  );
  await expect(registry.deleteCurationLink(accession, link.hash, ADA)).rejects.toEqual(
    refused(
      'auth.forbidden',
      'A curation link is deleted by the account that made it or an administrator; the owner of the sample can decline it.',
    ),
  );
  await registry.deleteCurationLink(accession, link.hash, BO);
  expect((await registry.listCurationLinks(accession, ADA, page)).total).toBe(0);
});

it('curations of private samples are as private as these', async () => {
  const { registry } = open;
  const { accession } = await registry.register({ ...BODY, release: '2040-01-01' }, ADA);
  const { link } = await registry.curate(accession, adds('hidden'), ADA);
  const seen = async (caller: typeof ADA | undefined) => {
    const { curations } = await registry.listCurations(caller, { after: undefined, size: 1000 });
    return curations.some(({ hash }) => hash === link.curation.hash);
  };
  expect(await Promise.all([undefined, BO, ADA, ROOT].map(seen))).toEqual([false, false, true, true]);
  const hidden = refused('not-found', `There is no curation with the hash ${link.curation.hash}.`);
  await expect(registry.getCuration(link.curation.hash, BO)).rejects.toEqual(hidden);
  expect((await registry.getCuration(link.curation.hash, ROOT)).hash).toBe(link.curation.hash);
});

const { ofSample, ofOthers, ofAccount } = CURATION_LIMITS;
const usage = (links: number, bytes: number, own = { links: 0, bytes: 0 }): CurationUsage => ({
  links,
  bytes,
  ofAccount: own,
});
it.each([
  ['the owner’s last', usage(ofSample.links - 1, ofSample.bytes - 10), true],
  ['another’s last', usage(ofOthers.links - 1, ofOthers.bytes - 10), false],
  ['the last of an account', usage(99, 999, { links: ofAccount.links - 1, bytes: ofAccount.bytes - 10 }), false],
  ['the owner’s, of whom more is taken', usage(99, 999, ofAccount), true],
])('there is room for %s', (_, present, byOwner) => expect(requireRoom(present, 10, byOwner)).toBeUndefined());

const words = (most: { links: number; bytes: number }, whose: string, links: number, bytes: number): string =>
  `A sample takes ${most.links} curations of ${most.bytes} bytes together ${whose}; there are ${links} of ${bytes} bytes, and this one has 10 bytes. `;
const owners = 'Change the sample itself with PUT, or have an administrator delete curations.';
const others = 'Ask its owner to change the sample itself, or an administrator to delete curations.';
const account = 'Delete a curation of yours that is no longer needed, or put several changes into one.';
const own = { links: 1, bytes: ofAccount.bytes - 9 };
it.each([
  [usage(ofSample.links, 0), true, words(ofSample, 'in all', ofSample.links, 0) + owners],
  [usage(0, ofSample.bytes - 9), true, words(ofSample, 'in all', 0, ofSample.bytes - 9) + owners],
  [usage(ofOthers.links, 0), false, words(ofOthers, 'from accounts other than its owner', ofOthers.links, 0) + others],
  [usage(9, 9, own), false, words(ofAccount, 'from one account', own.links, own.bytes) + account],
])(
  'where there is none it says how much there may be, how much there is, and what to do: %#',
  (present, byOwner, message) =>
    expect(() => requireRoom(present, 10, byOwner)).toThrow(refused('curation.limit', message)),
);

it('the address of a link says whether it changes what is seen of the sample, and so does the answer to its owner', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  const curate = async (value: string, to: string) =>
    (
      await registry.curate(
        accession,
        {
          curation: {
            attributesPre: value ? [{ type: 'grade', value }] : [],
            attributesPost: [{ type: 'grade', value: to }],
          },
        },
        BO,
      )
    ).link.hash;
  const [first, second, lost] = [await curate('', '1'), await curate('1', '2'), await curate('9', '3')];
  const states = async () =>
    Promise.all(
      [first, second, lost].map(async (hash) => (await registry.getCurationLink(accession, hash, ADA)).applied),
    );
  expect(await states()).toEqual([true, true, false]);
  expect(await registry.declineCuration(accession, first, ADA, true)).toMatchObject({ applied: false });
  expect(await states()).toEqual([false, false, false]);
  expect(await registry.declineCuration(accession, first, ADA, false)).toMatchObject({ applied: true });
  expect(await states()).toEqual([true, true, false]);
});
