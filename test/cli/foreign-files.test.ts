/**
 * Files of other archives and programs by command line: at most one option each, and no column is passed over in silence.
 *
 * @module-tag slow
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LARGEST_PROPOSED } from '../../src/tsv/propose/proposal.js';
import { toWorkbook } from '../e2e/sheets.js';
import type { StatusDocument } from '../support/api-caller.js';
import { runCommand } from '../support/command.js';
import { fixture, fixturesIn, withoutFixtures } from '../support/fixtures.js';
import { SharedServer } from '../support/shared-server.js';
import { type ForeignFile, LOOK_ALIKE_FILES, NO_SHEETS, realFiles, unaccounted } from '../tsv/foreign-files.js';
import { removeScratch } from '../workbooks/raw-workbook.js';
import { rawZip } from '../workbooks/raw-zip.js';

let server: SharedServer;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  server = await SharedServer.of('foreign-files');
  folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  mkdirSync(join(folder, 'results'));
  env = { HOME: folder, SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: await server.token('lab') };
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeScratch();
});

interface Line {
  file: string;
  sheet?: string;
  submission?: StatusDocument;
  problem?: { detail: string };
}
const RELEASED = ['--release-date', '2031-01-01'];

const run = async (...args: string[]) => {
  const finished = await runCommand(args, { cwd: folder, env });
  return { ...finished, said: `${finished.stdout}${finished.stderr}` };
};

/** Uploads files at once as somebody does, with these options and no others. */
async function upload(files: readonly ForeignFile[], option: readonly string[]): Promise<Map<string, Line>> {
  for (const { name, bytes } of files) writeFileSync(join(folder, name), await bytes());
  // Where the results are put says nothing of what the files are.
  const saved = ['--result', files.length > 1 ? 'results' : join('results', `${files[0]?.name}.result.tsv`)];
  const { lines } = await run('upload', ...files.map(({ name }) => name), ...option, ...saved, '--json');
  return new Map(lines<Line>().map((line) => [line.file, line]));
}

async function expectRegistered(file: ForeignFile, line: Line | undefined): Promise<void> {
  const { name, samples } = file;
  expect(line?.submission?.submissionStatus, `${name}: ${JSON.stringify(line)}`).toBe('COMPLETED');
  const created = line?.submission?.counts.created as number;
  if (samples === undefined) expect(created).toBeGreaterThan(0);
  else expect(created, name).toBe(samples);
  const result = readFileSync(join(folder, 'results', `${name}.result.tsv`), 'utf8');
  expect(unaccounted(result, await file.header()), name).toEqual([]);
  expect(result.match(/\tSAMR\d+$/gm)?.length, name).toBeGreaterThanOrEqual(created);
}

const plain = (files: readonly ForeignFile[]) => files.filter(({ guessed, tables }) => !guessed && !tables);

describe('files of other kinds by command line', () => {
  it('go in with a release date and no other option, every column accounted for', async () => {
    const files = plain(LOOK_ALIKE_FILES);
    expect(files.length).toBeGreaterThanOrEqual(18);
    const lines = await upload(files, RELEASED);
    for (const file of files) await expectRegistered(file, lines.get(file.name));
  });

  it('an archive of several tables goes in by no option at all, every table a submission of its own', async () => {
    const files = LOOK_ALIKE_FILES.filter(({ tables }) => tables);
    expect(files).toHaveLength(2);
    for (const { name, bytes, header, tables = [] } of files) {
      writeFileSync(join(folder, name), await bytes());
      const { code, lines } = await run('upload', name, '--result', 'results', '--json');
      expect(code).toBe(0);
      expect(lines<Line>().map(({ submission }) => submission?.counts.created)).toEqual([1, 1]);
      for (const table of tables) {
        const result = readFileSync(join(folder, 'results', `${table.replace(/\.\w+$/, '')}.result.tsv`), 'utf8');
        expect(unaccounted(result, await header()), table).toEqual([]);
        if (!table.startsWith('s_')) continue;
        expect(result).toContain(`Study\t${table === 's_lungs.txt' ? 'Lungs' : 'Livers'}\tfrom the investigation file`);
        expect(result).toContain('Release date\t2031-05-06T00:00:00.000Z\tof the study');
      }
    }
    const said = await run('upload', 'two-tables.zip');
    expect([said.code, said.said]).toEqual([
      0,
      expect.stringContaining('two-tables.zip: 2 tables of samples, each a submission of its own: one.tsv, two.tsv'),
    ]);
    const one = await run('upload', 'two-tables.zip', '--sheet', 'two.tsv', '--json');
    expect(one.lines<Line>()).toHaveLength(1);
    for (const flags of [
      ['--idempotency-key', 'k'],
      ['--key', 'organ', '--standing', 'lims'],
    ]) {
      const named = await run('upload', 'two-tables.zip', ...flags);
      expect([named.code, named.said]).toEqual([1, expect.stringContaining('name one with --sheet')]);
    }
  });

  it('a workbook of several sheets that name samples goes in whole by one option, each under a name of its own', async () => {
    const plate = (name: string) => ({
      name,
      rows: [
        ['Sample Name', 'Release Date', 'organ'],
        [`${name} liver`, '2024-01-01', 'liver'],
      ],
    });
    const sheets = [{ name: 'Read me', rows: [['About'], ['x']] }, ...['Plate', 'Plate.1', '..'].map(plate)];
    writeFileSync(join(folder, 'plates.xlsx'), await toWorkbook(sheets));
    const { code, said } = await run('upload', 'plates.xlsx', '--every-table', '--result', 'results');
    expect([code, said]).toEqual([0, expect.stringContaining('3 tables of samples, each a submission of its own')]);
    for (const [at, file] of ['Plate', 'Plate-2', 'sheet'].entries()) {
      const result = readFileSync(join(folder, 'results', `${file}.result.tsv`), 'utf8');
      expect(result).toMatch(new RegExp(`^${['Plate', 'Plate\\.1', '\\.\\.'][at]} liver.*SAMR\\d+$`, 'm'));
    }
    const both = await run('upload', 'plates.xlsx', '--every-table', '--sheet', 'Plate');
    expect([both.code, both.said]).toEqual([1, expect.stringContaining('use one of the two')]);
    writeFileSync(join(folder, 'plain.tsv'), 'Sample Name\tRelease Date\torgan\nplain\t2024-01-01\tliver\n');
    const text = await run('upload', 'plain.tsv', '--every-table', '--json');
    expect([text.code, text.lines<Line>().length]).toEqual([0, 1]);
  });

  it('of several tables one is refused and one has a bad row: each line names its table, and the exit code is the worst', async () => {
    const row = (name: string, release: string) => `Sample Name\tRelease Date\tTube\n${name}\t${release}\tT1 ${name}\n`;
    const tables = {
      'good.tsv': row('mixed good', '2024-01-01'),
      'bad.tsv': row('mixed bad', 'soon'),
      'none.tsv': row('mixed none', '2024-01-01').replace('Tube', 'organ'),
    };
    const entries = Object.entries(tables).map(([name, data]) => ({ name, data }));
    writeFileSync(join(folder, 'mixed.zip'), rawZip(entries));
    const { code, lines, said } = await run('upload', 'mixed.zip', '--key', 'Tube', '--json');
    const found = lines<Line>().map(({ sheet, submission, problem }) => [
      sheet,
      problem ? 'refused' : submission?.counts.rejected,
    ]);
    expect(found, said).toEqual([
      ['good.tsv', 0],
      ['bad.tsv', 1],
      ['none.tsv', 'refused'],
    ]);
    expect(code).toBe(4);
    const plain = await run('upload', 'mixed.zip', '--key', 'Tube');
    expect([plain.code, plain.stderr]).toEqual([4, expect.stringMatching(/^mixed\.zip: none\.tsv: /m)]);
  });

  it('a workbook whose sheets are too many bytes to be listed is not read at its first sheet alone', async () => {
    const workbook = rawZip([{ name: 'xl/media/photo.tif', packed: Buffer.alloc(LARGEST_PROPOSED, 'x'), method: 0 }]);
    writeFileSync(join(folder, 'huge.xlsx'), workbook);
    const { code, lines } = await run('upload', 'huge.xlsx', '--every-table', '--json');
    expect(code).toBe(4);
    expect(lines<Line>().map(({ problem }) => problem?.detail)).toEqual([
      expect.stringContaining('named with --sheet'),
    ]);
  });

  it.each(LOOK_ALIKE_FILES.filter(({ guessed }) => guessed).map((file) => [file.name, file] as const))(
    '%s is said once, by the profile that is guessed of it, and goes in like the others from then on',
    async (name, file) => {
      writeFileSync(join(folder, name), await file.bytes());
      expect((await run('profile', 'guess', name, '-o', 'guessed.json')).code).toBe(0);
      expect((await run('profile', 'save', 'guessed', 'guessed.json')).code).toBe(0);
      const lines = await upload([file], RELEASED);
      await expectRegistered(file, lines.get(name));
      const next = { ...file, name: `next-${name}` };
      const second = await upload(
        [{ ...next, bytes: async () => Buffer.from(`${await file.bytes()}`.replaceAll('S2', 'S3')) }],
        RELEASED,
      );
      await expectRegistered(next, second.get(next.name));
      writeFileSync(join(folder, 'changed.tsv'), `${await file.bytes()}`.replace('barcode', 'bar code 2'));
      const changed = await run('upload', 'changed.tsv', ...RELEASED);
      expect([changed.code, changed.said]).toEqual([
        4,
        expect.stringMatching(/nearly the columns of the import profile guessed; it lacks barcode .*bar code 2/),
      ]);
      expect((await run('profile', 'delete', 'guessed')).code).toBe(0);
    },
  );
});

describe.skipIf(withoutFixtures('real files of other kinds'))('real files of other kinds by command line', () => {
  it('go in with a release date and no other option, every column accounted for', async () => {
    const files = realFiles();
    const lines = await upload(files, RELEASED);
    for (const file of files) await expectRegistered(file, lines.get(file.name));
  });

  it('that are no tables of samples are listed with what they are, and refused in these words', async () => {
    const listed = fixturesIn('checklists').map((name) => `checklists/${name}`);
    expect(listed.filter((path) => path in NO_SHEETS)).toEqual(Object.keys(NO_SHEETS));
    for (const path of Object.keys(NO_SHEETS)) {
      writeFileSync(join(folder, 'rules.json'), fixture(path));
      const { said, code } = await run('upload', 'rules.json', ...RELEASED);
      expect(code, said).toBe(4);
      expect(said).toContain('this looks like a JSON Schema, such as a checklist');
    }
  });
});
