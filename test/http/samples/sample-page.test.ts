/** The page of one sample as crawlers get it: JSON-LD that nothing in the sample can leave or run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROOF } from '../../support/proof.js';
import { Random } from '../../support/random.js';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('seen');
});
afterAll(() => service.stop());

const register = async (name: string, release = '2020-01-01', text = name): Promise<string> => {
  const characteristics = { organism: [{ text }], [`n ${text}`]: [{ text, ontologyTerms: [text] }] };
  const body = { name, release, characteristics, externalReferences: [{ url: `x${text}` }] };
  const answer = await service.send('POST', '/samples', body, { token });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ accession: string }>().accession;
};
const page = (accession: string, headers: Record<string, string> = {}) =>
  service.get(`/page/?sample=${encodeURIComponent(accession)}`, { token: null, headers });
/** As a parser of HTML finds the block: up to the first end of a script, in whatever case. */
const BLOCK = /<script type="application\/ld\+json">([\s\S]*?)<\/script/i;
const bare = async () => (await service.get('/page/', { token: null })).text;

const PARTS = [
  '</script>',
  '</SCRIPT ',
  '<!--',
  '-->',
  '<script>alert(1)</script>',
  ']]>',
  '$&',
  "$'",
  '$`',
  '$1',
  '&lt;',
  '"',
  '\\',
  '\\u003c',
  '\u2028',
  '</title>',
  '</head>',
  '<title>',
  '{}',
  'é😀',
];

describe('the page of a sample', () => {
  it('holds the JSON-LD of a read, and is the page otherwise', async () => {
    const accession = await register('liver 7');
    const answer = await page(accession);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html;charset=UTF-8']);
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(answer.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
    const read = await service.get(`/samples/${accession}`, {
      token: null,
      headers: { accept: 'application/ld+json' },
    });
    expect(JSON.parse(BLOCK.exec(answer.text)?.[1] ?? '')).toEqual(read.json());
    expect(answer.text).toContain('<title>liver 7 · Sample registry</title>');
    const without = answer.text
      .replace(/<script type="application\/ld\+json">[\s\S]*?<\/script>\n {2}/, '')
      .replace('liver 7 · ', '');
    expect(without).toBe(await bare());
  });

  it('is asked for again with its tag, which changes with the sample', async () => {
    const accession = await register('tagged');
    const first = await page(accession);
    const etag = first.headers.get('etag') as string;
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect((await page(accession, { 'if-none-match': etag })).status).toBe(304);
    const body = { name: 'tagged anew', release: '2020-01-01', accession };
    await service.send('PUT', `/samples/${accession}`, body, { token });
    expect((await page(accession, { 'if-none-match': etag })).text).toContain('tagged anew');
  });

  it('says nothing of what not everybody may read, to anyone', async () => {
    const hidden = await register('hidden', '2999-01-01');
    const plain = await bare();
    for (const accession of [hidden, 'SAMR999999', 'x', '', '../../etc/passwd', '<script>', 'a'.repeat(5000)]) {
      expect((await page(accession)).text, accession).toBe(plain);
    }
    const owner = await service.get(`/page/?sample=${hidden}`, { token });
    expect(owner.text).toBe(plain);
  });

  it('keeps every value inside of its block', async () => {
    const random = new Random(11);
    const some = () => Array.from({ length: 1 + random.below(6) }, () => PARTS[random.below(PARTS.length)]).join('');
    const plain = await bare();
    const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
    for (const value of [...PARTS, ...Array.from({ length: PROOF ? 300 : 10 }, some)]) {
      const accession = await register(`x${value}`, '2020-01-01', value);
      const { text } = await page(accession);
      const block = BLOCK.exec(text)?.[1] ?? '';
      expect(block, value).not.toContain('<');
      const read = await service.get(`/samples/${accession}?format=jsonld`, { token: null });
      expect(JSON.parse(block), value).toEqual(read.json());
      expect(count(text, /<script/gi), value).toBe(count(plain, /<script/gi) + 1);
      for (const tag of [/<\/script/gi]) expect(count(text, tag), value).toBe(count(plain, tag) + 1);
      for (const tag of [/<title/gi, /<\/title/gi, /<\/head/gi, /<!--/g])
        expect(count(text, tag), value).toBe(count(plain, tag));
    }
  });

  it('leaves out a block that no crawler would read', async () => {
    const accession = await register('long', '2020-01-01', 'y'.repeat(200_000));
    expect((await page(accession)).text).toBe(await bare());
  });
});
