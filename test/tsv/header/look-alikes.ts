/** Sheets in the shapes of other archives and programs, made for the tests: as cells, so that they can be text or a workbook. */

export interface LookAlike {
  kind: string;
  /** Name of the import profile that reads it; of a plain one of ours undefined. */
  profile: string | undefined;
  rows: string[][];
  /** Samples that it makes, by name, in order. */
  names: string[];
  /** The one option that it needs beside a release date. */
  options?: Record<string, string>;
  /** Where the header row stands, from 0. */
  header: number;
  /** Of a header in two rows, the names of its columns. */
  columns?: string[];
}

export const LOOK_ALIKES: readonly LookAlike[] = [
  {
    kind: 'ENA table of ena-upload-cli',
    profile: 'ena',
    header: 0,
    rows: [
      ['alias', 'status', 'title', 'taxon_id', 'sample_description', 'collection date', 'host sex'],
      ['swab-1', 'add', 'Nasal swab 1', '2697049', 'day 3', '2024-02-01', 'female'],
      ['swab-2', 'add', 'Nasal swab 2', '2697049', 'day 5', '2024-02-03', ''],
    ],
    names: ['swab-1', 'swab-2'],
  },
  {
    kind: 'ENA spreadsheet of Webin',
    profile: 'ena',
    header: 1,
    rows: [
      ['Checklist', 'ERC000011', 'ENA default sample checklist'],
      ['tax_id', 'scientific_name', 'sample_alias', 'sample_title', 'geographic location (depth)', 'collection date'],
      ['#units', '', '', '', 'm', ''],
      ['410658', 'soil metagenome', 'core-1', 'Core 1', '0.5', '2023-05-04'],
      ['410658', 'soil metagenome', 'core-2', 'Core 2', '1.5', '2023-05-04'],
    ],
    names: ['core-1', 'core-2'],
  },
  {
    kind: 'ENA spreadsheet of Webin with values for all samples',
    profile: 'ena',
    header: 2,
    rows: [
      ['#checklist_accession', 'ERC000011'],
      ['#unique_name_prefix'],
      ['sample_alias', 'tax_id', 'scientific_name', 'sample_title', 'geographic location (depth)', 'collection date'],
      ['#template', '410658', 'soil metagenome', '', '2', ''],
      ['#units', '', '', '', 'm', ''],
      ['core-3', '410658', 'soil metagenome', 'Core 3', '2', '2023-05-04'],
      ['core-4', '410658', 'soil metagenome', 'Core 4', '2.5', '2023-05-05'],
    ],
    names: ['core-3', 'core-4'],
  },
  {
    kind: 'GEO metadata sheet',
    profile: 'geo',
    header: 6,
    rows: [
      ['# Fields marked with * are needed'],
      ['STUDY'],
      ['*title', 'Livers of mice'],
      ['contributor', 'Ada, Field'],
      ['SAMPLES'],
      ['# ** one of these'],
      ['*library name', '*title', '*organism', '**tissue', '**cell line', '*molecule', '*raw file', 'raw file'],
      ['lib-1', 'Liver 1', 'Mus musculus', 'liver', '', 'polyA RNA', '1_1.fq', '1_2.fq'],
      ['lib-2', 'Liver 2', 'Mus musculus', 'liver', '', 'polyA RNA', '2_1.fq', '2_2.fq'],
    ],
    names: ['lib-1', 'lib-2'],
  },
  {
    kind: 'GEO metadata sheet of before 2023',
    profile: 'geo',
    header: 3,
    rows: [
      ['SERIES'],
      ['title', 'Kidneys of mice'],
      ['SAMPLES'],
      ['Sample name', 'title', 'source name', 'organism', 'characteristics: strain', 'molecule', 'raw file'],
      ['Sample 1', 'Kidney 1', 'kidney', 'Mus musculus', 'C57BL/6', 'total RNA', 'k1.fq'],
      ['Sample 2', 'Kidney 2', 'kidney', 'Mus musculus', 'C57BL/6', 'total RNA', 'k2.fq'],
    ],
    names: ['Sample 1', 'Sample 2'],
  },
  {
    kind: 'NCBI BioSample package',
    profile: 'ncbi',
    header: 2,
    rows: [
      ['# This is a submission template for batch deposit of samples to the NCBI BioSample database'],
      ['# Fields with an asterisk (*) are mandatory'],
      ['*sample_name', 'sample_title', 'bioproject_accession', '*organism', '**strain', '*collection_date'],
      ['ecoli-7', 'E. coli 7', '', 'Escherichia coli', 'K-12', '2022'],
      ['ecoli-8', 'E. coli 8', '', 'Escherichia coli', 'B', '2023'],
    ],
    names: ['ecoli-7', 'ecoli-8'],
  },
  {
    kind: 'MIxS sheet',
    profile: 'mixs',
    header: 0,
    rows: [
      ['samp_name', 'samp_taxon_id', 'env_broad_scale', 'lat_lon', 'depth'],
      ['lake-1', 'lake water metagenome [NCBITaxon:1647806]', 'lacustrine biome', '60.1 10.2', '3 m'],
    ],
    names: ['lake-1'],
  },
  {
    kind: 'SDRF of a proteomics study',
    profile: 'sdrf',
    header: 0,
    rows: [
      [
        'source name',
        'characteristics[organism]',
        'characteristics[age]',
        'assay name',
        'technology type',
        'comment[data file]',
        'factor value[age]',
      ],
      ['donor 1', 'Homo sapiens', '40Y', 'run 1', 'proteomic profiling by mass spectrometry', 'a.raw', '40Y'],
      ['donor 2', 'Homo sapiens', '51Y', 'run 2', 'proteomic profiling by mass spectrometry', 'b.raw', '51Y'],
      ['donor 1', 'Homo sapiens', '40Y', 'run 3', 'proteomic profiling by mass spectrometry', 'c.raw', '40Y'],
    ],
    names: ['donor 1', 'donor 2'],
  },
  {
    kind: 'SampleTab file',
    profile: 'sampletab',
    header: 4,
    rows: [
      ['[MSI]'],
      ['Submission Title', 'Mouse livers'],
      ['Submission Release Date', '2014/05/01'],
      ['[SCD]'],
      [
        'Sample Name',
        'Sample Accession',
        'Organism',
        'Term Source REF',
        'Term Source ID',
        'Characteristic[age]',
        'Unit',
      ],
      ['liver-1', 'SAMEA1', 'Mus musculus', 'NCBITaxon', '10090', '8', 'week'],
    ],
    names: ['liver-1'],
  },
  {
    kind: 'Nextstrain metadata',
    profile: 'nextstrain',
    header: 0,
    rows: [
      ['strain', 'virus', 'gisaid_epi_isl', 'date', 'country', 'age', 'submitting_lab'],
      ['Norway/0001/2024', 'ncov', 'EPI_ISL_1', '2024-03-01', 'Norway', '?', 'Lab 1'],
    ],
    names: ['Norway/0001/2024'],
  },
  {
    kind: 'GISAID metadata',
    profile: 'nextstrain',
    header: 0,
    rows: [
      ['Virus name', 'Type', 'Accession ID', 'Collection date', 'Location', 'Host', 'Patient age', 'Pango lineage'],
      ['hCoV-19/Norway/9/2024', 'betacoronavirus', 'EPI_ISL_2', '2024-03', 'Europe / Norway', 'Human', '40', 'JN.1'],
    ],
    names: ['hCoV-19/Norway/9/2024'],
  },
  {
    kind: 'GISAID batch upload, with its row of labels',
    profile: 'nextstrain',
    header: 0,
    rows: [
      ['submitter', 'fn', 'covv_virus_name', 'covv_type', 'covv_collection_date', 'covv_location'],
      ['Submitter', 'FASTA filename', 'Virus name', 'Type', 'Collection date', 'Location'],
      ['lab9', 'all.fasta', 'hCoV-19/Norway/8/2024', 'betacoronavirus', '2024-03-01', 'Europe / Norway'],
    ],
    names: ['hCoV-19/Norway/8/2024'],
  },
  {
    kind: 'Qiita sample information',
    profile: undefined,
    header: 0,
    rows: [
      ['sample_name', 'description', 'host_subject_id'],
      ['10317.1', 'stool of week 1', 'S1'],
    ],
    names: ['10317.1'],
  },
  {
    kind: 'QIIME 1 mapping file',
    profile: 'qiime',
    header: 0,
    rows: [
      ['#SampleID', 'BarcodeSequence', 'Treatment'],
      ['PC.354', 'AGCACGAGCCTA', 'Control'],
    ],
    names: ['PC.354'],
  },
  {
    kind: 'QIIME 2 metadata with types',
    profile: 'qiime',
    header: 0,
    rows: [
      ['sample-id', 'barcode', 'body site'],
      ['#q2:types', 'categorical', 'categorical'],
      ['L1S8', 'AGCT', 'gut'],
    ],
    names: ['L1S8'],
  },
  {
    kind: 'QIIME 2 metadata with a column id',
    profile: 'qiime',
    header: 0,
    rows: [
      ['id', 'barcode', 'depth'],
      ['#q2:types', 'categorical', 'numeric'],
      ['S1', 'AGCT', '3'],
    ],
    names: ['S1'],
  },
  {
    kind: 'QIIME 2 metadata with a column id and no types',
    profile: 'qiime',
    options: { profile: 'qiime' },
    header: 0,
    rows: [
      ['id', 'barcode', 'body site', 'cage', 'month'],
      ['S2', 'AGCT', 'gut', 'C4', 'May'],
    ],
    names: ['S2'],
  },
  {
    kind: 'Terra table',
    profile: 'terra',
    header: 0,
    rows: [
      ['entity:sample_id', 'participant', 'tissue'],
      ['T-1', 'P-1', 'blood'],
    ],
    names: ['T-1'],
  },
  {
    kind: 'Table of a laboratory by Sample ID',
    profile: 'by-sample-id',
    header: 0,
    rows: [
      ['Sample ID', 'Tissue', 'Collected'],
      ['0017-B', 'liver', '2024-03-05'],
      ['0018-B', 'kidney', '2024-03-06'],
    ],
    names: ['0017-B', '0018-B'],
  },
  {
    kind: 'Table of a laboratory with a header in two rows',
    profile: 'by-sample-id',
    header: 0,
    rows: [
      ['Sample ID', 'Donor', '', 'Collection', ''],
      ['', 'Sex', 'Age', 'Day', 'Place'],
      ['0019-B', 'female', '34', '2024-03-05', 'Cambridge'],
      ['0020-B', 'male', '41', '2024-03-06', 'Ely'],
    ],
    names: ['0019-B', '0020-B'],
    columns: ['Sample ID', 'Donor Sex', 'Donor Age', 'Collection Day', 'Collection Place'],
  },
];

export const asText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('');
