/** Checks between cells: true cases are found, harmless ones left alone, in sheets as the reader hands them over. */
import { describe, expect, it } from 'vitest';
import { SENSE_CODES } from '../../src/registry/issue-codes.js';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { NameCheck } from '../../src/tsv/quality/sense/name-check.js';
import { readSheet } from '../tsv/read-sheet.js';
import { SENSE_CASES } from './sense-cases.js';
import { saidOf } from './sensed.js';

const show = (sheet: readonly string[], issues: readonly Issue[]): string =>
  `${sheet.slice(0, 4).join(' // ')}\n${issues.map(({ code, message }) => `  ${code} ${message}`).join('\n')}`;

describe.each(SENSE_CODES)('%s', (code) => {
  const { wrong, harmless } = SENSE_CASES[code];

  it('finds all of 20 true cases', async () => {
    expect(wrong).toHaveLength(20);
    const missed: string[] = [];
    for (const sheet of wrong) {
      const issues = await saidOf(sheet);
      if (!issues.some((issue) => issue.code === code)) missed.push(show(sheet, issues));
      expect(issues.every(({ severity }) => severity === 'warning')).toBe(true);
    }
    expect(missed).toEqual([]);
  });

  it('flags at most one of 20 harmless cases, and no check flags those of another', async () => {
    expect(harmless).toHaveLength(20);
    const flagged: string[] = [];
    for (const sheet of harmless) {
      const issues = await saidOf(sheet);
      if (issues.length > 0) flagged.push(show(sheet, issues));
    }
    expect(flagged.length, flagged.join('\n')).toBeLessThanOrEqual(1);
  });
});

it('an equal row is found behind hundreds of others, and one that has more of its own is not', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => `B-${at}|${at % 7}|liver`);
  const issues = await saidOf(['barcode|rack|tissue', ...rows, rows[12] as string, 'B-300|9|liver'], 100);
  expect(issues).toEqual([expect.objectContaining({ code: 'suspect.repeated' })]);
  expect(issues[0]?.message).toContain('line 14');
});

it('numbers of another taxonomy than that of NCBI are not compared with it', async () => {
  const said = (id: string, beside: string) => saidOf([`scientific_name|${id}|${beside}`, 'Rattus norvegicus|10090|x']);
  expect(await said('taxonID', 'basisOfRecord')).toEqual([]);
  expect(await said('taxon_id', 'observed_on')).toEqual([]);
  expect(await said('ncbi taxon id', 'basisOfRecord')).toHaveLength(1);
  expect(await said('taxon_id', 'site')).toHaveLength(1);
});

it('what columns hold, as a program says it below a header, is no name', async () => {
  for (const form of ['str', '#STRING', 'Number']) {
    const issues = await saidOf(['Sample Name|PMID|sex', `${form}|str|M:F:O`, 'A1|PMID:1|F', 'B1|PMID:2|M']);
    expect(issues.map(({ code, value }) => [code, value])).toEqual([['suspect.name', form]]);
  }
  expect(await saidOf(['Sample Name|organ', 'string 1|a', 'Texter|b', 'Bool-7|c', 'D-D|d'])).toEqual([]);
});

it('names that say no value or a sum are looked at wherever they stand in a long sheet', () => {
  const names = new NameCheck({ column: 'Sample Name', columnLetter: 'A' });
  expect(['NULL', 'Mean', 'Nile 4'].map((name) => names.concerns(name))).toEqual([true, true, false]);
});

it.each(['NULL', 'Nil', 'n/a', 'not available', '?'])('what stands for no value is no name: %s', async (name) => {
  const issues = await saidOf(['Sample Name|organ', 'P1|liver', `${name}|lung`, 'P3|liver']);
  expect(issues.map(({ code, line }) => [code, line])).toEqual([['suspect.name', 3]]);
  expect(issues[0]?.message).toContain('where there is no value: give the sample a name');
  expect(await saidOf(['Sample Name|depth', 'Nile|3', 'null allele|5', 'NA-7|9', 'unknown 3|11'])).toEqual([]);
});

it.each(['Probenname', 'Proben-ID', "Nom de l'échantillon", 'Nombre de la muestra', 'Codigo amostra', 'Specimen no.'])(
  'a header that is there once more in another language is no name: %s',
  async (name) => {
    const issues = await saidOf(['Sample Name|organism', `${name}|Organismus`, 'A1|rat', 'A2|rat']);
    expect(issues.map(({ code, line }) => [code, line])).toEqual([['suspect.name', 2]]);
    expect(issues[0]?.message).toContain('reads like a header');
  },
);

it('what a sample may be called is no header', async () => {
  const names = ['Sample', 'Proben', 'Specimen A', 'échantillon', 'Sample no 7', 'problem sample', 'no sample left'];
  expect(await saidOf(['Sample Name|site', ...names.map((name, at) => `${name}|${'abcdefg'[at]}`)])).toEqual([]);
});

it('a sum has the units of its numbers beside them, and no other words', async () => {
  const rows = ['A1|1.2|g', 'A2|1.4|g', 'A3|1.6|g'];
  const issues = await saidOf(['Sample Name|weight|Unit', ...rows, 'Total|4.2|g']);
  expect(issues.map(({ code, line }) => [code, line])).toEqual([['suspect.name', 5]]);
  expect(await saidOf(['Sample Name|weight|tissue', ...rows, 'Total|4.2|whole body'])).toEqual([]);
});

it('what is no sample below a long sheet is found at its line, where only some of the rows are looked at', async () => {
  const rows = Array.from({ length: 7_000 }, (_, at) => `A${at}|${at}`);
  const issues = await saidOf([
    'Sample Name|weight',
    ...rows,
    'Total|24496500',
    'Note: weighed wet|',
    'Probenname|Gewicht',
  ]);
  expect(issues.map(({ line, code }) => [line, code])).toEqual([
    [7_002, 'suspect.name'],
    [7_003, 'suspect.name'],
    [7_004, 'suspect.name'],
  ]);
});

it.each([
  '-- end of report --',
  '*** End of Report ***',
  'End of the list',
  'Printed on 2026-11-01 by jd',
  'Exported: 01/11/2026 10:22',
  'Report generated 2026-11-01',
  'Page 1 of 3',
  'Seite 2 von 4',
  '12 records',
  '12 records found',
  '2 rows returned',
  '2 rows selected.',
  '(2 rows)',
  '240 specimens exported',
  '© 2026 The laboratory',
  'M = male, F = female',
  'ND=not determined',
  'NA: not analysed',
  'Yellow cells: to be measured',
  'Confidential',
])('what a program or somebody writes below a table is found: %s', async (note) => {
  const issues = await saidOf(['Sample Name|weight', 'A1|1.2', 'A2|1.4', `${note}|`]);
  expect(issues).toEqual([expect.objectContaining({ code: 'suspect.name', severity: 'warning', line: 4 })]);
  // What has values as samples have them is one, however it is called.
  expect(await saidOf(['Sample Name|weight', 'A1|1.2', 'A2|1.4', `${note}|1.3`])).toEqual([]);
});

it.each([
  [['organism|age', 'A unique name|Its Latin name|in years', 'S1|mouse|3', 'S2|rat|4']],
  [['organism', 'Name of the sample|The organism that it was taken from', 'S1|mouse', 'S2|rat']],
  [['age', 'A code of at most 20 letters|Years since birth', 'donor-a|3', 'donor-b|4', 'donor-c|5']],
  [['age', 'sample.core.sample_id|sample.age.text', 'S1|3', 'S2|4']],
])('a row that explains the columns is found above the samples: %j', async ([header, ...rows]) => {
  const issues = await saidOf([`Sample Name|${header}`, ...rows]);
  expect(issues.filter(({ code }) => code === 'suspect.name').map(({ line }) => line)).toEqual([2]);
});

it.each([
  [['weight', 'water blank|none', 'S1|1.2', 'S2|1.4']],
  [['weight', 'wild type|not weighed', 'S1|1.2', 'S2|1.4']],
  [['tissue', 'wild type|liver tissue', 'S1|liver tissue', 'S2|tissue of the kidney']],
  [['tissue', 'wild type|liver', 'S1|liver', 'S2|kidney']],
  [['weight', 'Bay of Biscay|light', 'North Sea|1.2', 'Baltic Sea|1.4']],
  [['weight', 'S1|1.2', 'S2|1.4', 'the last one|much too light']],
  [['weight', 'the only one|much too light', 'S2|1.4']],
])('a sample of words stands above others, too: %j', async ([header, ...rows]) => {
  expect(await saidOf([`Sample Name|${header}`, ...(rows as string[])])).toEqual([]);
});

it('of several rows that explain the columns each is found, and no sample', async () => {
  const issues = await saidOf([
    'Sample Name|organism|age',
    'Unique identifier|Latin name|Number in years',
    'For example: donor 1|For example: Homo sapiens|For example: 34',
    'Required|Required|Optional',
    'sample.id|sample.organism|sample.age',
    'S1|Homo sapiens|34',
    'S2|Homo sapiens|35',
    'S3|Homo sapiens|36',
    'S4|Homo sapiens|37',
    'the last one|human|36',
  ]);
  expect(issues.map(({ line, code }) => `${line} ${code}`)).toEqual([2, 3, 4, 5].map((line) => `${line} suspect.name`));
});

it.each(['e.g. S001', 'For example: S1', 'Example', 'example: liver 1', 'Example (delete this row)', 'Beispiel: P1'])(
  'an example of a template is found above the samples: %s',
  async (name) => {
    const issues = await saidOf(['Sample Name|weight', `${name}|1.1`, 'A1|1.2', 'A2|1.4']);
    expect(issues).toEqual([expect.objectContaining({ code: 'suspect.name', line: 2 })]);
  },
);

it.each([
  'End plate',
  'endo 3 report',
  'print 7',
  'Page',
  'record A',
  'AB:12',
  'S1=',
  'WT:KO 2',
  'cells: of liver',
  'egg',
  'E. gallinarum',
  'EG 7',
  'Example 12 of Wales',
  'Exemplar 3',
])('a sample may be called %s, also where it has no values', async (name) => {
  expect(await saidOf(['Sample Name|weight', 'A1|1.2', 'A2|1.4', `${name}|`])).toEqual([]);
});

it('names that patterns could be tried on for ever are passed over at once', async () => {
  const hostile = ['Total', 'Mean (n)', 'n =', 'geographic location', 'Note', 'A', '7'].flatMap((word) =>
    [' ', ' \u00a0', '1', ' 1', '(', '[', ','].map((fill) => `${word}${fill.repeat(290).slice(0, 290 - word.length)}x`),
  );
  const rows = Array.from({ length: 20_000 }, (_, at) => `${hostile[at % hostile.length]}${at}|1`);
  const issues = await saidOf(['Sample Name|weight', 'A1|1', ...rows]);
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['suspect.name']));
});

it('a check that compares rows sees those before the line from which a file is read on', async () => {
  const seen: number[] = [];
  const check = (line: number) => {
    seen.push(line);
    return [];
  };
  const sheet = 'Sample Name\tRelease Date\nA\t2024-01-01\nB\t2024-01-01\nC\t2024-01-01\n';
  const { samples } = await readSheet(sheet, { read: { fromLine: 3, check } });
  expect(samples.map(({ name }) => name)).toEqual(['C']);
  expect(seen.slice(-3)).toEqual([2, 3, 4]);
});
