/**
 * Whole results from the real server, whose threads make them: they go back in unchanged, are of one moment, and leave nothing behind.
 *
 * @module-tag slow
 */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get as request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORTS_OF_ONE } from '../../src/exports/sample-exports.js';
import Database from '../../src/store/sqlite/driver.js';
import { generateSheet } from '../support/generated-sheet.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { startServer, type TestServer } from '../support/server.js';

const ROUNDS = PROOF ? 60 : 2;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    env: { RATE_READS_PER_MINUTE: '0', RATE_UPLOADS_PER_MINUTE: '0', RATE_WRITES_PER_MINUTE: '0' },
  });
});
afterAll(() => server.stop());

const take = (account: string, token: string | null, more = '') =>
  server.get(`/samples/export?filter=account:${account}${more}`, { token });
const lines = (text: string): string[] => text.split('\n').filter(Boolean);
const files = (): string[] => readdirSync(join(server.dataDir, 'exports'));

describe('samples of sheets of many shapes and of JSON', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'round %i: every format goes back in unchanged',
    async (round) => {
      const random = new Random(0x19a + round);
      const account = `lab-${round}`;
      const token = await server.token(account);
      for (let sheets = 1 + random.below(3); sheets > 0; sheets--) {
        await server.uploadAndSettle(generateSheet(random, 1 + random.below(40)).text, { token });
      }
      const json = [
        {
          name: 'as JSON',
          characteristics: {
            'attribute 0': [{ text: 'a\tb' }, { text: 'two\nlines "q"' }],
            new: [{ text: '"x', unit: 'kg' }],
          },
        },
        {
          name: 'contacts',
          contact: [{ Name: 'A' }, { Name: 'B', Role: 'C' }],
          relationships: [{ type: 'child of', target: 'SAMR1' }],
        },
        { name: 'with a taxId of its own', taxId: 9606 },
      ];
      for (const sample of json) await server.send('POST', '/samples', { release: '2020-01-01', ...sample }, { token });

      const documents = lines((await take(account, token, '&format=ndjson')).text).map((line) => JSON.parse(line));
      const count = documents.length;
      for (const document of documents) {
        const { _links, ...shown } = (await server.get(`/samples/${document.accession}`, { token })).json();
        expect(document).toEqual(shown);
      }
      expect(documents.map(({ accession }) => Number(accession.slice(4)))).toEqual(
        documents.map(({ accession }) => Number(accession.slice(4))).sort((a, b) => a - b),
      );
      for (const format of ['tsv', 'csv', 'xlsx']) {
        const sheet = await take(account, token, `&format=${format}`);
        expect([sheet.status, sheet.headers.get('samples-count')]).toEqual([200, String(count)]);
        const { status } = await server.uploadAndSettle(sheet.bytes, { token, name: `back.${format}` });
        expect([format, status.counts, status.issues]).toEqual([
          format,
          { rows: count - 1, created: 0, updated: 0, unchanged: count - 1, rejected: 0 },
          [],
        ]);
        if (format !== 'xlsx') expect(sheet.text).toContain(`# ${documents.at(-1).accession} is left out`);
      }
      expect(files()).toEqual([]);
    },
  );
});

describe('a large result', () => {
  const ROWS = 100_000;
  /** Of a sample that a sheet cannot hold. */
  const json = { name: 'as JSON', release: '2020-01-01', characteristics: { note: [{ text: 'a\tb\nc' }] } };
  const own = { ...json, name: 'with a taxId of its own', taxId: 9606 };
  let token: string;
  const post = async (sample: object): Promise<string> =>
    (await server.send('POST', '/samples', sample, { token })).json<{ accession: string }>().accession;
  const numbers = (accessions: readonly string[]): number[] =>
    accessions.map((accession) => Number(accession.slice(4)));
  let apart: string[];
  beforeAll(async () => {
    token = await server.token('large');
    apart = [await post(json), await post(own)];
    const rows = Array.from({ length: ROWS }, (_, at) => `l${at}\t2020-01-01\tliver ${at}\t${at % 3 ? at : ''}`);
    const head = 'Sample Name\tRelease Date\tCharacteristics[tissue]\tCharacteristics[batch]';
    const { status } = await server.uploadAndSettle([head, ...rows].join('\n'), { token });
    expect(status.counts.created).toBe(ROWS);
    apart.push(await post(own));
  });

  it('is made in parts, and read as one: all samples once, in their order', async () => {
    const asked = request(`${server.url}/samples/export?filter=account:large&format=ndjson`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const [answer] = await once(asked, 'response');
    // Nobody reads yet: what has no room in memory waits in files.
    await expect.poll(files).toEqual(expect.arrayContaining([expect.stringMatching(/\.[1-9]\d*$/)]));
    let text = '';
    for await (const piece of answer.setEncoding('utf8')) text += piece;
    const found = lines(text).map((line) => JSON.parse(line) as { accession: string; name: string });
    expect(found).toHaveLength(ROWS + 3);
    const ids = numbers(found.map(({ accession }) => accession));
    expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] as number))).toBe(true);
    for (const at of [0, 2, 15_000, ROWS - 1, ROWS + 2]) {
      const { accession } = found[at] as { accession: string };
      const { _links, ...shown } = (await server.get(`/samples/${accession}`, { token })).json();
      expect(found[at]).toEqual(shown);
    }
  });

  it('goes back in unchanged, with what was left out named in order below', async () => {
    const sheet = await take('large', token);
    expect(sheet.headers.get('samples-count')).toBe(`${ROWS + 3}`);
    const remarks = lines(sheet.text).filter((line) => line.startsWith('#'));
    expect(remarks.map((line) => line.split(' ')[1])).toEqual([apart[1], apart[2]]);
    const { status } = await server.uploadAndSettle(sheet.bytes, { token });
    expect(status.counts).toMatchObject({ unchanged: ROWS + 1, created: 0, updated: 0, rejected: 0 });
  });

  it('that meets a damaged sample is refused or cut off, whichever part it is in, and leaves no file', async () => {
    const [first] = numbers(apart) as [number];
    const damaged = new Database(join(server.dataDir, 'registry.db'));
    try {
      for (const id of [first + 100, first + ROWS - 100]) {
        const block = damaged.prepare(
          'select number, body from sample_block where first <= ? order by first desc limit 1',
        );
        const { number, body } = block.get(id) as { number: number; body: Buffer };
        const write = damaged.prepare('update sample_block set body = ? where number = ?');
        write.run(Buffer.concat([body.subarray(0, -1), Buffer.from([(body.at(-1) as number) ^ 1])]), number);
        const end = await take('large', token).then(
          ({ status }) => status,
          () => 'cut off',
        );
        expect([500, 'cut off']).toContain(end);
        await expect.poll(files).toEqual([]);
        write.run(body, number);
      }
    } finally {
      damaged.close();
    }
    expect((await take('large', token)).status).toBe(200);
  });
});

describe('a result', () => {
  it('is whatever the list would show to the caller, counted before', async () => {
    const token = await server.token('counted');
    const sheet = [
      'Sample Name\tRelease Date\tCharacteristics[colour]',
      'open\t2020-01-01\tblue',
      'later\t2999-01-01\tblue',
      'red\t2020-01-01\tred',
    ];
    await server.uploadAndSettle(sheet.join('\n'), { token });
    const count = async (query: string, by: string | null) => {
      const head = await server.call(`/samples/export?filter=account:counted${query}`, { method: 'HEAD', token: by });
      const whole = await take('counted', by, query);
      expect([head.status, whole.status]).toEqual([200, 200]);
      expect(lines(whole.text)).toHaveLength(1 + Number(head.headers.get('samples-count')));
      expect(whole.headers.get('samples-count')).toBe(head.headers.get('samples-count'));
      return Number(head.headers.get('samples-count'));
    };
    expect(await count('', token)).toBe(3);
    expect(await count('', null)).toBe(2);
    // Of words a result is refused while the index is more than ten seconds behind, as it may be with all rows from above.
    const asked = '/samples/export?filter=account:counted&filter=attr:colour:blue';
    await expect.poll(async () => (await server.call(asked, { method: 'HEAD', token })).status).toBe(200);
    expect(await count('&filter=attr:colour:blue', token)).toBe(2);
    expect(await count('&text=later', null)).toBe(0);
  });

  it('shows documents with their curations, sheets without', async () => {
    const token = await server.token('curated');
    const made = await server.send(
      'POST',
      '/samples',
      { name: 's', release: '2020-01-01', characteristics: { organism: [{ text: 'humen' }] } },
      { token },
    );
    const { accession } = made.json<{ accession: string }>();
    const change = {
      attributesPre: [{ type: 'organism', value: 'humen' }],
      attributesPost: [{ type: 'organism', value: 'human' }],
    };
    await server.send('POST', `/samples/${accession}/curationlinks`, { curation: change });
    const organism = async (query: string) =>
      JSON.parse((await take('curated', null, query)).text).characteristics.organism;
    expect(await organism('&format=ndjson')).toEqual([{ text: 'human' }]);
    expect(await organism('&format=ndjson&applyCurations=false')).toEqual([{ text: 'humen' }]);
    expect((await take('curated', null)).text).toContain('humen');
    const refused = await take('curated', null, '&applyCurations=true');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('applyCurations=true is for ndjson')]);
  });

  it('leaves in the formats of others as one document, each sample as a read shows it', async () => {
    const token = await server.token('formatted');
    const rows = Array.from({ length: 700 }, (_, at) => `f${at} & <co>\t2020-01-01\tliver ${at}`);
    await server.uploadAndSettle(['Sample Name\tRelease Date\tCharacteristics[tissue]', ...rows].join('\n'), { token });
    const xml = await take('formatted', null, '&format=ena-xml');
    expect(xml.headers.get('content-type')).toBe('application/xml;charset=UTF-8');
    expect(xml.headers.get('content-disposition')).toContain('.ena.xml"');
    expect(xml.text.match(/<SAMPLE /g)).toHaveLength(700);
    expect(xml.text).toMatch(/f699 &amp; &lt;co&gt;[\s\S]*<\/SAMPLE_SET>\n$/);
    const isa = JSON.parse((await take('formatted', null, '&format=isa-json')).text);
    expect(isa.studies[0].materials.samples).toHaveLength(700);
    const graph = JSON.parse((await take('formatted', null, '&format=jsonld')).text)['@graph'] as { '@id': string }[];
    const address = new URL(graph[7]?.['@id'] ?? '');
    const alone = await server.call(`${address.pathname}?format=jsonld`);
    expect({ ...graph[7], '@context': 'https://schema.org/' }).toEqual(JSON.parse(alone.text));
    expect(lines((await take('formatted', null, '&format=phenopacket')).text)).toHaveLength(700);
  });

  it('hands formulas of others to nobody as text, and everything that only looks like one', async () => {
    const token = await server.token('eve-exports');
    const rows = ['=1+1', '-2+3', '-80 °C', '-', '+/-', '-5 kg'].map((cell, at) => `e${at}\t2020-01-01\t${cell}`);
    await server.uploadAndSettle(['Sample Name\tRelease Date\tCharacteristics[note]', ...rows].join('\n'), { token });
    const notes = async (by: string | null, format: string) =>
      lines((await take('eve-exports', by, `&format=${format}`)).text)
        .slice(1)
        .map((line) => line.split(/[\t,]/).at(3) ?? 'left out');
    for (const format of ['tsv', 'csv']) {
      expect(await notes(token, format)).toEqual(['=1+1', '-2+3', '-80 °C', '-', '+/-', '-5 kg']);
      expect((await notes(null, format)).slice(0, 4)).toEqual(['-80 °C', '-', '+/-', '-5 kg']);
      expect((await take('eve-exports', null, `&format=${format}`)).text.match(/is left out/g)).toHaveLength(2);
    }
  });

  it('is refused where what is asked has no meaning', async () => {
    for (const [query, words] of [
      ['format=pdf', 'format=pdf must be one of tsv, csv, xlsx, ndjson'],
      ['page=2', 'page= has no meaning here'],
      ['filter=colour:blue', 'colour:blue'],
    ]) {
      const answer = await server.get(`/samples/export?${query}`);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words as string)]);
    }
  });

  it('of which a client takes only the beginning leaves nothing, and as many as may be are under way at once', async () => {
    const token = await server.token('slow');
    const wide = 'x'.repeat(4000);
    const rows = Array.from({ length: 3000 }, (_, at) => `w${at}\t2020-01-01\t${wide}${at}`);
    await server.uploadAndSettle(['Sample Name\tRelease Date\tCharacteristics[wide]', ...rows].join('\n'), { token });
    const open = async () => {
      const asked = request(`${server.url}/samples/export?filter=account:slow&format=ndjson`, {
        headers: { authorization: `Bearer ${token}` },
        agent: false,
      });
      const [answer] = await once(asked, 'response');
      await once(
        answer.once('readable', () => undefined),
        'readable',
      );
      return { asked, status: answer.statusCode };
    };
    const begun = [];
    for (let at = 0; at < EXPORTS_OF_ONE; at++) begun.push(await open());
    expect(begun.map(({ status }) => status)).toEqual([200, 200]);
    const further = await take('slow', token);
    expect([further.status, further.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await take('counted', null)).status).toBe(200);
    for (const { asked } of begun) asked.destroy();
    // It ends with the connection, which the server hears of when it writes on.
    for (;;) {
      const answer = await take('slow', token);
      if (answer.status === 200) break;
      expect(answer.status).toBe(429);
    }
    await expect.poll(files).toEqual([]);
  });
});
