import { describe, expect, it } from 'vitest';
import * as permissions from '../../src/registry/permissions.js';
import { emptyContent, type StoredSample } from '../../src/registry/samples/sample.js';
import { isAdministrative, statusOf } from '../../src/registry/samples/status.js';
import { curationLink } from '../many-machines/store-samples.js';

const NOW = 1000;
const sample = (changes: Partial<StoredSample> = {}): StoredSample => ({
  id: 1,
  name: 'n',
  release: NOW,
  content: emptyContent(),
  account: 'ada',
  author: 'ada',
  via: 'JSON_API',
  version: 1,
  created: 0,
  updated: 0,
  ...changes,
});
const caller = (account: string, scopes: string[], admin = false) => ({ account, scopes, admin });
const CALLERS = {
  nobody: undefined,
  reader: caller('ada', ['read']),
  owner: caller('ada', ['submit']),
  other: caller('bo', ['submit']),
  admin: caller('root', ['admin'], true),
};

describe('status', () => {
  it('follows the release date unless an administrator set one', () => {
    expect(statusOf({ release: NOW }, NOW)).toBe('PUBLIC');
    expect(statusOf({ release: NOW + 1 }, NOW)).toBe('PRIVATE');
    expect(statusOf({ release: 0, adminStatus: 'SUPPRESSED' }, NOW)).toBe('SUPPRESSED');
    expect(statusOf({ release: 0, adminStatus: 'MISSING' }, NOW)).toBe('WITHDRAWN');
  });

  it('is administrative when only administrators take it back', () => {
    const held = ['CANCELLED', 'SUPPRESSED', 'KILLED'] as const;
    expect(held.map((one) => isAdministrative(one))).toEqual(held.map(() => true));
    for (const other of ['WITHDRAWN', 'MISSING', undefined] as const) expect(isAdministrative(other)).toBe(false);
  });
});

describe('who may', () => {
  const who = (may: (one: (typeof CALLERS)[keyof typeof CALLERS]) => boolean) =>
    Object.entries(CALLERS)
      .filter(([, one]) => may(one))
      .map(([name]) => name)
      .join(' ');

  it('read a public sample: everybody; any other: its owner and administrators', () => {
    const all = 'nobody reader owner other admin';
    expect(who((one) => permissions.mayRead(sample(), one, NOW))).toBe(all);
    for (const hidden of [sample({ release: NOW + 1 }), sample({ adminStatus: 'KILLED' })]) {
      expect(who((one) => permissions.mayRead(hidden, one, NOW))).toBe('reader owner admin');
    }
  });

  it('change a sample: its owner with the scope to submit, and administrators', () => {
    expect(who((one) => one !== undefined && permissions.mayChange(sample(), one))).toBe('owner admin');
  });

  it('attach data: the owner and administrators, others where the owner has opened it', () => {
    const attaching = (othersMayAttachData: boolean) =>
      who((one) => one !== undefined && permissions.mayAttach(sample(), one, { othersMayAttachData }));
    expect([attaching(false), attaching(true)]).toEqual(['owner admin', 'owner other admin']);
  });

  it('see history and submissions: the owner and administrators', () => {
    expect(who((one) => permissions.mayReadHistory(sample(), one))).toBe('reader owner admin');
    const seeing = (admin: boolean, json?: string) =>
      who(
        (one) => one !== undefined && permissions.maySeeSubmission({ account: 'ada', admin, columns: { json } }, one),
      );
    expect([seeing(false), seeing(false, 'edit'), seeing(true), seeing(true, 'samples')]).toEqual(
      Array(4).fill('reader owner admin'),
    );
    expect(seeing(true, 'edit')).toBe('admin');
  });

  it('submit: those with the scope, and administrators', () => {
    expect(who((one) => one !== undefined && permissions.maySubmit(one))).toBe('owner other admin');
  });

  it('delete a curation: who made it, with the scope to submit, and administrators', () => {
    const link = curationLink('l', {});
    expect(who((one) => one !== undefined && permissions.mayDeleteLink(link, one))).toBe('other admin');
    expect(who((one) => one !== undefined && permissions.mayDeleteLink({ ...link, account: 'ada' }, one))).toBe(
      'owner admin',
    );
  });
});
