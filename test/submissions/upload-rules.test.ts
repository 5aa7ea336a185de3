/** What is made of a file as it comes in, by its bytes, its header and its names: asked of the code, without a store. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import { planFile } from '../../src/submissions/json-file/plan.js';
import { besideCells } from '../../src/submissions/reading/beside-cells.js';
import { idsOfRows, LineIndex, recordedRows } from '../../src/submissions/reading/line-index.js';
import { ReceiptSearch } from '../../src/submissions/reading/receipt-search.js';
import type { NewSubmission } from '../../src/submissions/submission-store.js';
import { warnOfKnown } from '../../src/submissions/uploads/known-before.js';
import { planByProfile } from '../../src/submissions/uploads/plan-by-profile.js';
import { isOfWorkbook, listedSheets, ofSheet } from '../../src/submissions/uploads/read-as.js';
import { holdsIdentifiers, requireIdentifiers } from '../../src/submissions/uploads/row-identifiers.js';
import { sheetColumns, warnIfNothingStored } from '../../src/submissions/uploads/sheet-columns.js';
import { isSmall, laneOf } from '../../src/submissions/uploads/threshold.js';
import { HEAD_BYTES, readHead, watchUpload } from '../../src/submissions/uploads/upload-head.js';
import type { SheetPlan } from '../../src/tsv/header/columns.js';
import type { ImportProfile, KnownProfile } from '../../src/tsv/header/profile.js';
import { RECEIPT_END, RECEIPT_START } from '../../src/tsv/rows/receipt.js';
import { batchOf, type Row } from '../many-machines/store-samples.js';

const planned = (text: string): SheetPlan => {
  const options = { prefix: 'SAMR', unknownColumns: 'characteristics', releaseDate: 0 } as const;
  const isHeader = text.indexOf('\n') === text.length - 1;
  return planFile(Buffer.from(text), options, !isHeader);
};
const readAs = (of: object) => ({ readAs: { sheet: 'S', bytes: 1, ...of } });

describe('a file whose rows may name samples', () => {
  const asked = (text: string, plan = planned(text.slice(0, text.indexOf('\n') + 1))) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const draft = { blobKey: 'k', fileSize: Buffer.byteLength(text), sha256, options: {} } as NewSubmission;
    let opened = 0;
    const open = () => {
      opened++;
      return Readable.from([Buffer.from(text)]);
    };
    const deps = { blobs: { open } as never };
    return {
      opened: () => opened,
      holds: holdsIdentifiers(deps, draft, plan),
      requires: () => requireIdentifiers(deps, draft, plan),
    };
  };
  const sheet = (...rows: string[]) => ['Sample Name\tSample Identifier\tx', ...rows, ''].join('\n');

  it.each([
    [sheet('a\t\tv', 'b\t SAMR1 \tv'), true],
    [sheet('a\t\tv', 'b\t  \tv', 'c'), false],
    [sheet('a\tSAMR1\tv', 'b\t"never closed'), true],
    [sheet('b\t"never closed'), false],
    ['Sample Name\tx\na\tSAMR1\n', false],
    ['{"name":"a"}\n{"name":"b","accession":"SAMR1"}\n', true],
    ['{"name":"a"}\n', false],
    ['{"name":"a","accession":""}\n', false],
  ])('%j: %s', async (text, holds) => {
    expect(await asked(text).holds).toBe(holds);
  });

  it('is opened no more often than it takes', async () => {
    const opened = async (text: string): Promise<number> => {
      const { holds, opened } = asked(text);
      await holds;
      return opened();
    };
    expect(await opened('Sample Name\tx\na\tv\n')).toBe(0);
    expect(await opened('{"name":"the accession"}\n')).toBe(1);
    expect(await opened('{"name":"a","accession":""}\n')).toBe(2);
  });

  it('is good without a date where each of its rows names one, those of a form that nobody has filled in apart', async () => {
    await asked(sheet('a\tSAMR1\tv')).requires();
    const form = 'No.\tSample Name\tSample Identifier\n1\ta\tSAMR1\n2\tb\tSAMR2\n3\t\t\n';
    await asked(form, planned(form)).requires();
    await expect(asked(sheet('a\tSAMR1\tv', 'b\t\tv')).requires()).rejects.toMatchObject({
      code: 'file.header',
      message: expect.stringMatching(
        /^Line 1: there is no Release Date column \(the row on line 3 has no Sample Ident/,
      ),
    });
    // What cannot be read is the worker's to report; what is not there is nobody's.
    await asked(sheet('a\tSAMR1\t"never closed')).requires();
    const plan = planned(sheet());
    const away = { blobs: { open: () => Readable.from(each(new RegistryError('not-found', 'Gone.'))) } as never };
    const draft = { blobKey: 'k', fileSize: 5, options: {} } as NewSubmission;
    await expect(holdsIdentifiers(away, draft, plan)).rejects.toMatchObject({ code: 'not-found' });
  });
});

// biome-ignore lint/correctness/useYield: it fails before its first piece.
async function* each(error: Error): AsyncGenerator<Buffer> {
  throw error;
}

describe('a file that is read by a profile', () => {
  const document: ImportProfile = {
    profile: 1,
    title: 'Freezer',
    columns: [
      { header: 'Tube', as: 'name' },
      { header: 'Code', as: 'characteristic' },
    ],
    release: '2020-01-02',
    key: { column: 'Code', space: 'ice' },
  };
  const known = (of: Partial<KnownProfile> = {}, more: Partial<ImportProfile> = {}): KnownProfile =>
    ({ name: 'freezer', rank: 'own', version: 2, ...of, document: { ...document, ...more } }) as KnownProfile;
  const SHEET = 'Tube\tCode\na\tC-1\n';
  const by = async (
    profiles: KnownProfile[] | undefined,
    options: object = {},
    text = SHEET,
    earlier?: KnownProfile,
    fileSize = text.length,
  ) => {
    const draft = {
      account: 'ada',
      created: Date.UTC(2024, 4, 1),
      fileSize,
      options: { unknownColumns: 'characteristics', ...options },
    } as NewSubmission;
    const versions: unknown[] = [];
    const kept = {
      kept: async (account: string) => (account === 'ada' ? (profiles ?? []) : []),
      version: async (...asked: unknown[]) => {
        versions.push(asked);
        return earlier;
      },
    };
    const deps = { prefix: 'SAMR', ...(profiles === undefined ? {} : { profiles: kept }) };
    const plan = await planByProfile(deps, draft, Buffer.from(text));
    return { plan, options: draft.options, versions };
  };

  it('notes a kept one as it is now, with its date and its key where the upload says none', async () => {
    const { plan, options, versions } = await by([
      known({ name: 'other', version: 1 }, { columns: [{ header: 'Vial', as: 'name' }] }),
      known(),
    ]);
    expect(plan).toMatchObject({ profile: { name: 'freezer', rank: 'own', version: 2 }, keyColumn: 1 });
    expect(options).toEqual({
      unknownColumns: 'characteristics',
      readBy: known(),
      releaseDate: Date.UTC(2020, 0, 2),
      datedBy: 'profile',
      key: 'Code',
      keySpace: 'ice',
    });
    expect(versions).toEqual([]);
    const said = await by([known()], { releaseDate: 7, key: 'Tube', keySpace: 'own' });
    expect(said.options).toEqual({
      unknownColumns: 'characteristics',
      readBy: known(),
      releaseDate: 7,
      key: 'Tube',
      keySpace: 'own',
    });
    const { release: _, key: __, ...bare } = document;
    const none = { ...known(), document: bare };
    expect((await by([none], { releaseDate: 7 })).options).toEqual({
      unknownColumns: 'characteristics',
      releaseDate: 7,
      readBy: none,
    });
    const spaceless = known({}, { key: { column: 'Code' } });
    expect((await by([spaceless])).options).not.toHaveProperty('keySpace');
  });

  it('is that of the rank that read it, where two have its name', async () => {
    const shared = known({ rank: 'shared', version: 9 }, { columns: [{ header: 'Vial', as: 'name' }] });
    expect((await by([shared, known()])).options.readBy).toEqual(known());
  });

  it('notes none of those that ship, and needs none', async () => {
    const own = 'Sample Name\tRelease Date\na\t2020-01-01\n';
    for (const profiles of [undefined, [], [known()]])
      expect((await by(profiles, {}, own)).options).toEqual({ unknownColumns: 'characteristics' });
  });

  it('is all there where it is no longer than a header may be', async () => {
    const header = 'Sample Name\tRelease Date\n';
    const ofSize = (bytes: number) => by([], {}, header, undefined, bytes);
    await expect(ofSize(header.length)).rejects.toMatchObject({ code: 'file.empty' });
    await expect(ofSize(HEAD_BYTES)).rejects.toMatchObject({ code: 'file.empty' });
    expect((await ofSize(HEAD_BYTES + 1)).plan.header).toEqual(['Sample Name', 'Release Date']);
  });

  it('is refused where a program has changed its header, as it is new', async () => {
    await expect(by([], {}, 'Sample Name\tRelease Date\tSample Name.1\na\t2020-01-01\tb\n')).rejects.toMatchObject({
      code: 'file.header',
      message: expect.stringContaining('numbered by the program that has read the sheet'),
    });
  });

  it('asks for the version that the sheet names', async () => {
    const marked = `#profile\tfreezer\t1\n${SHEET}`;
    const first = known({ version: 1 }, { title: 'First' });
    const { plan, options, versions } = await by([known()], {}, marked, first);
    expect([plan.profile?.title, options.readBy, versions]).toEqual(['First', first, [['ada', 'freezer', 1]]]);
    await expect(by([known()], {}, marked)).rejects.toMatchObject({
      code: 'file.header',
      message:
        'The sheet asks to be read by version 1 of the import profile freezer, which is not kept any more. Take the row #profile away, or upload with the option profile=freezer for the present version.',
      detail: { extra: { line: 1, profiles: ['freezer'] } },
    });
    const shipped = '#profile\tena\t1\nsample_alias\ttax_id\na\t9606\n';
    await expect(by(undefined, { releaseDate: 0 }, shipped)).rejects.toMatchObject({
      message: expect.stringContaining('version 1 of the import profile ena, which is not kept any more'),
    });
  });
});

describe('what becomes of columns', () => {
  it('is named, the first hundred of each kind', () => {
    const plan = planned('Sample Name\tRelease Date\ttissue\tProtocol REF\n');
    expect(sheetColumns(plan)).toEqual({
      fromPlainHeaders: { count: 1, headers: ['tissue'] },
      notStored: { count: 1, headers: ['Protocol REF'] },
      nothingStored: false,
    });
    const many = Array.from({ length: 101 }, (_, at) => `c${at}`);
    expect(sheetColumns({ ...plan, notStored: many }).notStored).toEqual({ count: 101, headers: many.slice(0, 100) });
    const profile = { name: 'p', title: 'T', rank: 'shipped', named: false } as const;
    expect(sheetColumns({ ...plan, profile, keptColumns: [], json: 'lines' })).toMatchObject({
      profile: { name: 'p', title: 'T' },
      nothingStored: true,
      json: 'lines',
    });
    expect(sheetColumns({ ...plan, profile }).profile).not.toHaveProperty('version');
    expect(sheetColumns({ ...plan, profile: { ...profile, version: 3 } }).profile).toEqual({
      name: 'p',
      title: 'T',
      version: 3,
    });
  });

  const passed = async (
    plan: SheetPlan,
    options: object,
    batches: LaidOutBatch[],
    foundAt = Number.POSITIVE_INFINITY,
  ) => {
    const content = { found: false };
    const order: string[] = [];
    const read = async function* () {
      for (const [at, batch] of batches.entries()) {
        content.found ||= at >= foundAt;
        order.push(`read ${at}`);
        yield batch;
      }
    };
    for await (const batch of warnIfNothingStored(read(), plan, options as never, content))
      order.push(`got ${batches.indexOf(batch)}`);
    return order;
  };
  const bare = () => planned('Sample Name\tRelease Date\n');
  const batches = (count: number) => Array.from({ length: count }, (_, at) => batchOf(at + 2, [{ name: `n${at}` }]));

  it('holds one batch back until one has more than a name and a date', async () => {
    expect(await passed(bare(), {}, batches(3))).toEqual(['read 0', 'read 1', 'got 0', 'read 2', 'got 1', 'got 2']);
    expect(await passed(bare(), {}, batches(3), 1)).toEqual(['read 0', 'read 1', 'got 0', 'got 1', 'read 2', 'got 2']);
    expect(await passed(bare(), {}, [])).toEqual([]);
    const [{ warnings: _, ...batch }] = batches(1) as [LaidOutBatch];
    const unwarned: LaidOutBatch = batch;
    await passed(bare(), {}, [unwarned]);
    expect(unwarned.warnings?.map(({ issues }) => issues[0]?.code)).toEqual(['sheet.nothing-stored']);
  });

  it.each([
    [
      {},
      {},
      'Nothing but names and dates is stored of this file. Add columns that describe the samples, such as organism or tissue.',
    ],
    [
      {},
      readAs({ sheet: 'Tab' }),
      'Nothing but names and dates is stored of the sheet "Tab". Add columns that describe the samples, such as organism or tissue. If the samples are described on another sheet of the workbook, name that one.',
    ],
    [
      { keptColumns: [2] },
      {},
      /^Nothing but names and dates is stored of this file, because its other columns are empty\. Add/,
    ],
    [
      { notStored: ['a', 'b'] },
      {},
      /file\. Not stored: a, b\. Name the columns that describe the samples Characteristics\[name\]\.$/,
    ],
    [
      { notStored: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { unknownColumns: 'ignore' },
      /Not stored: a, b, c, d, e …\. Have unknown columns kept as characteristics \(unknownColumns=characteristics\), or name the columns/,
    ],
  ] as [Partial<SheetPlan>, object, string | RegExp][])(
    '%#: the last batch warns of a sheet that stores nothing',
    async (of, options, message) => {
      const two = batches(2);
      const known = { line: 3, name: 'n1', issues: [] };
      (two[1] as LaidOutBatch).warnings = [known];
      await passed({ ...bare(), ...of }, options, two);
      const [first, ...rest] = (two[1] as LaidOutBatch).warnings ?? [];
      expect([two[0]?.warnings, rest]).toEqual([[], [known]]);
      expect(first).toMatchObject({ line: 1, name: '', issues: [{ code: 'sheet.nothing-stored', line: 1 }] });
      expect(first?.issues[0]?.message).toMatch(message);
    },
  );
});

describe('a table that was taken from another file', () => {
  it('is a sheet of ours where it is of a workbook', () => {
    expect([{}, readAs({}), readAs({ archived: true }), readAs({ isa: true })].map(isOfWorkbook)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('is named in what is wrong with it, with those that could be meant', () => {
    const long = 'n'.repeat(101);
    expect([
      ofSheet('M.', {}),
      ofSheet('M.', readAs({ isa: true })),
      ofSheet('M.', readAs({ sheet: long })),
      ofSheet('M.', readAs({ archived: true, notRead: [] })),
      ofSheet('M.', readAs({ notRead: ['a'] })),
      ofSheet('M.', readAs({ notRead: ['a', 'b'] })),
    ]).toEqual([
      'M.',
      'M.',
      `Sheet "${long.slice(1)}" of the workbook: M.`,
      'File "S" of the archive: M.',
      'Sheet "S" of the workbook: M. "a" names samples, too: if that sheet is meant, name it with the option sheet.',
      'Sheet "S" of the workbook: M. "a", "b" name samples, too: if one of these sheets is meant, name it with the option sheet.',
    ]);
    const ten = Array.from({ length: 10 }, (_, at) => `${at}`);
    expect(listedSheets(ten)).toBe(`${ten.map((name) => `"${name}"`).join(', ')} name samples, too`);
    expect(listedSheets([...ten, 'more'])).toBe(`${ten.map((name) => `"${name}"`).join(', ')} … name samples, too`);
  });

  it('warns of what it has beside its cells, below its header', () => {
    const plan = { ...planned('Sample Name\ta\tb\n'), headerLine: 2, headerEnd: 3 };
    const note = (column: number, ...rows: number[]) => ({
      column,
      first: { row: rows[0] as number, text: `t${rows[0]}` },
      last: { row: rows.at(-1) as number, text: `t${rows.at(-1)}` },
    });
    const said = (beside: object, of: Partial<SheetPlan> = {}) =>
      besideCells({ ...plan, ...of }, beside).map(({ code, line, columnLetter = '', value = '', message }) =>
        [code, line, columnLetter, value, message.slice(0, 34)].join('|'),
      );
    expect(besideCells(plan)).toEqual([]);
    const links = [note(0, 4, 9), note(1, 3, 5), note(2, 1, 3), note(3, 5)];
    expect(said({ links, comments: [note(1, 8)] })).toEqual([
      'sheet.links|2|A|t4|A4 links to t4; of cells that link',
      'sheet.links|2|B|t5|B5 links to t5; of cells that link',
      'sheet.comments|2|B|t8|B8 has the comment "t8"; comments ',
    ]);
    expect(said({ comments: [note(1, 8)] }, { errorColumns: [2] })).toEqual([]);
    const wide = planned(`Sample Name\t${Array.from({ length: 12 }, (_, at) => `c${at}`).join('\t')}\n`);
    expect(besideCells(wide, { links: Array.from({ length: 12 }, (_, at) => note(at, 5)) })).toHaveLength(10);
    const rows = (first: number, last: number, count: number) => ({ rows: count, first, last });
    expect(said({ hidden: rows(1, 3, 2), struck: rows(2, 3, 2) })).toEqual([]);
    expect(said({ hidden: rows(5, 5, 1), struck: rows(6, 6, 1) })).toEqual([
      'sheet.hidden-rows|2|||Line 5 is not shown in the workboo',
      'sheet.struck-rows|2|||Every cell of line 6 is struck thr',
    ]);
    expect(said({ hidden: rows(3, 8, 4), struck: rows(3, 9, 2) }).map((text) => text.split('|').at(-1))).toEqual([
      '4 lines, such as 8, are not shown ',
      'Every cell of 2 lines, such as lin',
    ]);
    expect(besideCells(plan, { struck: rows(3, 9, 2) })[0]?.message).toContain('such as line 9, is struck through');
    expect(besideCells(plan, { struck: rows(4, 9, 2) })[0]?.message).toContain('such as line 4, is struck through');
    expect(besideCells(plan, { hidden: rows(4, 9, 2) })[0]?.message).toContain('such as 4, are not');
  });
});

describe('bytes that come in', () => {
  const watched = async (sizes: number[], large: number) => {
    const blocks = sizes.map((size, at) => Buffer.alloc(size, at + 1));
    const calls: number[] = [];
    let passed = 0;
    const upload = watchUpload(Readable.from(blocks), large, () => calls.push(passed));
    for await (const block of upload.source) passed += block.length;
    return { head: upload.head(), calls, passed, whole: Buffer.concat(blocks), arePlain: upload.arePlain() };
  };

  it('are kept as far as a header may reach, and call once when they are many', async () => {
    const short = await watched([3, 4, 5], 7);
    expect([short.calls, short.passed, short.head.equals(short.whole), short.arePlain]).toEqual([[3], 12, true, true]);
    expect((await watched([3, 4, 5], 13)).calls).toEqual([]);
    expect((await watched([3, 4, 5], 3)).calls).toEqual([0]);
    const long = await watched([HEAD_BYTES - 1, 3, 9], HEAD_BYTES);
    expect([long.head.length, long.calls, long.passed]).toEqual([HEAD_BYTES, [HEAD_BYTES - 1], HEAD_BYTES + 11]);
    expect(long.head.at(-1)).toBe(2);
  });

  it('are read again as far as a header may reach', async () => {
    const ends: unknown[] = [];
    const open = (range: { end: number }) => {
      ends.push(range);
      return Readable.from([Buffer.from('ab'), Buffer.from('c')]);
    };
    expect([(await readHead(open)).toString(), ends]).toEqual(['abc', [{ end: HEAD_BYTES }]]);
  });

  const [START, END] = [RECEIPT_START, RECEIPT_END];
  const unclosed = (...blocks: Buffer[]): boolean => {
    const search = new ReceiptSearch();
    for (const block of blocks) search.add(block);
    return search.mayBeUnclosed;
  };
  it.each([
    [`h\n${START}\n`, true],
    [`h\n${START}\n${END}\n`, false],
    [`h\r${START}\r${END}\r`, false],
    [`h\r\n${START}\r\n${END}\r\n`, false],
    [`h\n${START}\r${END}\nx\r`, false],
    [`h\r${START}\n${END}\rx\n`, false],
    [`h\n \t ${START} \t \n\t ${END} \n`, false],
    [`h\n \t ${START} \t \n`, true],
    [`h\n${START}\n${END}\tx\n`, false],
    [`h\nx\t${START}\n`, false],
    [`h\n${START}\tx\n`, false],
    [`h\n${START}\n${START}\n${END}\n`, true],
    [`h\n${START}\n${END}\n${START}\n${END}\n`, false],
    [`h\n${START.slice(0, 16)}other\n`, false],
    [`h\n${START}\rx\ny\n`, true],
    [`h\r${START}\nx\ry\r`, true],
    [`h\n${END}\n`, false],
    [`h\n${START}\n${END}`, true],
    [`h\n${START}`, true],
    [`${START}\n${END}\n`, true],
    ['h\nx\n', false],
  ])('%j may hold a receipt without an end: %s; and so it is seen wherever it is cut', (text, is) => {
    const bytes = Buffer.from(text);
    expect(unclosed(bytes)).toBe(is);
    if (!is) return;
    for (let at = 1; at < bytes.length; at++) expect(unclosed(bytes.subarray(0, at), bytes.subarray(at))).toBe(true);
    for (const size of [1, 5, 15, 16, 17]) {
      const blocks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(unclosed(...blocks)).toBe(true);
    }
  });

  it('hold none where a receipt begins at the beginning of a block', () => {
    expect(unclosed(Buffer.from('h'), Buffer.from(`\n${START}\n${END}\n`))).toBe(false);
  });

  it('are small below both limits', () => {
    const limits = { bytes: 10, rows: 3 };
    expect([laneOf(9, limits), laneOf(10, limits)]).toEqual(['small', 'large']);
    const counted = (fileSize: number, rows: number) => isSmall({ fileSize, counts: { rows } as never }, limits);
    expect([counted(9, 2), counted(10, 2), counted(9, 3)]).toEqual([true, false, false]);
  });
});

describe('lines of earlier uploads', () => {
  it('say which rows are samples already, and which numbers the others get', () => {
    expect(recordedRows({ cursor: 5 })).toEqual({});
    const { recorded } = recordedRows({ cursor: 5, recorded: Float64Array.of(3, 70, 2) });
    expect([recorded?.toLine, ...[2, 3, 4, 5].map((line) => recorded?.isSample(line))]).toEqual([
      5,
      false,
      true,
      true,
      false,
    ]);
    const survey = { idOf: (ordinal: number) => (ordinal === 1 ? 7 : 0) } as never;
    const numbers = (earlier?: LineIndex) =>
      [0, 1, 2].map((ordinal) => idsOfRows(survey, 100, earlier)(ordinal, ordinal + 2));
    expect(numbers()).toEqual([100, 7, 102]);
    expect(numbers(new LineIndex(Float64Array.of(3, 70, 2)))).toEqual([100, 7, 71]);
  });
});

describe('new rows that may be known', () => {
  const keyed = (keys: string[], rows: Row[] = keys.map((name) => ({ name, cells: '' }))): LaidOutBatch => {
    const batch = batchOf(2, rows);
    const spans = keys.flatMap((key, row) => [
      batch.spans[row * 4] as number,
      (batch.spans[row * 4] as number) + key.length,
    ]);
    return { ...batch, keys: Uint32Array.from(spans) };
  };
  const SMALL = { account: 'ada', options: {}, lane: 'small' } as never;
  const storeOf = (known: Record<string, number>, names: Record<string, number[]> = {}) => {
    const asked: string[][] = [];
    return {
      asked,
      knownKeys: async (_: object, keys: readonly string[], samples: readonly number[]) => {
        asked.push([...keys]);
        expect([new Set(keys).size, samples]).toEqual([keys.length, []]);
        return { samples: new Map(Object.entries(known).filter(([key]) => keys.includes(key))), keys: new Map() };
      },
      findNamed: async (account: string, wanted: readonly string[]) =>
        new Map(Object.entries(names).filter(([name]) => account === 'ada' && wanted.includes(name))),
      readSamples: async () => [],
    };
  };
  const warned = async (store: object, batch: LaidOutBatch, first = true, submission: object = SMALL) => {
    await warnOfKnown({ store: store as never, prefix: 'SAMR' }, submission as never, batch, first);
    return batch.warnings?.map(({ line, name, issues }) => [
      line,
      name,
      ...issues.map(({ code, value }) => `${code} ${value}`),
    ]);
  };
  const like = async (before: string, now: string) => {
    const batch = keyed([now]);
    await warned(storeOf({ [before]: 7 }), batch);
    return /which differs in (.*) alone/.exec(batch.warnings?.[0]?.issues[0]?.message ?? '')?.[1];
  };

  it.each([
    ['171', '171.0', 'the decimals behind a number'],
    ['171', '171.00', 'the decimals behind a number'],
    ['171.0', '171', 'the decimals behind a number'],
    ['171', '00171', 'zeros before a number'],
    ['0171', '171', 'zeros before a number'],
    ['000000171', '171', 'zeros before a number'],
    ['0000000171', '171', undefined],
    ['0', '00', 'zeros before a number'],
    ['b-1', 'B-1', 'capital letters'],
    ['a171', 'a171.0', undefined],
    ['171.1', '171.10', undefined],
    ['171b', '171.0b', undefined],
    ['171b', '171b.0', undefined],
    ['0171b', '171b', undefined],
    ['b0171', '0b0171', undefined],
    ['1070', '10070', undefined],
    ['170', '1070', undefined],
    ['a171.0', 'a171', undefined],
    ['0a171', 'a171', undefined],
  ])('a key %j is taken for %j written otherwise: %s', async (before, now, how) => {
    expect(await like(before, now)).toBe(how);
  });

  it('are said at their key, and not where the file or the space has both, or the row names its sample', async () => {
    const batch = keyed(
      ['b-1', 'b-2', 'B-2', 'b-3', '', 'b-4'],
      [{ name: 'b-1' }, { name: 'b-2' }, { name: 'B-2' }, { name: 'b-3' }, { name: 'keyless' }, { name: 'b-4', id: 9 }],
    );
    batch.warnings = [
      {
        line: 2,
        name: 'b-1',
        issues: [{ line: 2, code: 'name.repeated', message: 'M', severity: 'warning', value: 'v' }],
      },
    ];
    const store = storeOf({ 'B-1': 7, 'B-2': 8, 'B-3': 6, 'b-3': 5, 'B-4': 4 });
    expect(await warned(store, batch)).toEqual([[2, 'b-1', 'name.repeated v', 'key.like-another b-1']]);
    // Behind what is asked about rows that update samples.
    expect(store.asked.slice(1)).toEqual([['b-1', 'b-2', 'B-2', 'b-3'], expect.arrayContaining(['B-1'])]);
    expect(batch.warnings?.[0]?.issues[1]).toMatchObject({
      line: 2,
      message:
        'No sample has the key "b-1" in this key space; SAMR7 has "B-1", which differs in capital letters alone. If the row means that one, write its key so: as it stands, it is a sample of its own.',
    });
  });

  it('have warnings where there were none, and none where there is nothing to say', async () => {
    const unwarned = (key: string) => {
      const { warnings: _, ...batch } = keyed([key]);
      return batch;
    };
    expect(await warned(storeOf({ 'B-1': 7 }), unwarned('b-1'))).toEqual([[2, 'b-1', 'key.like-another b-1']]);
    expect(await warned(storeOf({}), unwarned('b-1'))).toBeUndefined();
  });

  it('are looked at in the first batch of a file, as far as 200 of them, and by name in small files without keys', async () => {
    const store = storeOf({ 'B-1': 7 }, { a: [3, 4], b: [5] });
    expect(await warned(store, keyed(['b-1']), false)).toEqual([]);
    expect(store.asked).toEqual([]);
    const all = storeOf(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`K-${at}`, at + 1])));
    expect(await warned(all, keyed(Array.from({ length: 201 }, (_, at) => `k-${at}`)))).toHaveLength(200);
    const known = storeOf({ 'k-1': 1 });
    await warned(known, keyed(['k-1']));
    expect(known.asked).toEqual([['k-1'], ['k-1']]);
    const names = () => batchOf(2, [{ name: 'a' }, { name: 'b', id: 5 }, { name: 'c' }]);
    expect(await warned(store, names())).toEqual([[2, 'a', 'name.used-before a']]);
    expect(await warned(store, names(), false)).toEqual([[2, 'a', 'name.used-before a']]);
    expect(await warned(store, names(), true, { account: 'ada', options: {}, lane: 'large' })).toEqual([]);
    expect(await warned(store, names(), true, { account: 'bo', options: {}, lane: 'small' })).toEqual([]);
    const many = (count: number) =>
      batchOf(
        2,
        Array.from({ length: count }, (_, at) => ({ name: at === 0 ? 'a' : `m${at}` })),
      );
    expect([(await warned(store, many(200)))?.length, (await warned(store, many(201)))?.length]).toEqual([1, 0]);
    const away = {
      findNamed: () => Promise.reject(new Error('away')),
      knownKeys: () => Promise.reject(new Error('away')),
    };
    expect([await warned(away, names()), await warned(away, keyed(['b-1']))]).toEqual([[], []]);
  });

  it('updates that write values otherwise are looked at in the first batch alone', async () => {
    const batch = () => batchOf(2, [{ name: 'a', cells: '7\tliver', id: 5 }]);
    const content = {
      characteristics: { organism: [{ text: '007' }] },
      relationships: [],
      externalReferences: [],
      contact: [],
      organization: [],
      publications: [],
    };
    const store = { ...storeOf({}), readSamples: async () => [{ sample: { id: 5, account: 'ada', content } }] };
    expect(await warned(store, batch())).toEqual([[2, 'a', 'value.respelled 7']]);
    expect(await warned(store, batch(), false)).toEqual([]);
  });
});
