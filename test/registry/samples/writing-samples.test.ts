import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, READER, ROOT, refused } from '../open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

const problems = (...errors: [string, string][]) =>
  expect.objectContaining({
    code: 'sample.invalid',
    detail: { errors: errors.map(([dataPath, message]) => ({ dataPath, errors: [message] })) },
  });

it('a new sample is refused in words', async () => {
  const { registry } = open;
  await expect(registry.register({ ...BODY, accession: 'SAMR1' }, ADA)).rejects.toEqual(
    refused(
      'sample.accession-given',
      'A new sample gets its accession here; leave out "accession", or PUT to /samples/SAMR1 to update that sample.',
    ),
  );
  await expect(registry.register({ ...BODY, data: [{ type: 't' }] }, ADA)).rejects.toEqual(
    refused(
      'request.invalid',
      '"data" does not belong in a sample\'s body unless it is what is attached already; send it with PUT /structureddata/{accession}.',
    ),
  );
  const relationships = ['SAMR999', 'SAMR07', 'OTHER1', 'samr1', 'SAMR 1', 'SAMR-1', 'SAMRs'].map((target) => ({
    type: 't',
    target,
  }));
  await expect(registry.register({ ...BODY, name: '', status: 'KILLED', relationships }, ADA)).rejects.toEqual(
    problems(
      ['/name', 'is required and must not be empty'],
      ['/status', 'is "KILLED", which administrators set; leave it out, or ask an administrator'],
      ['/relationships/0/target', 'names SAMR999, and there is no such sample here'],
      ['/relationships/1/target', 'names SAMR07, and there is no such sample here'],
      ...['samr1', 'SAMR 1', 'SAMR-1'].map((target, at): [string, string] => [
        `/relationships/${at + 3}/target`,
        `names "${target}", which is no accession as it is written; write SAMR1 if that is meant`,
      ]),
    ),
  );
  // A release that cannot be read says nothing of the status.
  await expect(registry.register({ ...BODY, release: 'soon', status: 'PRIVATE' }, ADA)).rejects.toEqual(
    problems(['/release', '"soon" is not a date such as 2024-11-21 or 2024-11-21T09:30:00Z']),
  );
});

it('a placeholder has a name and no release', async () => {
  const { registry } = open;
  const misplaced = 'does not belong here: the placeholder stays private until PUT /samples/{accession} submits it';
  for (const release of ['2021-01-01', 'soon'])
    await expect(registry.accession({ name: 'p', release }, ADA)).rejects.toEqual(problems(['/release', misplaced]));
  await expect(registry.accession({ name: 'p' }, READER)).rejects.toMatchObject({ code: 'auth.forbidden' });
  expect((await registry.accession({ name: 'p' }, ADA)).document).toMatchObject({ name: 'p', status: 'PRIVATE' });
});

it('an update is refused in words', async () => {
  const { registry } = open;
  const { accession, document, etag } = await registry.register(BODY, ADA);
  const update = (changes: object, options = {}) =>
    registry.update(accession, { ...document, ...changes }, ADA, options);
  await expect(update({ accession: 'SAMR999' })).rejects.toEqual(
    refused('sample.accession-mismatch', `The address names ${accession} and the body SAMR999; make them the same.`),
  );
  await expect(update({ accession: undefined })).rejects.toEqual(problems(['/accession', 'is required']));
  await expect(update({ data: [{ type: 't', content: [] }] })).rejects.toEqual(
    refused(
      'request.invalid',
      `"data" does not belong in a sample's body unless it is what is attached already; send it with PUT /structureddata/${accession}.`,
    ),
  );
  await update({ name: 'm' }, { ifMatch: etag });
  await expect(update({ name: 'o' }, { ifMatch: etag })).rejects.toEqual(
    refused(
      'precondition.failed',
      `${accession} has changed since it was read; read it again and repeat the change on what it is now.`,
    ),
  );
  // Who sends back what is there is asked nothing more, but must have seen it.
  await expect(update({ name: 'm' }, { ifMatch: etag })).rejects.toMatchObject({ code: 'precondition.failed' });
});

it('an update that is sent again because its answer was lost changes nothing', async () => {
  const { registry } = open;
  const human = { organism: [{ text: 'human', ontologyTerms: ['NCBITaxon:9606'] }] };
  const { accession } = await registry.register({ ...BODY, characteristics: human }, ADA);
  // As it was read, with the identifier that follows from the organism, and another organism.
  const { document } = await registry.read(accession, ADA);
  const mouse = { ...document, characteristics: { organism: [{ text: 'mouse', ontologyTerms: ['NCBITaxon:10090'] }] } };
  expect(await registry.update(accession, mouse, ADA)).toMatchObject({ changed: true, document: { taxId: 10090 } });
  expect(await registry.update(accession, mouse, ADA)).toMatchObject({ changed: false, document: { taxId: 10090 } });
  expect(await registry.update(accession, { ...mouse, taxId: 7 }, ADA)).toMatchObject({ document: { taxId: 7 } });
});

it('what is valid is shown as it would be, and nothing is stored', async () => {
  const { registry, clock } = open;
  const now = new Date(clock.now).toISOString();
  const body = {
    ...BODY,
    domain: 'd',
    submissionAccountId: 'somebody',
    relationships: [{ type: 't', target: 'OTHER1' }],
    contact: [{ Name: 'Ada' }],
  };
  expect(await registry.validate(body, READER)).toEqual({
    name: 'n',
    domain: 'd',
    submissionAccountId: 'ada',
    status: 'PUBLIC',
    release: '2021-01-01T00:00:00.000Z',
    update: now,
    characteristics: BODY.characteristics,
    relationships: [{ type: 't', target: 'OTHER1' }],
    submittedVia: 'JSON_API',
    create: now,
    contact: [{ Name: 'Ada' }],
  });
  expect(await registry.validate({ ...BODY, release: '2040-01-01' }, ADA)).toMatchObject({ status: 'PRIVATE' });
  expect(await registry.validate(BODY, ADA)).not.toHaveProperty('submissionAccountId');
  await expect(registry.validate({ ...BODY, name: '' }, ADA)).rejects.toEqual(
    problems(['/name', 'is required and must not be empty']),
  );
  const { accession, document } = await registry.register(BODY, ADA);
  expect(await registry.validate({ ...document, status: 'KILLED' }, ROOT)).toMatchObject({ status: 'KILLED' });
  await registry.update(accession, { ...document, status: 'KILLED' }, ROOT);
  expect(await registry.validate({ ...BODY, accession }, ADA)).toMatchObject({ status: 'KILLED' });
  // To whoever may not read it, it is as new.
  expect(await registry.validate({ ...BODY, accession }, BO)).toMatchObject({ status: 'PUBLIC' });
  expect(await registry.validate({ ...BODY, accession: 'SAMR999' }, BO)).toMatchObject({ status: 'PUBLIC' });
});

it('former versions are shown to the owner and administrators, as they were stored', async () => {
  const { registry, clock } = open;
  const { accession, document } = await registry.register(BODY, ADA);
  const created = clock.now;
  clock.now += 1000;
  await registry.update(accession, { ...document, name: 'm' }, ROOT);
  const entry = (version: number, at: number, submissionAccountId: string) => ({
    version,
    update: new Date(at).toISOString(),
    submissionAccountId,
    submittedVia: 'JSON_API',
  });
  const pages: unknown[] = [];
  for await (const page of registry.history(accession, ADA)) pages.push(page);
  expect(pages).toEqual([[entry(2, clock.now, 'root'), entry(1, created, 'ada')]]);
  expect(await registry.read(accession, ROOT, { version: 1 })).toMatchObject({ document, public: false });
  expect(await registry.versionRecord(accession, 1, ADA)).toMatchObject({ name: 'n', version: 1, curationLinks: [] });
  const none = refused('not-found', `${accession} has no version 3.`);
  await expect(registry.read(accession, ADA, { version: 3 })).rejects.toEqual(none);
  await expect(registry.versionRecord(accession, 3, ADA)).rejects.toEqual(none);
  const hidden = `Old versions of ${accession} are shown to its owner and to administrators only.`;
  await expect(registry.read(accession, BO, { version: 1 })).rejects.toEqual(refused('sample.not-owned', hidden));
  await expect(registry.read(accession, undefined, { version: 1 })).rejects.toEqual(refused('auth.required', hidden));
});

it('a private sample is there for its owner and administrators', async () => {
  const { registry } = open;
  const { accession } = await registry.register({ ...BODY, release: '2040-01-01' }, ADA);
  for (const caller of [ADA, READER, ROOT]) expect((await registry.read(accession, caller)).public).toBe(false);
  for (const caller of [BO, undefined])
    await expect(registry.read(accession, caller)).rejects.toEqual(
      refused(
        'sample.private',
        `${accession} is not public; its owner and administrators can read it with their token.`,
      ),
    );
  await expect(registry.read('SAMR999999', ADA)).rejects.toMatchObject({ code: 'sample.not-found' });
  await expect(registry.read(`SAMR9${'9'.repeat(200)}`, ADA)).rejects.toEqual(
    refused('sample.not-found', `There is no sample SAMR9${'9'.repeat(95)} here; check the accession.`),
  );
});
