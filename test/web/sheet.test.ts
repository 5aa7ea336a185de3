/** What the page says of a file before it is sent, held to what the service says when it reads the same bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { decodingOf } from '../../src/tsv/bytes/encoding.js';
import type { SheetPlan } from '../../src/tsv/header/columns.js';
import { readHeader, textOfHead } from '../../src/tsv/header/header.js';
import { binaryKind } from '../../src/tsv/header/wrong-kind.js';
import { readRows as serverRows } from '../../src/tsv/print/rows.js';
import { RECEIPT_END, RECEIPT_START } from '../../src/tsv/rows/receipt.js';
import { decodeSheet } from '../../web/src/sheet/decode.js';
import { titleOf } from '../../web/src/sheet/encodings.js';
import { readRows, rowsBelow } from '../../web/src/sheet/read-rows.js';
import { checkBytes } from '../../web/src/upload/check-file.js';
import { samplesOf } from '../../web/src/upload/file-check.js';
import { FIXTURES_DIR, hasFixtures } from '../support/fixtures.js';
import { ROOT } from '../support/output.js';
import { runs } from '../support/seeds.js';

const EXAMPLES = join(ROOT, 'samples-tsv');
const folders = [
  EXAMPLES,
  ...(hasFixtures ? ['isa', 'dialect', 'wrong-format'].map((name) => join(FIXTURES_DIR, name)) : []),
];
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(tsv|txt|csv)$/.test(name))
    .map((name) => ({ name, path: join(folder, name) })),
);

interface ServerView {
  plan: SheetPlan;
  rows: { line: number; cells: string[]; isBlankForm?: true }[];
}

const CHOICES = ['ignore', 'characteristics', 'reject'] as const;
type UnknownColumns = (typeof CHOICES)[number];
const asPage = (bytes: Buffer, size = bytes.length, unknownColumns: UnknownColumns = 'ignore') =>
  checkBytes(bytes, size, { encoding: null, unknownColumns, profile: null, profiles: [] });

/** A table as NCBI's submission portal writes it, with plain headers alone. */
const NCBI =
  'Sample Name\tOrganism\tCollection date\tGeo_loc_name\tRelease Date\nx\tMus musculus\t2020\tPeru\t2024-01-01\n';

/** The sheet as the service reads it, its date pretended as the page does; or the code of its refusal. */
async function asServer(bytes: Buffer, unknownColumns: UnknownColumns = 'ignore'): Promise<ServerView | string> {
  try {
    const plan = readHeader(bytes, { prefix: 'SAMR', releaseDate: 0, unknownColumns }, true);
    const rows: ServerView['rows'] = [];
    for await (const some of serverRows(Readable.from([bytes]), plan)) rows.push(...some);
    return { plan, rows };
  } catch (error) {
    if (error instanceof RegistryError) return error.code;
    throw error;
  }
}

describe('the look at a file before it is sent', () => {
  it('has files to look at', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  it.each(CHOICES)(
    'takes a table of plain headers with unknownColumns=%s when the service takes it',
    async (unknown) => {
      const bytes = Buffer.from(NCBI);
      const taken = typeof (await asServer(bytes, unknown)) !== 'string';
      expect(asPage(bytes, bytes.length, unknown).problem === undefined).toBe(taken);
      expect(taken).toBe(unknown !== 'reject');
    },
  );

  it.each(files.flatMap((file) => CHOICES.map((unknown) => ({ ...file, unknown }))))(
    'says of $name with unknownColumns=$unknown what the service says',
    async ({ path, unknown }) => {
      const bytes = readFileSync(path);
      const check = asPage(bytes, bytes.length, unknown);
      const server = await asServer(bytes, unknown);
      if (typeof server === 'string') {
        expect(check.kind, `the service answers ${server}`).toBe('refused');
        expect(check.problem).toMatch(/\w{3,}.*\./s);
        return;
      }
      const { plan, rows } = server;
      expect(check.problem).toBeUndefined();
      expect(check.kind).toBe('table');
      expect(check.notStored).toEqual(plan.notStored);
      expect(check.stored).toEqual(plan.keptColumns.map((column) => plan.header[column]?.trim()));
      expect(check.hasReleaseDate).toBe(plan.releaseColumn !== undefined);
      expect(check.rowsExact).toBe(true);
      expect(check.rows).toBe(rows.length);
    },
  );

  it('reckons the rows of a file of which it has seen the first part', () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `sample ${row}\t2024-01-01\tliver\n`).join('');
    const bytes = Buffer.from(`Sample Name\tRelease Date\tCharacteristics[tissue]\n${rows}`);
    const check = asPage(bytes.subarray(0, 100_000), bytes.length);
    expect(check).toMatchObject({ kind: 'table', rowsExact: false });
    expect(Math.abs((check.rows ?? 0) - 20_000)).toBeLessThan(1_000);
  });

  it('does not take a character or a quoted cell that is cut for a fault', () => {
    const head = 'Sample Name\tRelease Date\n';
    const cut = Buffer.from(`${head}Gr\u00fc\u00dfe\t2024-01-01\n\u{1f9ec}`).subarray(0, -2);
    expect(asPage(cut, 5_000).problem).toBeUndefined();
    expect(asPage(Buffer.from(`${head}"begun here`), 5_000).problem).toBeUndefined();
    expect(asPage(Buffer.from(`${head}"never closed`), head.length + 13).problem).toMatch(
      /Line 2, column A: .* never closed/,
    );
  });
});

describe('rows that become no samples', () => {
  const sheet = (...rows: string[]) => Buffer.from(rows.map((row) => `${row.replaceAll('|', '\t')}\n`).join(''));
  const numbers = Array.from({ length: 27 }, (_, at) => `${at + 4}||||`);
  const FORM = ['Nr.|Sample Name|Sample Identifier|Release Date|organism', '1|a|||x', '2|b|||x', '3|c|SAMR1||x'];

  it.each([
    ['the numbers of a form', sheet(...FORM, ...numbers), { rows: 3, unnamed: 0, updates: 1 }],
    ['rows without a name', sheet(...FORM, '4||||x', '5||SAMR2||x'), { rows: 5, unnamed: 2, updates: 1 }],
    ['what begins with a failed formula', sheet(...FORM, '#N/A||||x'), { rows: 3, unnamed: 0, updates: 1 }],
    ['both', sheet(...FORM, ...numbers, '31||||x'), { rows: 4, unnamed: 1, updates: 1 }],
  ])('are not counted as such: %s', async (_, bytes, counts) => {
    const check = asPage(bytes);
    expect(check).toMatchObject(counts);
    expect(samplesOf(check)).toBe(3);
    const { plan, rows } = (await asServer(bytes)) as ServerView;
    expect(rows.filter(({ isBlankForm }) => !isBlankForm)).toHaveLength(counts.rows);
    const named = rows.filter(({ cells }) => cells[plan.nameColumn]?.trim());
    expect(named).toHaveLength(counts.rows - counts.unnamed);
    expect(check.remarks.filter((remark) => /^27.rows are blank but/.test(remark))).toHaveLength(
      rows.some(({ isBlankForm }) => isBlankForm) ? 1 : 0,
    );
    const failed = check.remarks.filter((remark) => /^1.row is taken for remarks/.test(remark));
    expect(failed).toHaveLength(bytes.includes('#N/A') ? 1 : 0);
    const unnamed = check.remarks.filter((remark) => /rows? (?:is|are) without a Sample Name/.test(remark));
    expect(unnamed).toHaveLength(counts.unnamed === 0 ? 0 : 1);
  });
});

describe('a text in code page 850', () => {
  it('reads on the page as it does in the service, and is proposed there', () => {
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).subarray(0x20);
    const bytes = Buffer.concat([Buffer.alloc(20_000, 'Sample Name\n'), every]);
    expect(decodeSheet(bytes, { encoding: 'ibm850' })).toEqual({
      kind: 'text',
      text: decodingOf('ibm850').decode(bytes),
    });
    const umlauts = Buffer.from('Sample Name\tOrt\nA\tM\u0081nchen\n', 'latin1');
    expect(decodeSheet(umlauts)).toMatchObject({ likely: [{ encoding: 'ibm850', example: 'München' }] });
    expect(titleOf('ibm850')).toBe('DOS code page 850');
  });
});

describe('a text in UTF-16 that does not say so', () => {
  const little = Buffer.from('Sample Name\tRelease Date\nProbe ä\t2024-01-01\n', 'utf16le');

  it.each([
    ['utf-16le', little],
    ['utf-16be', Buffer.from(little).swap16()],
  ])('in %s is called that by the page as by the service, and read so when somebody says yes', (encoding, bytes) => {
    expect(() => textOfHead(bytes, undefined, true)).toThrow('looks like UTF-16');
    expect(asPage(bytes)).toMatchObject({
      kind: 'refused',
      problem: expect.stringContaining('looks like UTF-16'),
      likely: [{ encoding, example: 'Sample Name' }],
    });
    expect(decodeSheet(bytes, { encoding: 'windows-1252' })).toMatchObject({ kind: 'refused' });
    expect(decodeSheet(bytes, { encoding })).toEqual({ kind: 'text', text: textOfHead(bytes, encoding, true).text });
    expect(titleOf(encoding)).toMatch(/^UTF-16/);
  });
});

describe('a file that is no text', () => {
  /** First bytes of kinds that nobody can read as a table, each followed by what its kind may have. */
  const KINDS = [
    '%PDF-1.4\n%\xe2\xe3\xcf\xd3',
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff\xe0',
    'BZh9\xe4',
    'SQLite format 3\0',
    '7z\xbc\xaf',
  ];

  it.each(KINDS)('is called by the page what the service calls it: %j', (head) => {
    const bytes = Buffer.from(head, 'latin1');
    const kind = binaryKind(bytes) as string;
    expect(asPage(bytes)).toMatchObject({ kind: 'refused', problem: expect.stringContaining(`This is ${kind},`) });
    expect(asPage(bytes)).not.toHaveProperty('likely');
    expect(() => textOfHead(bytes, undefined, true)).toThrow(`This is ${kind},`);
  });
});

describe('the rows of a sheet', () => {
  it.each(files)('of $name that the page shows are those of the service', async ({ path }) => {
    const bytes = readFileSync(path);
    const server = await asServer(bytes);
    const decoded = decodeSheet(bytes);
    if (typeof server === 'string' || decoded.kind !== 'text') return;
    const { plan, rows } = server;
    const mine = new Map([...readRows(decoded.text, plan.delimiter)].map(({ line, cells }) => [line, cells]));
    for (const { line, cells } of rows) expect(mine.get(line), `line ${line}`).toEqual(cells);
  });

  /** What may stand below a header, by the cells of a sheet with identifier, name and date. */
  const KINDS = [
    ['', 'sample', '2024-01-01'],
    ['SAMR1', 'sample', ''],
    [' \u00a0', ' padded ', '2024-01-01'],
    ['', '', ''],
    [],
    ['', '# remark', ''],
    ['# remark', '', ''],
    ['# remark', 'sample', ''],
    ['#q2:types', 'categorical', 'categorical'],
    ['', '#1', '2024-01-01'],
    ['RECEIPT', '', ''],
    ['', RECEIPT_START, ''],
    [RECEIPT_START, 'sample', ''],
    [RECEIPT_END, '', ''],
    ['', '"two\nlines"', '2024-01-01'],
    ['', 'nul\0in it', '2024-01-01'],
    ['', '', '2024-01-01'],
  ];
  const HEAD = ['Sample Identifier', 'Sample Name', 'Release Date'];

  it('that the page counts are those of the service, whatever stands among them', async () => {
    const row = fc.constantFrom(...KINDS);
    const sheet = fc.record({
      rows: fc.array(row, { maxLength: 12 }),
      above: fc.array(fc.constantFrom(['# of March'], [], ['']), { maxLength: 2 }),
      delimiter: fc.constantFrom('\t', ',', ';'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
    });
    await fc.assert(
      fc.asyncProperty(sheet, async ({ rows, above, delimiter, end }) => {
        const text = [...above, HEAD, ...rows].map((cells) => `${cells.join(delimiter)}${end}`).join('');
        const bytes = Buffer.from(text);
        const check = asPage(bytes);
        const server = await asServer(bytes);
        if (typeof server === 'string') {
          expect(check.kind, server).toBe('refused');
          return;
        }
        expect(check.rows).toBe(server.rows.length);
        const named = server.rows.filter(({ cells }) => cells[0]?.trim());
        expect(check.identifiers).toBe(named.length);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('the rows below a header', () => {
  it.each([
    ['h\na\nb\n', 2],
    ['h\na\n\nb\n', 3],
    ['h\na\n# remark\nb\n\n \t \n', 3],
    ['h\n"a\nof two lines"\nb', 2],
    ['h\n\n', 0],
  ])('of %j are %i, those between samples with them', (text, count) => {
    expect(rowsBelow([...readRows(text, '\t')], 1)).toBe(count);
  });
});
