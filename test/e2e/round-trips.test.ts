/**
 * Whatever headers and cells a sheet has: no cell of the user's is lost, what comes back changes nothing when it is sent
 * again, and no sequence of uploads without an explicit release makes a sample public. On the real server.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { plainName } from '../../src/tsv/header/header-name.js';
import { submissionIdOf } from '../support/api-caller.js';
import { SharedServer } from '../support/shared-server.js';
import { planOf, rowsOf } from '../tsv/read-sheet.js';
import { spell } from '../tsv/sheets.js';
import '../support/seeds.js';

const RUNS = process.env.PROOF === '1' ? 1_000 : 5;
const LATER = '2090-01-01';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('round-trips');
});

/** A column: its header, and the characteristic that it gives. */
interface Column {
  header: string;
  name?: string;
  unit?: boolean;
}

const word = fc
  .oneof(
    fc.constantFrom(
      'organism',
      'tissue',
      'collection date',
      'Material Type',
      'host',
      'pH',
      '海水',
      '*geo_loc_name',
      'n°',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
  )
  .map((text) => text.trim())
  // Words that mean something else, and what no header can hold.
  .filter((text) => /^[^[\]\0"]+$/.test(text) && !KNOWN.test(text.replaceAll(/[\s_\ufeff]/g, '')));
const KNOWN =
  /^(sample(name|identifier)|#sample-?id|releasedate|unit|date|performer|sourcename|protocolref|term(sourceref|accessionnumber)|characteristics?.*|comment|checklist|error.*|__proto__)$/i;

const column: fc.Arbitrary<Column> = fc.oneof(
  { weight: 5, arbitrary: word.map((header) => ({ header, name: plainName(header) })) },
  { weight: 3, arbitrary: word.map((name) => ({ header: `Characteristics[${name}]`, name })) },
  { weight: 3, arbitrary: word.map((header) => ({ header, name: plainName(header), unit: true })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Source Name', 'Comment[note]', 'Factor Value[dose]').map((header) => ({ header })),
  },
);
const value = fc.oneof(
  fc.constantFrom(
    '',
    '',
    'Homo sapiens',
    ' padded ',
    '-5',
    '=1+1',
    '1.5',
    '2024-05-01',
    'a\tb',
    'two\nlines',
    '5" pipe',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
);

const sheet = fc.record({
  columns: fc.array(column, { minLength: 1, maxLength: 8 }),
  cells: fc.array(fc.array(value, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
  quoting: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  dated: fc.boolean(),
});
type Sheet = typeof sheet extends fc.Arbitrary<infer T> ? T : never;

let made = 0;

/** Every cell of the sheet, and what each row's sample must say. */
function layOut({ columns, cells, dated }: Sheet): { table: string[][]; expected: Map<string, unknown[]>[] } {
  const tag = `round ${made++}`;
  const header = ['Sample Name', ...(dated ? ['Release Date'] : [])];
  for (const { header: text, unit } of columns) header.push(text, ...(unit ? ['Unit'] : []));
  const expected: Map<string, unknown[]>[] = [];
  const rows = cells.map((texts, row) => {
    const says = new Map<string, unknown[]>();
    const line = [`${tag} ${row}`, ...(dated ? [LATER] : [])];
    columns.forEach(({ name, unit }, at) => {
      const text = texts[at] as string;
      line.push(text, ...(unit ? [text.trim() === '' ? '' : 'kg'] : []));
      if (name === undefined || text.trim() === '') return;
      says.set(name, [...(says.get(name) ?? []), { text: text.trim(), ...(unit ? { unit: 'kg' } : {}) }]);
    });
    expected.push(says);
    return line;
  });
  return { table: [header, ...rows], expected };
}

const readTable = (text: string) => rowsOf(text, planOf(text, { unknownColumns: 'characteristics', releaseDate: 0 }));

it('no cell is lost, and what comes back changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(sheet, async (drawn) => {
      const { table, expected } = layOut(drawn);
      const text = spell(table, { ends: ['\n'], quoting: drawn.quoting, finalEnd: true, delimiter: '\t' });
      const options: Record<string, string> = drawn.dated ? {} : { releaseDate: LATER };
      const { id, status } = await server.uploadAndSettle(text, { options });
      const rows = expected.length;
      expect(status.counts).toMatchObject({ rows, created: rows, rejected: 0 });

      const result = await server.result(id);
      const back = await readTable(result);
      const width = (table[0] as string[]).length;
      expect(back.map(({ cells }) => cells.slice(0, width))).toEqual(table.slice(1));
      const plan = planOf(result, { unknownColumns: 'characteristics' });
      for (const [row, { cells }] of back.entries()) {
        const answer = await server.get(`/samples/${cells[plan.identifierColumn as number]}`);
        const { characteristics } = answer.json<{ characteristics: Record<string, unknown[]> }>();
        expect(new Map(Object.entries(characteristics))).toEqual(expected[row]);
      }

      const again = await server.uploadAndSettle(result);
      expect(again.status.counts).toEqual({ rows, created: 0, updated: 0, unchanged: rows, rejected: 0 });
      const download = await server.get(`/samples/template?submission=${id}`);
      const third = await server.uploadAndSettle(download.text);
      expect(third.status.counts).toEqual({ rows, created: 0, updated: 0, unchanged: rows, rejected: 0 });
    }),
    { numRuns: RUNS },
  );
});

describe('samples that nobody released', () => {
  const STEPS = [
    'edit',
    'merge',
    'read otherwise',
    'undo',
    'with a date for new rows',
    'dry run and commit',
    'result',
  ] as const;

  it(`stay private through ${RUNS} sequences of uploads`, { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(
        sheet.filter(({ columns }) => columns.some(({ name }) => name !== undefined)),
        fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 5 }),
        async (drawn, steps) => {
          const { table } = layOut({ ...drawn, dated: false });
          const text = spell(table, { ends: ['\n'], quoting: [false], finalEnd: true, delimiter: '\t' });
          const later = { releaseDate: LATER };
          const first = await server.uploadAndSettle(text, { options: later });
          const accessions = (await server.mapping(first.id)).sampleNameAccessionPairs.map(
            (pair) => pair.sampleAccession,
          );
          let last = first.id;
          for (const [turn, step] of steps.entries()) {
            last = await take(step, `turn ${turn}`, { text, accessions, table, last });
            const status = await server.settled(last);
            expect({ step, becomePublic: status.becomePublic, createdPublic: status.createdPublic }).toEqual({
              step,
              becomePublic: 0,
              createdPublic: 0,
            });
            for (const accession of accessions) {
              expect((await server.get(`/samples/${accession}`, { token: null })).status).toBe(403);
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  interface Known {
    text: string;
    table: string[][];
    accessions: string[];
    /** The submission before. */
    last: string;
  }

  /** Resolves to the id of the submission that the step made, or of the one before when it was refused. */
  async function take(
    step: (typeof STEPS)[number],
    note: string,
    { text, table, accessions, last }: Known,
  ): Promise<string> {
    const names = table.slice(1).map(([name]) => name as string);
    const edited = [
      ['Sample Identifier', 'Sample Name', 'note'],
      ...names.map((name, at) => [accessions[at] as string, name, note]),
    ];
    const sheetText = `${edited.map((cells) => cells.join('\t')).join('\n')}\n`;
    const upload = async (file: string, options: Record<string, string> = {}): Promise<string> => {
      const answer = await server.upload(file, { options });
      if (answer.status === 409) return last;
      const id = submissionIdOf(answer);
      await server.settled(id);
      return id;
    };
    switch (step) {
      case 'edit':
        return upload(sheetText);
      case 'merge':
        return upload(sheetText, { update: 'merge' });
      case 'read otherwise':
        return upload(text, { releaseDate: LATER, unknownColumns: note.endsWith('1') ? 'characteristics' : 'ignore' });
      case 'with a date for new rows':
        return upload(sheetText, { releaseDate: '2024-01-01' });
      case 'result':
        return upload(await server.result(last));
      case 'undo': {
        const answer = await server.call(`/submissions/${last}/undo`, { method: 'POST' });
        return answer.status === 409 ? last : answer.json<{ submissionId: string }>().submissionId;
      }
      case 'dry run and commit': {
        const dry = await upload(sheetText, { dryRun: 'true' });
        const answer = await server.call(`/submissions/${dry}/commit`, { method: 'POST' });
        return answer.status === 409 ? last : answer.json<{ submissionId: string }>().submissionId;
      }
    }
  }
});
