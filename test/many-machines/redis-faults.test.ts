/** The queue while Redis is restarted empty, frozen, absent, behind Sentinels or a Cluster. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BullmqOptions, BullmqQueue } from '../../src/queue/bullmq.js';
import { RegistryError } from '../../src/registry/errors.js';
import { freePort, kill, lacks, PATIENCE_MS, start, until } from './local-process.js';
import { RedisServer } from './redis-server.js';

const NO_ROUNDS = { pollMs: 3_600_000 };
/** On a machine with other work, a Redis that is well may take longer than an upload waits for it. */
const PATIENT = { ...NO_ROUNDS, patienceMs: PATIENCE_MS };
const ring = () => ({ submissionId: randomUUID(), lane: 'small' as const, account: 'a' });

/** A handler that counts its calls; while `hold` is set, they last until it resolves. */
class Counter {
  calls = 0;
  hold: Promise<void> | undefined;
  readonly handle = async (): Promise<void> => {
    this.calls += 1;
    await this.hold;
  };
  reaches = (count: number): Promise<void> => until(() => expect(this.calls).toBeGreaterThanOrEqual(count));
}

function gate(): { held: Promise<void>; letGo: () => void } {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { held, letGo };
}

type Command = [string, ...string[]];
const unavailable = expect.objectContaining({ code: 'service.unavailable' });

describe.skipIf(lacks('redis-server'))('the queue when Redis is hurt', { tags: 'engines' }, () => {
  let redis: RedisServer;
  const open: BullmqQueue[] = [];
  const queue = (url = redis.url, options: BullmqOptions = PATIENT): BullmqQueue => {
    const made = new BullmqQueue(url, options);
    open.push(made);
    return made;
  };

  beforeEach(async () => {
    redis = await RedisServer.open();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    await redis.remove();
  });

  it('rings and announces again by itself after Redis was restarted empty', async () => {
    const [here, there] = [queue(), queue()];
    const counter = new Counter();
    there.consume('small', 2, counter.handle);
    await here.publish(ring());
    await counter.reaches(1);
    for (const time of [2, 3]) {
      await redis.stop();
      await expect(here.publish(ring())).rejects.toEqual(unavailable);
      await expect(here.check()).rejects.toEqual(unavailable);
      await redis.start();
      await until(() => here.publish(ring()));
      await counter.reaches(time);
      const heard = there.waitFor('x', PATIENCE_MS);
      await until(() => here.check());
      await here.announce('x');
      expect(await heard).toBe(true);
      await redis.ask('del', '{registry}:ended:x');
    }
  });

  it('goes on after everything in Redis was deleted under a running handler', { tags: 'slow' }, async () => {
    const [here, there] = [queue(), queue()];
    const counter = new Counter();
    const { held, letGo } = gate();
    counter.hold = held;
    there.consume('small', 1, counter.handle);
    await here.publish(ring());
    await counter.reaches(1);
    await redis.ask('flushall');
    letGo();
    await here.publish(ring());
    await counter.reaches(2);
  });

  it('refuses a ring while Redis is frozen, instead of holding the upload', async () => {
    const here = queue(redis.url, NO_ROUNDS);
    await until(() => here.publish(ring()));
    redis.signal('SIGSTOP');
    try {
      await expect(here.publish(ring())).rejects.toEqual(unavailable);
      await here.announce('x');
      expect(await here.waitFor('x', 100)).toBe(false);
    } finally {
      redis.signal('SIGCONT');
    }
    await until(() => here.publish(ring()));
  });

  it.each<[string, Command, Command, RegExp]>([
    ['is full', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0'], /OOM command not allowed/],
    ['became a replica', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one'], /READONLY/],
  ])(
    'says why when a Redis that %s takes no ring, and works on by itself',
    { tags: 'slow' },
    async (_, hurt, cured, why) => {
      const said: string[] = [];
      const here = queue(redis.url, { ...PATIENT, onError: (error) => said.push(String(error)) });
      const there = queue(redis.url, { pollMs: 100 });
      const counter = new Counter();
      there.consume('small', 1, counter.handle);
      await until(() => here.publish(ring()));
      await counter.reaches(1);
      await redis.ask(...hurt);
      await expect(here.publish(ring())).rejects.toEqual(unavailable);
      expect(said).toEqual([expect.stringMatching(why)]);
      await expect(here.check()).rejects.toMatchObject({
        code: 'service.unavailable',
        message: expect.stringMatching(new RegExp(`takes no rings: .*${why.source}`)),
      });
      await counter.reaches(counter.calls + 2);
      await redis.ask(...cured);
      await until(() => here.publish(ring()));
      await here.check();
    },
  );

  it('lets consumers ask by themselves while there is no Redis, and stop without it', { tags: 'slow' }, async () => {
    await redis.stop();
    const there = queue(redis.url, { pollMs: 100 });
    const counter = new Counter();
    const consumer = there.consume('small', 1, counter.handle);
    await counter.reaches(3);
    await consumer.stop();
  });

  it('begins to work when Redis comes after it', { tags: 'slow' }, async () => {
    await redis.stop();
    const [here, there] = [queue(), queue()];
    const counter = new Counter();
    there.consume('small', 1, counter.handle);
    await expect(here.publish(ring())).rejects.toBeInstanceOf(RegistryError);
    await redis.start();
    await until(() => here.publish(ring()));
    await counter.reaches(1);
  });

  it('stops in peace when Redis dies under a running handler', { tags: 'slow' }, async () => {
    const [here, there] = [queue(), queue()];
    const counter = new Counter();
    const { held, letGo } = gate();
    counter.hold = held;
    const consumer = there.consume('small', 1, counter.handle);
    await here.publish(ring());
    await counter.reaches(1);
    await redis.stop();
    const stopping = consumer.stop();
    letGo();
    await stopping;
  });

  it('hears of an ending that was announced a moment before it waits', async () => {
    const [here, there] = [queue(), queue()];
    await here.announce('early');
    expect(await there.waitFor('early', PATIENCE_MS)).toBe(true);
  });

  it('works on a Cluster', { tags: 'slow' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-cluster-'));
    const node = await RedisServer.open(
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      join(folder, 'nodes.conf'),
      '--cluster-announce-ip',
      '127.0.0.1',
    );
    try {
      await node.ask('cluster', 'addslotsrange', '0', '16383');
      await until(async () => expect(await node.ask('cluster', 'info')).toContain('cluster_state:ok'));
      const [here, there] = [queue(`${node.url}?cluster=true`), queue(`${node.url}?cluster=true`)];
      await ringsAndAnnounces(here, there);
    } finally {
      await Promise.all(open.splice(0).map((each) => each.close()));
      await node.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('asks Sentinels where the master is', { tags: 'slow' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-sentinel-'));
    const port = await freePort();
    writeFileSync(join(folder, 's.conf'), `port ${port}\nsentinel monitor mine 127.0.0.1 ${redis.port} 1\n`);
    const sentinel = start('redis-server', [join(folder, 's.conf'), '--sentinel']);
    try {
      const url = `redis://127.0.0.1:${port}?sentinel=mine`;
      const [here, there] = [queue(url), queue(url)];
      await until(() => here.check());
      await ringsAndAnnounces(here, there);
    } finally {
      await Promise.all(open.splice(0).map((each) => each.close()));
      await kill(sentinel);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function ringsAndAnnounces(here: BullmqQueue, there: BullmqQueue): Promise<void> {
  const counter = new Counter();
  there.consume('small', 1, counter.handle);
  await here.publish(ring());
  await counter.reaches(1);
  const heard = there.waitFor('ended', PATIENCE_MS);
  await here.announce('ended');
  expect(await heard).toBe(true);
}
