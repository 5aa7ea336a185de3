/**
 * The server is killed while it sends changes of samples to a webhook: none is missed, and repeats bear the id of the first.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { Receiver } from '../webhooks/receiver.js';

const KILLS = 10;
/** Samples between two kills. */
const SAMPLES = 15;

const JSON_ONLY = { accept: 'application/json' };

interface Page {
  changes: { cursor: string }[];
  cursor: string;
  more: boolean;
}

describe('the server is killed while it sends changes', () => {
  let dataDir: string;
  let server: TestServer;
  let receiver: Receiver;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'registry-webhook-kill-'));
    server = await startServer({ dataDir, env: { WEBHOOKS_ALLOW_PRIVATE: 'true' } });
    receiver = new Receiver();
    await receiver.open();
  });
  afterEach(async () => {
    await receiver.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const restart = async () => {
    const { adminToken } = server;
    await server.kill('SIGKILL');
    server = await startServer({ dataDir, env: { ADMIN_TOKEN: adminToken, WEBHOOKS_ALLOW_PRIVATE: 'true' } });
  };
  const changesAfter = async (cursor: string, token: string): Promise<string[]> => {
    const page = (await server.get(`/changes?size=1000&after=${cursor}`, { token, headers: JSON_ONLY })).json<Page>();
    const cursors = page.changes.map((change) => change.cursor);
    return page.more ? [...cursors, ...(await changesAfter(page.cursor, token))] : cursors;
  };

  const write = async (token: string, tag: string) => {
    for (let at = 0; at < SAMPLES; at++) {
      const body = { name: `${tag} ${at}`, release: at % 2 === 0 ? '2020-01-01' : '2999-01-01' };
      expect((await server.send('POST', '/samples', body, { token })).status).toBe(201);
    }
  };
  const arrived = (): string[] => {
    const byId = new Map(receiver.received.map(({ id, payload }) => [id, payload.data.changes]));
    return [...byId.values()].flat().map((change) => change.cursor);
  };
  /** A webhook of a new account, and where the log ended when it was made. */
  const follow = async () => {
    const token = await server.token('ada');
    const { cursor } = (await server.get('/changes?after=latest', { token, headers: JSON_ONLY })).json<Page>();
    const made = await server.send('POST', '/webhooks', { url: receiver.url(), events: ['sample.created'] }, { token });
    expect(made.status, made.text).toBe(201);
    const { id, secret } = made.json<{ id: string; secret: string }>();
    receiver.secret = secret;
    return { token, cursor, id };
  };
  const everythingArrives = async (cursor: string, token: string, samples: number) => {
    const all = await changesAfter(cursor, token);
    expect(all).toHaveLength(samples);
    await expect.poll(() => arrived().length).toBeGreaterThanOrEqual(samples);
    expect(arrived()).toEqual(all);
    expect(receiver.refused).toEqual([]);
  };

  it('with a delivery that waits for its receiver and changes that none was made of: all arrive, in order, once', async () => {
    const { token, cursor, id } = await follow();
    for (let kill = 1; kill <= (PROOF ? 5 : 1); kill++) {
      await receiver.close();
      await write(token, `before ${kill}`);
      const first = async () =>
        (await server.get(`/webhooks/${id}/deliveries?size=1`, { token })).json<{
          _embedded: { deliveries: { attempts: number; state: string }[] };
        }>()._embedded.deliveries[0];
      const tried = { attempts: expect.toSatisfy((attempts: number) => attempts > 0), state: 'waiting' };
      await expect.poll(first).toMatchObject(tried);
      await write(token, `after ${kill}`);
      await restart();
      await receiver.open();
      await everythingArrives(cursor, token, kill * 2 * SAMPLES);
    }
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(receiver.received.length);
  });

  // What was under way is taken up again when its lease is over: a minute for each kill.
  it.runIf(PROOF)(
    'in the middle of calls: every change arrives, in order, once for each id',
    { timeout: 1_800_000 },
    async () => {
      const { token, cursor } = await follow();
      for (let kill = 0; kill < KILLS; kill++) {
        receiver.answer = { status: kill % 2 === 0 ? 204 : 500 };
        const before = receiver.received.length;
        await write(token, String(kill));
        await expect.poll(() => receiver.received.length, { interval: 5 }).toBeGreaterThan(before);
        await restart();
      }
      receiver.answer = { status: 204 };
      await everythingArrives(cursor, token, KILLS * SAMPLES);
    },
  );
});
