import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { openWorkbook as Open } from '../../src/workbooks/open.js';
import { toRefusal } from '../../src/workbooks/refusal.js';
import { ROOT } from '../support/output.js';
import { killNow, standStill } from '../support/processes.js';
import { PROOF } from '../support/proof.js';
import {
  binaryWorkbook,
  compoundFile,
  f64,
  label,
  longText,
  record,
  u16,
  u32,
  workbookStream,
} from '../workbooks/raw-binary-workbook.js';
import {
  HEADER,
  type Part,
  rawWorkbook,
  removeScratch,
  repeated,
  scratch,
  textRow,
  worksheet,
  zip,
} from '../workbooks/raw-workbook.js';
import { readWorkbook } from '../workbooks/read-workbook.js';

/** The reading process is the built one. */
const built = join(ROOT, 'dist', 'src', 'workbooks', 'open.js');
const { openWorkbook } = (existsSync(built) ? await import(built) : {}) as { openWorkbook: typeof Open };
const made = (name: string): string => join(ROOT, 'test', 'workbooks', 'made-by-libreoffice', name);

afterAll(removeScratch);

interface Outcome {
  tsv?: string;
  bytes: number;
  code?: string;
  message?: string;
  seconds: number;
  peakMb: number;
  blockedMs: number;
}

/** Reading processes of this one that have not ended; it has other children, of the files that ran in it before. */
function readingProcesses(): string[] {
  const threads = readdirSync('/proc/self/task');
  const children = threads.flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, 'utf8').trim().split(' '));
  return children.filter((pid) => {
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
      return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('convert-process');
    } catch {
      return false;
    }
  });
}

/** Of these processes: the largest resident size that one ever had, and processor time. */
function readingCosts(pids: readonly string[]): { peakMb: number; seconds: number } {
  const costs = { peakMb: 0, seconds: 0 };
  for (const pid of pids) {
    try {
      const size = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
      const [user, system] = after.split(' ').slice(11, 13).map(Number) as [number, number];
      costs.peakMb = Math.max(costs.peakMb, Number(size ?? 0) / 1024);
      costs.seconds = Math.max(costs.seconds, (user + system) / TICKS_PER_SECOND);
    } catch {
      // It ended between two looks.
    }
  }
  return costs;
}

/** Of processor time in /proc, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * The longest stretch for which this process kept its event loop busy: between two ticks of a clock, the time that passed
 * or, when the machine gave it less, the processor time that it used.
 */
function watchEventLoop(): () => number {
  let longest = 0;
  let last = performance.now();
  let used = process.cpuUsage();
  const clock = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
    last = now;
    used = process.cpuUsage();
  }, 5);
  return () => {
    clearInterval(clock);
    return longest;
  };
}

/** Reads a workbook to its end and watches processor time and memory of the reading process, and the own event loop. */
async function attempt(path: string, sheet?: string): Promise<Outcome> {
  let peakMb = 0;
  let seconds = 0;
  let pids: string[] = [];
  let looks = 0;
  const watch = setInterval(() => {
    // One that was there before may not have ended yet: who reads is looked up again every 200 ms.
    if (looks++ % 8 === 0) pids = readingProcesses();
    const costs = readingCosts(pids);
    peakMb = Math.max(peakMb, costs.peakMb);
    seconds = Math.max(seconds, costs.seconds);
  }, 25);
  const blocked = watchEventLoop();
  const outcome: Partial<Outcome> = {};
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    const { tsv } = await openWorkbook(path, sheet === undefined ? {} : { sheet });
    for await (const piece of tsv) {
      bytes += piece.length;
      if (bytes < 100_000) kept.push(piece);
    }
    outcome.tsv = Buffer.concat(kept).toString();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    Object.assign(outcome, { code, message });
  }
  clearInterval(watch);
  return { ...outcome, bytes, seconds, peakMb, blockedMs: blocked() };
}

async function drain(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of pieces);
}

const NAMED = new Set(['file.wrong-kind', 'file.not-understood', 'file.too-large']);

async function expectHarmless(path: string): Promise<Outcome> {
  const outcome = await attempt(path);
  expect(outcome.seconds, 'seconds of processor').toBeLessThan(15);
  expect(outcome.peakMb, 'MB').toBeLessThan(300);
  expect(outcome.blockedMs, 'ms of a blocked event loop').toBeLessThan(200);
  return outcome;
}

async function expectRefused(path: string, words: RegExp): Promise<void> {
  const outcome = await expectHarmless(path);
  expect(outcome.tsv, 'was read').toBeUndefined();
  expect(NAMED).toContain(outcome.code);
  expect(outcome.message).toMatch(words);
}

/** The same of what is refused before its cells are read, without a process: the rule is the same there. */
async function expectRefusedHere(path: string, words: RegExp): Promise<void> {
  const refusal = await readWorkbook(path).then(() => undefined, toRefusal);
  expect(NAMED).toContain(refusal?.code);
  expect(refusal?.message).toMatch(words);
}

/** Of a part, in MiB: what the ratio of its sizes alone stops is stopped behind the first 64 of them. */
const BEYOND_RATIO = 70;
/**
 * Elements that fill a part: in the proof as many as its bytes hold, which is what costs most; in the short form of this many
 * letters each, so that the same bounds are met with a tenth of the processor's time.
 */
const WIDTH = 20_000;
const element = (name: string): string => (PROOF ? `<${name}/>` : `<${name} a="${'b'.repeat(WIDTH)}"/>`);

describe('hostile and wrong workbooks', () => {
  it('need the built reading process', () => expect(openWorkbook, 'npm run build').toBeDefined());

  it('a sheet that unzips a thousandfold is stopped, in whatever the bytes hide', { tags: 'slow' }, async () => {
    const text = '<worksheet><sheetData><row><c t="inlineStr"><is><t>';
    const textEnds = '</t></is></c></row></sheetData></worksheet>';
    const bombs: [head: string, unit: string, tail: string, mib: number, words: RegExp][] = [
      ['<worksheet><sheetData>', ' ', '</sheetData></worksheet>', 6, /single text/],
      [`<worksheet><sheetData>${HEADER}`, '<!-- -->', '</sheetData></worksheet>', 6, /single text/],
      [`<worksheet><sheetData>${HEADER}</sheetData>`, element('x'), '</worksheet>', BEYOND_RATIO, /unzips/],
      [`<worksheet><sheetData>${HEADER}`, '<row><c/></row>', '</sheetData></worksheet>', 20, /more than \d+ rows/],
      [text, 'a', textEnds, 6, /single text|more text/],
      [text, 'a<!---->', textEnds, 10, /more text/],
    ];
    for (const [head, unit, tail, mib, words] of bombs) {
      const bytes = (PROOF ? 300 : mib) * 1024 * 1024;
      const path = await rawWorkbook([{ part: () => repeated(head, unit, bytes / unit.length, tail) }]);
      await expectRefused(path, words);
    }
  });

  it('a bomb in the shared texts or the styles is stopped', { tags: 'slow' }, async () => {
    const text = `<si><t>${'abcdefgh'.repeat(PROOF ? 12 : 2_400)}</t></si>`;
    const bytes = (PROOF ? 600 : 110) * 1024 * 1024;
    const texts = await rawWorkbook([{ data: HEADER }], {
      'xl/sharedStrings.xml': () => repeated('<sst>', text, bytes / text.length, '</sst>'),
    });
    await expectRefused(texts, /texts|unzips/);
    const styles = await rawWorkbook([{ data: HEADER }], {
      'xl/styles.xml': () =>
        repeated(
          '<styleSheet><cellXfs>',
          '<xf numFmtId="14"/>',
          PROOF ? 10_000_000 : 1_000_000,
          '</cellXfs></styleSheet>',
        ),
    });
    await expectRefused(styles, /styles\.xml of the zip package unzips to more/);
  });

  it('a long text that many cells share is not in memory as often as it is used', { tags: 'slow' }, async () => {
    const data = Array.from({ length: 40 }, (_, row) => `<row>${'<c t="s"><v>0</v></c>'.repeat(100 + row)}</row>`);
    const path = await rawWorkbook([{ data: HEADER + data.join('') }], {
      'xl/sharedStrings.xml': `<sst><si><t>${'a b'.repeat(300_000)}</t></si></sst>`,
    });
    await expectRefused(path, /repeats long texts/);
  });

  it('an OpenDocument workbook: what comes a million times, unzips a thousandfold or never ends is stopped', {
    tags: 'slow',
  }, async () => {
    const start = '<d><office:spreadsheet><table:table table:name="S">';
    const end = '</table:table></office:spreadsheet></d>';
    const cell = (text: string, often = '') =>
      `<table:table-cell office:value-type="string" ${often}><text:p>${text}</text:p></table:table-cell>`;
    const rows = (cells: string, often = '1048576') =>
      `<table:table-row table:number-rows-repeated="${often}">${cells}</table:table-row>`;
    const ods = (content: Part) =>
      zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content }, 'book.ods');
    const within = (content: string) => ods(start + content + end);
    const bytes = (PROOF ? 300 : BEYOND_RATIO) * 1024 * 1024;
    const bomb = (head: string, unit: string, tail: string) =>
      ods(() => repeated(start + head, unit, bytes / unit.length, tail + end));
    for (const [path, words] of [
      [within(rows(cell('S'), '1048577')), /more than 1048576 rows/],
      [within(rows(cell('S'), '4000000000')), /more than 1048576 rows/],
      [within(rows(cell('S', 'table:number-columns-repeated="100"'))), /more cells than are read/],
      [within(rows(cell('S', 'table:number-columns-repeated="16385"'), '1')), /more cells than are read/],
      [within(rows(cell('S'.repeat(1_000)))), /repeats long texts/],
      [within(rows(cell('S'.repeat(900_000), 'table:number-columns-repeated="16000"'), '1')), /repeats long texts/],
      [
        within(Array.from({ length: 600 }, () => rows(cell('S'.repeat(9_000)), '1000')).join('')),
        /4 GiB|repeats long texts/,
      ],
      [within(rows(cell('<text:s text:c="4000000000"/>'), '1')), /more text than is read/],
      [within(rows(cell('<text:p/>'.repeat(9).replaceAll('p/', 's text:c="200000"/')), '1')), /more text than is read/],
      [within('<x>'.repeat(100)), /nested more than/],
      [ods(`<!DOCTYPE d [<!ENTITY e "x">]>${start}${HEADER}${end}`), /document type/],
      [
        ods(`<d><office:spreadsheet>${'<table:table table:name="S"/>'.repeat(20_001)}</office:spreadsheet></d>`),
        /sheets/,
      ],
      [
        bomb(
          '<table:table-row><table:table-cell office:value-type="string"><text:p>',
          'a',
          '</text:p></table:table-cell></table:table-row>',
        ),
        /more text|unzips/,
      ],
      [
        bomb(
          '<table:table-row><table:table-cell office:value-type="string">',
          element('text:p'),
          '</table:table-cell></table:table-row>',
        ),
        /more text|unzips/,
      ],
      [bomb('', element('table:table-row'), ''), /unzips/],
      [bomb('', PROOF ? '<!-- -->' : `<!--${' '.repeat(WIDTH)}-->`, ''), /unzips|single text/],
    ] as const)
      await expectRefused(await path, words);
  });

  it('a binary workbook: texts used over and over, cells without end, sectors in a circle are stopped', {
    tags: 'slow',
  }, async () => {
    const cells = (from: number, count: number, make: (row: number, column: number) => Buffer) =>
      Array.from({ length: count }, (_, at) => make(from + Math.floor(at / 250), at % 250));
    const text = longText('x'.repeat(8_000));
    const shared = record(0xfc, u32(1), u32(1), text);
    const uses = cells(0, 40_000, (row, column) => record(0xfd, u16(row, column, 0), u32(0)));
    await expectRefused(binaryWorkbook([{ records: uses }], [shared]), /repeats long texts/);
    const far = Array.from({ length: 4_000 }, (_, row) => record(0x203, u16(row, 16_383, 0), f64(1)));
    await expectRefused(binaryWorkbook([{ records: far }]), /more cells than are read/);
    await expectRefused(binaryWorkbook([{ records: [record(0x203, u16(0, 16_384, 0), f64(1))] }]), /more cells/);
    const sheet = workbookStream([{ records: cells(0, 50_000, (row, column) => label(row, column, 'x')) }]);
    const circle = compoundFile({ Workbook: sheet }, (bytes) => bytes.writeUInt32LE(20, 512 + 128 * 4 + 30 * 4));
    await expectRefused(circle, /leads nowhere|shorter|cut|begin|out of order/);
    const lies = [
      record(0xfc, u32(0xffffffff), u32(0xffffffff), Buffer.concat([u16(65_535), Buffer.from([8]), u16(65_535)])),
    ];
    await expectRefused(binaryWorkbook([{ records: [] }], lies), /cut short/);
    const growing = Array.from({ length: 200 }, () => record(0x3c, Buffer.alloc(8_200)));
    const endless = record(0xfc, u32(1), u32(1), Buffer.concat([u16(1), Buffer.from([4]), u32(0xffffffff)]));
    await expectRefused(binaryWorkbook([{ records: [] }], [endless, ...growing]), /cut short/);
  });

  it('huge declared ranges, a 17-billion-cell validation and external links cost nothing: the cells are read', {
    tags: 'slow',
  }, async () => {
    const path = await rawWorkbook(
      [
        {
          part: `<worksheet><dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384" width="9"/></cols><sheetData>${HEADER}${textRow(2, 'S1', 'x')}</sheetData><conditionalFormatting sqref="A1:XFD1048576"/><dataValidations count="1"><dataValidation type="list" sqref="A1:XFD1048576"><formula1>Lists!$A$1:$XFD$1048576</formula1></dataValidation></dataValidations><mergeCells><mergeCell ref="C1:XFD1048576"/></mergeCells></worksheet>`,
        },
      ],
      {
        'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook r:id="rId1"/></externalLink>',
        'xl/externalLinks/_rels/externalLink1.xml.rels':
          '<Relationships><Relationship Id="rId1" Type="x/externalLinkPath" Target="http://127.0.0.1:1/x.xlsx" TargetMode="External"/></Relationships>',
      },
    );
    expect((await expectHarmless(path)).tsv).toBe('Sample Name\tCharacteristics[a]\nS1\tx\n');
  });

  it('a few cells at the far corner are read, millions of gaps are not', { tags: 'slow' }, async () => {
    const far = await rawWorkbook([{ data: `${HEADER}<row r="1048576"><c r="A1048576"><v>7</v></c></row>` }]);
    const outcome = await expectHarmless(far);
    expect(outcome.bytes).toBeGreaterThan(1_000_000);
    const wide = await rawWorkbook([
      {
        part: () =>
          repeated(
            `<worksheet><sheetData>${HEADER}`,
            '',
            0,
            `${Array.from({ length: 20_000 }, (_, i) => `<row r="${i + 2}"><c r="XFD${i + 2}"><v>1</v></c></row>`).join('')}</sheetData></worksheet>`,
          ),
      },
    ]);
    await expectRefused(wide, /more cells than are read/);
    await expectRefused(
      await rawWorkbook([{ data: `${HEADER}<row r="99999999"><c><v>7</v></c></row>` }]),
      /more than 1048576 rows/,
    );
  });

  it('entities, inside or outside, are never resolved: a document type declaration is refused', async () => {
    const secret = scratch('secret.txt');
    writeFileSync(secret, 'TOPSECRET');
    const external = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://${secret}">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&e;</t></is></c></row></sheetData></worksheet>`;
    const laughs = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${worksheet(HEADER)}`;
    await expectRefused(await rawWorkbook([{ part: external }]), /document type/);
    await expectRefusedHere(await rawWorkbook([{ part: laughs }]), /document type/);
    await expectRefusedHere(await rawWorkbook([{ part: worksheet(textRow(1, '&e;')) }]), /well-formed/);
    await expectRefusedHere(
      await rawWorkbook([{ data: HEADER }], { 'xl/workbook.xml': `<!DOCTYPE x><workbook/>` }),
      /document type/,
    );
  });

  it('macros, binary, old and encrypted workbooks, other packages: a refusal that says what to do', async () => {
    await expectRefused(
      await rawWorkbook([{ data: HEADER }], { 'xl/vbaProject.bin': 'x' }),
      /macros.*Save it as \.xlsx/,
    );
    await expectRefusedHere(
      await rawWorkbook([{ data: HEADER }], { 'xl/workbook.xml': undefined, 'xl/workbook.bin': 'x' }),
      /\.xlsb.*\.tsv/,
    );
    await expectRefusedHere(compoundFile({ Book: Buffer.alloc(5_000) }), /Excel 95 or older.*\.xlsx/);
    await expectRefusedHere(
      await zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<d/>' }),
      /text document/,
    );
    await expectRefusedHere(
      await zip({ 'readme.md': 'hello' }),
      /zip archive with 1 file \(readme\.md\); none is a table.*Unpack it/,
    );
    await expectRefused(compoundFile({ EncryptedPackage: Buffer.alloc(5_000) }), /password/);
  });

  it('renamed, cut short and lying packages', async () => {
    const renamed = scratch('book.xlsx');
    copyFileSync(made('study.fods'), renamed);
    await expectRefused(renamed, /no workbook/);
    const whole = readFileSync(made('study.xlsx'));
    for (const [size, expectIt] of [
      [100, expectRefusedHere],
      [3000, expectRefused],
      [whole.length - 30, expectRefusedHere],
    ] as const) {
      const cut = scratch('cut.xlsx');
      writeFileSync(cut, whole.subarray(0, size));
      await expectIt(cut, /cut short|cannot be/);
    }
    const damaged = Buffer.from(whole);
    damaged.fill(0x41, 1200, 2400);
    const path = scratch('damaged.xlsx');
    writeFileSync(path, damaged);
    await expectRefusedHere(path, /./);
  });

  it('a reading process that stalls is killed, and so is one whose reader left', { tags: 'slow' }, async () => {
    const path = await rawWorkbook([
      { data: HEADER + Array.from({ length: 30_000 }, (_, i) => textRow(i + 2, `S${i}`, 'x'.repeat(20))).join('') },
    ]);
    const reading = async () => {
      const { tsv } = await openWorkbook(path, { stallMs: 700 });
      // More is left than what lies on the way: the reader comes to wait.
      await standStill(readingProcesses().map(Number));
      await drain(tsv);
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'service.unavailable',
      message: expect.stringContaining('kept the process that reads the workbook from working for 7 s'),
    });
    await vi.waitUntil(() => readingProcesses().length === 0, { timeout: 300_000 });
    // Starting alone takes more of the processor than that.
    await expect(openWorkbook(path, { stallMs: 20 })).rejects.toMatchObject({
      code: 'file.too-large',
      message: expect.stringContaining('too long'),
    });
    await vi.waitUntil(() => readingProcesses().length === 0, { timeout: 300_000 });
    const large = await openWorkbook(path);
    expect(readingProcesses()).toHaveLength(1);
    for await (const _ of large.tsv) break;
    await vi.waitUntil(() => readingProcesses().length === 0, { timeout: 300_000 });
  });

  it('a workbook is not refused for time in which the machine does something else', { tags: 'slow' }, async () => {
    const rows = 30_000;
    const path = await rawWorkbook([
      { data: HEADER + Array.from({ length: rows }, (_, i) => textRow(i + 2, `S${i}`, 'x'.repeat(20))).join('') },
    ]);
    const { tsv } = await openWorkbook(path, { stallMs: 2_000 });
    const pids = readingProcesses().map(Number);
    await standStill(pids);
    setTimeout(() => killNow(pids, 'SIGCONT'), 5_000);
    let lines = 0;
    for await (const piece of tsv) lines += piece.toString().split('\n').length - 1;
    expect(lines).toBe(rows + 1);
  });

  it('a reading process that is killed from outside, or cannot be started, is no fault of the workbook', {
    tags: 'slow',
  }, async () => {
    const path = await rawWorkbook([
      { data: HEADER + Array.from({ length: 30_000 }, (_, i) => textRow(i + 2, `S${i}`, 'x'.repeat(20))).join('') },
    ]);
    const { tsv } = await openWorkbook(path);
    for (const pid of readingProcesses()) process.kill(Number(pid), 'SIGKILL');
    await expect(drain(tsv)).rejects.toMatchObject({
      code: 'service.unavailable',
      message: expect.stringContaining('SIGKILL'),
    });
    const program = process.execPath;
    process.execPath = '/no/such/program';
    try {
      await expect(openWorkbook(path)).rejects.toMatchObject({
        code: 'service.unavailable',
        message: expect.stringContaining('could not be started'),
      });
    } finally {
      process.execPath = program;
    }
    // Longer than what the system hands to a program: it says no at once.
    const sheet = 'x'.repeat(4 * 1024 * 1024);
    await expect(openWorkbook(path, { sheet })).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('an honest large workbook is read whole', { tags: 'slow' }, async () => {
    const rows = PROOF ? 60_000 : 15_000;
    const cells = (i: number): string =>
      Array.from(
        { length: 15 },
        (_, c) =>
          `<c r="${String.fromCharCode(65 + c)}${i}" t="s"><v>${(i * 15 + c) % (PROOF ? 200_000 : 60_000)}</v></c>`,
      ).join('');
    const path = await rawWorkbook(
      [
        {
          part: () =>
            (function* () {
              yield `<worksheet><sheetData>${HEADER}`;
              for (let i = 2; i < rows + 2; i++) yield `<row r="${i}" spans="1:15">${cells(i)}</row>`;
              yield '</sheetData></worksheet>';
            })(),
        },
      ],
      {
        'xl/sharedStrings.xml': () =>
          (function* () {
            yield '<sst>';
            for (let i = 0; i < (PROOF ? 200_000 : 60_000); i++)
              yield `<si><t>text number ${i} of the workbook</t></si>`;
            yield '</sst>';
          })(),
      },
    );
    const outcome = await attempt(path);
    expect(outcome.message).toBeUndefined();
    expect(outcome.bytes).toBeGreaterThan(rows * 15 * 20);
    expect(outcome.peakMb).toBeLessThan(300);
    expect(outcome.blockedMs).toBeLessThan(200);
  });
});

describe.skipIf(!existsSync('/proc/self/task'))('a good workbook', () => {
  it('is read whole, however late the first byte is asked for', { tags: 'slow' }, async () => {
    const rows = Array.from({ length: 200 }, (_, i) => textRow(i + 2, `S${i}`, 'x'));
    const path = await rawWorkbook([{ data: HEADER + rows.join('') }]);
    for (let round = 0; round < (PROOF ? 100 : 4); round++) {
      const opened = await openWorkbook(path);
      await vi.waitUntil(() => readingProcesses().length === 0, { timeout: 300_000 });
      // Its end has been heard of, too.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      const pieces: Buffer[] = [];
      for await (const piece of opened.tsv) pieces.push(piece);
      opened.close();
      expect(Buffer.concat(pieces).toString().split('\n')).toHaveLength(202);
    }
  });
});
