/** Relationships to what is no accession: the interface takes them as JSON, so every form in which their samples leave brings them back. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;
let owner: string;
beforeAll(async () => {
  server = await SharedServer.of('other-targets');
  owner = await server.token('owner');
});

const TARGETS = ['EXT1', 'ext 2', 'donor;2', 'https://example.org/s/1', 'urn:x:1', 'ERS123456', 'SRS1', 'EXT1'];
let made = 0;

/** Two samples, the first with relationships to everything, of which some bear the second's name in their type. */
async function registered(token = owner): Promise<string[]> {
  const accessions: string[] = [];
  for (const targets of [TARGETS, ['EXT1']]) {
    const sample = {
      name: `other ${made++}`,
      release: '2020-01-01',
      relationships: targets.map((target, at) => ({ type: at % 2 === 0 ? 'derived from' : 'same as', target })),
    };
    const answer = await server.send('POST', '/samples', sample, { token });
    accessions.push(answer.json<{ accession: string }>().accession);
  }
  return accessions;
}

const asListed = (accessions: string[]) => accessions.map((one) => `accession=${one}`).join('&');
const stored = (accessions: string[]) =>
  Promise.all(accessions.map(async (one) => (await server.get(`/samples/${one}`, { token: owner })).json()));
const FORMS: Record<string, (accessions: string[]) => Promise<Buffer | string>> = {
  'a sheet': async (all) => (await server.get(`/samples/template?${asListed(all)}`, { token: owner })).bytes,
  'a workbook': async (all) =>
    (await server.get(`/samples/template?format=xlsx&${asListed(all)}`, { token: owner })).bytes,
  'JSON on lines': async (all) => (await stored(all)).map((one) => `${JSON.stringify(one)}\n`).join(''),
};
const OPTIONS: Record<string, string>[] = [{}, { update: 'merge' }, { relationships: 'later' }, { mode: 'atomic' }];

describe.each(Object.entries(FORMS))('%s', (_, leave) => {
  it.each(OPTIONS)('comes back with %j and changes nothing', async (options) => {
    const accessions = await registered();
    const before = await stored(accessions);
    const { status } = await server.uploadAndSettle(await leave(accessions), { token: owner, options });
    expect(status.issues).toEqual([]);
    expect(status.counts).toMatchObject({ rows: 2, unchanged: 2 });
    expect(await stored(accessions)).toEqual(before);
  });
});

it('ISA-JSON comes back, and registers no sample for what is named', async () => {
  const [accession = ''] = await registered();
  const before = await stored([accession]);
  const document = await server.get(`/samples/${accession}?format=isa-json`, { token: owner });
  const options = { releaseDate: '2020-01-01' };
  const { status } = await server.uploadAndSettle(document.bytes, { name: 'isa.json', token: owner, options });
  expect(status.counts).toMatchObject({ rows: 1, unchanged: 1 });
  expect(await stored([accession])).toEqual(before);
});

const sheet = (...rows: string[][]): string =>
  [['Sample Name', 'Sample Identifier', 'Release Date', 'Comment[bsd_relationship:same as]'], ...rows]
    .map((row) => `${row.join('\t')}\n`)
    .join('');
const codes = async (text: string, token: string) =>
  (await server.uploadAndSettle(text, { token })).status.issues.map(({ code, count }) => `${code} ${count}`);

it('a target that the sample does not have, and one of a new row, are refused as ever', async () => {
  const [, second = ''] = await registered();
  const rows = [
    [`other ${made - 1}`, second, '2020-01-01', 'ext 2'],
    [`new ${made}`, '', '2020-01-01', 'EXT1'],
  ];
  expect(await codes(sheet(...rows), owner)).toEqual(['relationship.unknown 2']);
});

it('what the samples of others have is not found out by guessing', async () => {
  const [, second = ''] = await registered();
  const stranger = await server.token('stranger');
  const guesses = ['EXT1', 'EXT7'].map((target) => sheet([`guess ${made++}`, second, '2020-01-01', target]));
  const [right, wrong] = [await codes(guesses[0] as string, stranger), await codes(guesses[1] as string, stranger)];
  expect(right).toEqual(wrong);
});

it('in a dry run its differences are shown, and its commit carries it out', async () => {
  const [, second = ''] = await registered();
  const text = sheet([`renamed ${made++}`, second, '2020-01-01', 'EXT1']);
  const dry = await server.uploadAndSettle(text, { token: owner, options: { dryRun: 'true' } });
  expect(dry.status.counts).toMatchObject({ updated: 1, rejected: 0 });
  const changes = await server.get(`/submissions/${dry.id}/changes`, { token: owner });
  expect(changes.text).toContain(second);
});

it('a file with commas whose column has a TAB in its name comes back, too', async () => {
  const text = `Sample Name,Release Date,"Characteristics[a\tb]",Characteristics[a]\ntabbed ${made++},2020-01-01,1,2\n`;
  const { id, status } = await server.uploadAndSettle(text, { name: 'export.csv', token: owner });
  expect(status.counts).toMatchObject({ rows: 1, created: 1 });
  const again = await server.uploadAndSettle(await server.result(id), { name: 'export.csv', token: owner });
  expect(again.status.counts).toMatchObject({ rows: 1, unchanged: 1 });
});
