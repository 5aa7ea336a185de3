/** What src/registry/samples/sample-store.ts promises, on any adapter. Over 300 lines: one list. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CurationLink } from '../../src/registry/curations/curation.js';
import { RegistryError } from '../../src/registry/errors.js';
import { emptyContent, type SampleContent, type SampleDraft } from '../../src/registry/samples/sample.js';
import type { NewSample, SampleDecision, SampleRecord } from '../../src/registry/samples/sample-store.js';
import type { StructuredDataTable } from '../../src/registry/structured-data/structured-data.js';
import type { Store } from '../../src/store/store.js';
import type { OpenStore } from './submission-store.js';

const ADMIN = { admin: true, now: 0 };

/** A name like any other. */
const PROTO = '__proto__';

const draftOf = (name: string, content: Partial<SampleContent> = {}): SampleDraft => ({
  name,
  release: 1_600_000_000_000,
  content: { ...emptyContent(), ...content },
});

const newSample = (name: string, content: Partial<SampleContent> = {}, account = 'ada'): NewSample => ({
  draft: draftOf(name, content),
  account,
  author: account,
  via: 'JSON_API',
  placeholder: false,
});

const linkOf = (hash: string, curation: string, created: number, account = 'bo'): CurationLink => ({
  curation: {
    attributesPre: [],
    attributesPost: [{ type: 'organism', value: 'Mus musculus', iri: ['i'] }],
    externalReferencesPre: [{ url: 'u' }],
    externalReferencesPost: [],
    relationshipsPre: [],
    relationshipsPost: [{ source: 'SAMR1', type: 'derived from', target: 'SAMR2' }],
    hash: curation,
  },
  domain: null,
  account,
  created,
  hash,
});

const tableOf = (type: string, account: string, created: number): StructuredDataTable => ({
  domain: null,
  account,
  type,
  schema: null,
  content: [{ field: { value: 'v', iri: null }, constructor: { value: 'c', iri: 'i' } }],
  created,
  updated: created,
});

export function sampleStoreContract(name: string, open: OpenStore): void {
  describe(`sample store contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = 1_700_000_000_000;
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const rename =
      (to: string) =>
      ({ sample }: SampleRecord): SampleDecision => ({
        kind: 'update',
        draft: { ...sample, name: to },
        provenance: { author: 'root', via: 'JSON_API' },
      });

    it('keeps a sample with all its parts, under a new number', async () => {
      const characteristics = Object.create(null) as SampleContent['characteristics'];
      characteristics.organism = [{ text: 'Homo sapiens', ontologyTerms: ['NCBITaxon:9606'] }];
      characteristics[PROTO] = [{ text: 'p' }];
      characteristics.age = [{ text: '4', unit: 'year', unitOntologyTerms: ['UO:36'] }, { text: 'a\u0000\n\t"' }];
      const content: SampleContent = {
        domain: 'd',
        taxId: 9606,
        characteristics,
        relationships: [{ type: 'derived from', target: 'SAMR9' }],
        externalReferences: [{ url: 'https://x', duo: ['DUO:1'] }],
        contact: [{ Name: 'N' }],
        organization: [{ Name: 'O' }],
        publications: [{ doi: '10/1' }],
      };
      const made = await store.createSample(newSample('n', content));
      expect(made).toMatchObject({ account: 'ada', version: 1, created: clock, updated: clock, submitted: clock });
      const record = await store.readSample(made.id);
      expect(record).toEqual({ sample: made, curationLinks: [], structuredData: [] });
      expect(Object.keys(record?.sample.content.characteristics ?? {})).toContain(PROTO);
      expect(JSON.stringify(record?.sample.content.characteristics)).toBe(JSON.stringify(characteristics));
      expect(record?.sample.content).toMatchObject({ domain: 'd', taxId: 9606, relationships: content.relationships });
      expect(await store.readSample(made.id + 1)).toBeUndefined();
    });

    it('gives every sample another number, also at the same moment', async () => {
      const made = await Promise.all(Array.from({ length: 25 }, (_, n) => store.createSample(newSample(`s${n}`))));
      expect(new Set(made.map(({ id }) => id)).size).toBe(25);
    });

    it('leaves a placeholder without a time of submission until its first update', async () => {
      const made = await store.createSample({ ...newSample('p'), placeholder: true });
      expect(made.submitted).toBeUndefined();
      clock += 5;
      const after = await store.updateSample(made.id, rename('q'));
      expect(after?.sample).toMatchObject({ submitted: clock, version: 2, created: clock - 5 });
      clock += 5;
      expect((await store.updateSample(made.id, rename('r')))?.sample.submitted).toBe(clock - 5);
    });

    it('does what decide answers and keeps the former version', async () => {
      const { id } = await store.createSample(newSample('first'));
      clock += 1000;
      const seen: SampleRecord[] = [];
      const after = await store.updateSample(id, (current) => {
        seen.push(current);
        return { ...rename('second')(current), adminStatus: 'SUPPRESSED' } as SampleDecision;
      });
      expect(seen[0]?.sample.name).toBe('first');
      expect(after?.sample).toMatchObject({
        name: 'second',
        version: 2,
        author: 'root',
        account: 'ada',
        adminStatus: 'SUPPRESSED',
      });
      expect((await store.readVersion(id, 1))?.name).toBe('first');
      expect(await store.readVersion(id, 2)).toEqual(after?.sample);
      expect(await store.readVersion(id, 3)).toBeUndefined();
      await store.updateSample(id, (current) => ({ ...rename('third')(current), adminStatus: null }) as SampleDecision);
      expect((await store.readSample(id))?.sample.adminStatus).toBeUndefined();
      expect((await store.readVersion(id, 2))?.adminStatus).toBe('SUPPRESSED');
      expect(await store.listVersions(id)).toEqual([
        { version: 3, updated: clock, author: 'root', via: 'JSON_API' },
        { version: 2, updated: clock, author: 'root', via: 'JSON_API' },
        { version: 1, updated: clock - 1000, author: 'ada', via: 'JSON_API' },
      ]);
      const page = async (before: number, size: number) =>
        (await store.listVersions(id, { before, size })).map(({ version }) => version);
      expect([await page(4, 2), await page(2, 2), await page(1, 2)]).toEqual([[3, 2], [1], []]);
    });

    it('reads several versions at once, in the order in which they are named, those that there are not too', async () => {
      const ids: number[] = [];
      for (const name of ['a', 'b', 'c']) ids.push((await store.createSample(newSample(`${name} 1`))).id);
      const [a, b, c] = ids as [number, number, number];
      for (const [id, name] of [
        [a, 'a 2'],
        [c, 'c 2'],
        [a, 'a 3'],
      ] as const)
        await store.updateSample(id, rename(name));
      const wanted = [
        [c, 1],
        [a, 3],
        [b, 2],
        [a, 1],
        [c, 2],
        [a, 1],
        [b, 1],
        [a, 0],
        [9_999, 1],
      ] as const;
      const read = await store.readVersions(wanted.map(([id, version]) => ({ id, version })));
      expect(read.map((sample) => sample?.name)).toEqual([
        'c 1',
        'a 3',
        undefined,
        'a 1',
        'c 2',
        'a 1',
        'b 1',
        undefined,
        undefined,
      ]);
      for (const [at, [id, version]] of wanted.entries())
        expect(read[at]).toEqual(await store.readVersion(id, version));
      expect(await store.readVersions([])).toEqual([]);
    });

    it('changes nothing when decide says so, throws, or there is no such sample', async () => {
      const made = await store.createSample(newSample('n'));
      expect((await store.updateSample(made.id, () => ({ kind: 'unchanged' })))?.sample).toEqual(made);
      const refusal = new RegistryError('precondition.failed', 'no');
      await expect(
        store.updateSample(made.id, () => {
          throw refusal;
        }),
      ).rejects.toBe(refusal);
      expect(await store.updateSample(made.id + 1, rename('x'))).toBeUndefined();
      expect((await store.readSample(made.id))?.sample).toEqual(made);
      expect(await store.listVersions(made.id)).toHaveLength(1);
    });

    it('lets exactly one of many writers win who each want the version they saw', async () => {
      const { id } = await store.createSample(newSample('n'));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 16 }, (_, n) =>
          store.updateSample(id, (current) => {
            if (current.sample.version !== 1) throw new RegistryError('precondition.failed', 'stale');
            return rename(`w${n}`)(current);
          }),
        ),
      );
      const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error);
      expect(refusals).toEqual(Array(15).fill(expect.objectContaining({ code: 'precondition.failed' })));
      expect((await store.readSample(id))?.sample.version).toBe(2);
    });

    it('never makes a later version look older when the clock is set back', async () => {
      const { id } = await store.createSample(newSample('n'));
      clock -= 10_000;
      expect((await store.updateSample(id, rename('m')))?.sample.updated).toBe(clock + 10_000);
    });

    it('knows the owners of those samples that there are', async () => {
      const a = await store.createSample(newSample('a'));
      const b = await store.createSample(newSample('b', {}, 'bo'));
      const ids = Array.from({ length: 1500 }, (_, n) => a.id + n);
      expect(await store.findOwners(ids)).toEqual(
        new Map([
          [a.id, 'ada'],
          [b.id, 'bo'],
        ]),
      );
      expect(await store.findOwners([])).toEqual(new Map());
    });

    it('adds a curation link once, in order of creation, and shows it with the sample', async () => {
      const { id } = await store.createSample(newSample('n'));
      const late = linkOf('l2', 'c2', 200);
      const early = linkOf('l1', 'c1', 100);
      expect(await store.addCurationLink(id, late)).toEqual({ link: late, added: true });
      expect(await store.addCurationLink(id, early)).toEqual({ link: early, added: true });
      expect(await store.addCurationLink(id, { ...early, created: 999 })).toEqual({ link: early, added: false });
      expect((await store.readSample(id))?.curationLinks).toEqual([early, late]);
      await expect(store.addCurationLink(id + 1, early)).rejects.toMatchObject({ code: 'sample.not-found' });
    });

    it('adds one link when many add the same at the same moment', async () => {
      const { id } = await store.createSample(newSample('n'));
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => store.addCurationLink(id, linkOf('l', 'c', 1))),
      );
      expect(answers.filter(({ added }) => added)).toHaveLength(1);
    });

    it('asks whether a link is admitted, with what the sample holds and the account has', async () => {
      const { id } = await store.createSample(newSample('n'));
      const asked: unknown[] = [];
      const admit = (present: unknown, bytes: number) => void asked.push([present, bytes]);
      const long = { ...linkOf('l2', 'c2', 2, 'cy'), domain: 'dömän' };
      await store.addCurationLink(id, linkOf('l1', 'c1', 1), admit);
      await store.addCurationLink(id, long, admit);
      await store.addCurationLink(id, linkOf('l3', 'c1', 3, 'cy'), admit);
      await store.addCurationLink(id, linkOf('l3', 'c1', 3, 'cy'), admit);
      const { hash: _, ...lists } = linkOf('', '', 0).curation;
      const bytes = Buffer.byteLength(JSON.stringify(lists));
      expect(asked).toEqual([
        [{ links: 0, bytes: 0, ofAccount: { links: 0, bytes: 0 } }, bytes],
        [{ links: 1, bytes, ofAccount: { links: 0, bytes: 0 } }, bytes + 7],
        [{ links: 2, bytes: 2 * bytes + 7, ofAccount: { links: 1, bytes: bytes + 7 } }, bytes],
      ]);
    });

    it('adds nothing that is not admitted, and lets none slip in between', async () => {
      const { id } = await store.createSample(newSample('n'));
      const admit = ({ links }: { links: number }) => {
        if (links >= 3) throw new RegistryError('curation.limit', 'full');
      };
      const added = await Promise.allSettled(
        Array.from({ length: 10 }, (_, at) => store.addCurationLink(id, linkOf(`l${at}`, `c${at}`, at), admit)),
      );
      expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect((await store.readSample(id))?.curationLinks).toHaveLength(3);
      const held = (await store.readSample(id))?.curationLinks.map(({ curation }) => curation.hash) ?? [];
      for (let at = 0; at < 10; at++) {
        expect((await store.findCuration(`c${at}`, ADMIN)) !== undefined).toBe(held.includes(`c${at}`));
      }
    });

    it('finds a curation as long as any sample has it', async () => {
      const one = await store.createSample(newSample('1'));
      const two = await store.createSample(newSample('2'));
      await store.addCurationLink(one.id, linkOf('l1', 'shared', 1));
      await store.addCurationLink(two.id, linkOf('l2', 'shared', 2));
      expect(await store.findCuration('shared', ADMIN)).toEqual(linkOf('', 'shared', 0).curation);
      expect(await store.deleteCurationLink(one.id, 'l2')).toBe(false);
      expect(await store.deleteCurationLink(one.id, 'l1')).toBe(true);
      expect(await store.deleteCurationLink(one.id, 'l1')).toBe(false);
      expect(await store.findCuration('shared', ADMIN)).toBeDefined();
      await store.deleteCurationLink(two.id, 'l2');
      expect(await store.findCuration('shared', ADMIN)).toBeUndefined();
      expect((await store.readSample(one.id))?.curationLinks).toEqual([]);
    });

    it('keeps when a link was declined until that is taken back', async () => {
      const { id } = await store.createSample(newSample('n'));
      const link = linkOf('l', 'c', 1);
      await store.addCurationLink(id, link);
      expect(await store.declineCurationLink(id, 'l', 5)).toEqual({ ...link, declined: 5 });
      expect(await store.declineCurationLink(id, 'l', 6)).toEqual({ ...link, declined: 5 });
      expect(await store.addCurationLink(id, link)).toEqual({ link: { ...link, declined: 5 }, added: false });
      expect((await store.readSample(id))?.curationLinks).toEqual([{ ...link, declined: 5 }]);
      expect(await store.declineCurationLink(id, 'l', null)).toEqual(link);
      expect(await store.declineCurationLink(id, 'no', 5)).toBeUndefined();
      expect(await store.declineCurationLink(id + 1, 'l', 5)).toBeUndefined();
    });

    it('takes tables away by account and type', async () => {
      const { id } = await store.createSample(newSample('n'));
      const types = async () => (await store.readSample(id))?.structuredData.map(({ account, type }) => account + type);
      await store.putStructuredData(id, 'ada', [tableOf('A', 'ada', 5), tableOf('B', 'ada', 5)], 5);
      await store.putStructuredData(id, 'bo', [tableOf('A', 'bo', 6), tableOf('B', 'bo', 6)], 6);
      expect(await store.deleteStructuredData(id, { account: 'nobody' })).toBe(0);
      expect(await store.deleteStructuredData(id, { account: 'ada', type: 'A' })).toBe(1);
      expect(await types()).toEqual(['adaB', 'boA', 'boB']);
      expect(await store.deleteStructuredData(id, { type: 'B' })).toBe(2);
      expect(await types()).toEqual(['boA']);
      expect(await store.deleteStructuredData(id + 1, {})).toBe(0);
      expect(await store.deleteStructuredData(id, {})).toBe(1);
      expect(await types()).toEqual([]);
    });

    it('asks whether tables may go for all that are there, and keeps them where they may not', async () => {
      const { id } = await store.createSample(newSample('n'));
      const types = async () => (await store.readSample(id))?.structuredData.map(({ account, type }) => account + type);
      const seen: string[][] = [];
      const admit = (present: readonly StructuredDataTable[]) => {
        seen.push(present.map(({ account, type }) => account + type));
        if (seen.length % 2 === 0) throw new Error('not these');
      };
      await store.putStructuredData(id, 'ada', [tableOf('A', 'ada', 5)], 5, admit);
      await expect(store.putStructuredData(id, 'bo', [tableOf('A', 'bo', 6)], 6, admit)).rejects.toThrow('not these');
      expect(await types()).toEqual(['adaA']);
      await store.putStructuredData(id, 'bo', [tableOf('A', 'bo', 6)], 6, admit);
      await expect(store.deleteStructuredData(id, {}, admit)).rejects.toThrow('not these');
      expect(await types()).toEqual(['adaA', 'boA']);
      expect(await store.deleteStructuredData(id, { account: 'bo' }, admit)).toBe(1);
      expect(seen).toEqual([[], ['adaA'], ['adaA'], ['adaA', 'boA'], ['adaA', 'boA']]);
    });

    it('keeps what an account decides about its samples', async () => {
      expect(await store.accountSettings('new')).toEqual({ othersMayAttachData: false });
      await store.setAccountSettings('new', { othersMayAttachData: true }, 1);
      await store.setAccountSettings('other', { othersMayAttachData: false }, 1);
      expect(await store.accountSettings('new')).toEqual({ othersMayAttachData: true });
      await store.setAccountSettings('new', { othersMayAttachData: false }, 2);
      expect(await store.accountSettings('new')).toEqual({ othersMayAttachData: false });
    });

    it('shows a curation to those who may read a sample that has it', async () => {
      const publicOne = await store.createSample(newSample('public'));
      const future = { ...newSample('private'), draft: { ...draftOf('private'), release: clock + 1 } };
      const privateOne = await store.createSample(future);
      const hidden = await store.createSample({ ...newSample('hidden', {}, 'cy'), adminStatus: 'SUPPRESSED' });
      await store.addCurationLink(publicOne.id, linkOf('l1', 'c1', 1));
      await store.addCurationLink(privateOne.id, linkOf('l2', 'c2', 2));
      await store.addCurationLink(hidden.id, linkOf('l3', 'c3', 3));
      await store.addCurationLink(publicOne.id, linkOf('l4', 'c4', 4));
      await store.addCurationLink(hidden.id, linkOf('l5', 'c4', 5));
      const readers: [object, string[]][] = [
        [{}, ['c1', 'c4']],
        [{ account: 'nobody' }, ['c1', 'c4']],
        [{ account: 'ada' }, ['c1', 'c2', 'c4']],
        [{ account: 'cy' }, ['c1', 'c3', 'c4']],
        [{ admin: true }, ['c1', 'c2', 'c3', 'c4']],
        [{ now: clock + 1 }, ['c1', 'c2', 'c4']],
      ];
      for (const [who, expected] of readers) {
        const reader = { admin: false, now: clock, ...who };
        const page = await store.listCurations(reader, undefined, 10);
        expect(page.curations.map(({ hash }) => hash)).toEqual(expected);
        expect(page).not.toHaveProperty('next');
        for (const hash of ['c1', 'c2', 'c3', 'c4']) {
          expect((await store.findCuration(hash, reader)) !== undefined).toBe(expected.includes(hash));
        }
      }
      const walked: string[] = [];
      for (let after: string | undefined, pages = 0; pages < 9; pages++) {
        const page = await store.listCurations({ account: 'ada', admin: false, now: clock }, after, 1);
        walked.push(...page.curations.map(({ hash }) => hash));
        after = page.next;
        if (after === undefined) break;
      }
      expect(walked).toEqual(['c1', 'c2', 'c4']);
    });

    it('leaves tables as they are, with their place and time, when they are put again', async () => {
      const { id } = await store.createSample(newSample('n'));
      const row = { a: { value: '1', iri: null }, b: { value: '2', iri: 'http://e.org/b' } };
      const tables = [{ ...tableOf('A', 'ada', 5), domain: 'd', content: [row] }, tableOf('B', 'ada', 5)];
      await store.putStructuredData(id, 'ada', tables, 5);
      const before = await store.putStructuredData(id, 'bo', [tableOf('A', 'bo', 6)], 6);
      expect(await store.putStructuredData(id, 'ada', tables, 7)).toEqual(before);
      const [first, second] = tables as [StructuredDataTable, StructuredDataTable];
      const others: StructuredDataTable[][] = [
        [first],
        [second, first],
        [first, second, second],
        [{ ...first, domain: null }, second],
        [{ ...first, type: 'a' }, second],
        [{ ...first, schema: 's' }, second],
        [{ ...first, content: [row, row] }, second],
        [{ ...first, content: [{ b: row.b, a: row.a }] }, second],
        [],
      ];
      for (const [at, other] of others.entries()) {
        await store.putStructuredData(id, 'ada', tables, 8);
        const { structuredData } = await store.putStructuredData(id, 'ada', other, 10 + at);
        const own = structuredData.filter(({ account }) => account === 'ada');
        expect(JSON.stringify(own)).toBe(JSON.stringify(other.map((table) => ({ ...table, updated: 10 + at }))));
      }
    });

    it("replaces an account's tables and keeps the others', with the time they were made", async () => {
      const { id } = await store.createSample(newSample('n'));
      await store.putStructuredData(id, 'ada', [tableOf('AMR', 'ada', 5), tableOf('X', 'ada', 5)], 5);
      await store.putStructuredData(id, 'bo', [tableOf('AMR', 'bo', 6)], 6);
      const record = await store.putStructuredData(id, 'ada', [tableOf('Y', 'ada', 5)], 7);
      const tables = [...record.structuredData].sort((a, b) => a.account.localeCompare(b.account));
      expect(tables).toEqual([{ ...tableOf('Y', 'ada', 5), updated: 7 }, tableOf('AMR', 'bo', 6)]);
      expect(await store.readSample(id)).toEqual(record);
      await expect(store.putStructuredData(id + 1, 'ada', [], 7)).rejects.toMatchObject({ code: 'sample.not-found' });
    });
  });
}
