/** What an update does to a sample, and what comes back of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from '../../../src/registry/registry.js';
import type { SampleStore } from '../../../src/registry/samples/sample-store.js';
import { batchOf, claimNext, draft, named } from '../../many-machines/store-samples.js';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, ROOT } from '../open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const tissue = { curation: { attributesPost: [{ type: 'tissue', value: 'liver' }] } };

it('a body replaces the sample whole: what it leaves out is gone', async () => {
  const { registry } = open;
  const { accession } = await registry.register({ ...BODY, domain: 'd', contact: [{ Name: 'Ada' }] }, ADA);
  const { document } = await registry.update(
    accession,
    { accession, name: 'n', release: '2021-01-01', characteristics: { age: [{ text: '3' }] } },
    ADA,
  );
  expect(document.characteristics).toEqual({ age: [{ text: '3' }] });
  expect(document).not.toHaveProperty('contact');
  expect(document).not.toHaveProperty('domain');
});

it('what readers see can be sent back without changing anything, and makes no curation part of the sample', async () => {
  const { registry } = open;
  const { accession } = await registry.register(BODY, ADA);
  await registry.curate(accession, tissue, BO);
  const { document: seen } = await registry.read(accession, ADA);
  expect(seen.characteristics).toHaveProperty('tissue');
  const sent = await registry.update(accession, seen, ADA);
  expect(sent.changed).toBe(false);
  expect(sent.document.characteristics).not.toHaveProperty('tissue');
});

it('every answer to a write is the sample as it is stored, without the curations of others', async () => {
  const { registry } = open;
  const { accession, document } = await registry.register(BODY, ADA);
  await registry.curate(accession, tissue, BO);
  const place = { space: 'answers', key: 'k' };
  const answers = [
    await registry.update(accession, { ...document, name: 'one' }, ADA),
    await registry.putByKey(place, { ...document, name: 'two' }, ADA),
    await registry.withdraw(accession, true, ADA),
    await registry.withdraw(accession, false, ADA),
    ...(await registry.submitAll([{ ...document, name: 'three' }], ADA)),
  ];
  for (const answer of answers) expect(answer.document.characteristics).toEqual(BODY.characteristics);
  for (const answer of [
    await registry.register(BODY, ADA),
    await registry.accession({ name: 'p' }, ADA),
    await registry.putByKey({ space: 'answers', key: 'new' }, BODY, ADA),
  ])
    expect(answer.document).toEqual((await registry.read(answer.accession, ADA)).document);
});

it('an old version is shown as it was stored, alone', async () => {
  const { registry } = open;
  const { accession, document } = await registry.register(BODY, ADA);
  await registry.update(accession, { ...document, name: 'm' }, ADA);
  await registry.curate(accession, tissue, BO);
  await registry.putStructuredData(accession, { data: [{ type: 't', content: [] }] }, ADA);
  expect((await registry.read(accession, ADA, { version: 1 })).document).toEqual(document);
});

it('every version is listed, newest first, with the line of the submission that it came from', async () => {
  const { registry, store, clock } = open;
  const submission = draft('ada');
  await store.accept(submission, { sameBytes: true });
  const { chunk } = await store.applyBatch(await claimNext(store), batchOf(7, named(7, 1)), {
    leaseMs: 60_000,
    last: true,
  });
  const accession = `SAMR${chunk.created[0]?.[1]}`;
  for (const name of ['two', 'three']) {
    const { document } = await registry.read(accession, ADA);
    await registry.update(accession, { ...document, name }, ADA);
  }
  const entry = { update: new Date(clock.now).toISOString(), submissionAccountId: 'ada' };
  const wanted = [
    { ...entry, version: 3, submittedVia: 'JSON_API' },
    { ...entry, version: 2, submittedVia: 'JSON_API' },
    { ...entry, version: 1, submittedVia: 'FILE_UPLOADER', submissionId: submission.id, line: 7 },
  ];
  /** As from a store that gives one at a time, as it does of a thousand and more. */
  const listVersions: SampleStore['listVersions'] = (id, page) => store.listVersions(id, page && { ...page, size: 1 });
  const byOne = new Registry({ ...store, listVersions }, { prefix: 'SAMR', now: () => clock.now });
  for (const [from, pages] of [
    [registry, 1],
    [byOne, 3],
  ] as const) {
    const read: unknown[][] = [];
    for await (const page of from.history(accession, ADA)) read.push(page);
    expect(read).toHaveLength(pages);
    expect(read.flat()).toEqual(wanted);
  }
});

it('a taxonomy identifier that somebody said is kept, whatever followed from the organism before', async () => {
  const { registry } = open;
  const organism = (text: string, id: number) => ({
    characteristics: { organism: [{ text, ontologyTerms: [`NCBITaxon:${id}`] }] },
  });
  const { accession } = await registry.register({ ...BODY, ...organism('human', 9606) }, ADA);
  const put = async (taxId: number | undefined, content: object) =>
    (await registry.update(accession, { ...BODY, accession, ...content, ...(taxId ? { taxId } : {}) }, ADA)).document
      .taxId;
  expect(await put(7, organism('human', 9606))).toBe(7);
  // The number that followed from the first version, said by somebody now.
  expect(await put(9606, organism('mouse', 10090))).toBe(9606);
  expect(await put(undefined, organism('mouse', 10090))).toBe(10090);
  // What somebody said of the version before did not follow from it.
  expect(await put(7, organism('human', 9606))).toBe(7);
  expect(await put(undefined, organism('mouse', 10090))).toBe(10090);
  expect(await put(9606, organism('mouse', 10090))).toBe(9606);
  expect(await registry.validate({ ...BODY, taxId: 9606 }, ADA)).toMatchObject({ taxId: 9606 });
});

it('an administrator registers samples of its own and of others, with a status', async () => {
  const { registry } = open;
  const owner = async (body: object) => (await registry.register({ ...BODY, ...body }, ROOT)).document;
  expect(await owner({})).toMatchObject({ submissionAccountId: 'root', status: 'PUBLIC' });
  expect(await owner({ submissionAccountId: 'ada', status: 'KILLED' })).toMatchObject({
    submissionAccountId: 'ada',
    status: 'KILLED',
  });
});

it('a weak entity tag does not say that the sample is unchanged', async () => {
  const { registry } = open;
  const { accession, document, etag } = await registry.register(BODY, ADA);
  const put = (ifMatch: string) => registry.update(accession, { ...document, name: 'm' }, ADA, { ifMatch });
  await expect(put(`W/${etag}`)).rejects.toMatchObject({ code: 'precondition.failed' });
  expect((await put(etag)).changed).toBe(true);
});

it('a body that is looked at says what is wrong as one that is sent does', async () => {
  const { registry } = open;
  const { release: _, ...undated } = BODY;
  for (const call of [registry.validate(undated, ADA), registry.register(undated, ADA)])
    await expect(call).rejects.toMatchObject({
      code: 'sample.invalid',
      detail: { errors: [{ dataPath: '/release', errors: ['is required'] }] },
    });
  const { accession, document } = await registry.register(BODY, ADA);
  const put = registry.update(accession, { ...document, release: undefined }, ADA);
  await expect(put).rejects.toMatchObject({ detail: { errors: [{ dataPath: '/release' }] } });
  for (const member of ['relationships', 'externalReferences', 'contact'])
    await expect(registry.register({ ...BODY, [member]: 5 }, ADA)).rejects.toMatchObject({
      code: 'sample.invalid',
      detail: { errors: [{ dataPath: `/${member}`, errors: ['must be a list in [ ]'] }] },
    });
  await expect(registry.accession({ name: '' }, ADA)).rejects.toMatchObject({
    detail: { errors: [{ dataPath: '/name', errors: ['is required and must not be empty'] }] },
  });
  const data = [{ type: 't', content: [] }];
  for (const [body, place] of [
    [{ ...BODY, data }, '{accession}'],
    [{ ...document, data }, accession],
  ] as const)
    await expect(registry.validate(body, ADA)).rejects.toMatchObject({
      code: 'request.invalid',
      message: expect.stringContaining(`send it with PUT /structureddata/${place}.`),
    });
});

it('a sample that is erased between the look at it and the write is not written, nor withdrawn', async () => {
  const { store, clock } = open;
  /** As where it is erased while the body is checked. */
  const erasing: SampleStore['updateSample'] = async (id, decide) => {
    await store.eraseSamples([id], 'root');
    return store.updateSample(id, decide);
  };
  const late = new Registry({ ...store, updateSample: erasing }, { prefix: 'SAMR', now: () => clock.now });
  const writes: ((accession: string) => Promise<unknown>)[] = [
    (accession) => late.update(accession, { ...BODY, accession, name: 'm' }, ADA),
    (accession) => late.update(accession, { ...BODY, accession }, ADA),
    (accession) => late.withdraw(accession, true, ROOT),
  ];
  for (const write of writes) {
    const { accession } = await open.registry.register(BODY, ADA);
    await expect(write(accession)).rejects.toMatchObject({
      code: 'sample.erased',
      message: `${accession} was erased on 2030-01-01: nothing of it is kept, and the accession is not given again. Leave it out, or register the sample anew.`,
    });
    const { document } = await open.registry.read(accession, ADA);
    expect(document).toMatchObject({ name: '', status: 'ERASED', characteristics: {} });
  }
});
