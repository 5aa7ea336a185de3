/** `GET /samples/{accession}`: in which form it is answered, who may keep the answer, and what says that it is the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_IDS, FORMAT_NAMES } from '../../../src/formats/names.js';
import { createReadSample } from '../../../src/http/read-sample.js';
import type { Registry } from '../../../src/registry/registry.js';
import { type Ask, routed } from './routed.js';

let ask: Ask;
let end: () => void;
const read: unknown[][] = [];
let isPublic = true;
beforeAll(async () => {
  const document = {
    name: 'liver 1',
    accession: 'SAMR1',
    status: 'PUBLIC',
    taxId: 9606,
    release: '2020-01-01T00:00:00Z',
    update: '2020-01-01T00:00:00Z',
    submitted: '2020-01-01T00:00:00Z',
    characteristics: { organism: [{ text: 'Homo sapiens' }] },
  };
  const registry = {
    read: async (...given: unknown[]) => {
      read.push(given);
      return { accession: 'SAMR1', document, etag: '"tag"', public: isPublic };
    },
  } as unknown as Registry;
  ({ ask, end } = await routed((context) => {
    const answer = createReadSample(context, registry, (_request, response) => response.setHeader('X-Origin', 'asked'));
    return (request, response, next) => void answer(request, response, 'SAMR1').catch(next);
  }));
});
afterAll(() => end());

const typeOf = async (query: string, accept?: string) => {
  const answer = await ask(`/${query}`, accept === undefined ? {} : { headers: { accept } });
  return [answer.status, answer.headers.get('content-type')?.replace(/;\s*charset=utf-8$/i, '')];
};

describe('a sample', () => {
  it('is its document with its links', async () => {
    const { status, headers, body } = await ask('/');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: 'liver 1',
        accession: 'SAMR1',
        _links: expect.objectContaining({ self: { href: 'http://x/samples/SAMR1' } }),
      }),
    ]);
    expect(headers.get('etag')).toBe('"tag"');
    expect(headers.get('x-origin')).toBe('asked');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.get('content-disposition')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect((await ask('/', { headers: { 'x-request-id': 'mine' } })).headers.get('x-request-id')).toBe('mine');
  });

  it('may be kept by everybody where everybody may read it, else by who asked', async () => {
    expect((await ask('/')).headers.get('cache-control')).toBe('max-age=60, public');
    isPublic = false;
    expect((await ask('/')).headers.get('cache-control')).toBe('max-age=60, private');
    isPublic = true;
  });

  it('is read by who asks, as it is asked for', async () => {
    await ask('/', { as: ['read'] });
    expect(read.at(-1)).toEqual(['SAMR1', expect.objectContaining({ account: 'lab-7' }), {}]);
    await ask('/?applyCurations=false&version=2');
    expect(read.at(-1)).toEqual(['SAMR1', undefined, { applyCurations: false, declined: false, version: 2 }]);
    const before = read.length;
    expect((await ask('/?version=0')).status).toBe(400);
    expect((await ask('/?format=rdf')).body).toMatchObject({
      detail: `format=rdf is not known; write json, ${FORMAT_IDS.join(', ')}.`,
    });
    expect((await ask(`/?format=${'x'.repeat(50)}`)).body.detail).toContain(`format=${'x'.repeat(40)} is`);
    expect(read).toHaveLength(before);
  });

  it('that its client holds is not sent again, in each format by a tag of its own', async () => {
    const again = (query: string, tag: string) => ask(`/${query}`, { headers: { 'if-none-match': tag } });
    expect((await again('', '"tag"')).status).toBe(304);
    expect((await again('', '"tag-jsonld"')).status).toBe(200);
    const held = await again('?format=jsonld', '"tag-jsonld"');
    expect([held.status, held.headers.get('etag'), held.text]).toEqual([304, '"tag-jsonld"', '']);
    expect((await again('?format=jsonld', '"tag"')).status).toBe(200);
  });
});

describe('the format of a sample', () => {
  it.each(FORMAT_IDS)('%s is that of its name, as a file', async (id) => {
    const { status, headers, text } = await ask(`/?format=${id}`);
    expect([status, headers.get('content-type')]).toEqual([200, `${FORMAT_NAMES[id].mediaType};charset=UTF-8`]);
    expect(headers.get('content-disposition')).toBe(`inline; filename="SAMR1.${FORMAT_NAMES[id].fileEnding}"`);
    expect(headers.get('etag')).toBe(`"tag-${id}"`);
    expect(text).toContain('SAMR1');
    if (id === 'jsonld') expect(text).toContain('http://x/samples/SAMR1');
  });

  it('is one that the client accepts: our own first, others where it names them alone', async () => {
    expect(await typeOf('')).toEqual([200, 'application/hal+json']);
    expect(await typeOf('', 'application/json')).toEqual([200, 'application/json']);
    expect(await typeOf('', 'application/ld+json')).toEqual([200, 'application/ld+json']);
    expect(await typeOf('', 'application/ld+json, application/json;q=0.5')).toEqual([200, 'application/ld+json']);
    expect(await typeOf('', FORMAT_NAMES.datacite.mediaType)).toEqual([200, FORMAT_NAMES.datacite.mediaType]);
    expect(await typeOf('', 'image/png')).toEqual([406, 'application/problem+json']);
  });

  it('that is named counts more than what is accepted', async () => {
    expect(await typeOf('?format=jsonld', 'application/json')).toEqual([200, 'application/ld+json']);
    for (const accept of [undefined, 'application/ld+json', 'text/html'])
      expect(await typeOf('?format=json', accept)).toEqual([200, 'application/json']);
  });
});
