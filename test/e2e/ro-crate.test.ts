/**
 * A submission as an RO-Crate: valid by the rules of 1.2, with every file that it describes, whatever was uploaded.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { CRATE_SAMPLES } from '../../src/exports/submission-crate.js';
import { VERSION } from '../../src/version.js';
import { type CrateDocument, type CrateEntity, crateFaults } from '../formats/crate-rules.js';
import { sheet } from '../http/uploads/forms.js';
import { isaDocument } from '../support/isa-document.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { SharedServer } from '../support/shared-server.js';
import { unzipped } from '../support/unzipped.js';
import { toXlsx } from './sheets.js';

let server: SharedServer;
let token: string;
beforeAll(async () => {
  server = await SharedServer.of('ro-crate');
  token = await server.token('crate-lab');
});

async function crateOf(id: string) {
  const answer = await server.get(`/submissions/${id}/ro-crate`, { token });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const entries = await unzipped(answer.bytes);
  const document = JSON.parse(String(entries.get('ro-crate-metadata.json'))) as CrateDocument;
  const entity = (id: string) => document['@graph'].find((one) => one['@id'] === id) as CrateEntity;
  return { answer, entries, document, entity };
}

/** The body itself: its name may be anything. */
async function upload(content: string | Uint8Array, fileName: string, options: Record<string, string> = {}) {
  const common = { token, raw: 'application/octet-stream', headers: { accept: 'application/json' } };
  const answer = await server.upload(content, { ...common, options: { fileName, ...options } });
  return answer.json<{ submissionId: string }>().submissionId;
}

const statusOf = async (id: string) => server.status(id, token);

const NAUGHTY = ['</script>', '"\\', 'ä€😀', '#?&%20', ' ', '{"@id":"./"}'];
let tag = 0;
/** Rows as name and organism, some of them without a name that may be. */
function rowsOf(random: Random): { name: string; organism: string }[] {
  tag += 1;
  return Array.from({ length: 2 + random.below(4) }, (_, at) => ({
    name: at > 0 && random.chance(0.3) ? '' : `c${tag}-${at} ${random.pick(NAUGHTY)}`.trim(),
    organism: random.pick(['Homo sapiens', 'Mus musculus']),
  }));
}
const jsonOf = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ name, organism }) => ({
    name,
    release: '2020-01-01',
    characteristics: { organism: [{ text: organism }] },
  }));
const cellsOf = (rows: ReturnType<typeof rowsOf>) => [
  ['Sample Name', 'Characteristics[organism]', 'Release Date'],
  ...rows.map(({ name, organism }) => [name.replaceAll('"', ''), organism, '2020-01-01']),
];

const FORMS: [string, string, (random: Random) => string | Promise<Uint8Array>][] = [
  [
    'result.tsv',
    'a.tsv',
    (random) =>
      cellsOf(rowsOf(random))
        .map((row) => `${row.join('\t')}\n`)
        .join(''),
  ],
  ['result.tsv', 'b.xlsx', (random) => toXlsx(cellsOf(rowsOf(random)), 'S')],
  ['result.ndjson', 'c.json', (random) => JSON.stringify(jsonOf(rowsOf(random)))],
  [
    'result.ndjson',
    'd.ndjson',
    (random) =>
      jsonOf(rowsOf(random))
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
  ],
  [
    'result.isa.json',
    'e.json',
    (random) =>
      JSON.stringify(
        isaDocument({
          samples: rowsOf(random).map(({ name, organism }) => ({
            name,
            values: [{ name: 'organism', text: organism }],
          })),
        }),
      ),
  ],
];

describe('an RO-Crate', () => {
  it.each(FORMS)('with a %s of %s is valid and holds what it describes', async (ending, name, make) => {
    for (let seed = 1; seed <= (PROOF ? 250 : 4); seed += 1) {
      const content = await make(new Random(seed));
      const id = await upload(content, name, seed % 2 === 0 ? { dryRun: 'true' } : {});
      const { entries, document, entity } = await crateOf(id);
      expect(crateFaults(document, entries), `seed ${seed}`).toEqual([]);
      const { counts, _links } = await statusOf(id);
      expect(_links.roCrate?.href).toBe(`${server.url}/submissions/${id}/ro-crate`);
      expect(entries.get(`original/${name}`)).toEqual(Buffer.from(content as string));
      const alone = async (file: string) => (await server.get(`/submissions/${id}/${file}`, { token })).text;
      expect(String(entries.get(`result/${name[0]}.${ending}`))).toBe(await alone('result'));
      expect(String(entries.get('mapping.json'))).toBe(await alone('mapping'));
      expect(entries.has('errors.json')).toBe(counts.rejected > 0);
      expect(entries.has('receipt.json')).toBe(ending === 'result.isa.json');
      if (entries.has('receipt.json')) expect(String(entries.get('receipt.json'))).toBe(await alone('receipt'));
      if (counts.rejected > 0) expect(String(entries.get('errors.json'))).toBe(await alone('errors?format=json'));
      const samples = document['@graph'].filter((one) => one['@type'] === 'BioSample');
      const { sampleNameAccessionPairs: pairs } = await server.mapping(id, token);
      expect(samples.map((one) => [one.name, one.identifier, one['@id']])).toEqual(
        pairs.map(({ sampleName, sampleAccession }) => [
          sampleName,
          sampleAccession,
          `${server.url}/samples/${sampleAccession}`,
        ]),
      );
      expect(entity('#account')).toMatchObject({ name: 'ro-crate-crate-lab' });
      expect(entity('#software')).toMatchObject({ version: VERSION });
    }
  });

  it('is refused by the rules when it breaks one', async () => {
    const { document, entries } = await crateOf(await upload(sheet(), 'rules.tsv'));
    expect(crateFaults(document, entries)).toEqual([]);
    const broken: [string, (copy: CrateDocument, at: (id: string) => CrateEntity) => unknown][] = [
      ['context', (copy) => (copy['@context'] = 'https://schema.org/')],
      ['no date', (_, at) => delete at('./').datePublished],
      ['no date at all', (_, at) => (at('./').datePublished = 'yesterday')],
      ['no licence', (_, at) => delete at('./').license],
      [
        'another version',
        (_, at) => (at('ro-crate-metadata.json').conformsTo = { '@id': 'https://w3id.org/ro/crate/1.1' }),
      ],
      ['nested', (_, at) => (at('./').author = { '@id': '#x', name: 'x' })],
      ['dangling', (_, at) => (at('./').author = { '@id': '#nobody' })],
      ['no part', (_, at) => (at('./').hasPart = [{ '@id': 'mapping.json' }, { '@id': 'original/rules.tsv' }])],
      ['not compacted', (_, at) => (at('./').author = [{ '@id': '#account' }])],
      ['climbs', (_, at) => (at('mapping.json')['@id'] = '../mapping.json')],
      ['a blank', (_, at) => (at('mapping.json')['@id'] = 'my mapping.json')],
      ['size', (_, at) => (at('mapping.json').contentSize = '1')],
      ['checksum', (_, at) => (at('mapping.json').sha256 = '0'.repeat(64))],
      ['no checksum', (_, at) => (at('mapping.json').sha256 = 'x')],
      ['twice', (copy, at) => copy['@graph'].push(at('mapping.json'))],
      ['no root', (copy, at) => copy['@graph'].splice(copy['@graph'].indexOf(at('./')), 1)],
      ['term', (_, at) => (at('./').colour = 'blue')],
      ['no file', (copy, at) => copy['@graph'].push({ ...at('mapping.json'), '@id': 'more.json' })],
    ];
    for (const [rule, breakIt] of broken) {
      const copy = structuredClone(document);
      breakIt(copy, (id) => copy['@graph'].find((one) => one['@id'] === id) as CrateEntity);
      expect(crateFaults(copy, entries), rule).not.toEqual([]);
    }
    for (const path of ['mapping.json', 'original/rules.tsv']) {
      expect(crateFaults(document, new Map([...entries].filter(([one]) => one !== path)))).not.toEqual([]);
    }
    expect(crateFaults(document, new Map([...entries, ['stray', Buffer.alloc(1)]]))).not.toEqual([]);
  });

  it.each([
    '../../etc/passwd.tsv',
    '..',
    '..\\..\\x.tsv',
    '/etc/x.tsv',
    'C:\\x.tsv',
    'ro-crate-metadata.json',
    '"}],"@graph":[{.tsv',
    'a#b?c%2e%2e%2fd e.tsv',
    'nul.tsv',
    '面试 \u202Etsv.exe',
    `${'😀'.repeat(150)}.tsv`,
    '. . .tsv',
    'x.\u2028\u0000ä',
  ])('of a file called %j stays within its folder, and is valid', async (name) => {
    const { entries, document, answer } = await crateOf(await upload(sheet(), name));
    expect(crateFaults(document, entries)).toEqual([]);
    expect([...entries.keys()].filter((path) => !path.includes('/'))).toEqual([
      'mapping.json',
      'ro-crate-metadata.json',
    ]);
    for (const path of entries.keys()) {
      expect(path).toMatch(/^(?:(?:original|result)\/)?[^./\\:<>"|?*\p{C}\s][^/\\:<>"|?*\p{C}]*$/u);
      expect(Buffer.byteLength(path.split('/').at(-1) as string)).toBeLessThan(256);
    }
    expect(answer.headers.get('content-disposition')).toMatch(/\.zip/);
  });

  it('describes so many samples and says that the mapping has all', async () => {
    const rows = CRATE_SAMPLES + 60;
    const id = await upload(sheet(rows), 'many.tsv');
    await server.settled(id, token);
    const { entries, document, entity } = await crateOf(id);
    expect(crateFaults(document, entries)).toEqual([]);
    expect(document['@graph'].filter((one) => one['@type'] === 'BioSample')).toHaveLength(CRATE_SAMPLES);
    expect(entity('./').description).toContain(`Of ${rows} samples, ${CRATE_SAMPLES} are described here`);
    const { sampleNameAccessionPairs } = JSON.parse(String(entries.get('mapping.json'))) as {
      sampleNameAccessionPairs: unknown[];
    };
    expect(sampleNameAccessionPairs).toHaveLength(rows);
  });

  it('says what became of the submission, and is refused as its result is', async () => {
    const done = await crateOf(await upload(sheet(), 'done.tsv'));
    expect(done.entity('#registration')).toMatchObject({
      actionStatus: { '@id': 'http://schema.org/CompletedActionStatus' },
      object: { '@id': 'original/done.tsv' },
      endTime: expect.any(String),
    });
    const bad = 'Sample Name\tRelease Date\nx\tnever\n';
    const failed = await crateOf(await upload(bad, 'bad.tsv'));
    expect(crateFaults(failed.document, failed.entries)).toEqual([]);
    expect(failed.entity('#registration')).toMatchObject({
      actionStatus: { '@id': 'http://schema.org/FailedActionStatus' },
      error: 'All of 1 rows were rejected.',
    });
    const unread = await upload('x\ty\n1\t2\n', 'unread.tsv');
    for (const file of ['ro-crate', 'result', 'mapping', 'errors']) {
      const refused = await server.get(`/submissions/${unread}/${file}`, { token });
      expect([file, refused.status, refused.json<{ code: string }>().code]).toEqual([file, 422, 'file.header']);
    }
    expect((await statusOf(unread))._links.roCrate).toBeUndefined();
  });

  it('of one that is worked on holds what is done so far and says so', async () => {
    const id = await upload(sheet(8_000), 'running.tsv');
    const { entries, document, entity } = await crateOf(id);
    expect(crateFaults(document, entries)).toEqual([]);
    const { actionStatus, endTime } = entity('#registration');
    const active = (actionStatus as { '@id': string })['@id'].endsWith('ActiveActionStatus');
    expect(active).toBe(endTime === undefined);
    expect(String(entity('./').description).includes('still worked on')).toBe(active);
    expect((await server.settled(id, token))._links.roCrate).toBeDefined();
  });
});
