/** Clients that leave before their answer begins: whoever answers them comes to an end, and gives back what it holds. */
import { once } from 'node:events';
import { request as call, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBody } from '../../src/http/json-body.js';
import { sendEvents, whenGone, writeEvents } from '../../src/http/live/events.js';
import { sendLiveChanges } from '../../src/http/live/live-changes.js';
import { sendOrStream, stream } from '../../src/http/respond.js';
import type { ChangeDocument } from '../../src/registry/changes/sample-feed.js';
import type { Submission } from '../../src/submissions/submission.js';

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

let server: Server;
let url: string;
let answer: Answering;
/** What became of the present answer. */
let ended: Promise<void>;
beforeAll(async () => {
  server = createServer((request, response) => {
    ended = answer(request, response);
    server.emit('asked');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

/** Resolves when the answer to a client that left at once has come to its end. */
async function toOneWhoLeaves(given: Answering): Promise<void> {
  answer = given;
  const asked = once(server, 'asked');
  const client = call(url).on('error', () => undefined);
  client.end();
  await asked;
  client.destroy();
  await ended;
}

const stopping = new AbortController().signal;
const LONG = 'x'.repeat(2 * 1024 * 1024);

it.each([
  ['a stream', stream],
  ['a long text', sendOrStream],
])('%s ends, and its pieces with it', async (_, send) => {
  let given = 0;
  let returned = false;
  async function* pieces(response: ServerResponse): AsyncGenerator<string> {
    try {
      await once(response, 'close');
      for (given = 1; ; given++) yield LONG;
    } finally {
      returned = true;
    }
  }
  await toOneWhoLeaves((request, response) => send(request, response, 'text/plain', pieces(response)));
  expect({ given, returned }).toEqual({ given: 1, returned: true });
});

it('events end that come when nobody is there any more', async () => {
  await toOneWhoLeaves((request, response) =>
    writeEvents(request, response, whenGone(response, stopping), async function* () {
      await once(response, 'close');
      yield { id: '1', name: 'late', data: LONG };
    }),
  );
});

it('live changes end when the reader leaves while a page is read, and no further page is', async () => {
  let pages = 0;
  await toOneWhoLeaves((request, response) =>
    sendLiveChanges(request, response, undefined, {
      stopping,
      page: async () => {
        if (++pages === 1) await once(response, 'close');
        return { changes: [{ cursor: '1', type: 'created' } as ChangeDocument], more: true, cursor: '1' };
      },
    }),
  );
  expect(pages).toBe(1);
});

it('the events of a submission are not waited for when the reader left before they were asked for', async () => {
  await toOneWhoLeaves(async (request, response) => {
    await once(response, 'close');
    await sendEvents(request, response, 'id', {
      stopping,
      watch: async function* (_, signal) {
        yield { state: 'ACTIVE', attempts: 1, cursor: 0, updated: 0 } as Submission;
        if (!signal.aborted) await once(signal, 'abort');
      },
      document: async () => ({}),
    });
  });
});

it('a body is not waited for whose sender left before it was read', async () => {
  await toOneWhoLeaves(async (request, response) => {
    await once(response, 'close');
    await expect(readBody(request, 100)).rejects.toThrow('The connection ended before the body was whole.');
  });
});

it('a reader that is slow gets every event', async () => {
  answer = (request, response) =>
    writeEvents(request, response, whenGone(response, stopping), async function* () {
      for (let at = 0; at < 6; at++) yield { id: String(at), name: 'long', data: LONG };
    });
  const text = await (await fetch(url)).text();
  await ended;
  expect(text.match(/^id: \d+$/gm)).toHaveLength(6);
  expect(text.length).toBeGreaterThan(6 * LONG.length);
});

it('a reader that takes nothing is not spoken to, so that its connection falls silent', async () => {
  const ticks: (() => void)[] = [];
  const { setInterval } = globalThis;
  globalThis.setInterval = ((tick: () => void) => {
    ticks.push(tick);
    return setInterval(() => undefined, 3_600_000);
  }) as typeof setInterval;
  let waiting: ServerResponse | undefined;
  answer = (request, response) =>
    writeEvents(request, response, whenGone(response, stopping), async function* () {
      waiting = response;
      while (!response.destroyed) yield { id: '1', name: 'long', data: LONG };
    });
  const client = call(url).on('error', () => undefined);
  client.end();
  await expect.poll(() => waiting?.writableNeedDrain).toBe(true);
  const held = waiting?.writableLength;
  globalThis.setInterval = setInterval;
  expect(ticks.length).toBeGreaterThan(0);
  for (const tick of ticks) tick();
  expect(waiting?.writableLength).toBe(held);
  client.destroy();
  await ended;
});
