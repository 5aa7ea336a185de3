/** How an answer is sent: with its length, piece by piece, and under which name a file is kept. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { askedBy, holdRead } from '../../../src/http/held-room.js';
import { attachment, send, sendEmpty, sendOrStream, stream } from '../../../src/http/respond.js';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

type Way = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What fails before anything was sent is answered with 500 and its words. */
async function answered(way: Way, method = 'GET'): Promise<Response> {
  const server = createServer(async (request, response) => {
    try {
      await way(request, response);
    } catch (error) {
      response.statusCode = 500;
      response.end((error as Error).message);
    }
  }).listen(0, '127.0.0.1');
  ended.push(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method });
}

const SHORT = 'größer';
const LONG = 'x'.repeat(1024 * 1024);

/** `end` is called when nothing more is wanted of them, for whatever reason. */
async function* pieces(texts: readonly (string | Error)[], end: () => void = () => {}): AsyncGenerator<string> {
  try {
    for (const text of texts) {
      if (text instanceof Error) throw text;
      yield text;
    }
  } finally {
    end();
  }
}

describe('an answer that is there', () => {
  it('has its length in bytes, and HEAD the same headers', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await answered((request, response) => send(request, response, 201, 'text/plain', SHORT), method);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
        201,
        'text/plain',
        String(Buffer.byteLength(SHORT)),
      ]);
      expect(await answer.text()).toBe(method === 'GET' ? SHORT : '');
    }
    const empty = await answered((_, response) => sendEmpty(response, 204));
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });
});

describe('an answer in pieces', () => {
  it('is sent as it comes, and for HEAD no more is made than says how it is answered', async () => {
    let made = 0;
    const counted = async function* () {
      for (const text of ['a', '', SHORT]) {
        made++;
        yield Buffer.from(text);
      }
    };
    let taken = 0;
    const way: Way = async (request, response) => {
      await stream(request, response, 'text/csv', counted());
      taken++;
    };
    const head = await answered(way, 'HEAD');
    expect([head.headers.get('content-type'), await head.text(), made]).toEqual(['text/csv', '', 1]);
    made = 0;
    const whole = await answered(way);
    expect([whole.headers.get('content-type'), await whole.text(), made]).toEqual(['text/csv', `a${SHORT}`, 3]);
    await expect.poll(() => taken).toBe(2);
    expect(await (await answered((request, response) => stream(request, response, 'a/b', pieces([])))).text()).toBe('');
  });

  it('that fails at its beginning is refused, and later cut', async () => {
    const failing: Way = (request, response) => stream(request, response, 'a/b', pieces([new Error('no')]));
    const refused = await answered(failing);
    expect([refused.status, await refused.text()]).toEqual([500, 'no']);
    expect((await answered(failing, 'HEAD')).status).toBe(500);
    let ends = 0;
    const ending: Way = (request, response) =>
      stream(
        request,
        response,
        'a/b',
        pieces([SHORT, SHORT], () => ends++),
      );
    expect((await answered(ending, 'HEAD')).status).toBe(200);
    expect(ends).toBe(1);
    ends = 0;
    const cut = await answered((request, response) =>
      stream(
        request,
        response,
        'a/b',
        pieces([LONG, new Error('no')], () => ends++),
      ),
    );
    await expect(cut.text()).rejects.toThrow();
    expect(ends).toBe(1);
  });

  it('is made no further for a client that leaves in the middle', async () => {
    let ends = 0;
    let made = 0;
    const endless = async function* () {
      try {
        for (;;) {
          made++;
          yield LONG;
        }
      } finally {
        ends++;
      }
    };
    const answer = await answered((request, response) => stream(request, response, 'a/b', endless()));
    await answer.body?.cancel();
    await expect.poll(() => ends).toBe(1);
    const before = made;
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(before);
  });

  it('for a client that has left meanwhile is given up', async () => {
    const made: string[] = [];
    let asked: Promise<Response> | undefined;
    await new Promise<void>((done) => {
      asked = answered(async (request, response) => {
        const leaving = async function* () {
          try {
            request.socket.destroy();
            await once(response, 'close');
            yield made.push('first');
            yield made.push('second');
          } finally {
            made.push('end');
          }
        };
        await stream(request, response, 'a/b', leaving() as AsyncIterable<unknown> as AsyncIterable<string>);
        done();
      });
      asked.catch(() => undefined);
    });
    await expect(asked).rejects.toThrow();
    expect(made).toEqual(['first', 'end']);
  });
});

describe('a text of whatever length', () => {
  const textOf = (texts: (string | Error)[], ends: string[] = []): Way => {
    return async (request, response) => {
      response.statusCode = 203;
      await sendOrStream(
        request,
        response,
        'text/plain',
        pieces(texts, () => void ends.push('end')),
      );
    };
  };

  it('is whole with its length where it is short, and fails as a whole', async () => {
    const answer = await answered(textOf([SHORT, LONG.slice(SHORT.length)]));
    expect([answer.status, answer.headers.get('content-length')]).toEqual([203, String(1024 * 1024 + 2)]);
    expect(await answer.text()).toBe(SHORT + LONG.slice(SHORT.length));
    expect((await answered(textOf([SHORT, new Error('no')]))).status).toBe(500);
  });

  it('is not made further for one who does not take earlier answers', async () => {
    const ends: string[] = [];
    const answer = await answered(async (request, response) => {
      askedBy(request, { account: 'lab-slow' });
      holdRead(request, response, 64 * 1024 * 1024);
      await textOf([LONG, 'y', SHORT], ends)(request, response);
    });
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('as much memory as they may')]);
    expect(ends).toEqual(['end']);
  });

  it('goes out before it is whole where it is longer', async () => {
    const ends: string[] = [];
    const answer = await answered(textOf([LONG, 'y', SHORT], ends));
    expect([answer.status, answer.headers.get('content-length')]).toEqual([203, null]);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(await answer.text()).toBe(`${LONG}y${SHORT}`);
    const cut = await answered(textOf([LONG, 'y', new Error('no')], ends));
    expect(cut.status).toBe(203);
    await expect(cut.text()).rejects.toThrow();
    expect(ends).toEqual(['end', 'end']);
  });
});

describe('the name under which a file is kept', () => {
  it.each([
    ['small.result.tsv', 'small.result.tsv', 'small.result.tsv'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\lab\\a.tsv', 'a.tsv', 'a.tsv'],
    ['größe "1".tsv', 'gr__e _1_.tsv', 'gr%C3%B6%C3%9Fe%20%221%22.tsv'],
    ["a%41;b'(c)*.tsv", "a_41;b'(c)*.tsv", 'a%2541%3Bb%27%28c%29%2A.tsv'],
    ['a\r\nSet-Cookie: b\t.tsv', 'aSet-Cookie: b.tsv', 'aSet-Cookie%3A%20b.tsv'],
    ['\u202egnp.tsv\u2028', 'gnp.tsv', 'gnp.tsv'],
    ['  a.tsv  ', 'a.tsv', 'a.tsv'],
    ['a/', 'download', 'download'],
    ['', 'download', 'download'],
    ['\u0000', 'download', 'download'],
    ['!#$&+-.^_`|~09', '!#$&+-.^_`|~09', '!#$&+-.^_`|~09'],
    ['\u0007\u0001é', '_', '%C3%A9'],
  ])('%j is without path, quotes and what does not print, in both spellings', (name, ascii, utf8) => {
    expect(attachment(name)).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`);
  });

  it('keeps its endings where it is too long', () => {
    const nameOf = (name: string) => /filename="(.*?)"/.exec(attachment(name))?.[1];
    expect(nameOf('x'.repeat(150))).toBe('x'.repeat(150));
    expect(nameOf('x'.repeat(151))).toBe('x'.repeat(150));
    expect(nameOf(`${'x'.repeat(151)}.result.tsv.gz`)).toBe(`${'x'.repeat(136)}.result.tsv.gz`);
    expect(nameOf(`${'x'.repeat(151)}.a.result.tsv.gz`)).toBe(`${'x'.repeat(136)}.result.tsv.gz`);
    expect(nameOf(`${'x'.repeat(151)}.${'y'.repeat(13)}`)).toBe('x'.repeat(150));
    expect(nameOf(`${'x'.repeat(151)}.a b`)).toBe('x'.repeat(150));
    expect(attachment('😀'.repeat(151))).toContain(`''${'%F0%9F%98%80'.repeat(150)}`);
  });
});
