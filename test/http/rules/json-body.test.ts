/** What the body of a request may be, however it arrives. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Blocks } from '../../../src/http/blocks.js';
import { askedBy } from '../../../src/http/held-room.js';
import { parseJson, readBody, readJsonBytes, refuseBody, refuseCoding } from '../../../src/http/json-body.js';

type Headers = Record<string, string | undefined>;

function requestWith(pieces: (string | Buffer)[], headers: Headers = {}): IncomingMessage {
  const body = Readable.from(
    pieces.map((piece) => Buffer.from(piece)),
    { objectMode: false },
  );
  return Object.assign(body, {
    headers: { 'content-type': 'application/json', ...headers },
  }) as unknown as IncomingMessage;
}
const refused = (code: string, words = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });

describe('the bytes of a body', () => {
  it('are all that came, up to the most and not a byte more', async () => {
    expect((await readBody(requestWith(['ab', 'c']), 3)).toString()).toBe('abc');
    expect((await readBody(requestWith([]), 3)).toString()).toBe('');
    expect((await readBody(requestWith(['abc'], { 'content-length': '3' }), 3)).toString()).toBe('abc');
    for (const request of [requestWith(['ab', 'cd']), requestWith([], { 'content-length': '4' })])
      await expect(readBody(request, 3)).rejects.toEqual(
        refused('body.too-large', 'The body is larger than 3 bytes; upload a file to /submissions for many samples.'),
      );
  });

  it('are none of a client that has left before, meanwhile or with a fault', async () => {
    const cut = refused('request.invalid', 'The connection ended before the body was whole.');
    const before = requestWith(['a']);
    before.destroy();
    await once(before, 'close');
    await expect(readBody(before, 3)).rejects.toEqual(cut);
    for (const fault of [undefined, new Error('reset')]) {
      const open = Object.assign(new Readable({ read: () => undefined }), {
        headers: {},
      }) as unknown as IncomingMessage;
      const reading = readBody(open, 3);
      open.push(Buffer.from('a'));
      open.destroy(fault);
      await expect(reading).rejects.toEqual(cut);
    }
  });

  it('are not read on once there are too many', async () => {
    const open = Object.assign(new Readable({ read: () => undefined }), { headers: {} }) as unknown as IncomingMessage;
    const reading = readBody(open, 3);
    open.push(Buffer.from('abcd'));
    await expect(reading).rejects.toEqual(refused('body.too-large'));
    expect(open.listenerCount('data')).toBe(0);
    expect(open.destroyed).toBe(false);
  });

  it('are put together in their order, whether they come in long blocks or in short ones', () => {
    const whole: Buffer[] = [];
    const blocks = new Blocks();
    let next = 0;
    for (const length of [3, 4096, 1, 4095, 0, 9000, 4095, ...Array(20).fill(4000), 70_000, 5]) {
      const block = Buffer.from(Array.from({ length }, () => next++ % 251));
      whole.push(Buffer.from(block));
      blocks.add(block);
      // Whoever sent a short one may use its memory again.
      if (length < 4096) block.fill(255);
    }
    expect(blocks.whole().equals(Buffer.concat(whole))).toBe(true);
    expect(new Blocks().whole()).toHaveLength(0);
  });
});

describe('bodies that are not whole', () => {
  const MIB = 1024 * 1024;
  const FREE = 64 * 1024;
  /** Of lab-full: bytes of a body that arrive, of so many declared. */
  function arriving(pieces: number[], declared?: number) {
    const request = requestWith(
      pieces.map((length) => Buffer.alloc(length)),
      declared === undefined ? {} : { 'content-length': String(declared) },
    );
    const response = Object.assign(new EventEmitter(), { destroyed: false });
    Object.assign(request, { res: response, method: 'POST' });
    askedBy(request, { account: 'lab-full' });
    return { read: () => readBody(request, 70 * MIB), end: () => response.emit('close') };
  }
  const refusedRoom = refused('rate.limited', 'Requests of yours hold as much memory as they may');

  it('hold what their client declared, once they are longer than any may be, until they are answered', async () => {
    const first = arriving([FREE, 1, FREE, FREE], 40 * MIB);
    await first.read();
    const second = arriving([FREE - 1, 2], 30 * MIB);
    await expect(second.read()).rejects.toEqual(refusedRoom);
    for (const short of [arriving([FREE], 30 * MIB), arriving([1, FREE - 1], 30 * MIB)]) await short.read();
    first.end();
    const third = arriving([FREE - 1, 2], 30 * MIB);
    await third.read();
    third.end();
  });

  it('hold as much as they may where nothing is declared', async () => {
    const first = arriving([FREE + 1]);
    await first.read();
    await expect(arriving([FREE + 1], MIB).read()).rejects.toEqual(refusedRoom);
    first.end();
  });
});

describe('the type of a body', () => {
  const read = (headers: Headers) => readJsonBytes(requestWith(['{}'], headers), 100);

  it.each([
    ['application/json'],
    ['Application/HAL+JSON; charset="UTF-8"'],
    ['application/json;charset=utf8'],
    ['application/json; charset=US-ASCII'],
    ['application/json; odd=1'],
  ])('is taken: %s', async (type) => {
    expect(String(await read({ 'content-type': type }))).toBe('{}');
  });

  it.each([
    [undefined, 'The Content-Type is ""; send application/json or application/hal+json.'],
    ['text/json', 'The Content-Type is "text/json"; send application/json or application/hal+json.'],
    ['application/json; charset=Latin1', 'The charset is "latin1"; JSON is sent as UTF-8.'],
  ])('is refused with what to send: %s', async (type, words) => {
    expect(() => read({ 'content-type': type })).toThrow(refused('media-type.unsupported', words));
  });

  it('is refused where it is compressed, be it a body or a file', () => {
    const coded = (coding: string | undefined, what: 'body' | 'file') => () =>
      refuseCoding(requestWith([], { 'content-encoding': coding }), what);
    for (const plain of [undefined, 'identity', 'Identity']) expect(coded(plain, 'body')).not.toThrow();
    for (const what of ['body', 'file'] as const)
      expect(coded('gzip', what)).toThrow(
        refused('media-type.unsupported', `The Content-Encoding is "gzip"; send the ${what} as it is.`),
      );
    expect(() => read({ 'content-encoding': 'br' })).toThrow(refused('media-type.unsupported', 'send the body'));
  });
});

describe('what a body says', () => {
  let turns = 0;
  const said = (body: string | Buffer) => parseJson(Buffer.from(body), requestWith([]), async () => void turns++);

  it('is its JSON, in UTF-8 with a mark of byte order or without, read in turns with others', async () => {
    turns = 0;
    expect(await said('{"name":"größer","__proto__":1}')).toEqual(JSON.parse('{"name":"größer","__proto__":1}'));
    expect(turns).toBe(3);
    expect(await said('\ufeff[1]')).toEqual([1]);
    expect(await said(' 7 ')).toBe(7);
  });

  it.each([
    [Buffer.from([0x22, 0xe4, 0x22]), 'The body is not valid UTF-8; save or send it as UTF-8.'],
    ['', 'The body is empty; send a JSON object.'],
    ['\ufeff \n', 'The body is empty; send a JSON object.'],
    ['{"a":1,"a":2}', 'The JSON body cannot be taken. '],
    ['{"a":1,}', 'The body is not valid JSON: '],
    [Buffer.from('ï»{}', 'latin1'), 'The body is not valid UTF-8'],
    // All but one of the three bytes of the mark.
    ['\ufefa{}', 'The body is not valid JSON: '],
    ['\ufebf{}', 'The body is not valid JSON: '],
    ['\u0eff{}', 'The body is not valid JSON: '],
  ])('is refused where it is none: %s', async (body, words) => {
    await expect(said(body)).rejects.toEqual(refused('request.invalid', words));
  });
});

describe('where no body is read', () => {
  const sent = (body: string, headers: Headers = {}) => refuseBody(requestWith([body], headers), 'say so.');
  const said = refused('request.invalid', 'This address reads no body: say so.');

  it('nothing may come, or what says nothing', async () => {
    for (const body of ['', ' \n', '{}', ' { } ', ' '.repeat(64)]) await expect(sent(body)).resolves.toBeUndefined();
    await expect(sent('{}', { 'content-length': '64' })).resolves.toBeUndefined();
  });

  it('whatever says something is refused, as soon as it is known', async () => {
    for (const body of ['{"a":1}', '[]', 'null', 'x'.repeat(65)]) await expect(sent(body)).rejects.toEqual(said);
    await expect(sent('', { 'content-length': '65' })).rejects.toEqual(said);
    const left = requestWith(['a']);
    left.destroy();
    await expect(refuseBody(left, 'say so.')).rejects.toEqual(refused('request.invalid', 'The connection ended'));
  });
});
