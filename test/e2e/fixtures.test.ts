/** Every file of the fixtures' README meets its row there, over HTTP against the real server; golden/ matches exactly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiCaller, StatusDocument } from '../support/api-caller.js';
import { fixture, fixturePath, withoutFixtures } from '../support/fixtures.js';
import { startServer, type TestServer } from '../support/server.js';

interface Sample {
  name: string;
  accession: string;
  characteristics: Record<string, Entry[]>;
  relationships?: { source: string; type: string; target: string }[];
  externalReferences?: { url: string }[];
  contact?: Record<string, string>[];
}

interface Entry {
  text?: string;
  unit?: string;
  ontologyTerms?: string[];
  unitOntologyTerms?: string[];
}

interface Golden {
  name: string;
  characteristics: (Entry & { type: string })[];
}

const RELEASED = { options: { releaseDate: '2024-01-01' } };

let server: TestServer;

async function uploadFixture(name: string, options: Record<string, string> = RELEASED.options) {
  return server.uploadAndSettle(fixture(name), { name: name.split('/').at(-1) as string, options });
}

/** What was read of them before: several tests look at one upload, which changes no more. */
const read = new Map<string, Sample>();

async function samplesOf(id: string, most = Number.POSITIVE_INFINITY): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { sampleAccession } of (await server.mapping(id)).sampleNameAccessionPairs.slice(0, most)) {
    const sample = read.get(sampleAccession) ?? (await server.get(`/samples/${sampleAccession}`)).json<Sample>();
    read.set(sampleAccession, sample);
    samples.push(sample);
  }
  return samples;
}

const created = (rows: number) => ({ rows, created: rows, updated: 0, unchanged: 0, rejected: 0 });

/** The rejected rows as the errors file tells them. */
async function errorsOf(api: ApiCaller, id: string): Promise<string> {
  return (await api.get(`/submissions/${id}/errors`)).text;
}

const codesOf = (status: StatusDocument) =>
  status.issues.filter(({ severity }) => severity === 'error').map(({ code, lines }) => [code, lines] as const);

describe.skipIf(withoutFixtures('uploads of real files'))('uploads of real files', () => {
  beforeAll(async () => {
    server = await startServer({ env: { CHECKLISTS_DIR: fixturePath('checklists') } });
  });
  afterAll(() => server?.stop());

  it('D01: both relationships by name are resolved, one to a name that stands later', async () => {
    const { answer, id, status } = await uploadFixture('dialect/D01__isa-example.tsv', {});
    expect(answer.status).toBe(201);
    expect(status.counts).toEqual(created(2));
    const [first, second] = (await samplesOf(id)) as [Sample, Sample];
    expect(first.relationships).toEqual([
      { source: first.accession, type: expect.stringMatching(/^same[ _]as$/i), target: second.accession },
    ]);
    expect(second.relationships).toEqual([
      { source: second.accession, type: expect.stringMatching(/^same[ _]as$/i), target: first.accession },
    ]);
    expect(first.characteristics.Organism).toEqual([
      { text: 'Homo sapiens', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] },
    ]);
    expect(first.externalReferences).toMatchObject([{ url: 'https://www.ebi.ac.uk/ena/browser/view/SAMEA100000' }]);
    expect(Object.values(first.contact?.[0] ?? {})).toEqual(['dgupta@ebi.ac.uk']);
  });

  it('D02: the receipt is ignored, the two unknown accessions are row errors, nothing is created', async () => {
    const { id, status } = await uploadFixture('dialect/D02__isa-result-example.tsv', {});
    expect(status.submissionStatus).toBe('FAILED');
    expect(status.counts).toEqual({ rows: 2, created: 0, updated: 0, unchanged: 0, rejected: 2 });
    expect(codesOf(status)).toContainEqual(['identifier.unknown', [2, 3]]);
    expect(await errorsOf(server, id)).toContain('SAMEA100033');
    expect(await errorsOf(server, id)).not.toContain('persisted');
  });

  it.each([
    ['D03', 'isa/D03__s_MTBLS398.txt', 201, 5],
    ['D04', 'isa/D04__s_MTBLS1693.txt', 201, 33],
    ['D05', 'isa/D05__s_MTBLS5195.txt', 201, 34],
    ['D06: large because of its bytes alone', 'isa/D06__s_MTBLS2028.txt', 202, 116],
    ['D07', 'isa/D07__s_MTBLS4861.txt', 202, 261],
    ['D08', 'isa/D08__s_Alcohol HD.txt', 202, 80],
    ['D09', 'isa/D09__s_MTBLS2060.txt', 202, 673],
    ['D11', 'isa/D11__s_minimal.txt', 201, 1],
    ['D12', 'isa/D12__s_study_Gossner.txt', 201, 12],
    ['D13', 'isa/D13__s_study_Edin_v2.txt', 202, 120],
  ])('%s: every named row becomes a sample', async (_what, name, answered, rows) => {
    const { answer, id, status } = await uploadFixture(name);
    expect(answer.status).toBe(answered);
    expect(status.submissionStatus).toBe('COMPLETED');
    expect(status.counts).toEqual(created(rows));
    const { sampleNameAccessionPairs: pairs } = await server.mapping(id);
    expect(pairs).toHaveLength(rows);
    expect(new Set(pairs.map(({ sampleAccession }) => sampleAccession)).size).toBe(rows);
  });

  it.each([
    ['D03', 'isa/D03__s_MTBLS398.txt'],
    ['D05', 'isa/D05__s_MTBLS5195.txt'],
    ['D10', 'isa/D10__s_small.txt'],
    ['D12', 'isa/D12__s_study_Gossner.txt'],
  ])('%s: names, characteristics, units and terms are those of the golden file', async (number, name) => {
    const { id } = await uploadFixture(name);
    const golden = JSON.parse(fixture(`golden/${number}.json`).toString('utf8')) as Golden[];
    const samples = await samplesOf(id);
    expect(samples.map(asGolden)).toEqual(golden.map(sorted));
  });

  it.each([
    ['D04', 'isa/D04__s_MTBLS1693.txt'],
    ['D05', 'isa/D05__s_MTBLS5195.txt'],
    ['D08', 'isa/D08__s_Alcohol HD.txt'],
  ])('%s: no quote, carriage return or line feed is left in a value', async (_what, name) => {
    const { id } = await uploadFixture(name);
    for (const sample of await samplesOf(id)) {
      for (const text of textsOf(sample)) expect(text).not.toMatch(/["\r\n]/);
    }
  });

  it('D08: the blank in its file name is safe in headers', async () => {
    const { id, status } = await uploadFixture('isa/D08__s_Alcohol HD.txt');
    expect(status.fileName).toBe('D08__s_Alcohol HD.txt');
    const original = await server.get(`/submissions/${id}/original`);
    expect(original.bytes.equals(fixture('isa/D08__s_Alcohol HD.txt'))).toBe(true);
    expect(original.headers.get('content-disposition')).toMatch(/filename="[^"]*Alcohol HD[^"]*"/);
  });

  it('D10: two rows without a Sample Name are row errors, four become samples', async () => {
    const { id, status } = await uploadFixture('isa/D10__s_small.txt');
    expect(status.submissionStatus).toBe('COMPLETED_WITH_ERRORS');
    expect(status.counts).toEqual({ rows: 6, created: 4, updated: 0, unchanged: 0, rejected: 2 });
    expect(codesOf(status)).toEqual([[expect.any(String), [6, 7]]]);
    const [mouse] = (await samplesOf(id)) as [Sample];
    expect(mouse.characteristics.age).toEqual([
      { text: '90', unit: 'day', unitOntologyTerms: ['http://purl.obolibrary.org/obo/UO_0000033'] },
    ]);
    expect(mouse.characteristics.organism?.[0]?.text).toBe('Mus musculus;Homo sapiens');
  });

  it('D11: with the minimal checklist the row is refused because the organism is missing', async () => {
    const { id, status } = await server.uploadAndSettle(fixture('isa/D11__s_minimal.txt'), {
      options: { releaseDate: '2024-01-01', checklist: 'biosamples-minimal' },
      token: await server.token('strict'),
    });
    expect(status.submissionStatus).toBe('FAILED');
    expect(status.counts).toEqual({ rows: 1, created: 0, updated: 0, unchanged: 0, rejected: 1 });
    expect(await errorsOf(server, id)).toMatch(/organism/i);
  });

  it('D13: the empty header in the middle shifts no value', async () => {
    const { id } = await uploadFixture('isa/D13__s_study_Edin_v2.txt');
    const [sample] = (await samplesOf(id, 1)) as [Sample];
    expect(sample.characteristics['organism part']?.[0]?.text).toBe('adult organism');
    expect(sample.characteristics['participant age value']?.[0]?.text).toBe('28');
    expect(sample.characteristics['participant age unit']?.[0]?.text).toBe('year');
    expect(sample.characteristics.sex?.[0]?.text).toMatch(/^(fe)?male/i);
  });

  it('D14: comment rows never become samples, repeated names are row errors, a slash is safe in links', async () => {
    const { id, status } = await uploadFixture('isa/D14__s_kearney.txt');
    expect(status.submissionStatus).toBe('COMPLETED_WITH_ERRORS');
    expect(status.counts).toEqual({ rows: 12, created: 7, updated: 0, unchanged: 0, rejected: 5 });
    const samples = await samplesOf(id);
    expect(samples.map(({ name }) => name)).not.toContain('#');
    const slashed = samples.find(({ name }) => name === '1_IWMI_Climate_Atlas/CRU') as Sample & {
      _links: { self: { href: string } };
    };
    expect((await server.get(slashed._links.self.href)).json<Sample>().name).toBe(slashed.name);
  });

  it.each(['isa/D03__s_MTBLS398.txt', 'isa/D11__s_minimal.txt', 'isa/D09__s_MTBLS2060.txt'])(
    '%s without the releaseDate option is a clear file error',
    async (name) => {
      const answer = await server.upload(fixture(name), { token: await server.token('without-date') });
      expect(answer.status).toBe(422);
      expect(answer.json()).toMatchObject({ code: 'file.header' });
      expect(answer.json().detail).toMatch(/Release Date/);
      expect(answer.json().detail).toMatch(/releaseDate/);
    },
  );

  it.each([
    ['D15', 'wrong-format/D15__ENA_template_samples_vir.tsv', 'an ENA sample sheet'],
    ['D16', 'wrong-format/D16__example_metadata.tsv', 'a GISAID or Nextstrain table'],
  ])(
    '%s: the sheet of another kind is read as it is, and its result goes back unchanged',
    async (_what, name, kind) => {
      const token = await server.token(`format-${_what}`);
      const bytes = fixture(name);
      const rows =
        bytes
          .toString()
          .split(/\r?\n/)
          .filter((line) => line.trim() !== '').length - 1;
      const file = { name: name.split('/')[1] as string, token };
      const first = await server.uploadAndSettle(bytes, { ...file, ...RELEASED });
      expect(first.status.counts).toMatchObject({ created: rows, rejected: 0 });
      const result = await server.get(`/submissions/${first.id}/result`, { token });
      expect(result.text).toContain(`Read as\t${kind}`);
      const again = await server.uploadAndSettle(Buffer.from(result.text), file);
      expect(again.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: rows, rejected: 0 });
    },
  );

  it.each(['D23.xlsx', 'renamed.tsv'])(
    'D23: a workbook with a row of titles above its header is read, whatever it is called (%s)',
    async (fileName) => {
      const bytes = fixture('wrong-format/D23__bacteria_test_metadata.xlsx');
      const options = { ...RELEASED.options, dryRun: 'true' };
      const { status } = await server.uploadAndSettle(bytes, { name: fileName, options });
      expect(status.counts).toMatchObject({ rejected: 0 });
      expect((status.counts as { created: number }).created).toBeGreaterThan(0);
    },
  );

  it('D17: the latin-1 byte is a named error with line and byte offset, or decoded when declared', async () => {
    const bytes = fixture('torture/D17__uspop-latin1.csv');
    const sheet = Buffer.concat([Buffer.from('Sample Name\tRelease Date\tCharacteristics[place]\n'), asSheet(bytes)]);
    const offset = sheet.findIndex((byte) => byte > 0x7f);
    const line = sheet.subarray(0, offset).filter((byte) => byte === 0x0a).length + 1;
    const refused = await server.upload(sheet);
    expect(refused.status).toBe(422);
    expect(refused.json()).toMatchObject({ code: 'file.encoding' });
    expect(refused.json().detail).toContain(String(line));
    expect(refused.json().detail).toContain(String(offset));
    const { id } = await server.uploadAndSettle(sheet, { options: { encoding: 'latin1' } });
    const texts = (await samplesOf(id)).flatMap(textsOf).join('\n');
    expect(texts).toMatch(/[\u00c0-\u00ff]/);
    expect(texts).not.toContain('\ufffd');
  });

  it('D18: each of the hostile strings comes back as it was but for the trim', async () => {
    const hostile = JSON.parse(fixture('torture/D18__blns.json').toString('utf8')) as string[];
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    // Ten to a sample: each is asked for by itself.
    const columns = Array.from({ length: 10 }, (_, at) => `hostile ${at}`);
    const count = Math.ceil(hostile.length / columns.length);
    const rows = Array.from({ length: count }, (_, row) => {
      const cells = columns.map((_, at) => quoted(hostile[row * columns.length + at] ?? ''));
      return [`sample ${row}`, '2024-01-01', ...cells].join('\t');
    });
    const header = ['Sample Name', 'Release Date', ...columns.map((name) => `Characteristics[${name}]`)].join('\t');
    const { id, status } = await server.uploadAndSettle(`${header}\n${rows.join('\n')}\n`);
    expect(status.counts).toEqual(created(count));
    const back = new Map((await samplesOf(id)).map(({ name, characteristics }) => [name, characteristics]));
    for (const [at, text] of hostile.entries()) {
      const wanted = text.trim() === '' ? undefined : [{ text: text.trim() }];
      const sample = back.get(`sample ${Math.floor(at / columns.length)}`);
      expect(sample?.[columns[at % columns.length] as string], JSON.stringify(text)).toEqual(wanted);
    }
  });
});

/** Rows of a comma-separated file as rows of our columns, byte by byte: name from the line, place from the first cell. */
function asSheet(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').trimEnd().split('\n').slice(1);
  const rows = lines.map((line, at) => `place-${at}\t2024-01-01\t${line.split(',')[0]}\n`);
  return Buffer.from(rows.join(''), 'latin1');
}

const textsOf = (sample: Sample): string[] => [
  sample.name,
  ...Object.values(sample.characteristics).flatMap((entries) =>
    entries.flatMap((entry) => [entry.text ?? '', entry.unit ?? '', ...(entry.ontologyTerms ?? [])]),
  ),
];

/** A sample in the golden files' shape; they leave out the terms of units. */
function asGolden({ name, characteristics }: Sample): Golden {
  const entries = Object.entries(characteristics).flatMap(([type, values]) =>
    values.map(({ unitOntologyTerms, ...entry }) => ({ type, ...entry })),
  );
  return sorted({ name, characteristics: entries });
}

/** Characteristics are a map in a sample and a list in the golden files: both in order of their names. */
function sorted({ name, characteristics }: Golden): Golden {
  return {
    name,
    characteristics: characteristics.toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0)),
  };
}
