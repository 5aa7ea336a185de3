/** What costly requests ask for: samples, sheets and submissions of the largest kinds that an account may have. */

import { ROW_LIMIT } from '../../src/tsv/dialect.js';
import { isaDocument } from '../support/isa-document.js';
import { plainSheet } from '../support/plain-sheet.js';
import type { TestServer } from '../support/server.js';

export interface Scene {
  server: TestServer;
  /** Of an ordinary account. */
  token: string;
  /** Accessions of public samples of 1 MB; the first one is curated as much as it can be. */
  big: string[];
  /** A link and a curation of the first. */
  hash: string;
  curation: string;
  wide: string;
  /** From the longest row that a sheet may have. */
  row: string;
  own: string;
  /** With tables of 1 MB. */
  tabled: string;
  changed: string;
  /** 100 characteristics each, none of them in another. */
  different: string[];
  /** One value each, the first with terms, the second with terms of its unit. */
  terms: string[];
  words: string;
  submissions: Record<
    'faulty' | 'wideFaults' | 'large' | 'isa' | 'wideRows' | 'dry' | 'wideDry' | 'standing' | 'many' | 'waiting',
    string
  >;
  faulty: string;
  many: string;
  sheets: Record<'wideHeader' | 'longRow' | 'large' | 'unknown' | 'small', string>;
  webhook: string;
  tus: string;
}

/** How much of each; the short form has less of what takes long to make. */
export interface Amounts {
  big: number;
  rows: number;
  wideRows: number;
  versions: number;
  different: number;
  submissions: number;
}

const COLUMNS = (count: number, mark: string) =>
  Array.from({ length: count }, (_, at) => `Characteristics[${mark}${at}]`);
const sheet = (columns: string[], rows: number, cell: (row: number, column: number) => string, mark: string): string =>
  `${[
    ['Sample Name', 'Release Date', ...columns].join('\t'),
    ...Array.from({ length: rows }, (_, row) =>
      [`${mark} ${row}`, '2020-01-01', ...columns.map((_name, column) => cell(row, column))].join('\t'),
    ),
  ].join('\n')}\n`;

export async function makeScene(server: TestServer, amounts: Amounts): Promise<Scene> {
  const token = await server.token('hostile');
  const upload = async (text: string, options: Record<string, string> = {}): Promise<string> =>
    (await server.uploadAndSettle(text, { token, options })).id;
  /** The second sheet waits for the commit of the first, and lacks all of it. */
  const missingAll = async (rows: number): Promise<string> => {
    const standing = { key: 'Sample Name', standing: 'costly' };
    await upload(plainSheet({ tag: 'standing', rows }), { ...standing, commit: 'auto' });
    return upload(plainSheet({ tag: 'another', rows: 1 }), standing);
  };
  const register = async (characteristics: object, name = 'costly'): Promise<string> => {
    const answer = await server.send('POST', '/samples', { name, release: '2020-01-01', characteristics }, { token });
    if (answer.status !== 201) throw new Error(`POST /samples answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer.json<{ accession: string }>().accession;
  };
  const values = (count: number, mark: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${mark}${at}`, [{ text: `value ${at}` }]]));

  const own = await register(values(10, 'own '));
  const tabled = await register({});
  const content = Array.from({ length: 9_000 }, (_, at) => ({ a: { value: `${at}` } }));
  await server.send('PUT', `/structureddata/${tabled}`, { data: [{ type: 'AMR', content }] }, { token });
  const changed = await register(values(1, 'v'));
  for (let at = 0; at < amounts.versions; at++) {
    await server.send('PUT', `/samples/${changed}`, { name: `v${at}`, release: '2020-01-01' }, { token });
  }
  const different: string[] = [];
  while (different.length < amounts.different) {
    different.push(await register(values(100, `d${different.length} `)));
  }
  const width = Math.floor((ROW_LIMIT - 100_000) / 100_000);
  const longRow = sheet(COLUMNS(width, 'long '), 1, () => 'x'.repeat(99_900), 'long');
  const sheets: Scene['sheets'] = {
    wideHeader: `${['Sample Name', 'Release Date', ...COLUMNS(16_000, 'w').map((name) => name.padEnd(40, ' '))].join('\t')}\nwide\t2020-01-01\n`,
    longRow,
    large: plainSheet({ tag: 'large', rows: amounts.rows }),
    unknown: `${['Sample Name', ...Array.from({ length: 10_000 }, (_, at) => `Unknown[${at}]`)].join('\t')}\nunknown\n`,
    small: plainSheet({ tag: 'small', rows: 5 }),
  };
  const longId = await upload(longRow);
  const row = (await server.mapping(longId, token)).sampleNameAccessionPairs[0]?.sampleAccession ?? own;
  const wideSheet = sheet(
    COLUMNS(1_000, 'w'),
    amounts.wideRows,
    (at, column) => `${at} ${column}`.padEnd(100, 'z'),
    'wide',
  );
  const unknownTargets = Array.from({ length: 50 }, (_, at) => `Comment[bsd_relationship:derived from ${at}]`);
  const submissions: Scene['submissions'] = {
    faulty: await upload(plainSheet({ tag: 'faulty', rows: amounts.rows, badEvery: 1 })),
    wideFaults: await upload(
      sheet(unknownTargets, amounts.wideRows, (at, column) => `nobody ${at} ${column}`, 'target'),
    ),
    large: await upload(sheets.large),
    isa: await upload(
      JSON.stringify(
        isaDocument({
          samples: Array.from({ length: amounts.rows }, (_, at) => ({
            name: `isa ${at}`,
            values: COLUMNS(5, 'v').map((name) => ({ name, text: `${name} ${at}` })),
          })),
        }),
      ),
    ),
    wideRows: await upload(wideSheet),
    dry: await upload(sheets.large.replaceAll('first ', 'second '), { dryRun: 'true' }),
    standing: await missingAll(amounts.rows),
    wideDry: await upload(wideSheet.replaceAll('z', 'y'), { dryRun: 'true' }),
    many: await upload(
      sheet(COLUMNS(100, 'm'), Math.min(6_000, amounts.rows), (at, column) => `${at} ${column}`, 'many'),
    ),
    waiting: await upload(
      sheet(['Comment[bsd_relationship:derived from]'], amounts.rows, (at) => `still to come ${at}`, 'waiting'),
      { relationships: 'later' },
    ),
  };
  const badSmall = (at: number) => plainSheet({ tag: `bad ${at}`, rows: 150, badEvery: 1 });
  for (let at = 0; at < amounts.submissions; at++) await server.upload(badSmall(at), { token });
  const webhook = await server.send('POST', '/webhooks', { url: 'https://example.org/hook' }, { token });
  const manyTerms = Array.from({ length: 38_000 }, (_, at) => `T${at}`);
  const terms = [
    await register({ a: [{ text: 'x', ontologyTerms: manyTerms }] }),
    await register({ a: [{ text: 'x', unitOntologyTerms: manyTerms }] }),
  ];
  const wide = await register(values(13_000, 'c'));
  const big: string[] = [];
  while (big.length < amounts.big) big.push(await register({ a: [{ text: 'x'.repeat(990_000) }] }));
  let link = { hash: '', curation: { hash: '' } };
  for (let at = 0; at < 12; at++) {
    const body = { curation: { attributesPost: [{ type: `t${at}`, value: 'y'.repeat(10_000) }] } };
    link = (await server.send('POST', `/samples/${big[0]}/curationlinks`, body, { token })).json();
  }
  return {
    server,
    token,
    big,
    hash: link.hash,
    curation: link.curation.hash,
    wide,
    row,
    own,
    tabled,
    changed,
    different,
    terms,
    words: Array.from({ length: 3_000 }, (_, at) => `w${at}`)
      .join('%20')
      .slice(0, 14_000),
    submissions,
    faulty: submissions.faulty,
    many: submissions.many,
    sheets,
    webhook: webhook.json<{ id: string }>().id,
    tus: await resumable(server, token, 10),
  };
}

/** Id of a new resumable upload. */
export async function resumable(server: TestServer, token: string, length: number): Promise<string> {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(length) };
  const answer = await server.call('/files', { method: 'POST', token, headers });
  const id = /[^/]+$/.exec(answer.headers.get('location') ?? '')?.[0];
  if (id === undefined) throw new Error(`POST /files answered ${answer.status}: ${answer.text}`);
  return id;
}
