/**
 * mode × update × what the rows are: the truth table of tsv-dialect, and all-or-nothing seen from outside.
 *
 * @module-tag slow
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Table, toTsv } from './sheets.js';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const HEADER = [
  'Sample Identifier',
  'Sample Name',
  'Release Date',
  'Characteristics[organism]',
  'Characteristics[age]',
];

/** Accessions of new samples of these names. */
async function register(names: readonly string[]): Promise<Map<string, string>> {
  const rows = names.map((name) => ['', name, '2024-01-01', 'Homo sapiens', '3']);
  const { id } = await server.uploadAndSettle(toTsv([HEADER, ...rows]));
  const pairs = (await server.mapping(id)).sampleNameAccessionPairs;
  return new Map(pairs.map(({ sampleName, sampleAccession }) => [sampleName, sampleAccession]));
}

const characteristicsOf = async (accession: string): Promise<Record<string, string | undefined>> => {
  const { characteristics } = (await server.get(`/samples/${accession}`)).json<{
    characteristics: Record<string, { text: string }[]>;
  }>();
  return Object.fromEntries(Object.entries(characteristics).map(([name, [entry]]) => [name, entry?.text]));
};

/** What is in the file beside the header; `good` rows are registered or updated when the file is. */
const ROWS = {
  new: (tag: string) => [['', `${tag} new`, '2024-01-01', '', '9']],
  update: (tag: string, accession: string) => [[accession, tag, '2024-01-01', '', '9']],
  mixed: (tag: string, accession: string) => [
    ['', `${tag} new`, '2024-01-01', '', '9'],
    [accession, tag, '2024-01-01', '', '9'],
  ],
  bad: (tag: string, accession: string) => [
    ['', `${tag} new`, '2024-01-01', '', '9'],
    [accession, tag, '2024-01-01', '', '9'],
    ['', `${tag} bad`, 'never', '', '9'],
  ],
  'unknown identifier': (tag: string, accession: string) => [
    ['', `${tag} new`, '2024-01-01', '', '9'],
    [accession, tag, '2024-01-01', '', '9'],
    ['SAMR99999999', `${tag} bad`, '2024-01-01', '', '9'],
  ],
} satisfies Record<string, (tag: string, accession: string) => Table>;

type Content = keyof typeof ROWS;

/** Counts of created, updated, rejected rows, and the state. */
const WANTED: Record<'partial' | 'atomic', Record<Content, [number, number, number, string]>> = {
  partial: {
    new: [1, 0, 0, 'COMPLETED'],
    update: [0, 1, 0, 'COMPLETED'],
    mixed: [1, 1, 0, 'COMPLETED'],
    bad: [1, 1, 1, 'COMPLETED_WITH_ERRORS'],
    'unknown identifier': [1, 1, 1, 'COMPLETED_WITH_ERRORS'],
  },
  atomic: {
    new: [1, 0, 0, 'COMPLETED'],
    update: [0, 1, 0, 'COMPLETED'],
    mixed: [1, 1, 0, 'COMPLETED'],
    bad: [0, 0, 3, 'FAILED'],
    'unknown identifier': [0, 0, 3, 'FAILED'],
  },
};

const CASES = (['partial', 'atomic'] as const).flatMap((mode) =>
  (['replace', 'merge'] as const).flatMap((update) =>
    [false, true].flatMap((dry) =>
      (Object.keys(ROWS) as Content[]).map((content) => ({
        mode,
        update,
        dry,
        content,
        tag: `${mode} ${update} ${dry} ${content}`,
      })),
    ),
  ),
);

describe('mode, update and dryRun', () => {
  /** Each case has a sample of its own. */
  let registered: Map<string, string>;
  beforeAll(async () => {
    registered = await register(CASES.map(({ tag }) => tag));
  });

  it.each(CASES)('$mode, $update, dry run $dry: $content', async ({ mode, update, dry, content, tag }) => {
    const accession = registered.get(tag) as string;
    const [created, updated, rejected, state] = WANTED[mode][content];
    const { status } = await server.uploadAndSettle(toTsv([HEADER, ...ROWS[content](tag, accession)]), {
      options: { mode, update, dryRun: String(dry) },
    });
    expect(status.counts).toEqual({ rows: created + updated + rejected, created, updated, unchanged: 0, rejected });
    expect(status.submissionStatus).toBe(state);
    const merged = update === 'merge' ? { organism: 'Homo sapiens', age: '9' } : { age: '9' };
    const wanted = updated === 1 && !dry ? merged : { organism: 'Homo sapiens', age: '3' };
    expect(await characteristicsOf(accession)).toEqual(wanted);
  });
});

describe('all or nothing', () => {
  // More than a worker registers at once by far.
  const rows = PROOF ? 100_000 : 20_000;

  it(`1 bad row in ${rows} registers none, at any instant that a reader sees`, async () => {
    const bad = rows - 10;
    const lines = Array.from(
      { length: rows },
      (_, n) => `atomic ${n}\t${n === bad ? 'never' : '2024-01-01'}\tHomo sapiens`,
    );
    const file = `Sample Name\tRelease Date\tCharacteristics[organism]\n${lines.join('\n')}\n`;
    const [before = ''] = (await register(['before the large one'])).values();
    const next = Number(before.slice('SAMR'.length)) + 1;
    const answer = await server.upload(file, { options: { mode: 'atomic' } });
    const id = submissionIdOf(answer);
    let looks = 0;
    for (;;) {
      const status = await server.status(id);
      expect(status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 0 });
      for (const offset of [0, 1, rows / 2])
        expect((await server.get(`/samples/SAMR${next + offset}`)).status).toBe(404);
      looks++;
      if (status.submissionStatus !== 'ACTIVE') break;
      await sleep(20);
    }
    expect(looks, 'while it was under way, and after').toBeGreaterThan(1);
    const status = await server.status(id);
    expect(status).toMatchObject({ submissionStatus: 'FAILED', counts: { rows, created: 0, rejected: rows } });
    expect(status.issues.find(({ code }) => code === 'release.invalid')).toMatchObject({ count: 1, lines: [bad + 2] });
  });
});
