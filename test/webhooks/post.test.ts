import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureText } from '../../src/webhooks/failure-text.js';
import { NoAnswerError, post } from '../../src/webhooks/post.js';

/** What a receiver sends, as it is. */
let sent: string;
/** Whether it then ends the connection. */
let ends: boolean;
let receiver: Server;
let open: number;

beforeEach(async () => {
  open = 0;
  receiver = createServer((socket) => {
    open += 1;
    socket.on('error', () => undefined);
    socket.once('close', () => (open -= 1));
    socket.once('data', () => (ends ? socket.end(sent) : socket.write(sent)));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise<void>((resolve) => receiver.close(() => resolve())));

const attempt = (secure = '') => {
  const { port } = receiver.address() as AddressInfo;
  return post(`http${secure}://127.0.0.1:${port}/hook`, '{}', {}, { allowPrivate: true, timeoutMs: 500 });
};

const INTERIM = 'HTTP/1.1 102 Processing\r\n\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('an attempt to deliver', () => {
  it.each([
    ['a change of the protocol', SWITCH, 101],
    ['a change of the protocol to none', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 101],
    ['an answer without an end', 'HTTP/1.1 200 OK\r\n\r\nthis goes on', 200],
    ['an answer of fewer bytes than it says', 'HTTP/1.1 503 No\r\nContent-Length: 100\r\n\r\n', 503],
    ['an answer after one for the time being', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', 204],
  ])('takes the status of %s, and leaves no connection', async (_what, text, status) => {
    for (ends of [false, true]) {
      sent = text;
      expect(await attempt()).toEqual({ status });
      await expect.poll(() => open).toBe(0);
    }
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['an answer for the time being alone', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('fails where the receiver sends %s, whether it hangs up or not', async (_what, text) => {
    sent = text;
    ends = true;
    await expect(attempt()).rejects.toMatchObject({ code: 'ECONNRESET' });
    ends = false;
    await expect(attempt()).rejects.toThrow(NoAnswerError);
    await expect.poll(() => open).toBe(0);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', '', 'What the receiver sent is no answer of HTTP.'],
    [
      'a head without end',
      `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`,
      '',
      'The head of the receiver’s answer is too long.',
    ],
    [
      'no TLS',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      's',
      'The receiver speaks no TLS that this service knows. Does its address lead to the port of https?',
    ],
  ])('says in words that a receiver speaks %s', async (_what, text, secure, words) => {
    [sent, ends] = [text, true];
    const error: unknown = await attempt(secure).catch((thrown: unknown) => thrown);
    expect(failureText(error)).toBe(words);
    await expect.poll(() => open).toBe(0);
  });

  it('ends once a receiver has sent many answers for the time being: reading them would keep everybody waiting', async () => {
    ends = false;
    sent = INTERIM.repeat(20);
    await expect(attempt()).rejects.toThrow('did not answer within');
    sent = INTERIM.repeat(21);
    await expect(attempt()).rejects.toThrow('more than 20 answers for the time being');
    await expect.poll(() => open).toBe(0);
  });

  it('fails where the receiver sends what is no answer', async () => {
    for (ends of [false, true]) {
      sent = 'hello\r\n\r\n';
      await expect(attempt()).rejects.toThrow();
      await expect.poll(() => open).toBe(0);
    }
  });
});
