import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { Random } from '../support/random.js';
import { newSeed, runs } from '../support/seeds.js';
import {
  BEGIN,
  binaryWorkbook,
  compoundFile,
  END_OF_PART,
  f64,
  label,
  letters,
  longText,
  record,
  u16,
  u32,
  workbookStream,
} from './raw-binary-workbook.js';
import { removeScratch, scratch } from './raw-workbook.js';
import { readWorkbook as read } from './read-workbook.js';

afterEach(removeScratch);

const made = (name: string): string => join(import.meta.dirname, 'made-by-libreoffice', name);
const HEADER = [label(0, 0, 'Sample Name'), label(0, 1, 'organism')];
const tsvOf = async (records: Buffer[], globals: Buffer[] = []): Promise<string> =>
  (await read(binaryWorkbook([{ records: [...HEADER, ...records] }], globals))).tsv.replace(
    'Sample Name\torganism\n',
    '',
  );
const shared = (...parts: Buffer[]): Buffer =>
  Buffer.concat([record(0xfc, u32(9), ...parts.slice(0, 1)), ...parts.slice(1).map((part) => record(0x3c, part))]);
const short = (bits: number): Buffer => u32(bits >>> 0);

describe('a sheet of a binary workbook as text', () => {
  it.each(['study', 'kept', 'table'])('saved by LibreOffice as both: %s is the same as in .xlsx', async (name) => {
    expect(await read(made(`${name}.xls`))).toEqual(await read(made(`${name}.xlsx`)));
  });

  it('of the name or number that is asked for, hidden or not; charts are no sheets', async () => {
    expect(await read(made('study.xls'), { sheet: 'old' })).toMatchObject({
      tsv: 'Sample Name\nold\n',
      sheetName: 'Old',
    });
    const path = binaryWorkbook([
      { name: 'Chart', kind: 2, records: [] },
      { name: 'Hidden', state: 2, records: HEADER },
      { name: '試料', records: [label(0, 0, 'Sample Name'), label(1, 0, 'S1')] },
      { name: 'More', records: HEADER },
      { name: 'Names', records: [label(0, 0, 'Sample Name'), label(1, 0, 'S2')] },
    ]);
    expect(await read(path)).toMatchObject({
      sheetName: '試料',
      sheetNames: ['Hidden', '試料', 'More', 'Names'],
      tables: ['試料', 'Names'],
      tsv: 'Sample Name\nS1\n',
    });
  });

  it('numbers of every kind, by what their format means', async () => {
    const formats = [
      record(0x41e, u16(170), longText('00000')),
      record(0x41e, u16(171), longText('dd/mm/yyyy')),
      ...[0, 14, 170, 171, 20].map((id) => record(0xe0, u16(0, id), Buffer.alloc(16))),
    ];
    const hundredths = (1234 << 2) | 3;
    const half = Buffer.alloc(8);
    half.writeDoubleLE(-0.5);
    const cells = [
      record(0x203, u16(1, 0, 0), f64(0.30000000000000004)),
      record(0x203, u16(1, 1, 1), f64(45617)),
      record(0x27e, u16(1, 2, 2), short((42 << 2) | 2)),
      record(0x27e, u16(1, 3, 0), short(hundredths)),
      record(0x27e, u16(1, 4, 0), short((-7 << 2) | 2)),
      record(0x27e, u16(1, 5, 0), short(half.readInt32LE(4))),
      record(0xbd, u16(1, 6), u16(3), short((45617 << 2) | 2), u16(0), short((1 << 2) | 2), u16(7)),
      record(0x203, u16(1, 8, 4), f64(0.5)),
      record(0x203, u16(1, 9, 99), f64(7)),
    ];
    const row = '0.3\t2024-11-21\t00042\t12.34\t-7\t-0.5\t2024-11-21\t1\t12:00:00\t7\n';
    expect(await tsvOf(cells, formats)).toBe(row);
    expect(await tsvOf(cells, [record(0x22, u16(1)), ...formats])).toBe(row.replaceAll('2024-11-21', '2028-11-22'));
  });

  it('texts: shared ones with formats and phonetics, in one byte or two a letter, wherever their records end', async () => {
    const rich = Buffer.concat([
      u16(4),
      Buffer.from([8 | 4]),
      u16(1),
      u32(6),
      Buffer.from('rich'),
      Buffer.alloc(4 + 6, 0xee),
    ]);
    const [, wide] = letters('漢字');
    // The letters of the third go on in the next record in two bytes each, and its formats in the one behind.
    const cut = Buffer.concat([u16(5), Buffer.from([8]), u16(2), Buffer.from('abc')]);
    const texts = shared(
      Buffer.concat([u32(5), longText('plain é'), rich, cut]),
      Buffer.concat([Buffer.from([1]), wide, Buffer.alloc(3)]),
      Buffer.concat([Buffer.alloc(5), longText(''), Buffer.from([2])]),
      Buffer.concat([Buffer.from([0, 0]), Buffer.from('ok')]),
    );
    const cells = [0, 1, 2, 3, 4].map((at) => record(0xfd, u16(1, at, 0), u32(at)));
    expect(await tsvOf([...cells, record(0xd6, u16(2, 0, 0), longText('"rich" too')), label(2, 1, '')], [texts])).toBe(
      'plain é\trich\tabc漢字\t\tok\n"""rich"" too"\n',
    );
  });

  it('formulas by their result, errors and truth, hidden and merged rows noted; what stands within passes by', async () => {
    const formula = (column: number, result: Buffer): Buffer =>
      record(0x06, u16(1, column, 0), result, u16(0), u32(0), u16(0));
    const other = (kind: number, value = 0): Buffer =>
      Buffer.concat([Buffer.from([kind, 0, value, 0, 0, 0]), u16(0xffff)]);
    const cells = [
      record(0x208, u16(1, 0, 3, 255, 0, 0), [0x20, 0, 0, 0]),
      formula(0, f64(1.5)),
      formula(1, other(0)),
      record(0x4bc, Buffer.alloc(10)),
      record(0x207, u16(6), [0], Buffer.from('abc')),
      record(0x3c, [0], Buffer.from('def')),
      formula(2, other(1, 1)),
      formula(3, other(2, 0x2a)),
      formula(4, other(3)),
      record(0x205, u16(1, 5, 0), [0, 0]),
      record(0x205, u16(1, 6, 0), [0x07, 1]),
      BEGIN,
      label(9, 9, 'of a chart'),
      END_OF_PART,
      record(0x3c, Buffer.from('of something else')),
      label(3, 1, 'below'),
      record(0xe5, u16(2), Buffer.alloc(16)),
    ];
    const path = binaryWorkbook([{ records: [...HEADER, ...cells] }]);
    const { tsv, notes } = await read(path);
    expect(tsv).toBe('Sample Name\torganism\n1.5\tabcdef\tTRUE\t#N/A\t\tFALSE\t#DIV/0!\n\n\tbelow\n');
    expect(notes).toMatchObject({ merged: 2, formulas: 5, hiddenRows: 1 });
  });

  it('what is no workbook, locked, too old, with macros or damaged is an error that says so', async () => {
    const sheet = workbookStream([{ records: HEADER }]);
    const old = Buffer.concat([record(0x809, u16(0x0500, 5)), END_OF_PART]);
    const beyond = record(0xfd, u16(1, 0, 0), u32(7));
    for (const [path, code, message] of [
      [compoundFile({ EncryptedPackage: Buffer.alloc(9) }), 'file.wrong-kind', 'protected with a password'],
      [binaryWorkbook([{ records: HEADER }], [record(0x2f, u16(0))]), 'file.wrong-kind', 'protected with a password'],
      [compoundFile({ Book: old }), 'file.wrong-kind', 'Excel 95 or older'],
      [compoundFile({ Workbook: old }), 'file.not-understood', 'before Excel 97'],
      [compoundFile({ WordDocument: Buffer.alloc(5_000) }), 'file.wrong-kind', 'not a workbook'],
      [compoundFile({ Workbook: sheet, _VBA_PROJECT_CUR: 'folder' }), 'file.wrong-kind', 'macros'],
      [binaryWorkbook([{ kind: 1, records: [] }, { records: HEADER }]), 'file.wrong-kind', 'macros'],
      [compoundFile({ Workbook: sheet.subarray(0, -6) }), 'file.not-understood', 'cut short'],
      [binaryWorkbook([]), 'file.not-understood', 'no sheet of cells'],
      [binaryWorkbook([{ records: [...HEADER, beyond] }]), 'file.not-understood', 'does not have'],
      [binaryWorkbook([{ records: [label(1, 0, 'a'), label(0, 0, 'b')] }]), 'file.not-understood', 'out of order'],
      [binaryWorkbook([{ records: [label(0, 1, 'a'), label(0, 1, 'b')] }]), 'file.not-understood', 'out of order'],
      [binaryWorkbook([{ records: [record(0x203, u16(0, 0, 0))] }]), 'file.not-understood', 'shorter'],
      [
        binaryWorkbook([{ records: HEADER }], [record(0xfc, u32(2), u32(2), longText('one'))]),
        'file.not-understood',
        'cut short',
      ],
      [
        compoundFile({ Workbook: sheet }, (bytes) => bytes.fill(0, 512, 1024)),
        'file.not-understood',
        /circle|nowhere|cut short|no root/,
      ],
      [compoundFile({ Workbook: sheet }, (bytes) => bytes.writeUInt16LE(99, 30)), 'file.not-understood', 'header'],
      [
        compoundFile({ Workbook: sheet }, (bytes) => void (bytes.writeUInt32LE(0, 68) + bytes.writeUInt32LE(0, 1_020))),
        'file.not-understood',
        'circle',
      ],
    ] as const)
      await expect(read(path), String(message)).rejects.toMatchObject({
        code,
        message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      });
  });

  it('small streams, and large ones over many tables of sectors, are read alike', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => label(at + 1, 0, `a sample with quite a long name ${at}`));
    const { tsv } = await read(binaryWorkbook([{ records: [...HEADER, ...rows] }]));
    expect(tsv.split('\n').slice(-3)).toEqual([
      'a sample with quite a long name 19998',
      'a sample with quite a long name 19999',
      '',
    ]);
    expect((await read(binaryWorkbook([{ records: HEADER }]))).tsv).toBe('Sample Name\torganism\n');
  });

  it('damaged anywhere, it is read or refused, and never anything else', async () => {
    const whole = ['study.xls', 'kept.xls'].map((name) => readFileSync(made(name)));
    const random = new Random(newSeed());
    const path = scratch('damaged.xls');
    const rounds = runs(600);
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const bytes = Buffer.from(random.pick(whole));
      const from = random.chance(0.5) ? random.below(bytes.length) : random.below(1_536);
      for (let at = from; at < from + 1 + random.below(6); at++)
        bytes[at] = random.pick([0, 1, 0xff, 0xfe, random.below(256)]);
      writeFileSync(path, random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length)) : bytes);
      await read(path).catch((error: unknown) => {
        if (!(error instanceof RegistryError)) throw error;
        refused++;
      });
    }
    expect(refused).toBeGreaterThan(rounds / 15);
  });
});
