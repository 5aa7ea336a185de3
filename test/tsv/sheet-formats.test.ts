/** Sheets that were made for another archive or program, in its own shape, read as they are. */
import { describe, expect, it } from 'vitest';
import { resultHeader, resultRow } from '../../src/tsv/print/write.js';
import { planOf, type ReadSheet, readSheet, refusal, rowsOf, table } from './read-sheet.js';

const OPTIONS = { header: { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics' } } as const;

const ENA_TABLE = table(
  ['alias', 'title', 'taxon_id', 'sample_description', 'collection date', 'host sex'],
  ['swab-1', 'Nasal swab 1', '2697049', 'day 3', '2024-02-01', 'female'],
  ['swab-2', 'Nasal swab 2', '2697049', 'day 5', '2024-02-03', ''],
);
const ENA_WEBIN = table(
  ['Checklist', 'ERC000011', 'ENA default sample checklist'],
  ['tax_id', 'scientific_name', 'sample_alias', 'sample_title', 'geographic location (depth)', 'collection date'],
  ['#units', '', '', '', 'm', ''],
  ['410658', 'soil metagenome', 'core-1', 'Core 1', '0.5', '2023-05-04'],
);
const NCBI = `# This is a submission template for batch deposit of samples to the NCBI BioSample database
# See the field descriptions below
${table(
  ['*sample_name', 'sample_title', 'bioproject_accession', '*organism', 'strain', '*collection_date', '*geo_loc_name'],
  ['ecoli-7', 'E. coli 7', '', 'Escherichia coli', 'K-12', '2022', 'Norway: Oslo'],
)}`;
const MIXS = table(
  ['samp_name', 'samp_taxon_id', 'env_broad_scale', 'lat_lon', 'depth'],
  ['lake-1', 'lake water metagenome [NCBITaxon:1647806]', 'lacustrine biome', '60.1 10.2', '3 m'],
);
const SAMPLETAB = `[MSI]
Submission Title\tMouse livers
Submission Release Date\t2014/05/01

[SCD]
${table(
  ['Sample Name', 'Sample Accession', 'Organism', 'Term Source REF', 'Term Source ID', 'Characteristic[age]', 'Unit'],
  ['liver-1', 'SAMEA1', 'Mus musculus', 'NCBITaxon', '10090', '8', 'week'],
)}`;
const NEXTSTRAIN = table(
  ['strain', 'virus', 'gisaid_epi_isl', 'date', 'country', 'age', 'submitting_lab'],
  ['Norway/0001/2024', 'ncov', 'EPI_ISL_1', '2024-03-01', 'Norway', '?', 'Lab 1'],
);
const QIIME = `sample-id\tbarcode\tbody site\n#q2:types\tcategorical\tcategorical\nL1S8\tAGCT\tgut\n`;
const TERRA = table(['entity:sample_id', 'participant', 'tissue'], ['T-1', 'P-1', 'blood']);

const contentOf = ({ samples }: ReadSheet) =>
  samples.map(({ name, content }) => ({ name, ...(content.characteristics as Record<string, unknown>) }));

const text = (value: string) => [{ text: value }];

describe('a sheet of another kind is read as it is:', () => {
  it('an ENA table: alias is the name, taxon_id the organism', async () => {
    const sheet = await readSheet(ENA_TABLE, OPTIONS);
    expect(sheet.plan.profile).toEqual({ name: 'ena', rank: 'shipped', title: 'an ENA sample sheet', named: false });
    expect(contentOf(sheet)).toEqual([
      {
        name: 'swab-1',
        title: text('Nasal swab 1'),
        organism: [{ text: '2697049', ontologyTerms: ['2697049'] }],
        sample_description: text('day 3'),
        'collection date': text('2024-02-01'),
        'host sex': text('female'),
      },
      expect.objectContaining({ name: 'swab-2' }),
    ]);
  });

  it('an ENA spreadsheet: its checklist line is passed over, its units are kept', async () => {
    const sheet = await readSheet(ENA_WEBIN, OPTIONS);
    expect(sheet.rejected).toEqual([]);
    expect(contentOf(sheet)).toEqual([
      {
        name: 'core-1',
        organism: [{ text: 'soil metagenome', ontologyTerms: ['410658'] }],
        sample_title: text('Core 1'),
        'geographic location (depth)': [{ text: '0.5', unit: 'm' }],
        'collection date': text('2023-05-04'),
      },
    ]);
    expect(sheet.samples[0]?.line).toBe(4);
  });

  it('an NCBI package: stars are marks, not names', async () => {
    const sheet = await readSheet(NCBI, OPTIONS);
    expect(contentOf(sheet)).toEqual([
      {
        name: 'ecoli-7',
        sample_title: text('E. coli 7'),
        organism: text('Escherichia coli'),
        strain: text('K-12'),
        collection_date: text('2022'),
        geo_loc_name: text('Norway: Oslo'),
      },
    ]);
  });

  it('SampleTab: the table below [SCD], with its terms', async () => {
    const sheet = await readSheet(SAMPLETAB, OPTIONS);
    expect(contentOf(sheet)).toEqual([
      {
        name: 'liver-1',
        'Sample Accession': text('SAMEA1'),
        Organism: [{ text: 'Mus musculus', ontologyTerms: ['NCBITaxon:10090'] }],
        age: [{ text: '8', unit: 'week' }],
      },
    ]);
  });

  it.each([
    ['Sample ID', 'by-sample-id'],
    ['sample_id', 'by-sample-id'],
    ['SampleID', 'by-sample-id'],
    ['sampleid\tstrain\tsex', 'by-sample-id'],
    ['SampleID\tBarcodeSequence', 'qiime'],
    ['#SampleID', 'qiime'],
    ['sample-id', 'qiime'],
    ['sample_id\tstrain\tvirus\tcountry', 'nextstrain'],
    ['Sample_ID\tsamp_name', 'mixs'],
    ['entity:sample_id\tsample_id', 'terra'],
  ])('%j is read by %s', (header, profile) => {
    const cells = header.split('\t');
    const sheet = table([...cells, 'tissue'], [...cells.map((_, at) => `S${at}`), 'liver']);
    expect(planOf(sheet, OPTIONS.header).profile).toMatchObject({ name: profile });
  });

  it('a Sample ID above a row of QIIME types is QIIME 2 metadata, beside a Sample Name a characteristic', () => {
    const typed = table(['Sample ID', 'depth'], ['#q2:types', 'numeric'], ['S1', '3']);
    expect(planOf(typed, OPTIONS.header).profile).toMatchObject({ name: 'qiime' });
    expect(planOf(table(['Sample Name', 'Sample ID'], ['a', '7']), OPTIONS.header).profile).toBeUndefined();
  });

  it('a result that says it was read as QIIME 2 metadata is read as that again', () => {
    const kept = table(['#profile', 'qiime'], ['SampleID', 'depth'], ['S1', '3']);
    expect(planOf(kept, OPTIONS.header).profile).toMatchObject({ name: 'qiime' });
  });

  it('QIIME 2: the row of types is no sample', async () => {
    const sheet = await readSheet(QIIME, OPTIONS);
    expect(contentOf(sheet)).toEqual([{ name: 'L1S8', barcode: text('AGCT'), 'body site': text('gut') }]);
  });

  it.each([
    ['mixs', MIXS, 'lake-1', ['samp_taxon_id', 'env_broad_scale', 'lat_lon', 'depth']],
    [
      'nextstrain',
      NEXTSTRAIN,
      'Norway/0001/2024',
      ['virus', 'gisaid_epi_isl', 'date', 'country', 'age', 'submitting_lab'],
    ],
    ['terra', TERRA, 'T-1', ['participant', 'tissue']],
  ])('%s: every other column is a characteristic', async (id, sheetText, name, kept) => {
    const sheet = await readSheet(sheetText, OPTIONS);
    expect(sheet.plan.profile?.name).toBe(id);
    expect(sheet.plan.notStored).toEqual([]);
    expect(sheet.samples.map((sample) => sample.name)).toEqual([name]);
    expect(Object.keys(sheet.samples[0]?.content.characteristics ?? {})).toEqual(kept);
  });

  it.each([
    ['ena', ENA_TABLE],
    ['ena with units', ENA_WEBIN],
    ['ncbi', NCBI],
    ['mixs', MIXS],
    ['nextstrain', NEXTSTRAIN],
    ['qiime', QIIME],
    ['terra', TERRA],
  ])('the result of %s, in its own layout with an accession column more, is read alike', async (_, sheetText) => {
    const before = await readSheet(sheetText, OPTIONS);
    const plan = before.plan;
    const rows = await rowsOf(sheetText, plan);
    const result =
      resultHeader(plan, true) +
      rows.map((row, at) => resultRow(plan, row, { accession: `SAMR${at + 1}`, release: '2025-01-01' })).join('');
    const after = await readSheet(result, OPTIONS);
    expect(after.rejected).toEqual([]);
    expect(after.samples.map(({ id }) => id)).toEqual(rows.map((_row, at) => at + 1));
    expect(contentOf(after)).toEqual(contentOf(before));
  });

  it('is ours when it has a Sample Name, whatever its other columns are called', async () => {
    const own = table(['Sample Name', 'alias', 'taxon_id'], ['a', 'b', '9606']);
    expect(planOf(own, OPTIONS.header).profile).toBeUndefined();
  });
});

describe('what stands above the header', () => {
  it('may be titles and groups of columns: the header is the first row that names samples', async () => {
    const text = table(
      ['Our samples of 2024'],
      ['Sample', '', 'Place'],
      ['Sample Name', 'tissue', 'country'],
      ['a', 'liver', 'NO'],
    );
    const options = { header: { releaseDate: 0, unknownColumns: 'characteristics' } } as const;
    const { plan, samples } = await readSheet(text, options);
    expect(plan.headerLine).toBe(3);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([[4, 'a']]);
  });

  it('is not searched for ever: a sheet without names is refused with its first row', async () => {
    const rows = Array.from({ length: 400 }, (_, row) => [`x${row}`, 'y']);
    const { code, message, line } = await refusal(table(['organism', 'tissue'], ...rows, ['Sample Name', 'late']));
    expect([code, line]).toEqual(['file.header', 1]);
    expect(message).toContain('organism, tissue');
  });
});
