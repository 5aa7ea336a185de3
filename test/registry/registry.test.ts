/** The registry's use cases on a real store: what only shows when rules, store and clock work together. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Registry } from '../../src/registry/registry.js';
import { openStore, type Store } from '../../src/store/open.js';

const ADA = { account: 'ada', admin: false, scopes: ['submit'] };
const BO = { account: 'bo', admin: false, scopes: ['submit'] };
const ROOT = { account: 'root', admin: true, scopes: ['admin'] };
const BODY = { name: 'n', release: '2021-01-01', characteristics: { organism: [{ text: 'human' }] } };
const refused = (code: string) => expect.objectContaining({ code });

/** Numbers of a sample's versions, newest first. */
async function versionsOf(registry: Registry, accession: string, caller: typeof ADA): Promise<number[]> {
  const numbers: number[] = [];
  for await (const page of registry.history(accession, caller)) numbers.push(...page.map(({ version }) => version));
  return numbers;
}

describe('the registry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-registry-'));
  let store: Store;
  let registry: Registry;
  let clock = Date.UTC(2030, 0, 1);
  beforeAll(async () => {
    store = await openStore(`sqlite:${join(folder, 'r.db')}`, { prefix: 'SAMR', now: () => clock });
    registry = new Registry(store, { prefix: 'SAMR', now: () => clock, accountFieldAlias: 'webinSubmissionAccountId' });
  });
  beforeEach(() => {
    clock = Date.UTC(2030, 0, 1);
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([2, 8, 64])('lets exactly one of %i writers with the same If-Match win', async (writers) => {
    const { accession, etag, document } = await registry.register(BODY, ADA);
    const outcomes = await Promise.allSettled(
      Array.from({ length: writers }, (_, n) =>
        registry.update(accession, { ...document, name: `writer ${n}` }, ADA, { ifMatch: etag }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(refused('precondition.failed'));
    }
    expect(await versionsOf(registry, accession, ADA)).toHaveLength(2);
  });

  it('takes the tag of the curated view and of the stored one for If-Match', async () => {
    const { accession, document } = await registry.register(BODY, ADA);
    await registry.curate(accession, { curation: { attributesPost: [{ type: 'x', value: 'y' }] } }, BO);
    for (const applyCurations of [true, false]) {
      const { etag } = await registry.read(accession, ADA, { applyCurations });
      const name = `seen ${applyCurations}`;
      expect((await registry.update(accession, { ...document, name }, ADA, { ifMatch: etag })).changed).toBe(true);
    }
  });

  it('takes back what it gave: links, owner, filled-in members and structured data change nothing', async () => {
    const { accession } = await registry.register(
      {
        ...BODY,
        characteristics: { organism: [{ text: 'human', ontologyTerms: ['NCBITaxon_9606'] }] },
        relationships: [{ type: 'same as', target: 'OTHER1' }],
        externalReferences: [{ url: 'http://e.org' }],
      },
      ADA,
    );
    const table = { type: 'AMR', content: [{ a: { value: '1' } }], submissionAccountId: null };
    await registry.putStructuredData(accession, { data: [table] }, ADA);
    const before = await registry.read(accession, ADA);
    expect(before.document).toMatchObject({ taxId: 9606, submissionAccountId: 'ada', webinSubmissionAccountId: 'ada' });
    clock += 1000;
    const again = await registry.update(accession, { ...before.document, _links: {} }, ADA);
    expect(again).toMatchObject({ changed: false, etag: before.etag });
    expect(await versionsOf(registry, accession, ADA)).toHaveLength(1);
    const { data } = before.document;
    await expect(
      registry.update(accession, { ...before.document, data: [{ ...data?.[0], type: 'other' }] }, ADA),
    ).rejects.toEqual(refused('request.invalid'));
  });

  it('makes a placeholder that its first real update submits', async () => {
    const { document, accession } = await registry.accession({ name: 'p', update: '2020-01-01' }, ADA);
    expect(document).toMatchObject({ status: 'PRIVATE', release: '2130-01-01T00:00:00.000Z' });
    expect(document.submitted).toBe(document.create);
    clock += 1000;
    expect((await registry.update(accession, document, ADA)).changed).toBe(false);
    const updated = await registry.update(accession, { ...document, release: '2030-01-01' }, ADA);
    expect(updated).toMatchObject({ changed: true, document: { submitted: '2030-01-01T00:00:01.000Z' } });
  });

  it.each([
    ['submissionAccountId', 'ad'],
    ['webinSubmissionAccountId', 'ad'],
    ['submissionAccountId', 'a\nb'],
    ['submissionAccountId', 'x'.repeat(300)],
  ])('makes no account for an administrator who names one in %s that nobody has: %.9j', async (field, account) => {
    const body = { ...BODY, name: '', [field]: account };
    const place = { dataPath: `/${field}`, errors: [expect.stringContaining('there is no such account')] };
    for (const write of ['register', 'accession', 'validate'] as const) {
      const { release: _, ...placeholder } = body;
      await expect(registry[write](write === 'accession' ? placeholder : body, ROOT)).rejects.toMatchObject({
        code: 'sample.invalid',
        detail: { errors: [expect.objectContaining({ dataPath: '/name' }), place] },
      });
    }
    await expect(registry.submitAll([{ ...body, name: 'n' }], ROOT)).rejects.toMatchObject({ code: 'samples.invalid' });
    expect(await store.findAccount(account)).toBeUndefined();
    const mine = await registry.register({ ...body, name: 'n' }, BO);
    expect(mine.document.submissionAccountId).toBe('bo');
  });

  it('lets an administrator register for another and set or take back a status, and nobody else', async () => {
    const body = { ...BODY, webinSubmissionAccountId: 'ada' };
    const mine = await registry.register({ ...body, submissionAccountId: 'ada' }, BO);
    expect(mine.document).toMatchObject({ submissionAccountId: 'bo', status: 'PUBLIC' });
    const { accession, document } = await registry.register(body, ROOT);
    expect(document.submissionAccountId).toBe('ada');
    const named = await registry.register({ ...BODY, submissionAccountId: 'bo' }, ROOT);
    expect(named.document).toMatchObject({ submissionAccountId: 'bo', webinSubmissionAccountId: 'bo' });
    const put = (status: string, caller: typeof ADA) => registry.update(accession, { ...document, status }, caller);
    await expect(put('KILLED', ADA)).rejects.toEqual(refused('sample.invalid'));
    expect((await put('KILLED', ROOT)).document.status).toBe('KILLED');
    await expect(registry.read(accession, undefined)).rejects.toEqual(refused('sample.private'));
    expect((await put('KILLED', ADA)).document.status).toBe('KILLED');
    await expect(put('PUBLIC', ADA)).rejects.toEqual(refused('sample.invalid'));
    expect((await put('PUBLIC', ROOT)).document.status).toBe('PUBLIC');
  });

  it('asks that related samples of its own exist, and accepts those of others', async () => {
    const related = (target: string) => registry.register({ ...BODY, relationships: [{ type: 't', target }] }, ADA);
    for (const target of ['SAMR999999', 'SAMR0', 'SAMR007']) {
      await expect(related(target)).rejects.toMatchObject({
        code: 'sample.invalid',
        detail: { errors: [{ dataPath: '/relationships/0/target' }] },
      });
    }
    for (const target of ['SAMR1', 'SAMEA1', 'SAMRICE']) await related(target);
  });

  it('changes the tag when the release date passes, since the status then does', async () => {
    const { accession, etag } = await registry.register({ ...BODY, release: '2030-01-02' }, ADA);
    clock += 86_400_000;
    const after = await registry.read(accession, undefined);
    expect(after.public).toBe(true);
    expect(after.etag).not.toBe(etag);
  });

  it('refuses a token that may only read, and the sample of another', async () => {
    const { accession, document } = await registry.register(BODY, ADA);
    const reader = { ...ADA, scopes: ['read'] };
    await expect(registry.register(BODY, reader)).rejects.toEqual(refused('auth.forbidden'));
    await expect(registry.update(accession, document, reader)).rejects.toEqual(refused('auth.forbidden'));
    await expect(registry.update(accession, document, BO)).rejects.toEqual(refused('sample.not-owned'));
    await expect(registry.update('SAMR999999', document, BO)).rejects.toEqual(refused('sample.not-found'));
    await expect(registry.update('OTHER1', document, BO)).rejects.toEqual(refused('sample.not-found'));
    await expect(versionsOf(registry, accession, BO)).rejects.toEqual(refused('sample.not-owned'));
  });
});
