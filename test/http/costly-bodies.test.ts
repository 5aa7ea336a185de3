/** What a request may hold at most, and that what it is answered is bounded too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

let service: Service;
let token: string;
let own: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
  own = (await service.send('POST', '/samples', sample({}), { token })).json<{ accession: string }>().accession;
});
afterAll(() => service.stop());

const sample = <T extends object>(content: T) => ({ name: 's', release: '2020-01-01', ...content });
/** Elements of a list are a part each, and the list is one. */
const values = (count: number) => sample({ characteristics: { a: Array.from({ length: count }, () => null) } });
const tables = (count: number) => ({
  data: Array.from({ length: count }, (_, at) => ({ type: `t${at}`, content: [] })),
});

describe('a JSON body', () => {
  it.each([
    ['POST', () => '/samples'],
    ['POST', () => '/samples/accession'],
    ['POST', () => '/validate'],
    ['PUT', () => `/samples/${own}`],
    ['PUT', () => `/structureddata/${own}`],
    ['POST', () => '/samples/template'],
    ['PUT', () => '/me/settings'],
    ['PUT', () => '/profiles/costly'],
  ])('of more than 40 000 parts is refused with their number: %s %s', async (method, path) => {
    const answer = await service.send(method, path(), values(41_000), { token });
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
    expect(answer.json<{ detail: string }>().detail).toMatch(/has 41\d{3} members, .* more than the 40000/);
  });

  it('of 40 000 parts is read', async () => {
    // Two objects, a list, two commas between members, and a comma less than the list has elements.
    const code = async (elements: number) =>
      (await service.send('POST', '/validate', values(elements), { token })).json<{ code: string }>().code;
    expect([await code(39_996), await code(39_997)]).toEqual(['sample.invalid', 'request.invalid']);
  });

  it('with very many faults is answered with the first 1 000 places and that there are more', async () => {
    const faults = sample({ characteristics: { a: Array.from({ length: 19_000 }, () => ({ unit: 7 })) } });
    const content = [{ type: 'AMR', content: Array.from({ length: 19_000 }, () => ({ a: 1 })) }];
    for (const [method, path, body] of [
      ['POST', '/samples', faults],
      ['PUT', `/samples/${own}`, faults],
      ['PUT', `/structureddata/${own}`, { data: content }],
    ] as const) {
      const answer = await service.send(method, path, body, { token });
      expect(answer.status).toBe(422);
      const { errors } = answer.json<{ errors: { dataPath: string; errors: string[] }[] }>();
      expect(errors).toHaveLength(1_001);
      expect(errors.at(-1)).toEqual({ dataPath: '', errors: [expect.stringContaining('1000 places listed here')] });
      expect(answer.bytes.length).toBeLessThan(200_000);
    }
  });
});

describe('structured data', () => {
  it('has at most 1 000 tables of an account', async () => {
    const refused = await service.send('PUT', `/structureddata/${own}`, tables(1_001), { token });
    expect([refused.status, refused.json<{ code: string }>().code]).toEqual([422, 'data.invalid']);
    expect(refused.json<{ errors: unknown }>().errors).toEqual([
      { dataPath: '/data', errors: [expect.stringMatching(/at most 1000 tables.*1001/)] },
    ]);
    expect((await service.send('PUT', `/structureddata/${own}`, tables(1_000), { token })).status).toBeLessThan(300);
  });
});

describe('a token', () => {
  it('keeps each scope once, however often it is asked for', async () => {
    const scopes = Array.from({ length: 30_000 }, (_, at) => (at % 2 === 0 ? 'read' : 'submit'));
    const made = await service.send('POST', '/tokens', { name: 'many', scopes }, { token });
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    expect(made.json<{ scopes: string[] }>().scopes).toEqual(['read', 'submit']);
    expect((await service.get('/tokens', { token })).bytes.length).toBeLessThan(10_000);
  });
});

describe('a long history', () => {
  it('is listed whole, newest first', async () => {
    const accession = (await service.send('POST', '/samples', sample({}), { token })).json<{ accession: string }>()
      .accession;
    const most = 1_003;
    for (let version = 2; version <= most; version++) {
      await service.store.updateSample(Number(accession.slice(4)), ({ sample: { release, content } }) => ({
        kind: 'update',
        draft: { name: `v${version}`, release, content },
        provenance: { author: 'lab-1', via: 'JSON_API' },
      }));
    }
    const { _embedded, _links } = (await service.get(`/samples/${accession}/history`, { token })).json<{
      _embedded: { versions: { version: number }[] };
      _links: object;
    }>();
    expect(_embedded.versions.map(({ version }) => version)).toEqual(
      Array.from({ length: most }, (_, at) => most - at),
    );
    expect(Object.keys(_links)).toEqual(['self', 'sample']);
  });
});

describe('a sheet of samples', () => {
  it('that would have more columns than are read is refused with what to do', { tags: 'slow' }, async () => {
    const made: string[] = [];
    for (const mark of ['a', 'b']) {
      const names = Array.from({ length: 9_000 }, (_, at) => [`${mark}${at}`, [{ text: 'v' }]]);
      const answer = await service.send('POST', '/samples', sample({ characteristics: Object.fromEntries(names) }), {
        token,
      });
      made.push(answer.json<{ accession: string }>().accession);
    }
    const refused = await service.get(`/samples/template?accession=${made.join(',')}`, { token });
    expect([refused.status, refused.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
    expect(refused.json<{ detail: string }>().detail).toMatch(/16384 columns\. Ask for fewer samples/);
    const one = await service.get(`/samples/template?accession=${made[0]}`, { token });
    expect(one.text.split('\n')[0]?.split('\t')).toHaveLength(9_003);
  });
});

describe('a page of large samples', { tags: 'bounds' }, () => {
  it('is answered whole, with its links, though it is written in pieces', async () => {
    const large = sample({ characteristics: { a: [{ text: 'x'.repeat(300_000) }], mark: [{ text: 'zebrafishes' }] } });
    const made: string[] = [];
    for (let at = 0; at < 9; at++) {
      made.unshift((await service.send('POST', '/samples', large, { token })).json<{ accession: string }>().accession);
    }
    const answer = await service.get('/samples?size=9', { token: null });
    const { _embedded, _links } = answer.json<{
      _embedded: { samples: { accession: string; characteristics: object; _links: object }[] };
      _links: object;
    }>();
    expect(_embedded.samples.map(({ accession }) => accession)).toEqual(made);
    expect(_embedded.samples[0]?.characteristics).toMatchObject(large.characteristics);
    expect(Object.keys(_links)).toContain('next');
    expect(answer.headers.get('content-length')).toBeNull();
  });
});

describe('an address', () => {
  it('stands in the links of a lineage with what was asked for, and without what nobody reads', async () => {
    const junk = 'x'.repeat(10_000);
    const asked = `depth=2&junk=${junk}&types=derived%20from,child%20of&types=same%20as&direction=&nodes=7`;
    const answer = await service.get(`/samples/${own}/lineage?${asked}`, { token });
    const { nodes, _links } = answer.json<{ nodes: { _links: Links }[]; _links: Links }>();
    const kept = new URLSearchParams('depth=2&types=derived from,child of&types=same as&nodes=7');
    const href = `${service.url}/samples/${own}/lineage?${kept}`;
    expect([_links.self?.href, nodes[0]?._links.lineage?.href]).toEqual([href, href]);
    expect((await service.get(`/samples/${own}/lineage?junk=1`, { token })).json()).toMatchObject({
      _links: { self: { href: `${service.url}/samples/${own}/lineage` } },
    });
  });

  it('asks for a sheet of 1 000 characteristics at most', async () => {
    const ask = (count: number) =>
      service.get(`/checklists/human-associated/template?fields=${Array.from({ length: count }, (_, at) => `f${at}`)}`);
    const refused = await ask(1_001);
    expect([refused.status, refused.json<{ detail: string }>().detail]).toEqual([
      400,
      'fields= names 1001 characteristics; name 1000 at most, and add columns to the sheet yourself.',
    ]);
    const { status, text } = await ask(1_000);
    expect([status, text.split('\n')[0]?.includes('Characteristics[f999]')]).toEqual([200, true]);
  });
});

type Links = Record<string, { href: string } | undefined>;
