/**
 * A failover to a standby that had not heard of the last commits undoes them, while services and workers go on: of an account and of a
 * layout that were made in that moment they remember numbers that are nobody's by then, or another's.
 *
 * @module-tag slow
 */
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { without } from '../support/services.js';
import { dropSchemas, freshSchemaUrl } from './postgres-schema.js';
import { batchOf, claimNext, createSample, curationLink, draft, LAYOUT, named } from './store-samples.js';

const OPTIONS = { prefix: 'SAMR' };
const ENDS = { leaseMs: 60_000, last: true };
const PUBLIC = 1_600_000_000_000;
/** Longer than a number is remembered. */
const LATER_MS = 6_000;

describe.skipIf(without('postgres'))('a failover that undoes the last commits', () => {
  let url: string;
  /** Was at work when it happened. */
  let old: Store;
  /** Begins afterwards. */
  let young: Store;
  beforeEach(async () => {
    // It stands still: what is remembered stays so, however busy the machine is.
    vi.spyOn(performance, 'now').mockReturnValue(1);
    url = freshSchemaUrl();
    old = await openPostgresStore(url, OPTIONS);
    await createSample(old, 'ada', PUBLIC);
    await old.ensureAccount('cy', 1);
    // Who reads by a number remembers it.
    expect((await old.searchSubmissions({ account: 'cy', size: 1, dryRuns: true })).submissions).toEqual([]);
    await old.accept(draft('ada'), { sameBytes: false });
    await old.applyBatch(await claimNext(old), batchOf(2, named(2, 2)), ENDS);
    await undo();
    young = await openPostgresStore(url, OPTIONS);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all([old.close(), young.close()]);
  });
  afterAll(() => dropSchemas());

  /** Account cy, the layout and the samples that have it were not heard of; their numbers are given to others. */
  async function undo(): Promise<void> {
    const address = new URL(url);
    const schema = address.searchParams.get('schema') ?? '';
    for (const own of ['schema', 'pool']) address.searchParams.delete(own);
    const client = new pg.Client(address.href);
    await client.connect();
    await client.query(`set search_path to ${schema}`);
    const other = JSON.stringify({ ...LAYOUT, characteristics: [{ name: 'strain', text: 0 }] });
    await client.query(`update account set name = 'dan' where name = 'cy'`);
    await client.query(`update sample_layout set layout = $1::text, hash = encode(sha256($1::text::bytea), 'hex')`, [
      other,
    ]);
    await client.query('delete from sample where layout is not null');
    await client.query('delete from sample_block');
    await client.end();
  }

  const newSample = { draft: { name: 's', release: PUBLIC, content: emptyContent() }, account: 'cy', author: 'cy' };
  const made = { ...newSample, via: 'JSON_API', placeholder: false } as const;
  const key = { account: 'cy', space: 'plates', key: 'k1' };
  const table = { domain: null, account: 'cy', type: 'CHICKEN', schema: null, content: [], created: 1, updated: 1 };
  const ownerOf = async (id: number) => (await young.readSample(id))?.sample.account;

  it.each<[string, () => Promise<unknown>]>([
    ['a sample', async () => ownerOf((await old.createSample(made)).id)],
    [
      'an upload',
      async () => (await young.find((await old.accept(draft('cy'), { sameBytes: true })).submission.id))?.account,
    ],
    [
      'an upload that cannot be read',
      async () =>
        (
          await young.find(
            (
              await old.acceptFailed(draft('cy'), { code: 'file.header', message: 'x', retryable: false })
            ).id,
          )
        )?.account,
    ],
    [
      'a sample by its key',
      async () => {
        const { created } = (await old.createWithKey(made, key)) as { created: { id: number } };
        return (await young.findKey(key)) === created.id ? ownerOf(created.id) : 'nobody';
      },
    ],
    [
      'a version',
      async () => {
        await old.updateSample(1, ({ sample }) => ({
          kind: 'update',
          draft: { ...sample, name: 'another' },
          provenance: { author: 'cy', via: 'JSON_API' },
        }));
        return (await young.listVersions(1))[0]?.author;
      },
    ],
    [
      'a table of structured data',
      async () => {
        await old.putStructuredData(1, 'cy', [table], 1);
        return (await young.readSample(1))?.structuredData[0]?.account;
      },
    ],
    [
      'a curation',
      async () => {
        await old.addCurationLink(1, { ...curationLink('h', {}), account: 'cy' });
        return (await young.readSample(1))?.curationLinks[0]?.account;
      },
    ],
    [
      'a token',
      async () => {
        await old.ensureAccount('cy', 1);
        await old.addToken({ id: 't', account: 'cy', name: 'robot', scopes: ['read'], created: 1 }, 'hash');
        return (await young.findTokenById('t'))?.account;
      },
    ],
    [
      'a webhook',
      async () => {
        await old.ensureAccount('cy', 1);
        const webhook = { id: 'w', account: 'cy', url: 'https://lims.example/h', secret: 's', created: 1 };
        await old.addWebhook({ ...webhook, events: ['submission.failed'] });
        return (await young.findWebhook('w'))?.account;
      },
    ],
    [
      'an import profile',
      async () => {
        const document = { profile: 1, title: 'One', columns: [{ header: 'Tube', as: 'name' }] } as const;
        await old.keepProfile({
          admin: true,
          account: 'cy',
          name: 'lims',
          document: { ...document, columns: [...document.columns] },
          now: 1,
        });
        return (await young.findProfile('cy', 'lims'))?.account;
      },
    ],
    [
      'a setting',
      async () => {
        await old.setAccountSettings('cy', { othersMayAttachData: true }, 1);
        return (await young.accountSettings('cy')).othersMayAttachData && 'cy';
      },
    ],
    [
      'a kept export',
      async () => {
        const request = { filters: [], format: 'tsv', curated: false, registry: 'http://r' } as const;
        const order = { id: 'e', account: 'cy', admin: false, request: { ...request, filters: [] }, created: 1 };
        await old.orderExport({ ...order, expires: 9 }, { ofOne: 5, inAll: 5 });
        return (await young.findExport('e', 1))?.account;
      },
    ],
  ])('%s is written in the name of its account', async (_, write) => {
    expect(await write()).toBe('cy');
  });

  it('rows of a sheet are written by their own columns', async () => {
    await old.accept(draft('ada'), { sameBytes: false });
    const { chunk, submission } = await old.applyBatch(await claimNext(old), batchOf(2, named(2, 3)), ENDS);
    expect(submission.state).toBe('COMPLETED');
    const [[, first] = []] = chunk.created as [number, number, number][];
    const { sample } = (await young.readSample(first as number)) as NonNullable<
      Awaited<ReturnType<Store['readSample']>>
    >;
    expect(sample.content.characteristics).toMatchObject({
      organism: [{ text: 'Homo sapiens' }],
      tissue: [{ text: 'liver' }],
    });
  });

  it('what is read is read by the numbers of now, some seconds later', async () => {
    await young.accept(draft('cy'), { sameBytes: false });
    vi.spyOn(performance, 'now').mockReturnValue(LATER_MS);
    expect((await old.searchSubmissions({ account: 'cy', size: 5, dryRuns: true })).submissions).toHaveLength(1);
  });
});
