/** Sheets that have a header of ours and know their samples by another column: an empty Sample Name, a Sample Identifier of somebody else. */
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../src/registry/errors.js';
import type { KnownProfile, ProfileColumn } from '../../../src/tsv/header/profile.js';
import { resultHeader, resultRow } from '../../../src/tsv/print/write.js';
import { planOf, type ReadSheet, readSheet, refusal, rowsOf, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;
const proposed = (text: string): unknown => {
  try {
    planOf(text, header);
    return undefined;
  } catch (error) {
    return (error as RegistryError).detail.extra?.nameColumns;
  }
};

describe('a Sample Name that no row has', () => {
  const LOADED = [
    '[Header],,,',
    'Date,2/3/2024,,',
    '[Data],,,',
    'Sample_ID,Sample_Name,Well,Index',
    '210,,A01,TAAG',
    '215,,A02,CGTA',
    '211,,A03,AGGC',
  ];
  const sheet = (...more: string[]): string => [...LOADED, ...more, ''].join('\n');

  it('is said once, with the columns that name the samples, before any row is refused', async () => {
    expect(await refusal(sheet(), { header })).toMatchObject({
      code: 'file.header',
      line: 4,
      message:
        'Line 4, column B: no row has anything in "Sample_Name", by which the samples would be named. Fill it, or say which column names them with the option nameColumn: Sample_ID.',
    });
    expect(proposed(sheet())).toEqual(['Sample_ID']);
    expect(proposed(sheet('[Settings],,,', 'Adapter,CTGT,,'))).toEqual(['Sample_ID']);
    expect(proposed(table(['Sample ID*', 'Barcode', 'organ'], ['', 'B1', 'liver'], ['', 'B2', 'lung']))).toEqual([
      'Barcode',
    ]);
  });

  it('is no matter where it is said which column names them', async () => {
    const { samples } = await readSheet(sheet(), { header: { ...header, nameColumn: 'Sample_ID' } });
    expect(samples.map(({ name }) => name)).toEqual(['210', '215', '211']);
  });

  it.each([
    ['one row has it', sheet('212,S4,A04,TTTT')],
    ['rows say which samples they update', table(['Sample Name', 'jar', 'Sample Identifier'], ['', 'x', 'SAMR1'])],
    ['nothing else could name them', table(['Sample Name', 'Barcode'], ['', 'B1'], ['', 'B1'])],
    ['no other header speaks of names', table(['Sample Name', 'organ'], ['', 'liver'], ['', 'lung'])],
  ])('is left to the rows where %s', (_, text) => {
    expect(planOf(text, header).header).toContain(text.includes('[Data]') ? 'Sample_Name' : 'Sample Name');
  });

  it('is left to the rows of what was accepted before', () => {
    expect(planOf(sheet(), { ...header, isNew: undefined } as never).nameColumn).toBe(1);
  });
});

/** Its result is read as the same samples, by the accessions that it has. */
async function comesAgain(
  text: string,
  { plan, samples }: Pick<ReadSheet, 'plan' | 'samples'>,
  profiles: KnownProfile[] = [],
): Promise<void> {
  let result = resultHeader(plan, true);
  for (const row of await rowsOf(text, plan))
    result += resultRow(plan, row, { accession: `SAMR${row.line}`, release: '2025-01-01T00:00:00Z' });
  const again = await readSheet(result, { header: { unknownColumns: 'characteristics', isNew: true, profiles } });
  expect(again.rejected).toEqual([]);
  expect(again.samples.map(({ id, name, content }) => ({ id, name, content }))).toEqual(
    samples.map(({ name, content }, at) => ({ id: at + 2, name, content })),
  );
}

describe("a Sample Identifier of somebody else's", () => {
  const LIMS = table(['sample_identifier', 'organ'], ['otolith-5', 'ear'], ['otolith-7', 'ear'], ['', 'ear']);

  it('is proposed as what names the samples, unless it has accessions of this registry', () => {
    expect(proposed(LIMS)).toEqual(['sample_identifier']);
    expect(proposed(table(['Sample Identifier', 'organ'], ['SAMR5', 'ear'], ['SAMR7', 'ear']))).toBeUndefined();
  });

  it.each([
    ['sample_identifier', 'otolith-5'],
    ['Sample Identifier', 'otolith-5'],
    ['Release date', 'batch of May'],
  ])(
    '(%s) names them in the result, too, which has a column of ours with that header behind it',
    async (title, name) => {
      const text = table([title, 'organ'], [name, 'ear'], [`${name}, right`, 'ear']);
      const { plan, samples } = await readSheet(text, { header: { ...header, nameColumn: title } });
      expect(samples.map((each) => each.name)).toEqual([name, `${name}, right`]);
      await comesAgain(text, { plan, samples });
    },
  );

  it.each<[string, ProfileColumn[]]>([
    ['name', [{ header: 'Sample_Identifier', as: 'name' }]],
    [
      'characteristic',
      [
        { header: 'tube', as: 'name' },
        { header: 'Sample_Identifier', as: 'characteristic', name: 'lab id' },
      ],
    ],
  ])('that a profile says to be a %s is that in the result, too', async (_, said) => {
    const columns: ProfileColumn[] = [...said, { header: 'organ', as: 'characteristic' }];
    const profile: KnownProfile = {
      name: 'lab',
      rank: 'own',
      version: 1,
      document: { profile: 1, title: 'Lab', columns },
    };
    const rows = columns.map(({ header: title }) => [title, `${title} 1`, `${title} 2`]);
    const text = table(...[0, 1, 2].map((at) => rows.map((column) => column[at] as string)));
    const { plan, samples } = await readSheet(text, { header: { ...header, profiles: [profile] } });
    expect(plan.profile?.name).toBe('lab');
    await comesAgain(text, { plan, samples }, [profile]);
  });

  it('is refused where several columns of another header could be meant', async () => {
    const text = table(['tube', 'tube', 'organ'], ['1', '2', 'ear']);
    expect((await refusal(text, { header: { ...header, nameColumn: 'tube' } })).message).toContain(
      '2 columns are read as Sample Name: tube (A), tube (B)',
    );
  });
});
