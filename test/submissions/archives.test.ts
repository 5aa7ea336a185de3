/** The results of several submissions as one zip, printed as it is read; and samples that exist as a sheet to edit. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { ERASED } from '../../src/registry/samples/sample.js';
import { archiveResults } from '../../src/submissions/results/results-archive.js';
import { type PrintedSheet, SampleSheets, type SheetFormat } from '../../src/submissions/results/sample-sheets.js';
import { type Measures, type ZipEntry, zipStream } from '../../src/submissions/results/zip-stream.js';
import type { Submission } from '../../src/submissions/submission.js';
import type { SampleSheet } from '../../src/tsv/print/sample-sheet.js';
import { unzipped } from '../support/unzipped.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const bytesOf = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
};
const zipOf = async (submissions: readonly Submission[]) =>
  unzipped(await bytesOf(archiveResults(intake.results, submissions)));
let sheets = 0;
const sheet = (): string => sheetOf(['Sample Name', 'Release Date'], [`z${++sheets}`, '2020-01-01']);
const send = (fileName: string, options = {}, text = sheet()) => intake.send(text, options, { fileName });

describe('the results of several submissions', () => {
  it('are each as it is given alone, none of one name, behind an overview', async () => {
    const one = await send('same.tsv');
    const two = await send('SAME.tsv');
    const dry = await send('same.tsv', { dryRun: true });
    const three = await send('same.TSV');
    const json = await send('j.ndjson', {}, '{"name":"j","release":"2020-01-01"}\n');
    const none = await intake.send(sheet(), { maxRejected: '0' }).catch(() => undefined);
    await intake.accept('x\ty\n1\t2\n', {}, { fileName: '../broken.tsv' }).catch(() => undefined);
    const [broken] = (await intake.store.list({ size: 1 })) as [Submission];
    const entries = await zipOf([one, two, dry, three, json, broken]);
    expect([...entries.keys()]).toEqual([
      'overview.tsv',
      'same.result.tsv',
      'SAME (2).result.tsv',
      'same.checked.tsv',
      'same (3).result.tsv',
      'j.result.ndjson',
    ]);
    expect(entries.get('SAME (2).result.tsv')?.toString()).toBe(await textOf(intake.results.result(two)));
    expect(none?.state).toBe('COMPLETED');
    const overview = entries
      .get('overview.tsv')
      ?.toString()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(overview?.slice(0, 3)).toEqual([
      ['File', 'Status', 'Rows', 'Created', 'Updated', 'Unchanged', 'Rejected', 'Submission ID', 'Result', 'Problem'],
      ['same.tsv', 'COMPLETED', '1', '1', '0', '0', '0', one.id, 'same.result.tsv', ''],
      ['SAME.tsv', 'COMPLETED', '1', '1', '0', '0', '0', two.id, 'SAME (2).result.tsv', ''],
    ]);
    expect(overview?.[6]?.slice(0, 9)).toEqual(['../broken.tsv', 'FAILED', '0', '0', '0', '0', '0', broken.id, '']);
    expect(overview?.[6]?.[9]).toContain('Sample Name');
  });

  it('say what cannot be printed any more in its place, and the others follow', async () => {
    const gone = await send('gone.tsv');
    const there = await send('there.tsv');
    await intake.blobs.delete(gone.blobKey);
    const entries = await zipOf([gone, there]);
    expect(entries.get('gone.result.tsv')?.toString()).toMatch(/^.+\n$/);
    expect(entries.get('there.result.tsv')?.toString()).toContain('RECEIPT');
    const broken = {
      // biome-ignore lint/correctness/useYield: It fails before its first piece.
      result: async function* (): AsyncGenerator<string> {
        throw new Error('a fault of ours');
      },
    };
    await expect(bytesOf(archiveResults(broken, [there]))).rejects.toThrow('a fault of ours');
  });
});

describe('a zip', () => {
  const entry = (name: string, parts: (string | Buffer)[], more: Partial<ZipEntry> = {}): ZipEntry => ({
    name,
    modified: Date.UTC(2024, 4, 6, 12),
    content: async function* () {
      yield* parts;
    },
    ...more,
  });

  it('holds texts and bytes as they come, measured where that is wanted', async () => {
    const measures: Measures[] = [];
    const long = Array.from({ length: 3_000 }, (_, at) => `${at}: ${'ä'.repeat(50)}\n`);
    const bytes = Buffer.from([0, 255, 10, 13]);
    const zip = await bytesOf(
      zipStream([
        entry('long.txt', long, { written: (measured) => void measures.push(measured) }),
        entry('mixed.bin', ['a', bytes, 'b']),
        entry('empty', []),
      ]),
    );
    const entries = await unzipped(zip);
    expect([...entries.keys()]).toEqual(['long.txt', 'mixed.bin', 'empty']);
    expect(entries.get('long.txt')?.toString()).toBe(long.join(''));
    expect(entries.get('empty')).toEqual(Buffer.alloc(0));
    expect([...(entries.get('mixed.bin') ?? [])].toSorted()).toEqual([...Buffer.from('ab'), ...bytes].toSorted());
    const { createHash } = await import('node:crypto');
    expect(measures).toEqual([
      { size: Buffer.byteLength(long.join('')), sha256: createHash('sha256').update(long.join('')).digest('hex') },
    ]);
  });

  it('of many files warns of nothing, and names a fault of any of them', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on('warning', note);
    const names = Array.from({ length: 30 }, (_, at) => `${at}.txt`);
    const zip = await bytesOf(zipStream(names.map((name) => entry(name, [name]))));
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
    const entries = await unzipped(zip);
    expect([...entries].map(([name, bytes]) => [name, bytes.toString()])).toEqual(names.map((name) => [name, name]));
    const broken = entry('broken', [], {
      // biome-ignore lint/correctness/useYield: It fails before its first piece.
      content: async function* () {
        throw new Error('the 21st cannot be read');
      },
    });
    const some = names.slice(0, 20).map((name) => entry(name, [name]));
    await expect(bytesOf(zipStream([...some, broken, ...some]))).rejects.toThrow('the 21st cannot be read');
  });

  it('may have no files', async () => {
    expect((await unzipped(await bytesOf(zipStream([])))).size).toBe(0);
  });

  it('says when its files were changed', async () => {
    const of = (modified: number) => bytesOf(zipStream([entry('a', ['x'], { modified })]));
    const [day, same, next] = [await of(1e12), await of(1e12), await of(1.1e12)];
    expect([same.equals(day), next.equals(day)]).toEqual([true, false]);
  });

  it('is printed while its contents are read', async () => {
    let asked = 0;
    const long = entry('long', [], {
      content: async function* () {
        for (; asked < 400; asked++) yield randomBytes(5_000).toString('hex');
      },
    });
    let size = 0;
    for await (const piece of zipStream([long])) {
      size += piece.length;
      if (size > 200_000) break;
    }
    expect(asked).toBeLessThan(300);
  });

  it('ends its contents when nobody reads on', async () => {
    let left = false;
    const endless = entry('endless', [], {
      content: async function* () {
        try {
          for (;;) yield Buffer.alloc(100_000, String(Math.random()));
        } finally {
          left = true;
        }
      },
    });
    for await (const _ of zipStream([endless])) break;
    await expect.poll(() => left).toBe(true);
  });
});

describe('samples as a sheet to edit', () => {
  const printed: [SampleSheet, SheetFormat][] = [];
  const caller = { account: 'ada', admin: false, scopes: [] };
  const sheetsOf = (more: object = {}) =>
    new SampleSheets({
      store: { ...intake.store, ...more },
      lotsFor: () => ({ ...intake.store, ...more }),
      prefix: 'SAMR',
      now: () => intake.clock.now,
      print: async (table, format): Promise<PrintedSheet> => {
        printed.push([table, format]);
        return { fileName: 'samples', contentType: format, bytes: Buffer.from(JSON.stringify(table)) };
      },
    });
  const rowsOf = async (made: Promise<PrintedSheet>): Promise<string[]> =>
    (JSON.parse((await made).bytes.toString()) as SampleSheet).rows.map((row) => row.join('|'));

  it('are those of a submission as they are now, or those that are named, each once', async () => {
    const sent = await intake.send(
      sheetOf(
        ['Sample Name', 'Release Date', 'organism'],
        ['e1', '2020-01-01', 'x'],
        ['e2', 'never', 'x'],
        ['e3', '2020-01-01', ''],
      ),
    );
    const ids = [...(await textOf(intake.results.mapping(sent))).matchAll(/SAMR\d+/g)].map(
      ([accession]) => accession,
    ) as [string, string];
    const wanted = [`${ids[0]}|e1|2020-01-01T00:00:00.000Z|x`, `${ids[1]}|e3|2020-01-01T00:00:00.000Z|`];
    expect(await rowsOf(sheetsOf().ofSubmission(sent, caller, 'tsv'))).toEqual(wanted);
    expect(await rowsOf(sheetsOf().ofAccessions([ids[1], ids[0], ids[1]], undefined, 'xlsx'))).toEqual(
      wanted.toReversed(),
    );
    expect(printed.slice(-2).map(([, format]) => format)).toEqual(['tsv', 'xlsx']);
    const dry = await intake.send(sheet(), { dryRun: true });
    await expect(sheetsOf().ofSubmission(dry, caller, 'tsv')).rejects.toMatchObject({
      code: 'request.invalid',
      message: `Submission ${dry.id} has no samples.`,
    });
  });

  it('are refused where one is not there, or not released and another’s', async () => {
    for (const wrong of ['SAMEA1', 'SAMR999999', 'x'.repeat(300)])
      await expect(sheetsOf().ofAccessions([wrong], caller, 'tsv')).rejects.toMatchObject({
        code: 'sample.not-found',
        message: `There is no sample ${wrong.slice(0, 100)} here.`,
      });
    const sent = await intake.send(sheetOf(['Sample Name', 'Release Date'], ['hidden', '2040-01-01']));
    const [accession] = /SAMR\d+/.exec(await textOf(intake.results.mapping(sent))) as unknown as [string];
    expect(await rowsOf(sheetsOf().ofAccessions([accession], caller, 'tsv'))).toHaveLength(1);
    for (const other of [undefined, { account: 'bo', admin: false, scopes: [] }])
      await expect(sheetsOf().ofAccessions([accession], other, 'tsv')).rejects.toMatchObject({
        code: 'sample.private',
        message: `Sample ${accession} is not released yet; only its owner can read it.`,
      });
  });

  it('leave out rows of others that a spreadsheet would calculate, unless it is a workbook, and cells that one does not hold', async () => {
    const sent = await intake.send(
      sheetOf(
        ['Sample Name', 'Release Date', 'note'],
        ['=1+1', '2020-01-01', 'x'],
        ['plain', '2020-01-01', 'x'],
        ['long', '2020-01-01', 'y'.repeat(40_000)],
      ),
      {},
      { account: 'formulas' },
    );
    const names = async (format: SheetFormat, account: string) =>
      (await rowsOf(sheetsOf().ofSubmission(sent, { account, admin: false, scopes: [] }, format))).map(
        (row) => row.split('|')[1],
      );
    expect(await names('tsv', 'ada')).toEqual(['plain', 'long']);
    const accessions = [...(await textOf(intake.results.mapping(sent))).matchAll(/SAMR\d+/g)].map(([one]) => one);
    expect(await rowsOf(sheetsOf().ofAccessions(accessions, undefined, 'tsv'))).toHaveLength(2);
    expect(await names('tsv', 'formulas')).toEqual(['=1+1', 'plain', 'long']);
    expect(await names('xlsx', 'ada')).toEqual(['=1+1', 'plain']);
    const [table] = printed.at(-1) as [SampleSheet, SheetFormat];
    expect(table.leftOut).toHaveLength(1);
  });

  it('without those that were erased, which are named only where they were asked for', async () => {
    const sample = (await intake.store.readSample(1))?.sample;
    const of = (...ids: number[]) =>
      sheetsOf({
        ledger: async function* () {
          yield { fromLine: 2, toLine: 3, created: [[2, 1, 2]], updated: [], unchanged: [], rejected: [] };
        },
        readSamplesWithin: async (asked: readonly number[]) => ({
          read: asked.length,
          records: asked.map((id) => ({ sample: { ...sample, id, ...(ids.includes(id) && { adminStatus: ERASED }) } })),
        }),
      });
    const submission = { id: 'x' } as Submission;
    expect(await rowsOf(of(1).ofSubmission(submission, caller, 'tsv'))).toEqual([expect.stringMatching(/^SAMR2\|/)]);
    await expect(of(1, 2).ofSubmission(submission, caller, 'tsv')).rejects.toMatchObject({
      code: 'request.invalid',
      message: 'Submission x has no samples.',
    });
    await expect(of(2).ofAccessions(['SAMR1', 'SAMR2'], caller, 'tsv')).rejects.toMatchObject({
      code: 'sample.erased',
      message: expect.stringMatching(/^SAMR2 was erased on /),
    });
  });

  it('are no more than a sheet is meant for', async () => {
    const many = sheetsOf({
      ledger: async function* () {
        yield { fromLine: 2, toLine: 10_001, created: [[2, 1, 10_000]], updated: [], unchanged: [], rejected: [] };
        yield {
          fromLine: 10_002,
          toLine: 10_002,
          created: [[10_002, 10_001, 1]],
          updated: [],
          unchanged: [],
          rejected: [],
        };
      },
    });
    const submission = { id: 'x' } as Submission;
    const tooMany = {
      code: 'request.invalid',
      message: expect.stringMatching(/^A sheet holds at most 10000 samples\. Ask for fewer at a time/),
    };
    await expect(many.ofSubmission(submission, caller, 'tsv')).rejects.toMatchObject(tooMany);
    const planned = sheetsOf({
      ledger: async function* () {
        yield { fromLine: 2, toLine: 10_002, created: [[2, 0, 10_001]], updated: [], unchanged: [], rejected: [] };
      },
    });
    await expect(planned.ofSubmission(submission, caller, 'tsv')).rejects.toMatchObject({
      message: 'Submission x has no samples.',
    });
    const sample = (await intake.store.readSample(1))?.sample;
    let reads = 0;
    const all = (...runs: [number, number, number][]) =>
      sheetsOf({
        ledger: async function* () {
          for (const run of runs) yield { created: [run], updated: [], unchanged: [], rejected: [] };
        },
        readSamplesWithin: async (ids: readonly number[]) => {
          reads++;
          return { records: ids.map((id) => ({ sample: { ...sample, id } })), read: ids.length };
        },
      });
    const full = all([2, 1, 9_999], [10_001, 10_000, 1]);
    expect(await rowsOf(full.ofSubmission(submission, caller, 'tsv'))).toHaveLength(10_000);
    reads = 0;
    const endless = all(...Array.from({ length: 3 }, (_, at): [number, number, number] => [2, 1 + at * 5_000, 5_000]));
    await expect(endless.ofSubmission(submission, caller, 'tsv')).rejects.toMatchObject(tooMany);
    expect(reads).toBe(0);
    const accessions = Array.from({ length: 10_001 }, (_, at) => `SAMR${at + 1}`);
    await expect(sheetsOf().ofAccessions(accessions, caller, 'tsv')).rejects.toMatchObject(tooMany);
    const heavy = sheetsOf({
      readSamplesWithin: async ([id = 0]: readonly number[]) => ({
        records: [{ sample: { ...sample, id, content: { ...sample?.content, domain: 'd'.repeat(9_000_000) } } }],
        read: 1,
      }),
    });
    await expect(heavy.ofAccessions(['SAMR1', 'SAMR2'], caller, 'tsv')).rejects.toMatchObject({
      code: 'request.invalid',
      message: expect.stringMatching(
        /^These samples are too large, or too different, for one sheet: it would have more than 16000000 characters/,
      ),
    });
    const wide = sheetsOf({
      readSamplesWithin: async ([id = 0]: readonly number[]) => ({
        read: 1,
        records: [
          {
            sample: {
              ...sample,
              id,
              content: {
                ...sample?.content,
                characteristics: Object.fromEntries(
                  Array.from({ length: 20_000 }, (_, at) => [`c${at}`, [{ text: 'x' }]]),
                ),
              },
            },
          },
        ],
      }),
    });
    await expect(wide.ofAccessions(['SAMR1'], caller, 'tsv')).rejects.toMatchObject({
      message: expect.stringMatching(/^These samples are too large/),
    });
    const away = new RegistryError('service.unavailable', 'Away.');
    await expect(
      sheetsOf({ readSamplesWithin: () => Promise.reject(away) }).ofAccessions(['SAMR1'], caller, 'tsv'),
    ).rejects.toBe(away);
  });
});
