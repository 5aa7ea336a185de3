/** What the columns of sheets that were made for something else are taken for, and how sure that is. */
import { describe, expect, it } from 'vitest';
import { IMPORT_PROFILE } from '../../../src/profiles/schema.js';
import { Head } from '../../../src/tsv/bytes/head-rows.js';
import { findHeader } from '../../../src/tsv/header/find-header.js';
import { planHeader } from '../../../src/tsv/header/plan-header.js';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import type { Proposal, ProposedColumn } from '../../../src/tsv/propose/proposal.js';
import { fixture, withoutFixtures } from '../../support/fixtures.js';
import { LOOK_ALIKES } from '../header/look-alikes.js';
import { PROPOSAL_SHEETS, type ProposalSheet } from './proposal-sheets.js';
import { proposeColumn, proposeText, targetOf } from './propose-text.js';

const textOf = ({
  columns,
  rows,
  above = [],
  delimiter = '\t',
  inCells: [sign, meant] = ['', ''],
}: ProposalSheet): string =>
  [...above, columns.map(([header]) => header), ...rows]
    .map((row) => `${row.join(delimiter).replaceAll(sign || '\0', meant)}\n`)
    .join('');

interface Compared {
  kind: string;
  header: string;
  expected: string;
  target: string;
  confidence: string;
}

const compared = (kind: string, columns: readonly [string, string][], { columns: proposed }: Proposal): Compared[] =>
  columns.map(([header, expected], at) => {
    const found = proposed[at] as ProposedColumn;
    return { kind, header, expected, target: targetOf(found), confidence: found.confidence };
  });

const wrongOf = (all: readonly Compared[]): Compared[] => all.filter(({ target, expected }) => target !== expected);

/** What reads a sheet by the document alone, as an upload of the next file of its kind does. */
function readBack(text: string, { document }: Proposal) {
  const own: KnownProfile = { name: 'mine', rank: 'own', version: 1, document };
  const options = { prefix: 'SAMR', releaseDate: 0, unknownColumns: 'characteristics', profiles: [own] } as const;
  const head = new Head(text, true);
  const row = findHeader(head, options);
  return planHeader(row as NonNullable<typeof row>, head, 'utf-8', options);
}

describe('the proposal for sheets of forty different kinds', () => {
  it('is right for nine in ten of their columns, and never wrong with high confidence', () => {
    const all = PROPOSAL_SHEETS.flatMap((sheet) => compared(sheet.kind, sheet.columns, proposeText(textOf(sheet))));
    expect(PROPOSAL_SHEETS.length).toBeGreaterThanOrEqual(40);
    const wrong = wrongOf(all);
    expect(wrong.filter(({ confidence }) => confidence === 'high')).toEqual([]);
    expect(wrong.length / all.length, JSON.stringify(wrong, undefined, 1)).toBeLessThanOrEqual(0.1);
    // Confidence that is never given would never be wrong.
    expect(all.filter(({ confidence }) => confidence === 'high').length / all.length).toBeGreaterThan(0.4);
  });

  it.each(PROPOSAL_SHEETS.map((sheet) => [sheet.kind, sheet] as const))(
    '%s: is a profile that reads its sheet',
    (_, sheet) => {
      const proposal = proposeText(textOf(sheet));
      expect(IMPORT_PROFILE.safeParse(proposal.document).error?.issues).toBeUndefined();
      const plan = readBack(textOf(sheet), proposal);
      expect(plan.profile).toMatchObject({ name: 'mine' });
      expect(plan.header.map((text) => text.trim())).toEqual(sheet.columns.map(([header]) => header));
      for (const { examples, why } of proposal.columns) {
        expect(examples.length).toBeLessThanOrEqual(3);
        expect(why).toMatch(/\.$/);
      }
    },
  );
});

describe('the same table in the languages of the headers', () => {
  it.each([
    ['English', 'Name of the sample', 'Organism', 'Sex', 'Collection date'],
    ['German', 'Name der Probe', 'Organismus', 'Geschlecht', 'Entnahmedatum'],
    ['French', "Nom de l'échantillon", 'Organisme', 'Sexe', 'Date de prélèvement'],
    ['French, with its own apostrophe', 'Nom de l’échantillon', 'Nom scientifique', 'Sexe', 'Date de prélèvement'],
    ['French, short', 'Code échantillon', 'Espèce', 'Sexe', 'Date de prélèvement'],
    ['Spanish', 'Nombre de la muestra', 'Organismo', 'Sexo', 'Fecha de recolección'],
    ['Spanish, of a collection', 'Código de muestra', 'Nombre científico', 'Sexo', 'Fecha de muestreo'],
  ])('%s: each column is taken for what it is, with high confidence', (kind, ...headers) => {
    const targets = ['name', 'characteristic organism', 'characteristic sex', 'characteristic collection date'];
    const rows = ['A1\tHomo sapiens\tx\t2023-05-01', 'A2\tMus musculus\ty\t2023-05-02'];
    const pairs = headers.map((header, at): [string, string] => [header, targets[at] as string]);
    const found = compared(kind, pairs, proposeText([headers.join('\t'), ...rows, ''].join('\n')));
    expect(wrongOf(found)).toEqual([]);
    expect(found.filter(({ confidence }) => confidence !== 'high')).toEqual([]);
  });
});

describe('what can be read in two ways', () => {
  const column = (values: string[], header = 'measured'): ProposedColumn => proposeColumn(header, values);

  it.each([
    ['days and months', 'date', ['03/04/2024', '05/06/2024'], { dateForms: ['DD/MM/YYYY', 'MM/DD/YYYY'] }],
    ['days and months with dashes', 'date', ['03-04-2024'], { dateForms: ['DD-MM-YYYY', 'MM-DD-YYYY'] }],
    ['thousands and decimals', 'count', ['1,200', '2,345'], { decimalDoubt: true }],
  ])('%s is asked: the values stay as they are written', (_, header, values, asked) => {
    const found = column(values, header);
    expect(found).toMatchObject({ confidence: 'low', ...asked });
    expect(found.meaning).toEqual({ as: 'characteristic' });
  });

  it.each([
    [['13/04/2024', '05/06/2024'], 'DD/MM/YYYY'],
    [['03/14/2024', '05/06/2024'], 'MM/DD/YYYY'],
    [['3.4.2024', '14.6.2024'], 'DD.MM.YYYY'],
    [['2024/04/03'], 'YYYY/MM/DD'],
    [['03 Apr 2024', '4 May 2024'], 'DD MMM YYYY'],
  ])('%s can be read in one way only', (values, form) => {
    expect(column(values, 'date')).toMatchObject({ meaning: { date: form } });
  });

  it.each([[['31.02.2024', '01.02.2024']], [['01.02.2024', 'spring']], [['20240103', '20241399']]])(
    '%s are no dates of one form',
    (values) => {
      expect(column(values, 'date').meaning).toEqual({ as: 'characteristic' });
    },
  );
});

describe('words that a checklist allows', () => {
  const smoker = (values: string[]) => proposeColumn('smoker', values);

  it.each([
    [['Yes', 'NO', 'yes'], { Yes: 'yes', NO: 'no' }, 'high'],
    [['Y', 'n', 'Y'], { Y: 'yes', n: 'no' }, 'middle'],
    [['1', '0', '1'], { 1: 'yes', 0: 'no' }, 'middle'],
  ])('are offered for %j', (texts, values, confidence) => {
    expect(smoker(texts)).toMatchObject({ meaning: { values }, confidence });
  });

  it('are named where a text is none of them, which stays as it is written', () => {
    const found = smoker(['yes', 'on Sundays']);
    expect(found.meaning).toEqual({ as: 'characteristic' });
    expect(found).toMatchObject({
      confidence: 'middle',
      why: expect.stringContaining('no word for on Sundays; it has yes, no.'),
    });
  });
});

describe('sheets in the shapes of other archives', () => {
  it.each(LOOK_ALIKES.map((sheet) => [sheet.kind, sheet] as const))(
    '%s: the column that names its samples is found',
    (_, sheet) => {
      const text = sheet.rows.map((row) => `${row.join('\t')}\n`).join('');
      const proposal = proposeText(text);
      expect(proposal.headerLine).toBe(sheet.header + 1);
      const named = proposal.columns.filter(({ meaning }) => meaning?.as === 'name');
      expect(named).toHaveLength(1);
      expect(named[0]?.examples).toEqual(sheet.names.slice(0, 3));
      if (!sheet.options) expect(proposal.profile?.name).toBe(sheet.profile);
      expect(IMPORT_PROFILE.safeParse(proposal.document).error?.issues).toBeUndefined();
    },
  );
});

describe.skipIf(withoutFixtures('real sheets'))('real sheets', () => {
  const plain = (headers: string): Record<string, string> =>
    Object.fromEntries(headers.split('|').map((header) => [header, `characteristic ${header}`]));
  const SHEETS: [file: string, targets: Record<string, string>][] = [
    [
      'wrong-format/D15__ENA_template_samples_vir.tsv',
      {
        ...plain('title|sample_description|host common name|host subject id|host health state|host scientific name'),
        ...plain('collector name|collecting institution|isolate|host sex'),
        alias: 'name',
        taxon_id: 'term organism',
        'collection date': 'characteristic collection date',
        'geographic location (country and/or sea)': 'characteristic geographic location (country and/or sea)',
      },
    ],
    [
      'wrong-format/D16__example_metadata.tsv',
      {
        ...plain('virus|gisaid_epi_isl|genbank_accession|date|region|country|division|location|region_exposure|length'),
        ...plain('country_exposure|division_exposure|segment|host|originating_lab|submitting_lab|authors|title'),
        ...plain('date_submitted'),
        strain: 'name',
        age: 'characteristic age',
        sex: 'characteristic sex values',
        url: 'reference',
      },
    ],
    [
      'dialect/D01__isa-example.tsv',
      {
        'Source Name': 'characteristic Source Name',
        'Sample Name': 'name',
        'Release Date': 'release',
        'Characteristics[Organism]': 'characteristic Organism',
        'Term Source REF': 'source',
        'Term Accession Number': 'term',
        'Comment[bsd_relationship:same_as]': 'relationship same_as',
        'Comment[external DB REF]': 'reference',
        'Comment[submission_contact:email]': 'contact',
      },
    ],
  ];

  it.each(SHEETS)('%s: nine columns in ten are right, none wrong with high confidence', (file, targets) => {
    const proposal = proposeText(fixture(file).toString('utf8'));
    const columns = proposal.columns.map(({ header }): [string, string] => [header, targets[header] ?? 'not expected']);
    const wrong = wrongOf(compared(file, columns, proposal));
    expect(wrong.filter(({ confidence }) => confidence === 'high')).toEqual([]);
    expect(wrong.length / columns.length, JSON.stringify(wrong, undefined, 1)).toBeLessThanOrEqual(0.1);
  });
});
