/** What keeps guessing, and the work that a guess costs, within bounds. */
import { describe, expect, it } from 'vitest';
import { FailedSignIns } from '../../src/auth/failed-sign-ins.js';
import { HashingTurns } from '../../src/auth/hashing-turns.js';
import { networkOf } from '../../src/limits/network.js';
import { RegistryError } from '../../src/registry/errors.js';

const refusalOf = (work: () => unknown): RegistryError | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof RegistryError) return error;
    throw error;
  }
  return undefined;
};

describe('failed sign-ins', () => {
  it('are at most 100 of one network, whatever the accounts, until the window has passed', () => {
    let now = 0;
    const failures = new FailedSignIns(() => now);
    for (let n = 0; n < 100; n += 1) failures.begin(`account ${n}`, '192.0.2.1');
    const refused = refusalOf(() => failures.begin('another', '192.0.2.1'));
    expect(refused).toMatchObject({ code: 'rate.limited', detail: { extra: { retryAfter: 900 } } });
    expect(refused?.message).toBe('Too many failed sign-ins; wait before the next one.');
    expect(refusalOf(() => failures.begin('another', '192.0.2.2'))).toBeUndefined();
    now = 5 * 60_000;
    const later = refusalOf(() => failures.begin('another', '192.0.2.1'));
    expect(later?.detail.extra).toEqual({ retryAfter: 600 });
    now = 15 * 60_000;
    expect(refusalOf(() => failures.begin('another', '192.0.2.1'))).toBeUndefined();
  });

  it('are forgotten when their time has passed, though the clock was set back meanwhile', () => {
    const [ofDay, ofProcess] = [Date.now, performance.now];
    try {
      const failures = new FailedSignIns();
      for (let n = 0; n < 10; n += 1) failures.begin('ada', '192.0.2.1');
      Date.now = () => ofDay() - 86_400_000;
      expect(refusalOf(() => failures.begin('ada', '192.0.2.1'))?.detail.extra).toEqual({ retryAfter: 900 });
      performance.now = () => ofProcess.call(performance) + 15 * 60_000;
      expect(refusalOf(() => failures.begin('ada', '192.0.2.1'))).toBeUndefined();
    } finally {
      Date.now = ofDay;
      performance.now = ofProcess;
    }
  });

  it('are at most 10 of one account from one network, which success forgives and a refusal for other reasons does not count', () => {
    const failures = new FailedSignIns(() => 0);
    for (let n = 0; n < 20; n += 1) failures.begin('ada', '192.0.2.1').neverCompared();
    for (let n = 0; n < 9; n += 1) failures.begin('ada', '192.0.2.1');
    failures.begin('ada', '192.0.2.1').succeeded();
    for (let n = 0; n < 10; n += 1) failures.begin('ada', '192.0.2.1');
    expect(refusalOf(() => failures.begin('ada', '192.0.2.1'))?.code).toBe('rate.limited');
    expect(refusalOf(() => failures.begin('bo', '192.0.2.1'))).toBeUndefined();
  });

  it('of a network are no successes, nor what was not compared', () => {
    const failures = new FailedSignIns(() => 0);
    for (let n = 0; n < 60; n += 1) failures.begin(`right ${n}`, '192.0.2.1').succeeded();
    for (let n = 0; n < 60; n += 1) failures.begin(`busy ${n}`, '192.0.2.1').neverCompared();
    for (let n = 0; n < 100; n += 1) failures.begin(`wrong ${n}`, '192.0.2.1');
    expect(refusalOf(() => failures.begin('another', '192.0.2.1'))?.code).toBe('rate.limited');
  });

  it('count an IPv6 address with its /64, and an IPv4 address in either spelling', () => {
    const failures = new FailedSignIns(() => 0);
    for (let n = 0; n < 10; n += 1) failures.begin('ada', `2001:db8:1:2::${n.toString(16)}`);
    expect(refusalOf(() => failures.begin('ada', '2001:db8:1:2:ffff::1'))?.code).toBe('rate.limited');
    expect(refusalOf(() => failures.begin('ada', '2001:db8:1:3::1'))).toBeUndefined();
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('2001:DB8:1:2:3::')).toBe('2001:db8:1:2::/64');
  });
});

describe('hashing of passwords', () => {
  /** Work that runs until it is asked to end. */
  const start = (turns: HashingTurns, addresses: string[]) => {
    const state = { running: 0, most: 0, done: 0 };
    const ends: (() => void)[] = [];
    const all = addresses.map((address) =>
      turns
        .run(address, async () => {
          state.running += 1;
          state.most = Math.max(state.most, state.running);
          await new Promise<void>((end) => ends.push(end));
          state.running -= 1;
          state.done += 1;
        })
        .catch((error: unknown) => error as RegistryError),
    );
    const finish = async () => {
      for (let last = -1; state.done > last; ) {
        last = state.done;
        for (const end of ends.splice(0)) end();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return (await Promise.all(all)).filter((refused) => refused !== undefined);
    };
    return { state, finish };
  };
  const networks = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n}`);

  it('is done two at a time; ten may run and wait, the others come back later', async () => {
    const { state, finish } = start(new HashingTurns(), networks(16));
    const refused = await finish();
    expect(state).toEqual({ running: 0, most: 2, done: 10 });
    expect(refused.map((error) => error.code)).toEqual(Array(6).fill('rate.limited'));
    expect(refused[0]?.detail.extra).toEqual({ retryAfter: 1 });
    expect(refused[0]?.message).toBe('Too many passwords are being checked at this moment; try again.');
  });

  it('is counted for a network as long as it lasts, and leaves nothing behind', async () => {
    const turns = new HashingTurns();
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((end) => ends.push(end));
    const all = Array.from({ length: 4 }, () => turns.run('192.0.2.1', work));
    await expect(turns.run('192.0.2.1', work)).rejects.toMatchObject({ code: 'rate.limited' });
    ends.shift()?.();
    await all[0];
    all.push(turns.run('192.0.2.1', work));
    await expect(turns.run('192.0.2.1', work)).rejects.toMatchObject({ code: 'rate.limited' });
    for (const one of all) {
      await expect.poll(() => ends.length + Number(one === all[0])).toBeGreaterThan(0);
      if (one !== all[0]) ends.shift()?.();
      await one;
    }
    expect((turns as unknown as { ofNetwork: Map<string, number> }).ofNetwork.size).toBe(0);
  });

  it('leaves turns to others, however many one network asks for', async () => {
    const turns = new HashingTurns();
    const greedy = start(turns, Array(16).fill('192.0.2.1'));
    const other = start(turns, ['198.51.100.1']);
    expect(await greedy.finish()).toHaveLength(12);
    expect(await other.finish()).toEqual([]);
    expect(other.state.done).toBe(1);
  });

  it('gives its turn back when it fails', async () => {
    const turns = new HashingTurns();
    for (let n = 0; n < 20; n += 1) {
      await expect(turns.run('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(await turns.run('x', async () => 'yes')).toBe('yes');
  });
});
