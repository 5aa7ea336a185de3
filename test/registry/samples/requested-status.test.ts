import { describe, expect, it } from 'vitest';
import { requestedStatus } from '../../../src/registry/samples/requested-status.js';
import type { HeldStatus } from '../../../src/registry/samples/sample.js';

const NOW = Date.UTC(2030, 0, 1);
const PAST = NOW - 1;
const FUTURE = NOW + 1;

const ask = (
  status: string | undefined,
  { release = PAST, held, admin = false }: { release?: number; held?: HeldStatus; admin?: boolean } = {},
) =>
  requestedStatus({
    status,
    release,
    current: { release, ...(held === undefined ? {} : { adminStatus: held }) },
    admin,
    now: NOW,
  });
const askNew = (status: string | undefined, release: number, admin = false) =>
  requestedStatus({ status, release, current: undefined, admin, now: NOW });

describe('the status that a body asks for', () => {
  it.each([
    ['none', () => ask(undefined)],
    ['the one that the sample has', () => ask('PUBLIC')],
    ['the one that an administrator has set', () => ask('KILLED', { held: 'KILLED' })],
    ['the one that follows from the release of a new sample', () => askNew('PRIVATE', FUTURE)],
  ])('changes nothing when it is %s', (_, answer) => expect(answer()).toEqual({ change: undefined }));

  it('is that of an administrator’s', () => {
    expect(ask('SUPPRESSED', { admin: true })).toEqual({ change: 'SUPPRESSED' });
    expect(ask('SUPPRESSED')).toEqual({
      problem: 'is "SUPPRESSED", which administrators set; leave it out, or ask an administrator',
    });
  });

  it('withdraws a sample and takes that back', () => {
    expect(ask('WITHDRAWN')).toEqual({ change: 'WITHDRAWN' });
    expect(ask('PUBLIC', { held: 'WITHDRAWN' })).toEqual({ change: null });
    expect(ask('PUBLIC', { held: 'MISSING' })).toEqual({ change: null });
  });

  it('leaves what an administrator has set to administrators', () => {
    expect(ask('PUBLIC', { held: 'KILLED', admin: true })).toEqual({ change: null });
    for (const status of ['PUBLIC', 'WITHDRAWN']) {
      expect(ask(status, { held: 'KILLED' })).toEqual({
        problem: `is "${status}", but an administrator has set "KILLED"; leave it out, or ask an administrator`,
      });
    }
  });

  it('follows from the release and not the other way round', () => {
    expect(askNew('PUBLIC', FUTURE)).toEqual({
      problem:
        'is "PUBLIC", but the release is 2030-01-01T00:00:00.001Z and the status follows from it; send a release that is past, or leave the status out',
    });
    expect(askNew('PRIVATE', PAST, true)).toEqual({
      problem:
        'is "PRIVATE", but the release is 2029-12-31T23:59:59.999Z and the status follows from it; send a release in the future, or leave the status out',
    });
  });

  it('is one that there is', () => {
    expect(ask(`public${'x'.repeat(200)}`)).toEqual({
      problem: `is "public${'x'.repeat(94)}", which is no status; leave it out: it follows from the release`,
    });
    expect(ask('MISSING', { admin: true })).toMatchObject({ problem: expect.stringContaining('which is no status') });
  });
});
