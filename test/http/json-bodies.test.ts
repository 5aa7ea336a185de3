/** The body of a request as JSON: how large, of which type, and what is said of one that cannot be read. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, registered, sample, sendText, storedSince } from './raw-bodies.js';
import { type Service, startService } from './service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const sendRaw = (
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => sendText(service, token, method, path, body, headers);

describe('bodies that are no good JSON', () => {
  const LIMIT = 1024 * 1024;
  const padded = (size: number) => JSON.stringify(sample()).padEnd(size, ' ');

  it('may be exactly as large as allowed and not a byte larger', async () => {
    expect((await sendRaw('POST', '/samples', padded(LIMIT))).status).toBe(201);
    const answer = await sendRaw('POST', '/samples', padded(LIMIT + 1));
    expect([answer.status, answer.json()]).toEqual([
      413,
      expect.objectContaining({
        code: 'body.too-large',
        detail: `The body is larger than ${LIMIT} bytes; upload a file to /submissions for many samples.`,
      }),
    ]);
  });

  it('may be no larger either where their length is not declared', async () => {
    const statusOf = async (size: number) => {
      const call = request(`${service.url}/samples`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      const half = size >> 1;
      call.write(padded(size).slice(0, half));
      call.end(padded(size).slice(half));
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect([await statusOf(LIMIT), await statusOf(LIMIT + 1)]).toEqual([201, 413]);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['no JSON', '{"name": "x", }'],
    ['half a string', '{"name": "x'],
    ['two values', '{} {}'],
    ['lists 10 000 deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['objects 10 000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['10 000 opened lists', '['.repeat(10_000)],
    [
      'a characteristic 10 000 deep',
      `{"name":"x","release":"2020-01-01","characteristics":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
    ],
    ['a member twice', '{"name":"x","release":"2020-01-01","name":"y"}'],
    ['a member twice, spelt differently', '{"name":"x","release":"2020-01-01","n\\u0061me":"y"}'],
    ['a characteristic twice', '{"name":"x","release":"2020-01-01","characteristics":{"a":[],"a":[]}}'],
    ['bytes that are not UTF-8', new Uint8Array(Buffer.from('{"name":"\xe4","release":"2020-01-01"}', 'latin1'))],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"name":"x","release":"2020-01-01"}', 'utf16le'))],
    ['half a surrogate pair', '{"name":"\\ud800","release":"2020-01-01"}'],
    ['a NUL', '{"name":"a\\u0000b","release":"2020-01-01"}'],
    ['a list', '[{"name":"x","release":"2020-01-01"}]'],
    ['a text', '"x"'],
    ['null', 'null'],
  ])('are 400 for %s, and nothing is stored', async (_, body) => {
    const first = idOf(await registered(service, token));
    const answer = await sendRaw('POST', '/samples', body);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
    expect(await storedSince(service, token, first)).toEqual([]);
  });

  it('are taken with a byte order mark, as HAL, with and without charset', async () => {
    const body = JSON.stringify(sample());
    for (const type of [
      'application/json',
      'application/hal+json',
      'application/json;charset=UTF-8',
      'application/HAL+JSON; charset="utf-8"',
    ]) {
      expect((await sendRaw('POST', '/samples', `\ufeff${body}`, { 'content-type': type })).status).toBe(201);
    }
  });

  it.each([
    [{ 'content-type': 'text/plain' }, 'The Content-Type is "text/plain"; send application/json or'],
    [{ 'content-type': 'application/xml' }, 'The Content-Type is "application/xml"; send application/json or'],
    [
      { 'content-type': 'multipart/form-data; boundary=x' },
      'The Content-Type is "multipart/form-data; boundary=x"; send',
    ],
    [{ 'content-type': '' }, 'The Content-Type is ""; send application/json or application/hal+json.'],
    [{ 'content-type': 'application/json;charset=latin1' }, 'The charset is "latin1"; JSON is sent as UTF-8.'],
    [{ 'content-encoding': 'gzip' }, 'The Content-Encoding is "gzip"; send the body as it is.'],
  ])('are 415 with %j', async (headers, words) => {
    const answer = await sendRaw('POST', '/samples', JSON.stringify(sample()), headers);
    expect([answer.status, answer.json()]).toEqual([
      415,
      expect.objectContaining({ code: 'media-type.unsupported', detail: expect.stringContaining(words) }),
    ]);
  });

  it.each([
    { 'content-type': 'application/json;charset=us-ascii' },
    { 'content-type': 'application/json;charset=UTF8' },
    { 'content-encoding': 'Identity' },
  ])('are taken with %j', async (headers) => {
    expect((await sendRaw('POST', '/samples', JSON.stringify(sample()), headers)).status).toBe(201);
  });
});
