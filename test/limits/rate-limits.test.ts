import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../../src/http/operation-match.js';
import { RateLimits, rateHeaders, TooManyRequests } from '../../src/limits/rate-limits.js';
import { openSharedCounters } from '../../src/queue/shared-counters.js';
import { PATIENCE_MS } from '../many-machines/local-process.js';
import { RedisServer } from '../many-machines/redis-server.js';
import { service, without } from '../support/services.js';

const POLICY = { read: 3, write: 2, upload: 1, 'sign-in': 0 };

const refusal = async (work: Promise<unknown>): Promise<TooManyRequests> => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TooManyRequests);
  return error as TooManyRequests;
};

describe('rate limits', () => {
  it('let pass as many as there may be, tell what is left, and refuse the next with a time to come back', async () => {
    const rates = new RateLimits(POLICY);
    expect(await rates.count('write', 'ada')).toEqual({ kind: 'write', quota: 2, remaining: 1, resetSeconds: 60 });
    expect((await rates.count('write', 'ada'))?.remaining).toBe(0);
    const error = await refusal(rates.count('write', 'ada'));
    expect(error).toMatchObject({ code: 'rate.limited', detail: { extra: { retryAfter: error.state.resetSeconds } } });
    expect(error.state.resetSeconds).toBeGreaterThan(50);
    expect(error.message).toMatch(/^More than 2 changes by this account in 60 s; try again in \d+ s\.$/);
  });

  it('count each account and each kind by itself', async () => {
    const rates = new RateLimits(POLICY);
    for (const who of ['ada', 'bo']) await rates.count('upload', who);
    await rates.count('write', 'ada');
    await refusal(rates.count('upload', 'ada'));
  });

  it('of 0 are none', async () => {
    const rates = new RateLimits(POLICY);
    for (let n = 0; n < 1000; n++) expect(await rates.count('sign-in', 'x')).toBeUndefined();
  });

  it('are reported in the fields of the RateLimit draft', () => {
    const state = { kind: 'write', quota: 10, remaining: 4, resetSeconds: 31 } as const;
    expect(rateHeaders(state)).toEqual([
      ['RateLimit-Policy', '"write";q=10;w=60'],
      ['RateLimit', '"write";r=4;t=31'],
    ]);
  });

  it.each([
    ['GET', '/submissions', 'read'],
    ['HEAD', '/files/x', 'read'],
    ['POST', '/submissions', 'upload'],
    ['POST', '/files', 'upload'],
    ['PATCH', '/files/x', 'write'],
    ['POST', '/submissions/x/retry', 'write'],
    ['POST', '/auth/token', 'sign-in'],
    ['POST', '/auth/session', 'sign-in'],
    ['DELETE', '/auth/session', 'write'],
    ['PUT', '/samples/SAMR1', 'write'],
    ['POST', '/auth/password', 'sign-in'],
    ['POST', '/Submissions', 'upload'],
    ['POST', '/SUBMISSIONS/', 'upload'],
    ['POST', '/submissions.json', 'upload'],
    ['POST', '/Auth/Token', 'sign-in'],
    ['POST', '/nowhere', 'write'],
  ])('take %s %s for a %s', (method, path, kind) => {
    expect(kindOf(method, path)).toBe(kind);
  });
});

describe.skipIf(without('redis'))('rate limits of several processes', () => {
  /** On a machine with other work, a Redis that is well may take longer than a request waits for it. */
  const open = (address: string) => openSharedCounters(address, PATIENCE_MS);
  const url = () => `${service('redis')}?prefix=limits-${randomBytes(6).toString('hex')}`;

  it('are one limit', async () => {
    const address = url();
    const shared = await Promise.all([open(address), open(address)]);
    const [here, there] = shared.map((counters) => new RateLimits({ ...POLICY, write: 5 }, counters));
    for (const counters of shared) {
      await expect.poll(() => counters?.client).toHaveProperty('status', 'ready');
    }
    for (let n = 0; n < 2; n++) await here?.count('write', 'ada');
    for (let n = 0; n < 3; n++) await there?.count('write', 'ada');
    await refusal(here?.count('write', 'ada') as Promise<unknown>);
    await refusal(there?.count('write', 'ada') as Promise<unknown>);
    for (const counters of shared) await counters?.close();
  });

  it.skipIf(without('redis'))('keep nobody away for as long as the clock was ahead', async () => {
    const shared = await open(`${service('redis')}?prefix=clock-${randomBytes(4).toString('hex')}`);
    await expect.poll(() => shared?.client).toHaveProperty('status', 'ready');
    const redis = shared?.client as { del(key: string): Promise<number> };
    const ofDay = Date.now;
    try {
      for (const rates of [new RateLimits(POLICY), new RateLimits(POLICY, shared)]) {
        Date.now = () => ofDay() + 3_600_000;
        for (let n = 0; n < 2; n++) await rates.count('write', 'ada');
        for (let n = 0; n < 3; n++) await refusal(rates.count('write', 'ada'));
        Date.now = ofDay;
        expect((await refusal(rates.count('write', 'ada'))).state.resetSeconds).toBeLessThanOrEqual(60);
      }
      // In Redis the window is over when its time has gone by, whatever the clock of this machine says.
      const rates = new RateLimits(POLICY, shared);
      Date.now = () => ofDay() + 3_600_000;
      for (let n = 0; n < 2; n++) await rates.count('write', 'bo');
      for (let n = 0; n < 3; n++) await refusal(rates.count('write', 'bo'));
      Date.now = ofDay;
      expect(await redis.del(`${shared?.prefix}rate:write:bo`)).toBe(1);
      expect(await rates.count('write', 'bo')).toMatchObject({ remaining: 1 });
    } finally {
      Date.now = ofDay;
      await shared?.close();
    }
  });

  it('go on in each process by itself while Redis is away', async () => {
    const redis = await RedisServer.open();
    const shared = await openSharedCounters(`${redis.url}?prefix=x`);
    const rates = new RateLimits(POLICY, shared);
    await rates.count('write', 'ada');
    await redis.stop();
    expect(await rates.count('upload', 'ada')).toMatchObject({ remaining: 0 });
    await refusal(
      (async () => {
        for (let n = 0; n < 3; n++) await rates.count('write', 'ada');
      })(),
    );
    await shared?.close();
    await redis.remove();
  });
});
