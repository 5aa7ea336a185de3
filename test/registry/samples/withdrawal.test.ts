import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, BO, BODY, type OpenRegistry, openRegistry, READER, ROOT, refused } from '../open-registry.js';

let open: OpenRegistry;
beforeAll(async () => {
  open = await openRegistry();
});
afterAll(() => open.close());

it('a sample is withdrawn with its content and history as they are, and taken back', async () => {
  const { registry, clock } = open;
  const { accession, document } = await registry.register({ ...BODY, domain: 'd' }, ADA);
  clock.now += 1000;
  const withdrawn = await registry.withdraw(accession, true, ADA);
  expect(withdrawn.public).toBe(false);
  expect(withdrawn.document).toEqual({ ...document, status: 'WITHDRAWN', update: '2030-01-01T00:00:01.000Z' });
  clock.now += 1000;
  expect((await registry.withdraw(accession, true, ROOT)).document).toEqual(withdrawn.document);
  const back = await registry.withdraw(accession, false, ROOT);
  expect(back.document).toEqual({ ...document, update: '2030-01-01T00:00:02.000Z' });
  expect((await registry.withdraw(accession, false, ADA)).document).toEqual(back.document);
  const versions: [number, string, string][] = [];
  for await (const page of registry.history(accession, ADA))
    versions.push(
      ...page.map(({ version, submissionAccountId, submittedVia }): [number, string, string] => [
        version,
        submissionAccountId,
        submittedVia,
      ]),
    );
  expect(versions).toEqual([
    [3, 'root', 'JSON_API'],
    [2, 'ada', 'JSON_API'],
    [1, 'ada', 'JSON_API'],
  ]);
});

it('it is refused in words, by whom and of what', async () => {
  const { registry } = open;
  const { accession, document } = await registry.register(BODY, ADA);
  const refuses = (code: string, message: string, caller = ADA, which = accession) =>
    expect(registry.withdraw(which, true, caller)).rejects.toEqual(refused(code, message));
  await refuses('auth.forbidden', 'This token may only read; use one with the scope "submit".', READER);
  await refuses('sample.not-owned', `${accession} belongs to another account; ask its owner to change it.`, BO);
  for (const none of ['SAMR999999', 'OTHER1'])
    await refuses('sample.not-found', `There is no sample ${none} here; check the accession.`, ADA, none);
  const placeholder = await registry.accession({ name: 'p' }, ADA);
  await refuses(
    'conflict',
    `${placeholder.accession} was never submitted: nobody else sees it, and there is nothing to withdraw.`,
    ADA,
    placeholder.accession,
  );
  await registry.update(accession, { ...document, status: 'SUPPRESSED' }, ROOT);
  for (const caller of [ADA, ROOT])
    await refuses(
      'conflict',
      `An administrator has set the status of ${accession} to SUPPRESSED; only administrators change that.`,
      caller,
    );
});
