/** A sample in the formats of others, as clients ask for them. What is in them: test/formats. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_IDS, FORMAT_NAMES } from '../../../src/formats/names.js';
import { type Service, startService } from '../service.js';

let service: Service;
let accession: string;
beforeAll(async () => {
  service = await startService();
  const body = { name: 'f', release: '2020-01-01', characteristics: { organism: [{ text: 'Homo sapiens' }] } };
  accession = (await service.send('POST', '/samples', body)).json<{ accession: string }>().accession;
});
afterAll(() => service.stop());

const ask = (query: string, headers: Record<string, string> = {}) =>
  service.get(`/samples/${accession}${query}`, { headers });
const typeOf = async (accept: string) => (await ask('', { accept })).headers.get('content-type');

describe('a sample in another format', () => {
  it.each(FORMAT_IDS)('%s is asked for by its name, has its own type and file name', async (id) => {
    const answer = await ask(`?format=${id}`, { accept: 'text/html' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe(`${FORMAT_NAMES[id].mediaType};charset=UTF-8`);
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="${accession}.${FORMAT_NAMES[id].fileEnding}"`,
    );
    expect(answer.text).toContain(accession);
  });

  it('is asked for by its media type, where that is its own; browsers and programs get JSON as ever', async () => {
    expect(await typeOf('application/ld+json')).toBe('application/ld+json;charset=UTF-8');
    expect(await typeOf('application/vnd.datacite.datacite+json')).toMatch(/^application\/vnd\.datacite/);
    expect(await typeOf('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toBe(
      'application/hal+json',
    );
    expect(await typeOf('application/json')).toBe('application/json;charset=UTF-8');
    expect((await ask('?format=json')).headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect((await ask('', { accept: 'application/xml' })).status).toBe(406);
  });

  it('has an entity tag of its own', async () => {
    const tags = await Promise.all(
      ['', ...FORMAT_IDS].map(async (id) => (await ask(`?format=${id || 'json'}`)).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(FORMAT_IDS.length + 1);
    const again = await ask('?format=ena-xml', { 'if-none-match': tags[1 + FORMAT_IDS.indexOf('ena-xml')] as string });
    expect(again.status).toBe(304);
  });

  it('is refused by a name that is none', async () => {
    const answer = await ask('?format=sampletab');
    expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
      400,
      expect.stringContaining('ena-xml'),
    ]);
  });
});
