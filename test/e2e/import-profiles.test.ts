/** A lab says once what the columns of its table are; from then on the table goes in as it is and comes back unchanged. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SheetProposal } from '../../src/profiles/proposals.js';
import { fixture, withoutFixtures } from '../support/fixtures.js';
import { SharedServer } from '../support/shared-server.js';
import { asText } from '../tsv/header/look-alikes.js';
import { toXlsx } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('import-profiles');
});

const RELEASED = { releaseDate: '2031-01-01' };

const LIMS = {
  profile: 1,
  title: 'Freezer export of the LIMS',
  columns: [
    { header: 'Spender', as: 'name' },
    { header: 'Röhrchen', as: 'name' },
    { header: 'Alter (Jahre)', as: 'characteristic', name: 'age', unit: 'year' },
    { header: 'Geschlecht', as: 'characteristic', name: 'sex', values: { m: 'male', w: 'female', '?': '' } },
    { header: 'Entnommen', as: 'characteristic', name: 'collection date', date: 'DD.MM.YYYY' },
    { header: 'Gewicht', as: 'characteristic', name: 'weight', decimal: ',' },
    { header: 'Einheit', as: 'unit', of: 'Gewicht' },
    { header: 'Onto', as: 'term', of: 'Geschlecht' },
    { header: 'Mutter', as: 'relationship', type: 'child of' },
    { header: 'Bemerkung', as: 'ignored' },
  ],
  joinNames: '-',
  fixed: [{ characteristic: 'organism', value: 'Homo sapiens', term: 'NCBITaxon:9606' }],
} as const;
const HEADER = LIMS.columns.map(({ header }) => header);
const ROWS = [
  [...HEADER],
  ['S1', 'a', '40', 'M', '05.03.2024', '1.234,5', 'g', 'PATO:0000384', '', 'krumm'],
  ['S2', 'a', '3', 'w', '31.02.2024', '12', 'g', '', 'S1-a', ''],
  ['S3', 'b', '7', '?', '2024', '0,5', '', '', '', ''],
];
const text = (value: string) => [{ text: value }];

async function account(name: string) {
  const token = await server.token(name);
  const send = (method: string, path: string, body?: unknown) => server.send(method, path, body, { token });
  const upload = (bytes: string | Buffer, options: Record<string, string> = RELEASED) =>
    server.uploadAndSettle(bytes, { name: 'lims.tsv', options, token });
  const get = (path: string) => server.get(path, { token });
  const refuse = async (bytes: string, options: Record<string, string> = RELEASED) => {
    const answer = await server.upload(bytes, { name: 'refused.tsv', options, token });
    expect(answer.status).toBe(422);
    return answer.json<{ detail: string; profiles?: string[]; missing?: string[]; further?: string[] }>();
  };
  return { token, send, upload, get, refuse };
}

describe('a kept profile', () => {
  it.each([
    ['text', async (rows: string[][]) => Buffer.from(asText(rows))],
    ['a workbook', async (rows: string[][]) => toXlsx(rows)],
  ])(
    'reads the sheet that has its columns, as %s, and the result comes back unchanged',
    { tags: 'slow' },
    async (kind, make) => {
      const { send, upload, get, token } = await account(`lims-${kind.replaceAll(' ', '-')}`);
      expect((await send('PUT', '/profiles/lims', LIMS)).status).toBe(201);
      const { id, status } = await upload(await make(ROWS));
      expect(status.counts, JSON.stringify(status.issues)).toMatchObject({ created: 3, rejected: 0 });
      expect(status).toMatchObject({ columns: { profile: { name: 'lims', version: 1, title: LIMS.title } } });
      expect(status).not.toHaveProperty('options.readBy');
      const { sampleNameAccessionPairs: pairs } = await server.mapping(id, token);
      expect(pairs.map(({ sampleName }) => sampleName)).toEqual(['S1-a', 'S2-a', 'S3-b']);
      const samples = await Promise.all(
        pairs.map(async ({ sampleAccession }) =>
          (await get(`/samples/${sampleAccession}`)).json<Record<string, unknown>>(),
        ),
      );
      const organism = [{ text: 'Homo sapiens', ontologyTerms: ['NCBITaxon:9606'] }];
      expect(samples.map(({ characteristics }) => characteristics)).toEqual([
        {
          Spender: text('S1'),
          Röhrchen: text('a'),
          organism,
          age: [{ text: '40', unit: 'year' }],
          sex: [{ text: 'male', ontologyTerms: ['PATO:0000384'] }],
          'collection date': text('2024-03-05'),
          weight: [{ text: '1234.5', unit: 'g' }],
        },
        {
          Spender: text('S2'),
          Röhrchen: text('a'),
          organism,
          age: [{ text: '3', unit: 'year' }],
          sex: text('female'),
          'collection date': text('31.02.2024'),
          weight: [{ text: '12', unit: 'g' }],
        },
        {
          Spender: text('S3'),
          Röhrchen: text('b'),
          organism,
          age: [{ text: '7', unit: 'year' }],
          'collection date': text('2024'),
          weight: text('0.5'),
        },
      ]);
      expect(samples[1]?.relationships).toMatchObject([{ type: 'child of', target: pairs[0]?.sampleAccession }]);

      const result = (await get(`/submissions/${id}/result`)).text;
      const lines = result.split('\n');
      expect(lines[0]).toBe('#profile\tlims\t1');
      expect(lines[1]).toBe([...HEADER, 'Release Date', 'Sample Identifier'].join('\t'));
      expect(lines[2]?.startsWith('S1\ta\t40\tM\t05.03.2024\t1.234,5\tg\t')).toBe(true);
      expect(result).toContain(`Read as\t${LIMS.title}\timport profile lims, version 1`);
      expect(result).toContain('Spender and Röhrchen: Sample Name');
      expect(result).toContain('Columns not stored in the samples\tBemerkung');
      for (const header of HEADER) expect(result.slice(result.indexOf('RECEIPT START'))).toContain(header);
      for (const again of [result, await toXlsx(lines.map((line) => line.split('\t')))]) {
        const second = await upload(again, {});
        expect(second.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 3, rejected: 0 });
      }
    },
  );

  it('takes the units from a row of units below the header, which comes back where it stood', {
    tags: 'slow',
  }, async () => {
    const { send, upload, get, token } = await account('buoy');
    const columns = ['station', 'depth', 'temperature'].map((header, at) => ({
      header,
      as: at === 0 ? 'name' : 'characteristic',
    }));
    await send('PUT', '/profiles/buoy', { profile: 1, title: 'Buoy', columns });
    const rows = [
      ['station', 'depth', 'temperature'],
      ['', 'm', '°C'],
      ['S1', '10', '4.5'],
    ];
    for (const bytes of [asText(rows), await toXlsx(rows)]) {
      const { id } = await upload(bytes);
      const result = (await get(`/submissions/${id}/result`)).text;
      const [pointer, header, units] = result.split('\n');
      expect([pointer, header]).toEqual([
        '#profile\tbuoy\t1',
        'station\tdepth\ttemperature\tRelease Date\tSample Identifier',
      ]);
      expect(units?.trimEnd()).toBe('\tm\t°C');
      expect(result).toContain('Row of units, no sample\tline 2');
      const { sampleNameAccessionPairs: pairs } = await server.mapping(id, token);
      const sample = await get(`/samples/${pairs[0]?.sampleAccession}`);
      expect(sample.json()).toMatchObject({
        characteristics: { depth: [{ text: '10', unit: 'm' }], temperature: [{ text: '4.5', unit: '°C' }] },
      });
      const again = await upload(result, {});
      expect(again.status.counts).toMatchObject({ unchanged: 1, created: 0, updated: 0, rejected: 0 });
    }
  });

  it('says the release of sheets that lack one, in its own account alone; a word of the upload counts first', {
    tags: 'slow',
  }, async () => {
    const { send, upload, get, refuse, token } = await account('dated');
    await send('PUT', '/profiles/lims', { ...LIMS, release: '2031-05-06' });
    const releaseOf = async (id: string) => {
      const [pair] = (await server.mapping(id, token)).sampleNameAccessionPairs;
      return (await get(`/samples/${pair?.sampleAccession}`)).json<{ release: string }>().release;
    };
    const sheet = (tag: string) => asText([[...HEADER], [tag, 'a', '1', 'w', '', '', '', '', '', '']]);
    const first = await upload(sheet('D1'), {});
    expect(first.status.counts).toMatchObject({ created: 1, rejected: 0 });
    expect(first.status).not.toHaveProperty('options.datedBy');
    expect(await releaseOf(first.id)).toBe('2031-05-06T00:00:00.000Z');
    const result = (await get(`/submissions/${first.id}/result`)).text;
    expect(result).toContain('Release date\t2031-05-06T00:00:00.000Z\tas the import profile lims says');
    expect((await upload(result, {})).status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect((await upload(sheet('D1'), {})).id).toBe(first.id);
    expect(await releaseOf((await upload(sheet('D2'))).id)).toContain(RELEASED.releaseDate);

    await send('PUT', '/profiles/lims', { ...LIMS, release: 'today' });
    const today = await releaseOf((await upload(sheet('D3'), {})).id);
    expect(Date.now() - Date.parse(today)).toBeLessThan(2 * 86_400_000);
    expect((await send('DELETE', '/profiles/lims')).status).toBe(204);
    await server.send('PUT', '/profiles/dating?shared=true', { ...LIMS, release: 'today' });
    expect((await refuse(sheet('D4'), {})).detail).toContain('no Release Date column');
    await server.send('DELETE', '/profiles/dating', undefined);
  });

  it('needs no word the second time; a changed header is said and never guessed', { tags: 'slow' }, async () => {
    const { send, upload, refuse } = await account('second');
    await send('PUT', '/profiles/lims', LIMS);
    await upload(asText(ROWS));
    const second = await upload(asText([[...HEADER].reverse(), ['', '', '', 'g', '3', '', 'w', '9', 'z', 'S9']]));
    expect(second.status.counts).toMatchObject({ created: 1, rejected: 0 });
    const renamed = ROWS.map((row, at) => (at === 0 ? row.with(4, 'Abnahme') : row.with(0, `${row[0]}x`)));
    const refused = await refuse(asText(renamed));
    expect(refused).toMatchObject({ profiles: ['lims'], missing: ['Entnommen'], further: ['Abnahme'] });
    expect(refused.detail).toMatch(/nearly the columns of the import profile lims; it lacks Entnommen .*Abnahme/);
    expect(await refuse(asText(renamed), { ...RELEASED, profile: 'lims' })).toMatchObject({ missing: ['Entnommen'] });
    const none = await upload(asText(renamed), { ...RELEASED, profile: 'none', nameColumn: 'Spender' });
    expect(none.status.counts).toMatchObject({ created: 3 });
  });

  it('asks for a changed header also where the sheet would be read without it', { tags: 'slow' }, async () => {
    const { send, upload, refuse } = await account('ours');
    const columns = ['Sample Name', 'tissue', 'age', 'sex'].map((header) => ({ header, as: 'characteristic' }));
    const profile = {
      profile: 1,
      title: 'Ours',
      columns: [{ header: 'Sample Name', as: 'name' }, ...columns.slice(1)],
    };
    await send('PUT', '/profiles/ours', profile);
    const rows = (header: string) =>
      asText([
        ['Sample Name', 'tissue', 'age', header],
        [`o-${header}`, 'liver', '3', 'm'],
      ]);
    expect((await upload(rows('sex'))).status).toMatchObject({ columns: { profile: { name: 'ours' } } });
    expect(await refuse(rows('gender'))).toMatchObject({ profiles: ['ours'], further: ['gender'] });
  });

  it('reads a result by the version that it came from, and a new upload by the newest', { tags: 'slow' }, async () => {
    const { send, upload, get, refuse } = await account('versions');
    await send('PUT', '/profiles/lims', LIMS);
    const sheet = asText(ROWS.slice(0, 2));
    const first = await upload(sheet);
    const result = (await get(`/submissions/${first.id}/result`)).text;
    const changed = { ...LIMS, fixed: [{ characteristic: 'organism', value: 'Mus musculus' }] };
    expect((await send('PUT', '/profiles/lims', changed)).json()).toMatchObject({ version: 2 });
    expect((await upload(result, {})).status.counts).toMatchObject({ unchanged: 1 });
    const anew = await upload(sheet);
    expect(anew.status.counts).toMatchObject({ created: 0, updated: 1 });
    expect((await get(`/submissions/${first.id}/result`)).text).toBe(result);
    expect((await send('DELETE', '/profiles/lims')).status).toBe(204);
    expect((await get(`/submissions/${first.id}/result`)).text).toBe(result);
    expect((await refuse(result.replace('40', '41'), {})).detail).toContain('no import profile lims');
  });

  it('sends its bad rows in its own layout, and their checks read it', { tags: 'slow' }, async () => {
    const { send, upload, get } = await account('bad-rows');
    await send('PUT', '/profiles/lims', LIMS);
    const { id, status } = await upload(asText([...ROWS, ['S4', '', '1', 'w', '', '', '', '', '', '']]));
    expect(status.counts).toMatchObject({ created: 3, rejected: 1 });
    const errors = (await get(`/submissions/${id}/errors`)).text;
    expect(errors.split('\n')[0]).toBe('#profile\tlims\t1');
    expect(errors).toContain('Spender and Röhrchen');
    const check = await send('POST', `/submissions/${id}/check`, {
      rows: [{ line: 5, cells: ['S4', 'c', '1', 'w', '', '', '', '', '', ''] }],
    });
    expect(check.json()).toMatchObject({ rows: [{ line: 5, issues: [] }] });
    const fixed = await upload(errors.replace('S4\t\t', 'S4\tc\t'));
    expect(fixed.status.counts).toMatchObject({ created: 1, rejected: 0 });
  });

  it('says which column makes a row bad when cells are too many', { tags: 'slow' }, async () => {
    const { send, upload, get } = await account('extra');
    await send('PUT', '/profiles/lims', LIMS);
    const { id } = await upload(asText([[...HEADER], [...(ROWS[1] as string[]), 'too much']]));
    expect((await get(`/submissions/${id}/errors`)).text).toContain('(K)');
  });
});

describe('profiles of an account', () => {
  it('are listed with those that ship, exported as they were kept, and shared by an administrator', async () => {
    const ada = await account('ada');
    const bo = await account('bo');
    await ada.send('PUT', '/profiles/lims', LIMS);
    const exported = (await ada.get('/profiles/lims')).json();
    expect(exported).toEqual(LIMS);
    expect((await bo.get('/profiles/lims')).status).toBe(404);
    expect((await bo.send('PUT', '/profiles/mine', exported)).json()).toMatchObject({ rank: 'own', version: 1 });
    expect((await ada.send('PUT', '/profiles/lims?shared=true', LIMS)).status).toBe(403);
    expect((await server.send('PUT', '/profiles/everyones?shared=true', { ...LIMS, title: 'All' })).status).toBe(201);
    const listed = (await bo.get('/profiles')).json<{ _embedded: { profiles: { name: string; rank: string }[] } }>();
    const ranks = listed._embedded.profiles.map(({ name, rank }) => `${rank} ${name}`);
    expect(ranks.slice(0, 3)).toEqual(['own mine', 'shared everyones', 'shipped ena']);
    // Their own goes before the shared one of the same columns.
    expect((await bo.upload(asText(ROWS))).status).toMatchObject({ columns: { profile: { name: 'mine' } } });
    // A lesser token of the administrator's account reads it, and neither changes nor deletes it.
    const { token } = (await server.send('POST', '/tokens', { name: 'lesser', scopes: ['read', 'submit'] })).json<{
      token: string;
    }>();
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { ...LIMS, title: 'Other' } : undefined;
      expect((await server.send(method, '/profiles/everyones', body, { token })).json()).toMatchObject({
        status: 403,
        detail: expect.stringContaining('only an administrator'),
      });
    }
    const cy = await account('cy');
    expect((await cy.upload(asText(ROWS))).status).toMatchObject({ columns: { profile: { name: 'everyones' } } });
    await server.send('DELETE', '/profiles/everyones', undefined);
  });

  it('of the same columns are an error that names both', { tags: 'slow' }, async () => {
    const { send, refuse, upload } = await account('both');
    await send('PUT', '/profiles/one', LIMS);
    await send('PUT', '/profiles/two', LIMS);
    expect(await refuse(asText(ROWS))).toMatchObject({ profiles: ['one', 'two'] });
    const { status } = await upload(asText(ROWS), { ...RELEASED, profile: 'two' });
    expect(status.counts).toMatchObject({ created: 3 });
  });

  it('have names of their own', { tags: 'slow' }, async () => {
    const { send } = await account('names');
    for (const name of ['ena', 'none']) expect((await send('PUT', `/profiles/${name}`, LIMS)).status).toBe(409);
    for (const name of ['A', '-x', 'x'.repeat(64), 'a%20b'])
      expect((await send('PUT', `/profiles/${name}`, LIMS)).status).toBe(400);
    expect((await send('DELETE', '/profiles/ena')).status).toBe(404);
  });
});

describe('a proposal for a file that is no text', () => {
  const rows = [
    ['Freezer 2024'],
    ['Tube', 'organ', 'age (years)', 'Frozen on'],
    ['T1', 'liver', '3', '21.03.2024'],
    ['T2', 'heart', '4', '22.03.2024'],
  ];

  it.each([
    ['a workbook', async () => toXlsx(rows, 'Freezer'), 'Freezer'],
    ['an archive', async () => gzipSync(asText(rows)), 'the file in the gzip archive'],
  ])('is made of %s, and the document reads it', { tags: 'slow' }, async (kind, make, sheet) => {
    const { token, send, upload } = await account(`proposed-${kind.replaceAll(' ', '-')}`);
    const file = await make();
    const answer = await server.propose(file, { token, name: 'Freezer 2024.xlsx' });
    expect(answer.json()).toMatchObject({ sheet, sheets: [sheet], headerLine: 2, known: false });
    const { columns, document } = answer.json<SheetProposal>();
    expect(columns.map(({ meaning }) => meaning?.as)).toEqual(['name', ...Array(3).fill('characteristic')]);
    expect((await send('PUT', '/profiles/freezer', document)).status).toBe(201);
    const { status } = await upload(file);
    expect(status).toMatchObject({ counts: { created: 2 }, columns: { profile: { name: 'freezer' } } });
  });

  it('is made of the sheet that is named', { tags: 'slow' }, async () => {
    const { token } = await account('proposed-sheet');
    const book = await toXlsx(rows, 'Freezer');
    expect((await server.propose(book, { token, query: { sheet: 'freezer' } })).json()).toMatchObject({
      headerLine: 2,
    });
    const answer = await server.propose(book, { token, query: { sheet: 'other' } });
    expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(/no sheet other; it has: Freezer/)]);
  });

  it.skipIf(withoutFixtures('a real workbook'))(
    'is made of a real one, from the row below its groups of columns',
    { tags: 'slow' },
    async () => {
      const answer = await server.propose(fixture('wrong-format/D23__bacteria_test_metadata.xlsx'));
      const { headerLine, columns } = answer.json<SheetProposal>();
      expect(headerLine).toBe(2);
      const of = new Map(columns.map(({ header, meaning }) => [header, meaning?.as]));
      expect([of.get('sample_name'), of.get('organism'), of.get('host_sex')]).toEqual([
        'name',
        'characteristic',
        'characteristic',
      ]);
    },
  );
});
