/** Warnings about a sheet as a whole, where a worker goes on behind another, and which dates of release are missed. */
import { describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/sample-batch.js';
import { warnOfSheet } from '../../src/submissions/sheet-warnings.js';
import type { SheetPlan } from '../../src/tsv/header/columns.js';
import { planOf, type SheetSettings, table } from '../tsv/read-sheet.js';

const PLAIN = { headerLine: 1, header: ['Sample Name'] } as SheetPlan;
const readAs = { sheet: 'Plate 1', bytes: 1, notRead: ['Plate 2'] };

describe('the warning about sheets that were not read', () => {
  it.each([
    ['is given with the first batch of the file', 0, [1, 0]],
    ['is not given again by who goes on behind its rows', 7, [0, 0]],
  ])('%s', async (_, cursor, warnings) => {
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield {} as LaidOutBatch;
      yield {} as LaidOutBatch;
    }
    const seen: number[] = [];
    for await (const batch of warnOfSheet(batches(), PLAIN, { readAs }, cursor)) seen.push(batch.warnings?.length ?? 0);
    expect(seen).toEqual(warnings);
  });
});

describe('the warning about dates that were not taken for those of release', () => {
  const releaseDate = Date.UTC(2031, 0, 1);
  const warned = async (
    header: string[],
    settings: SheetSettings['header'] = {},
    options: object = { releaseDate },
  ) => {
    const plan = planOf(table(header, ['a', '2035-01-01', 'x']), {
      unknownColumns: 'characteristics',
      releaseDate,
      ...settings,
    });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield {} as LaidOutBatch;
    }
    for await (const { warnings = [] } of warnOfSheet(batches(), plan, options, 0))
      return warnings.flatMap(({ issues }) => issues);
    return [];
  };
  const HEADER = ['Sample Name', 'Release date (YYYY-MM-DD)', 'tissue'];

  it('names the column, and the date that its samples have instead', async () => {
    expect(await warned(HEADER)).toEqual([
      expect.objectContaining({
        code: 'release.not-taken',
        severity: 'warning',
        line: 1,
        column: HEADER[1],
        message: expect.stringContaining('2031-01-01T00:00:00.000Z, as the option releaseDate says'),
      }),
    ]);
  });

  it('is given whatever becomes of the column, and where a profile that ships reads the sheet', async () => {
    expect(await warned(HEADER, { unknownColumns: 'ignore' })).toHaveLength(1);
    expect(await warned(['samp_name', 'Release Date*', 'depth'])).toHaveLength(1);
  });

  it('is not given beside a Release Date, without the option, and where somebody has said what the column is', async () => {
    expect(await warned([...HEADER.slice(0, 2), 'Release Date'])).toEqual([]);
    expect(await warned(HEADER, {}, {})).toEqual([]);
    const columns = [
      { header: 'Sample Name', as: 'name' },
      { header: HEADER[1] as string, as: 'characteristic' },
      { header: 'tissue', as: 'characteristic' },
    ] as const;
    const profile = { name: 'lab', rank: 'own', version: 1, document: { profile: 1, title: 'Lab', columns } } as const;
    expect(await warned(HEADER, { profiles: [profile], profile: 'lab' })).toEqual([]);
  });
});
