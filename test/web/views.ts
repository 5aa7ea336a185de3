/** A registry with something to see in every view, and the views themselves; for tests and for the screenshots. */
import type { ApiCaller } from '../support/api-caller.js';
import { sheetWithBadDates } from './sheets.js';

const STUDY = [
  [
    'Sample Name',
    'Release Date',
    'Characteristics[organism]',
    'Term Source REF',
    'Term Accession Number',
    'Characteristics[sex]',
    'Characteristics[age]',
    'Unit',
    'Characteristics[tissue]',
    'Comment[bsd_relationship:derived from]',
    'Comment[external DB REF]',
    'Comment[submission_contact:name]',
    'Comment[publication:doi]',
  ],
  [
    'donor 1',
    '2024-03-01',
    'Homo sapiens',
    'NCBITaxon',
    '9606',
    'female',
    '34',
    'year',
    '',
    '',
    '',
    'Ada Example',
    '10.5555/12345678',
  ],
  [
    'donor 1 liver',
    '2024-03-01',
    'Homo sapiens',
    'NCBITaxon',
    '9606',
    'female',
    '34',
    'year',
    'liver',
    'donor 1',
    'https://www.ebi.ac.uk/ena/browser/view/ERR0000001',
    'Ada Example',
    '',
  ],
  [
    'donor 1 kidney',
    '2024-03-01',
    'Homo sapiens',
    'NCBITaxon',
    '9606',
    'female',
    '34',
    'year',
    'kidney',
    'donor 1',
    '',
    'Ada Example',
    '',
  ],
  [
    'donor 1 culture',
    '2099-01-01',
    'Homo sapiens',
    'NCBITaxon',
    '9606',
    'female',
    '34',
    'year',
    'liver',
    'donor 1 liver',
    '',
    'Ada Example',
    '',
  ],
];

export interface Prepared {
  /** The submission with errors. */
  errors: string;
  /** A sample with relationships, curations, structured data and a history. */
  accession: string;
  /** The preview of a batch edit, which leaves a sample alone. */
  edit: string;
}

/** Uploads a study and a sheet with errors, curates a sample and changes it. */
export async function prepare(server: ApiCaller, token: string): Promise<Prepared> {
  const study = await server.uploadAndSettle(STUDY.map((row) => `${row.join('\t')}\n`).join(''), {
    name: 's_study.tsv',
    token,
  });
  const pairs = (await server.mapping(study.id, token)).sampleNameAccessionPairs;
  const accession = pairs.find(({ sampleName }) => sampleName === 'donor 1 liver')?.sampleAccession as string;
  const culture = pairs.find(({ sampleName }) => sampleName === 'donor 1 culture')?.sampleAccession as string;
  const sample = (await server.get(`/samples/${accession}`, { token })).json<{
    characteristics: Record<string, { text: string; unit?: string }[]>;
    relationships: { source: string; type: string; target: string }[];
  }>();
  sample.characteristics.age = [{ text: '35', unit: 'year' }];
  sample.relationships.push({ source: culture, type: 'derived from', target: accession });
  await expectOk(server.send('PUT', `/samples/${accession}`, sample, { token }));
  await expectOk(
    server.send(
      'POST',
      `/samples/${accession}/curationlinks`,
      {
        sample: accession,
        curation: {
          attributesPre: [{ type: 'tissue', value: 'liver' }],
          attributesPost: [{ type: 'tissue', value: 'left lobe of liver', iri: ['UBERON:0001115'] }],
        },
      },
      { token },
    ),
  );
  await expectOk(
    server.send(
      'PUT',
      `/structureddata/${accession}`,
      {
        accession,
        data: [
          {
            domain: null,
            submissionAccountId: null,
            type: 'AMR',
            schema: null,
            content: [
              {
                antibioticName: { value: 'ampicillin', iri: null },
                resistancePhenotype: { value: 'resistant', iri: null },
                measurement: { value: '32', iri: null },
                measurementUnits: { value: 'mg/L', iri: null },
              },
              {
                antibioticName: { value: 'ciprofloxacin', iri: null },
                resistancePhenotype: { value: 'susceptible', iri: null },
                measurement: { value: '0.5', iri: null },
                measurementUnits: { value: 'mg/L', iri: null },
              },
            ],
          },
        ],
      },
      { token },
    ),
  );
  const errors = await server.uploadAndSettle(sheetWithBadDates(160, 27), { name: 's_liver_2026-11.tsv', token });
  const failed = await server.upload('alias\ttitle\ttaxon_id\nx\ty\t9606\n', { name: 'ena-sheet.tsv', token });
  if (failed.status !== 422) throw new Error(`The ENA sheet was answered with ${failed.status}.`);
  // Both have the new name already, and are left alone.
  const changes = [
    { rename: 'tissue', to: 'sex' },
    { set: 'site', values: [{ text: 'north' }] },
  ];
  const select = { accessions: [accession, culture] };
  const preview = await server.send('POST', '/submissions/edits', { select, changes, dryRun: true }, { token });
  const { submissionId: edit } = preview.json<{ submissionId: string }>();
  await server.settled(edit, token);
  return { errors: errors.id, accession, edit };
}

async function expectOk(answering: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answering;
  if (status >= 300) throw new Error(`The registry answered ${status}: ${text}`);
}

export interface NamedView {
  name: string;
  path: string;
  /** Text that is there when the view is whole. */
  whole: string;
  /** Not signed in. */
  anyone?: boolean;
}

export const views = ({ errors, accession, edit }: Prepared): NamedView[] => [
  { name: 'sign-in', path: '/', whole: 'No account yet', anyone: true },
  { name: 'upload', path: '/', whole: 'or drop them anywhere on this page' },
  { name: 'submission', path: `/submissions/${errors}`, whole: 'Registered (155)' },
  { name: 'submissions', path: '/submissions', whole: 's_liver_2026-11.tsv' },
  { name: 'samples', path: '/samples', whole: 'liver 160' },
  { name: 'samples-counts', path: '/samples?counts=shown', whole: 'samples found' },
  { name: 'edit-samples', path: '/samples/edit?filter=attr:tissue:liver', whole: 'Nothing is written yet' },
  { name: 'edit-preview', path: `/submissions/${edit}`, whole: 'What each change would do' },
  { name: 'sample', path: `/samples/${accession}`, whole: 'Version 1' },
  { name: 'checklists', path: '/checklists', whole: 'Human-associated' },
  { name: 'checklist', path: '/checklists/human-associated', whole: 'collection date' },
  { name: 'account', path: '/account', whole: 'Change the password' },
  { name: 'accounts', path: '/accounts', whole: 'Tokens and sessions' },
  { name: 'account-of-another', path: '/accounts/lab-1', whole: 'Reset the password' },
  { name: 'operations', path: '/operations', whole: 'Rows per second over the last hour' },
];
