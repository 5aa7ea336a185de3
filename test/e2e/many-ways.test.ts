/**
 * One logical table saved in many ways registers the same samples, and every answer names the same lines.
 *
 * @module-tag slow
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { SharedServer } from '../support/shared-server.js';
import { compoundFile } from '../workbooks/raw-binary-workbook.js';
import { rawWorkbook, removeScratch } from '../workbooks/raw-workbook.js';
import { TABLE } from './logical-table.js';
import { toXlsx } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('many-ways');
});
afterAll(async () => {
  removeScratch();
});

const SINGLE_BYTE = ['windows-1252', 'macintosh'];

const ASCII = Array.from({ length: 128 }, (_, byte): [string, number] => [String.fromCharCode(byte), byte]);
const WINDOWS_1252: [string, number][] = [
  ['ô', 0xf4],
  ['Œ', 0x8c],
  ['µ', 0xb5],
  ['°', 0xb0],
];
const MACINTOSH: [string, number][] = [
  ['ô', 0x99],
  ['Œ', 0xce],
  ['µ', 0xb5],
  ['°', 0xa1],
];

function encode(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with mark') return Buffer.from(`\ufeff${text}`);
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'utf-16le') return utf16;
  if (encoding === 'utf-16be') return utf16.swap16();
  const high = encoding === 'macintosh' ? MACINTOSH : WINDOWS_1252;
  const bytes = new Map([...ASCII, ...high]);
  return Buffer.from([...text].map((char) => bytes.get(char) ?? expect.fail(`${char} is not in ${encoding}`)));
}

function print(delimiter: string, lineEnd: string, quoteAll: boolean): string {
  const needs = (cell: string): boolean => quoteAll || cell.includes(delimiter) || /["\n\r]/.test(cell);
  const cell = (text: string): string => (needs(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return TABLE.map((row) => row.map(cell).join(delimiter) + lineEnd).join('');
}

const ENCODINGS = ['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', ...SINGLE_BYTE];
const DELIMITERS = ['\t', ',', ';'];
const LINE_ENDS = ['\n', '\r\n', '\r'];
/** The short run takes a sixth of them, in which each two of encoding, delimiter, line end and quotes still meet. */
const TRIED = ENCODINGS.flatMap((encoding, e) =>
  DELIMITERS.flatMap((delimiter, d) =>
    LINE_ENDS.flatMap((lineEnd, l) =>
      [true, false]
        .filter((_, q) => PROOF || (l === (e + d) % 3 && q === (e + d) % 2))
        .map((quoteAll) => ({ encoding, delimiter, lineEnd, quoteAll })),
    ),
  ),
);

interface Sample {
  name: string;
  release: string;
  characteristics: unknown;
}

async function register(file: Buffer, name: string, options: Record<string, string> = {}): Promise<Sample[]> {
  const { id, status } = await server.uploadAndSettle(file, { name, options: { ...options, duplicate: 'allow' } });
  expect(status.counts, JSON.stringify(status.issues)).toMatchObject({ rows: 6, created: 6, rejected: 0 });
  const { sampleNameAccessionPairs: pairs } = await server.mapping(id);
  return Promise.all(
    pairs.map(async ({ sampleAccession }) => {
      const { name: own, release, characteristics } = (await server.get(`/samples/${sampleAccession}`)).json<Sample>();
      return { name: own, release, characteristics };
    }),
  );
}

const [HEADER = [], ...ROWS] = TABLE;

/** What the table means, said once more by hand. */
const WANTED: Sample[] = ROWS.filter(([name]) => name !== '').map(
  ([name = '', release = '', organism, plate, dose, unit, note]) => {
    const characteristics: Record<string, unknown> = { organism: [{ text: organism }] };
    if (plate) characteristics.plate = [{ text: plate }];
    if (dose) characteristics.dose = [{ text: dose, ...(unit ? { unit } : {}) }];
    if (note) characteristics.note = [{ text: note }];
    return { name, release: `${release}T00:00:00.000Z`, characteristics };
  },
);

/** Typed as spreadsheet programs save it: shared texts, dates and padded ids as numbers with formats. */
async function typedWorkbook(): Promise<Buffer> {
  const texts: string[] = [];
  const shared = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const xml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const cell = (text: string, at: string, column: number, header: boolean): string => {
    if (text === '') return '';
    if (!header && column === 1)
      return `<c r="${at}" s="1"><v>${(Date.parse(text) - Date.UTC(1899, 11, 30)) / 86_400_000}</v></c>`;
    if (!header && column === 3) return `<c r="${at}" s="2"><v>${Number(text)}</v></c>`;
    if (!header && column === 4) return `<c r="${at}"><v>${text === '0.1' ? '0.10000000000000001' : text}</v></c>`;
    return `<c r="${at}" t="s"><v>${shared(text)}</v></c>`;
  };
  const data = TABLE.map(
    (row, r) =>
      `<row r="${r + 1}">${row.map((text, c) => cell(text, `${'ABCDEFG'[c]}${r + 1}`, c, r === 0)).join('')}</row>`,
  ).join('');
  const path = await rawWorkbook([{ data }], {
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t xml:space="preserve">${xml(text)}</t></si>`).join('')}</sst>`,
  });
  return readFileSync(path);
}

describe('one logical table', () => {
  it(`saved in ${TRIED.length} ways of text registers the same samples`, async () => {
    expect(TRIED).toHaveLength(PROOF ? 108 : 18);
    for (const { encoding, delimiter, lineEnd, quoteAll } of TRIED) {
      const file = encode(print(delimiter, lineEnd, quoteAll), encoding);
      const options: Record<string, string> = SINGLE_BYTE.includes(encoding) ? { encoding } : {};
      const what = JSON.stringify({ encoding, delimiter, lineEnd, quoteAll });
      expect(await register(file, delimiter === '\t' ? 'table.tsv' : 'table.csv', options), what).toEqual(WANTED);
    }
  });

  it('saved as workbook, by us, by LibreOffice, and typed as spreadsheet programs do, too', async () => {
    const made = (name: string): Buffer => readFileSync(join(ROOT, 'test', 'workbooks', 'made-by-libreoffice', name));
    for (const file of [await toXlsx(TABLE), made('table.xlsx'), await typedWorkbook()]) {
      expect(await register(file, 'table.xlsx')).toEqual(WANTED);
    }
    for (const name of ['table.ods', 'table.xls']) expect(await register(made(name), name), name).toEqual(WANTED);
  });

  it('the receipt tells how it was read, and a problem names the line that the spreadsheet shows', async () => {
    const broken = TABLE.map((row) => (row[0] === 'F' ? row.with(1, 'never') : row));
    const book = await server.upload(await toXlsx(broken, 'My samples'), { name: 'b.xlsx' });
    expect(book.text).toContain('Read from\tsheet of the workbook\tMy samples');
    // Row 7 holds two lines in one cell, which moves what follows in a text file but not in a spreadsheet.
    expect(book.text).toContain('line 8\tRelease Date\trelease.invalid\tnever');
    const text = broken
      .map((row) => row.map((cell) => (/["\n,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
      .join('\n');
    const csv = await server.upload(text, { name: 'b.csv' });
    expect(csv.text).toContain('Cells separated by\tcommas');
    expect(csv.text).toContain('line 9\tRelease Date\trelease.invalid\tnever');
    expect(HEADER).toHaveLength(7);
  });

  it('a locked workbook is refused with what to do, and nothing is registered', async () => {
    const locked = readFileSync(compoundFile({ EncryptedPackage: Buffer.alloc(9_000) }));
    const answer = await server.upload(locked, { name: 'a.xls' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({
      code: 'file.wrong-kind',
      message: expect.stringContaining('Take the password off'),
    });
    const { submissionId } = answer.json<{ submissionId: string }>();
    expect(await server.status(submissionId)).toMatchObject({ submissionStatus: 'FAILED', counts: { rows: 0 } });
  });

  it.each(['ods', 'xls'])('the result of a workbook .%s is named as the text that it is', async (form) => {
    const study = readFileSync(join(ROOT, 'test', 'workbooks', 'made-by-libreoffice', `study.${form}`));
    const answer = await server.upload(study, { name: `study.${form}` });
    const named = answer.headers.get('content-disposition');
    expect([answer.status, named]).toEqual([201, expect.stringContaining('study.tsv')]);
    expect(answer.text).toContain('Read from\tsheet of the workbook\tSamples');
  });
});
