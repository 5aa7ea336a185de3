/**
 * The profiles that ship with the product: sheets that were made for another archive or program and are read as they
 * are. docs/sheet-formats.md lists the same; test/tsv/sheet-formats.test.ts holds it to that.
 */
import type { ImportProfile, KnownProfile, ProfileColumn } from './profile.js';

const names = (...headers: string[]): ProfileColumn[] =>
  headers.map((header) => ({ header, as: 'name', optional: true }));
const ORGANISM: ProfileColumn = { header: 'scientific_name', as: 'characteristic', name: 'organism', optional: true };
/** A number of the NCBI taxonomy: the term of the organism, or the organism itself where the sheet names none. */
const taxon = (header: string): ProfileColumn => ({ header, as: 'term', of: 'organism', optional: true });
const ignored = (header: string): ProfileColumn => ({ header, as: 'ignored', optional: true });

/** As forms mark it, too. */
const SAMPLE_ID = ['Sample ID', 'Sample ID*', '*Sample ID', 'Sample ID (required)', 'Sample ID (mandatory)'];
const ASSAY = ['extract name', 'labeled extract name', 'hybridization name', 'assay name', 'scan name'];

/** What a sample of GEO has and one of an assay table, which names libraries too, has not: the molecule, or its files as GEO calls them. */
const OF_GEO = ['*molecule', 'molecule', '*raw file', 'raw file', '*processed data file', 'processed data file'];

const DOCUMENTS: Record<string, Omit<ImportProfile, 'profile'>> = {
  ena: {
    title: 'an ENA sample sheet',
    recognise: [
      {
        anyOf: ['alias', 'sample_alias'],
        with: {
          headers: ['title', 'sample_title', 'taxon_id', 'tax_id', 'scientific_name', 'sample_description'],
          atLeast: 1,
        },
      },
    ],
    columns: [...names('alias', 'sample_alias'), ORGANISM, taxon('taxon_id'), taxon('tax_id'), ignored('status')],
  },
  ncbi: {
    title: 'an NCBI BioSample package',
    recognise: [{ anyOf: ['*sample_name'] }],
    columns: [...names('*sample_name'), taxon('taxonomy_id')],
    mark: '*',
  },
  geo: {
    title: 'a GEO metadata sheet',
    recognise: [
      { anyOf: ['*library name', 'library name'], with: { headers: OF_GEO, atLeast: 1 } },
      { anyOf: ['Sample Name'], above: 'SAMPLES', with: { headers: OF_GEO, atLeast: 1 } },
    ],
    columns: names('*library name', 'library name', 'Sample Name'),
    mark: '*',
  },
  mixs: {
    title: 'a MIxS sheet',
    recognise: [{ anyOf: ['samp_name', '*samp_name'] }],
    columns: names('samp_name', '*samp_name'),
    mark: '*',
  },
  sampletab: {
    title: 'a SampleTab file',
    recognise: [{ anyOf: ['Sample Name'], above: 'SCD' }],
    columns: [...names('Sample Name'), { header: 'Term Source ID', as: 'term', optional: true }],
  },
  sdrf: {
    title: 'an SDRF table',
    recognise: [
      {
        anyOf: ['Source Name'],
        with: { headers: [...ASSAY, 'array data file', 'raw data file', 'comment[data file]'], atLeast: 1 },
        without: ['Sample Name'],
      },
    ],
    columns: names('Source Name'),
    otherColumnsUntil: [...ASSAY, 'technology type', 'array data file', 'raw data file', 'comment[data file]'],
    sameName: 'one-sample',
  },
  nextstrain: {
    title: 'a GISAID or Nextstrain table',
    recognise: [
      {
        anyOf: ['strain', 'virus_name', 'covv_virus_name'],
        with: {
          headers: [
            'virus',
            'gisaid_epi_isl',
            'genbank_accession',
            'accession_id',
            'originating_lab',
            'submitting_lab',
            'country',
            'date',
            'collection_date',
            'location',
            'pango_lineage',
            'covv_type',
            'covv_collection_date',
            'covv_location',
          ],
          atLeast: 2,
        },
        without: ['alias', 'sample_alias', 'samp_name', '*sample_name'],
      },
    ],
    columns: names('strain', 'virus_name', 'covv_virus_name'),
    labels: ['virus name'],
  },
  qiime: {
    title: 'QIIME 2 metadata',
    recognise: [
      { anyOf: ['#SampleID', 'sample-id', '#sample-id'] },
      { anyOf: ['SampleID'], with: { headers: ['BarcodeSequence', 'LinkerPrimerSequence'], atLeast: 1 } },
      { anyOf: ['SampleID', 'id'], below: '#q2:' },
    ],
    columns: names('#SampleID', 'SampleID', 'sample-id', '#sample-id', 'id'),
  },
  terra: {
    title: 'a Terra table',
    recognise: [{ anyOf: ['entity:sample_id'] }],
    columns: names('entity:sample_id'),
  },
  'by-sample-id': {
    title: 'a sheet with a Sample ID column',
    recognise: [{ anyOf: SAMPLE_ID }],
    columns: names(...SAMPLE_ID),
  },
};

/** What laboratories write whatever their sheet is for. */
const GENERAL = ['by-sample-id'];

export const SHIPPED_PROFILES: readonly KnownProfile[] = Object.entries(DOCUMENTS).map(([name, document]) => ({
  name,
  rank: 'shipped',
  ...(GENERAL.includes(name) ? { general: true } : {}),
  document: { profile: 1, otherColumns: 'characteristics', ...document },
}));
