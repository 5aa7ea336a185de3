/**
 * Sheets that were made for other archives and programs go from upload to accessions as they are; each column is
 * accounted for, and what comes back is the user's own sheet, which goes in again and changes nothing.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { fixture, fixturesIn, withoutFixtures } from '../support/fixtures.js';
import { PROOF } from '../support/proof.js';
import { SharedServer } from '../support/shared-server.js';
import { referenceRows } from '../tsv/bytes/reference-reader.js';
import { asText, LOOK_ALIKES, type LookAlike } from '../tsv/header/look-alikes.js';
import { toXlsx } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('foreign-sheets');
});

const RELEASED = { releaseDate: '2031-01-01' };
const resultOf = async (id: string): Promise<string> => (await server.get(`/submissions/${id}/result`)).text;
const cellsOf = (text: string): string[][] => text.split('\n').map((line) => line.split('\t'));
const tableOf = (result: string): string[][] => cellsOf(result.split('\n\n***')[0] as string);
const unchanged = (count: number) => ({ created: 0, updated: 0, unchanged: count, rejected: 0 });

/** Every header stands in one of the rows of the receipt that say what became of the columns. */
function expectAccounted(result: string, header: readonly string[]): void {
  const receipt = cellsOf(result.slice(result.indexOf('RECEIPT START')));
  const said = receipt
    .filter(([label = '']) => label.startsWith('Columns '))
    .flatMap(([, ...texts]) => texts.map((text) => text.trim()));
  for (const text of header.filter((each) => each.trim() !== '')) {
    const found = said.some((each) => each === text.trim() || each.startsWith(`${text.trim()}: `));
    expect(found, `${text} in ${said.join(' | ')}`).toBe(true);
  }
}

const FORMS = [
  ['text', async (rows: string[][]) => Buffer.from(asText(rows))],
  ['a workbook', async (rows: string[][]) => toXlsx(rows)],
] as const;
/** Each kind of sheet goes back in both forms, and every form in meets both over the kinds; each pair of each kind in the proof. */
const formsBack = (kind: number, form: number): number[] => (PROOF ? [0, 1] : [(kind + form) % 2]);

describe.each(LOOK_ALIKES.map((each, at) => [each.kind, each, at] as const))('%s', (_, sheet: LookAlike, at) => {
  it.each(FORMS.map(([kind, make], form) => [kind, make, formsBack(at, form)] as const))(
    'goes in as %s and comes back in its own layout, unchanged',
    async (kind, make, back) => {
      const token = await server.token(`${sheet.kind} ${kind}`.replaceAll(/\W+/g, '-').toLowerCase());
      const options = { ...RELEASED, ...sheet.options };
      const first = await server.uploadAndSettle(await make(sheet.rows), { name: `theirs.${kind}`, options, token });
      expect(first.status.counts).toMatchObject({ created: sheet.names.length, rejected: 0 });
      if (sheet.profile) expect(first.status).toMatchObject({ columns: { profile: { name: sheet.profile } } });
      const mapping = await server.mapping(first.id, token);
      expect(mapping.sampleNameAccessionPairs.map(({ sampleName }) => sampleName)).toEqual(sheet.names);

      const result = (await server.get(`/submissions/${first.id}/result`, { token })).text;
      if (sheet.profile) expectAccounted(result, sheet.columns ?? (sheet.rows[sheet.header] as string[]));
      const table = tableOf(result);
      const pointed = sheet.options ? table.shift() : undefined;
      expect(pointed).toEqual(sheet.options && ['#profile', sheet.profile]);
      // A workbook says nothing of empty cells at the end of a row.
      const filled = (row: readonly string[]): string => row.join('\t').trimEnd();
      const own = (row: readonly string[], at: number): string => filled(row.slice(0, sheet.rows[at]?.length));
      expect(table.slice(0, sheet.rows.length).map(own)).toEqual(sheet.rows.map(filled));
      expect(table[sheet.header]?.slice(-2)).toEqual(['Release Date', 'Sample Identifier']);
      for (const row of table.slice(-sheet.rows.length + sheet.header + 1)) {
        const isSample = !row[0]?.startsWith('#') && row.length === table[sheet.header]?.length;
        if (isSample) expect(row.at(-1)).toMatch(/^SAMR\d+$/);
      }
      for (const form of back) {
        const again = form === 0 ? Buffer.from(result) : await toXlsx(cellsOf(result));
        const second = await server.uploadAndSettle(again, { name: 'again', token });
        expect(second.status.counts, FORMS[form]?.[0]).toMatchObject(unchanged(sheet.names.length));
      }
    },
  );
});

describe('a table with a row for each file', () => {
  const sdrf = (...rows: string[][]): string =>
    asText([['source name', 'characteristics[organism]', 'assay name', 'comment[data file]'], ...rows]);

  it('names both lines where two rows of one source differ, and registers the first', async () => {
    const text = sdrf(
      ['d1', 'Homo sapiens', 'r1', 'a.raw'],
      ['d2', 'Homo sapiens', 'r2', 'b.raw'],
      ['d1', 'Mus musculus', 'r3', 'c.raw'],
    );
    const { id, status } = await server.uploadAndSettle(text, { name: 'sdrf.tsv', options: RELEASED });
    expect(status.counts).toMatchObject({ rows: 3, created: 2, rejected: 1 });
    const result = await resultOf(id);
    expect(result).toMatch(/line 4\tsource name\tname\.repeated\td1\tThis row and the one on line 2 /);
    expect(tableOf(result)[3]?.at(-1)).toBe('');
  });

  it('gives each row the accession of its source, also when a value is changed in all of them', async () => {
    const text = sdrf(['e1', 'Homo sapiens', 'r1', 'a.raw'], ['e1', 'Homo sapiens', 'r2', 'b.raw']);
    const { id } = await server.uploadAndSettle(text, { name: 'two.tsv', options: RELEASED });
    const result = await resultOf(id);
    const [, one, two] = tableOf(result);
    expect(one?.at(-1)).toMatch(/^SAMR\d+$/);
    expect(two?.at(-1)).toBe(one?.at(-1));
    const edited = await server.uploadAndSettle(result.replaceAll('Homo sapiens', 'Mus musculus'), { name: 'e.tsv' });
    expect(edited.status.counts).toMatchObject({ updated: 1, rejected: 0 });
    const half = await server.uploadAndSettle(result.replace('Homo sapiens', 'Gallus gallus'), { name: 'h.tsv' });
    expect(half.status.counts).toMatchObject({ rejected: 1 });
  });
});

describe('which profile reads a sheet', () => {
  const BOTH = asText([
    ['entity:sample_id', 'samp_name', 'tissue'],
    ['T-9', 'lake-9', 'leaf'],
  ]);

  it('is never guessed: two that fit are an error that names both, and the option says which', async () => {
    const refused = await server.upload(BOTH, { name: 'both.tsv', options: RELEASED });
    expect(refused.status).toBe(422);
    expect(refused.json()).toMatchObject({ code: 'file.header', profiles: ['mixs', 'terra'] });
    for (const [profile, name] of [
      ['terra', 'T-9'],
      ['mixs', 'lake-9'],
    ] as const) {
      const token = await server.token(`both-${profile}`);
      const { id, status } = await server.uploadAndSettle(BOTH, { options: { ...RELEASED, profile }, token });
      expect(status.counts).toMatchObject({ created: 1 });
      expect((await server.mapping(id, token)).sampleNameAccessionPairs[0]?.sampleName).toBe(name);
      const result = (await server.get(`/submissions/${id}/result`, { token })).text;
      const again = await server.uploadAndSettle(result, { name: 'again.tsv', token });
      expect(again.status.counts).toMatchObject(unchanged(1));
    }
  });

  it('may be none, and one that is not there is an error with those that are', async () => {
    const none = await server.upload(BOTH, { name: 'n.tsv', options: { ...RELEASED, profile: 'none' } });
    expect(none.json()).toMatchObject({ code: 'file.header', nameColumns: expect.arrayContaining(['samp_name']) });
    const unknown = await server.upload(BOTH, { name: 'u.tsv', options: { ...RELEASED, profile: 'lims' } });
    expect(unknown.status).toBe(422);
    expect(unknown.json().detail).toMatch(/no import profile lims; there are: .*terra/);
  });

  it('without a date nothing is registered, as with any sheet', async () => {
    const sheet = LOOK_ALIKES.find(({ profile }) => profile === 'sdrf') as LookAlike;
    const refused = await server.upload(asText(sheet.rows), { token: await server.token('undated') });
    expect(refused.status).toBe(422);
    expect(refused.json().detail).toContain('releaseDate');
  });
});

describe.skipIf(withoutFixtures('real sheets of other kinds'))('real sheets of other kinds', () => {
  const FILES = ['wrong-format', 'torture/D20__valid'].flatMap((folder) =>
    fixturesIn(folder).map((name) => `${folder}/${name}`),
  );

  /** All of them in the proof; a workbook takes a process of its own. */
  const asWorkbook = (name: string): boolean => PROOF || FILES.indexOf(name) % 4 === 0;

  it.each(FILES)('%s goes in with at most one option, and its result comes back unchanged', async (name) => {
    const token = await server.token(name.replaceAll(/\W+/g, '-').toLowerCase());
    const bytes = fixture(name);
    const upload = (options: Record<string, string>) =>
      server.upload(bytes, { name: name.split('/').at(-1) as string, options: { ...RELEASED, ...options }, token });
    const plain = await upload({});
    // A column of no kind that is known is proposed by the refusal, or is the first.
    const { nameColumns = [], detail = '' } =
      plain.status === 422 ? plain.json<{ nameColumns?: string[]; detail: string }>() : {};
    const column = nameColumns[0] ?? /Found: ([^,.]*)/.exec(detail)?.[1];
    const options: Record<string, string> = plain.status === 422 ? { nameColumn: column ?? '' } : {};
    const id = submissionIdOf(plain.status === 422 ? await upload(options) : plain);
    const status = await server.settled(id, token);
    const { created, rejected } = status.counts as { created: number; rejected: number };
    expect(created, JSON.stringify([options, status])).toBeGreaterThan(0);
    expect(rejected, JSON.stringify([options, status.issues])).toBe(0);
    const result = (await server.get(`/submissions/${id}/result`, { token })).bytes;
    const cells = referenceRows(result.toString(), '\t').map((row) => row.cells);
    for (const form of asWorkbook(name) ? [result, await toXlsx(cells)] : [result]) {
      const again = await server.uploadAndSettle(form, { name: 'again', token });
      expect(again.status.counts, JSON.stringify(again.status.issues)).toMatchObject(unchanged(created));
    }
  });
});
