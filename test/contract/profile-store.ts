/** What src/profiles/profile-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  KEPT_NAMES,
  KEPT_VERSIONS,
  type KeptProfile,
  type NewProfile,
  type ProfileStore,
  profileTag,
} from '../../src/profiles/profile-store.js';
import type { Conditions } from '../../src/registry/samples/conditions.js';
import type { ImportProfile } from '../../src/tsv/header/profile.js';

type Stores = ProfileStore & { close(): Promise<void> };

const documentOf = (title: string): ImportProfile => ({
  profile: 1,
  title,
  columns: [{ header: 'Tube', as: 'name' }],
});

export function profileStoreContract(name: string, open: (options: { prefix: string }) => Promise<Stores>): void {
  describe(`profile store contract on ${name}`, () => {
    let store: Stores;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR' });
    });
    afterEach(() => store.close());

    const keep = (account: string, profile: string, title = 'One', more: Partial<NewProfile> = {}) =>
      store.keepProfile({ account, name: profile, document: documentOf(title), now: 5, admin: true, ...more });
    const remove = (
      account: string,
      profile: string,
      { now = 6, admin = true, conditions = {} }: { now?: number; admin?: boolean; conditions?: Conditions } = {},
    ) => store.removeProfile({ account, name: profile, admin, conditions }, now);
    const brief = ({ account, name: own, version, shared }: KeptProfile) => [account, own, version, shared];

    it('a change makes a version, the same document makes none', async () => {
      expect(await keep('ada', 'lims')).toEqual({
        kind: 'kept',
        isNew: true,
        profile: { account: 'ada', name: 'lims', version: 1, shared: false, created: 5, document: documentOf('One') },
      });
      expect(await keep('ada', 'lims')).toMatchObject({ isNew: false, profile: { version: 1 } });
      expect(await keep('ada', 'lims', 'Two', { now: 9 })).toMatchObject({ isNew: false, profile: { version: 2 } });
      expect((await store.findProfile('ada', 'lims'))?.document).toEqual(documentOf('Two'));
      expect(await store.findProfile('ada', 'lims', 1)).toMatchObject({ created: 5, document: documentOf('One') });
      expect(await store.findProfile('ada', 'lims', 3)).toBeUndefined();
      expect((await store.listProfiles('ada')).map(brief)).toEqual([['ada', 'lims', 2, false]]);
    });

    it('is of one account, unless it is shared; its own goes before one that is shared', async () => {
      await keep('ada', 'lims');
      expect(await store.findProfile('bo', 'lims')).toBeUndefined();
      expect(await store.listProfiles('bo')).toEqual([]);
      await keep('ada', 'lims', 'One', { shared: true });
      expect((await store.listProfiles('bo')).map(brief)).toEqual([['ada', 'lims', 1, true]]);
      await keep('bo', 'lims', 'Own');
      await keep('bo', 'freezer', 'Own');
      expect((await store.listProfiles('bo')).map(brief)).toEqual([
        ['bo', 'freezer', 1, false],
        ['bo', 'lims', 1, false],
        ['ada', 'lims', 1, true],
      ]);
      expect((await store.findProfile('bo', 'lims'))?.account).toBe('bo');
      expect(await keep('bo', 'lims', 'Own', { shared: true })).toEqual({ kind: 'shared-elsewhere' });
      expect(await keep('ada', 'lims', 'New')).toMatchObject({ profile: { version: 2, shared: true } });
      await keep('ada', 'lims', 'New', { shared: false });
      expect((await store.listProfiles('bo')).map(brief)).toEqual([
        ['bo', 'freezer', 1, false],
        ['bo', 'lims', 1, false],
      ]);
    });

    it('a shared one is changed, unshared and removed by administrators only', async () => {
      const lesser = { admin: false };
      await keep('ada', 'lims', 'One', { shared: true });
      for (const more of [{}, { shared: true }, { shared: false }])
        for (const title of ['One', 'Other']) {
          expect(await keep('ada', 'lims', title, { ...more, ...lesser })).toEqual({ kind: 'shared' });
        }
      expect(await remove('ada', 'lims', lesser)).toBe('shared');
      expect(await store.findProfile('bo', 'lims')).toMatchObject({ version: 1, document: documentOf('One') });
      await keep('ada', 'lims', 'One', { shared: false });
      expect(await keep('ada', 'lims', 'Two', lesser)).toMatchObject({ kind: 'kept', profile: { shared: false } });
      expect(await remove('ada', 'lims', lesser)).toBe('removed');
      expect(await keep('ada', 'lims', 'Three', lesser)).toMatchObject({ kind: 'kept', isNew: true });
    });

    it('a removed one is gone for all, and a later one of its name counts on', async () => {
      await keep('ada', 'lims', 'One', { shared: true });
      expect(await remove('bo', 'lims')).toBe('none');
      expect(await remove('nobody', 'lims')).toBe('none');
      expect(await remove('ada', 'lims')).toBe('removed');
      expect(await remove('ada', 'lims', { now: 7 })).toBe('none');
      expect(await store.listProfiles('ada')).toEqual([]);
      expect(await store.findProfile('bo', 'lims')).toBeUndefined();
      expect(await store.findProfile('ada', 'lims', 1)).toBeUndefined();
      expect(await keep('ada', 'lims')).toMatchObject({ isNew: true, profile: { version: 2, shared: false } });
    });

    it('bounds what the newest versions of an account have together', async () => {
      const title = 'x'.repeat(400_000);
      for (const name of ['a', 'b', 'c']) await keep('ada', name, title);
      expect(await keep('ada', 'd', title)).toEqual({ kind: 'too-long' });
      // Former versions do not count.
      expect(await keep('ada', 'c', 'Short')).toMatchObject({ kind: 'kept' });
      expect(await keep('ada', 'd', title)).toMatchObject({ kind: 'kept' });
      expect(await keep('ada', 'c', title)).toEqual({ kind: 'too-long' });
      await remove('ada', 'a');
      expect(await keep('ada', 'c', title)).toMatchObject({ kind: 'kept' });
      expect(await keep('bo', 'd2', title)).toMatchObject({ kind: 'kept' });
    });

    it('bounds the names of an account and the versions of a name', async () => {
      for (let at = 0; at < KEPT_NAMES; at++) await keep('ada', `p${at}`);
      expect(await keep('ada', 'more')).toEqual({ kind: 'too-many' });
      expect(await keep('ada', 'p0', 'Two')).toMatchObject({ kind: 'kept' });
      await remove('ada', 'p1');
      expect(await keep('ada', 'more')).toMatchObject({ kind: 'kept' });
      for (let at = 0; at < KEPT_VERSIONS; at++) await keep('bo', 'p', `Title ${at}`);
      expect(await store.findProfile('bo', 'p', 1)).toBeDefined();
      await keep('bo', 'p', 'One more');
      expect(await store.findProfile('bo', 'p', 1)).toBeUndefined();
      expect(await store.findProfile('bo', 'p', 2)).toBeDefined();
    });

    it('is kept only as its conditions want it, also of several at once', async () => {
      const failed = expect.objectContaining({ code: 'precondition.failed' });
      const when = (conditions: Conditions, title: string) => keep('ada', 'lims', title, { conditions });
      await expect(when({ ifMatch: profileTag(1) }, 'One')).rejects.toEqual(failed);
      expect(await when({ ifNoneMatch: '*' }, 'One')).toMatchObject({ isNew: true });
      await expect(when({ ifNoneMatch: '*' }, 'Two')).rejects.toEqual(failed);
      const writers = ['a', 'b', 'c', 'd'].map((title) => when({ ifMatch: profileTag(1) }, title));
      const ends = await Promise.allSettled(writers);
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await store.listProfiles('ada')).map(brief)).toEqual([['ada', 'lims', 2, false]]);
      await remove('ada', 'lims');
      await expect(when({ ifMatch: profileTag(2) }, 'One')).rejects.toEqual(failed);
      expect(await when({ ifNoneMatch: '*' }, 'One')).toMatchObject({ profile: { version: 3 } });
    });

    it('is removed only as its conditions want it', async () => {
      const failed = expect.objectContaining({ code: 'precondition.failed' });
      await keep('ada', 'lims', 'One', { shared: true });
      await keep('ada', 'lims', 'Two');
      const stale = { conditions: { ifMatch: profileTag(1) } };
      await expect(remove('ada', 'lims', stale)).rejects.toEqual(failed);
      // Whose it is not learns nothing of its version.
      expect(await remove('ada', 'lims', { ...stale, admin: false })).toBe('shared');
      expect(await remove('bo', 'lims', stale)).toBe('none');
      expect((await store.listProfiles('bo')).map(brief)).toEqual([['ada', 'lims', 2, true]]);
      expect(await remove('ada', 'lims', { conditions: { ifMatch: profileTag(2) } })).toBe('removed');
      expect(await remove('ada', 'lims', { conditions: { ifMatch: profileTag(2) } })).toBe('none');
    });

    it('kept by several at once, has one version after the other', async () => {
      const titles = Array.from({ length: 8 }, (_, at) => `Title ${at}`);
      const kept = await Promise.all(titles.map((title) => keep('ada', 'lims', title)));
      const versions = kept.map((one) => (one.kind === 'kept' ? one.profile.version : 0)).sort((a, b) => a - b);
      expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });
  });
}
