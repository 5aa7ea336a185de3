/** @module-tag slow */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { Receiver } from '../webhooks/receiver.js';

let server: TestServer;
let receiver: Receiver;
let token: string;
beforeAll(async () => {
  server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'true' } });
});
afterAll(() => server.stop());
let accounts = 0;
beforeEach(async () => {
  receiver = new Receiver();
  await receiver.open();
  token = await server.token(`account${++accounts}`);
});
afterEach(() => receiver.close());

interface WebhookDocument {
  id: string;
  secret: string;
  events: string[];
}
interface Deliveries {
  _embedded: {
    deliveries: { id: string; submissionId: string; state: string; attempts: number; lastStatus?: number }[];
  };
}

async function hook(events?: string[]): Promise<WebhookDocument> {
  const answer = await server.send(
    'POST',
    '/webhooks',
    { url: receiver.url(), ...(events ? { events } : {}) },
    { token },
  );
  expect(answer.status, answer.text).toBe(201);
  const made = answer.json() as unknown as WebhookDocument;
  receiver.secret = made.secret;
  return made;
}

const upload = async (tag: string): Promise<string> =>
  (await server.uploadAndSettle(plainSheet({ tag, rows: 3 }), { token })).id;

const deliveries = async (id: string) =>
  (await server.get(`/webhooks/${id}/deliveries`, { token })).json<Deliveries>()._embedded.deliveries;

describe('webhooks of a running service', () => {
  it('are reported when a submission has ended, signed, and log it', async () => {
    const { id } = await hook();
    const submission = await upload('reported');
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]?.payload).toMatchObject({
      type: 'submission.completed',
      data: { submissionId: submission, submissionStatus: 'COMPLETED', counts: { created: 3 } },
    });
    await expect
      .poll(() => deliveries(id))
      .toMatchObject([{ submissionId: submission, state: 'delivered', lastStatus: 204 }]);
    expect(receiver.refused).toEqual([]);
  });

  it('are reported only of what they asked for', async () => {
    await hook(['submission.failed']);
    await upload('quiet');
    const failed = await server.upload('no table\n', { token });
    expect(failed.status).toBe(422);
    await expect.poll(() => receiver.received.map(({ payload }) => payload.type)).toEqual(['submission.failed']);
  });

  it('that were away are reported when they are back, though the service was killed meanwhile', async () => {
    const mine = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'true' } });
    const before = server;
    server = mine;
    try {
      token = await mine.token('cy');
      const { id } = await hook();
      await receiver.close();
      const submissions = [await upload('a'), await upload('b'), await upload('c')];
      await mine.kill('SIGKILL');
      await receiver.open();
      server = await startServer({
        dataDir: mine.dataDir,
        env: { ADMIN_TOKEN: mine.adminToken, WEBHOOKS_ALLOW_PRIVATE: 'true' },
      });
      await expect
        .poll(() => receiver.received.map(({ payload }) => payload.data.submissionId).sort())
        .toEqual(submissions.sort());
      expect((await deliveries(id)).every(({ state }) => state === 'delivered')).toBe(true);
      await server.stop();
    } finally {
      server = before;
      await mine.stop();
    }
  });

  it('are sent again when asked', async () => {
    const { id } = await hook();
    await upload('again');
    await expect.poll(() => receiver.received.length).toBe(1);
    const [delivery] = await deliveries(id);
    const asked = await server.send('POST', `/webhooks/${id}/deliveries/${delivery?.id}/redeliver`, {}, { token });
    expect(asked.status).toBe(202);
    await expect.poll(() => receiver.received.map((one) => one.id)).toEqual([delivery?.id, delivery?.id]);
    expect((await server.send('POST', `/webhooks/${id}/deliveries/none/redeliver`, {}, { token })).status).toBe(404);
  });

  it('are listed without their secret, removed, and nobody else’s', async () => {
    const { id, secret } = await hook();
    const listed = await server.get('/webhooks', { token });
    expect(listed.text).toContain(id);
    expect(listed.text).not.toContain(secret);
    expect((await server.get(`/webhooks/${id}`, { token })).text).not.toContain(secret);
    const other = await server.token('somebody else');
    for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
      expect((await server.get(path, { token: other })).status).toBe(404);
    }
    expect((await server.call(`/webhooks/${id}`, { method: 'DELETE', token: other })).status).toBe(404);
    expect((await server.get('/webhooks', { token: null })).status).toBe(401);
    expect(
      (await server.send('POST', '/webhooks', { url: receiver.url() }, { token: await server.token('r', ['read']) }))
        .status,
    ).toBe(403);
    expect((await server.call(`/webhooks/${id}`, { method: 'DELETE', token })).status).toBe(204);
    expect((await server.get(`/webhooks/${id}`, { token })).status).toBe(404);
  });

  it('refuse bodies and addresses that cannot be', async () => {
    const make = (body: unknown) => server.send('POST', '/webhooks', body, { token });
    for (const body of [{}, { url: 5 }, { url: 'lims' }, { url: 'https://lims.example', events: ['all'] }, []]) {
      expect((await make(body)).status, JSON.stringify(body)).toBe(400);
    }
    const strict = await startServer();
    try {
      const answer = await strict.send('POST', '/webhooks', { url: 'http://127.0.0.1:8080/x' });
      expect(answer.json()).toMatchObject({ status: 400, detail: expect.stringContaining('public internet') });
    } finally {
      await strict.stop();
    }
  });
});

describe('events of a submission', () => {
  it('go on where a reader was, and tell one that has seen the end to stop', async () => {
    const id = await upload('events');
    const read = async (last?: string) => {
      const answer = await server.get(`/submissions/${id}/events`, {
        token,
        headers: last ? { 'last-event-id': last } : {},
      });
      const ids = [...answer.text.matchAll(/^id: (.+)$/gm)].map(([, found]) => found as string);
      return { status: answer.status, ids };
    };
    const first = await read();
    expect(first).toMatchObject({ status: 200, ids: [expect.any(String)] });
    expect(await read('0-0-0')).toEqual(first);
    expect(await read(first.ids.at(-1))).toEqual({ status: 204, ids: [] });
  });
});
