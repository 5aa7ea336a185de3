/** What kept profiles, and those that ship, say of the columns of a sheet; what is proposed to be kept. */
import { describe, expect, it } from 'vitest';
import { IMPORT_PROFILE } from '../../../src/profiles/schema.js';
import type { ImportProfile, KnownProfile } from '../../../src/tsv/header/profile.js';
import { documentOf } from '../../../src/tsv/propose/proposed-document.js';
import { proposeRows, proposeText, targetOf } from './propose-text.js';

describe('what an account has said before', () => {
  const document = (columns: ImportProfile['columns']): ImportProfile => ({ profile: 1, title: 'Freezer', columns });
  const freezer: KnownProfile = {
    name: 'freezer',
    rank: 'own',
    version: 2,
    document: document([
      { header: 'Tube', as: 'name' },
      { header: 'organ', as: 'characteristic', name: 'tissue' },
      { header: 'W', as: 'characteristic', name: 'weight', unit: 'kg', decimal: ',' },
    ]),
  };

  it('is kept where columns are renamed; the new one is said to be new', () => {
    const proposal = proposeText('Tube\torgan\tW\tmass\nT1\tliver\t1,5\t3\nT2\tliver\t2,5\t3\n', [freezer]);
    expect(proposal.profile).toEqual({ name: 'freezer', rank: 'own', version: 2, missing: [], further: ['mass'] });
    expect(proposal.columns.map(targetOf).slice(0, 3)).toEqual([
      'name',
      'characteristic tissue',
      'characteristic weight unit kg decimal',
    ]);
    expect(proposal.columns.map(({ fresh }) => fresh)).toEqual([undefined, undefined, undefined, true]);
    expect(proposal.document.title).toBe('Freezer');
  });

  it('is taken over for single columns of another sheet, with less confidence', () => {
    const proposal = proposeText('specimen\torgan\tW\tage\theight\tx\ty\ns1\tliver\t1,5\t3\t1\t2\t3\n', [freezer]);
    expect(proposal.profile).toBeUndefined();
    expect(proposal.columns.slice(1, 3).map((each) => [targetOf(each), each.confidence])).toEqual([
      ['characteristic tissue', 'middle'],
      ['characteristic weight unit kg decimal', 'middle'],
    ]);
  });

  it('asks for what the sheet lacks, and never for what a profile gives', () => {
    expect(proposeText('sample\ttissue\na\tliver\n').lacks).toEqual(['organism', 'release']);
    const fixed = { ...freezer.document, fixed: [{ characteristic: 'organism', value: 'Bos taurus' }] };
    const kept = proposeText('Tube\torgan\tW\nT1\tliver\t1,5\n', [{ ...freezer, document: fixed }]);
    expect(kept.lacks).toEqual(['release']);
    expect(kept.document.fixed).toEqual(fixed.fixed);
  });
});

const profile = (document: Partial<ImportProfile>, more: Partial<KnownProfile> = {}): KnownProfile => ({
  name: 'tubes',
  rank: 'own',
  version: 1,
  document: {
    profile: 1,
    title: 'Tubes',
    columns: [
      { header: 'Tube', as: 'name' },
      { header: 'W', as: 'characteristic', name: 'weight' },
      { header: 'V', as: 'characteristic', name: 'volume' },
    ],
    ...document,
  },
  ...more,
});
const ROWS = ['Tube|W|V', 't1|1|2', 't2|2|3'];

describe('the document of a sheet that a kept profile reads, or nearly does', () => {
  it('has what the profile says beside its columns', () => {
    const said: Partial<ImportProfile> = {
      fixed: [{ characteristic: 'project', value: 'Fjord' }],
      release: '2031-01-31',
      key: { column: 'Tube', space: 'tubes' },
      mark: '*',
      sameName: 'one-sample',
      labels: ['name of the tube'],
      otherColumns: 'ignore',
      otherColumnsUntil: ['V'],
    };
    for (const rows of [ROWS, ['Tube|W|V|X', 't1|1|2|3']]) {
      const { document } = proposeRows(rows, [profile(said)]);
      expect(document).toMatchObject({ title: 'Tubes', ...said });
      expect(IMPORT_PROFILE.safeParse(document).error?.issues).toBeUndefined();
    }
    const { columns: _, ...plain } = proposeRows(ROWS, [profile({})]).document;
    expect(plain).toEqual({ profile: 1, title: 'Tubes' });
  });

  it('has no release that somebody else says', () => {
    const { document, lacks } = proposeRows(ROWS, [profile({ release: 'today' }, { rank: 'shared' })]);
    expect(document).not.toHaveProperty('release');
    expect(lacks).toEqual(['organism', 'release']);
    expect(proposeRows(ROWS, [profile({ release: 'today' })]).lacks).toEqual(['organism']);
  });

  it('keeps columns optional, those that the sheet lacks, too', () => {
    const columns: ImportProfile['columns'] = [
      { header: 'Tube', as: 'name', optional: true },
      { header: 'W', as: 'characteristic', optional: true },
      { header: 'V', as: 'characteristic' },
      { header: 'remark', as: 'comment', optional: true },
      { header: 'public', as: 'release', optional: true },
      { header: 'old', as: 'characteristic' },
    ];
    const { document } = proposeRows(['Tube|W|V|organ', 't1|1|2|liver'], [profile({ columns })]);
    expect(document.columns).toEqual([
      { header: 'Tube', as: 'name' },
      { header: 'W', as: 'characteristic', optional: true },
      { header: 'V', as: 'characteristic' },
      { header: 'organ', as: 'characteristic' },
      { header: 'remark', as: 'comment', optional: true },
    ]);
  });

  it('of a format that ships has the columns of the sheet alone', () => {
    const { document, profile: read } = proposeRows(['alias|taxon_id|title', 'a|9606|x']);
    expect(read).toEqual({ name: 'ena', rank: 'shipped' });
    expect(document).toEqual({
      profile: 1,
      title: 'an ENA sample sheet',
      columns: [
        { header: 'alias', as: 'name' },
        { header: 'taxon_id', as: 'term', of: 'organism' },
        { header: 'title', as: 'characteristic' },
      ],
    });
  });

  it('of a format that ends its samples at a column does not end them', () => {
    const { document } = proposeRows(['Source Name|Extract Name|organ', 'a|e1|liver']);
    expect(document).not.toHaveProperty('otherColumnsUntil');
    expect(document).not.toHaveProperty('otherColumns');
  });

  it('tells columns that are new to the profile', () => {
    const { columns } = proposeRows(['Tube|W|X|V|Y', 't1|1|x|2|y'], [profile({})]);
    expect(columns.map(({ fresh }) => fresh)).toEqual([undefined, undefined, true, undefined, true]);
  });

  it('that two profiles read is that of neither', () => {
    const { profile: read } = proposeRows(ROWS, [profile({}), profile({}, { name: 'second' })]);
    expect(read).toMatchObject({ missing: [], further: [] });
  });

  it('has no unit of a unit', () => {
    const columns: ImportProfile['columns'] = [
      { header: 'Tube', as: 'name' },
      { header: 'W', as: 'characteristic' },
      { header: 'U', as: 'unit', of: 'W' },
      { header: 'X', as: 'unit', of: 'U' },
    ];
    const { columns: proposed } = proposeRows(['Tube|W|U|X', 't1|1|kg|kg'], [profile({ columns })]);
    expect(proposed.map(targetOf).slice(2)).toEqual(['unit W', 'characteristic X']);
  });

  it('says of a column why it is what it is', () => {
    const whys = (rows: string[]): string[] => proposeRows(rows, [profile({})]).columns.map(({ why }) => why);
    expect(new Set(whys(ROWS))).toEqual(new Set(['The import profile tubes says so.']));
    expect(whys(['jar|W|V|a|b|c', 'j1|1|2|x|y|z']).slice(1, 3)).toEqual(
      Array(2).fill('Your import profile tubes says so of a column with this header.'),
    );
  });
});

describe('a column of another sheet', () => {
  const targets = (rows: string[], ...profiles: KnownProfile[]): string[] =>
    proposeRows(rows, profiles).columns.map((column) => `${targetOf(column)}, ${column.confidence}`);
  const other = ['jar|W|a|b|c|V', 'j1|1|x|y|z|2'];

  it('is what the first profile with two headers of the sheet says', () => {
    const second = profile(
      {
        columns: [
          { header: 'W', as: 'ignored' },
          { header: 'V', as: 'ignored' },
          { header: 'a', as: 'comment' },
        ],
      },
      { name: 'second' },
    );
    expect(targets(other, profile({}), second)).toEqual([
      'name, low',
      'characteristic weight, middle',
      'comment, middle',
      'characteristic b, low',
      'characteristic c, low',
      'characteristic volume, middle',
    ]);
  });

  it('is no more than plain where one header alone agrees', () => {
    expect(targets(['jar|W|a|b|c', 'j1|1|x|y|z'], profile({}))[1]).toBe('characteristic W, low');
  });

  it('takes no name over, nor what is said of one of several columns with a header', () => {
    const columns: ImportProfile['columns'] = [
      { header: 'Tube', as: 'name' },
      { header: 'W', as: 'comment', nth: 1 },
      { header: 'W', as: 'ignored', nth: 2 },
      { header: 'V', as: 'comment' },
    ];
    expect(targets(['jar|Tube|W|a|b|c|d|V', 'j1|x|1|x|y|z|z|2', 'j2|x|1|x|y|z|z|2'], profile({ columns }))).toEqual([
      'name, low',
      'characteristic Tube, low',
      'characteristic W, low',
      ...['a', 'b', 'c', 'd'].map((header) => `characteristic ${header}, low`),
      'comment, middle',
    ]);
  });

  it('of a shipped format, too, but not beside a kept profile that reads the sheet', () => {
    const general = profile({
      columns: [
        { header: 'title', as: 'comment' },
        { header: 'alias', as: 'name' },
      ],
    });
    const [, title] = targets(['alias|title|taxon_id|a|b|c', 'x|y|9606|1|2|3'], general);
    expect(title).toBe('comment, middle');
    const reads = profile({}, { name: 'reads' });
    const says = profile({
      columns: [
        { header: 'X', as: 'comment' },
        { header: 'W', as: 'comment' },
      ],
    });
    expect(targets(['Tube|W|V|X', 't1|1|2|x'], reads, says)[3]).toBe('characteristic X, low');
  });
});

describe('what the sheet lacks', () => {
  const lacks = (header: string, row: string, ...profiles: KnownProfile[]) =>
    proposeRows([header, row], profiles).lacks;

  it.each([
    ['sample|Species', 'a|Homo sapiens', ['release']],
    ['sample|Characteristics[Organism]', 'a|Homo sapiens', ['release']],
    ['sample|tax id', 'a|9606', ['release']],
    ['sample|disease|disease term', 'a|asthma|MONDO:1', ['organism', 'release']],
    ['sample|embargo until', 'a|2031-01-01', ['organism']],
    ['sample|Sample Identifier', 'a|SAMR2', ['organism']],
    ['pH|pH2', '7|7', ['name', 'organism', 'release']],
  ])('%s: is said', (header, row, expected) => {
    expect(lacks(header, row)).toEqual(expected);
  });

  it('is not what a profile has as a term, or for all samples', () => {
    const columns: ImportProfile['columns'] = [
      { header: 'Tube', as: 'name' },
      { header: 'W', as: 'term', of: 'Organism' },
    ];
    expect(lacks('Tube|W', 't1|NCBITaxon:9606', profile({ columns }))).toEqual(['release']);
    const remark: ImportProfile['columns'] = [
      { header: 'Tube', as: 'name' },
      { header: 'organism', as: 'comment' },
    ];
    expect(lacks('Tube|organism', 't1|x', profile({ columns: remark }))).toEqual(['organism', 'release']);
    const fixed = [
      { characteristic: 'project', value: 'x' },
      { characteristic: 'Organism', value: 'Bos taurus' },
    ];
    expect(lacks('Tube|W|V', 't1|1|2', profile({ fixed }))).toEqual(['release']);
    expect(lacks('Tube|W|V', 't1|1|2', profile({ fixed: fixed.slice(0, 1) }))).toEqual(['organism', 'release']);
  });
});

describe('a document', () => {
  it('numbers the columns that share a header, and leaves out those without a header or a meaning', () => {
    const columns = [
      { header: 'Tube', meaning: { as: 'name' as const } },
      { header: 'W', meaning: { as: 'comment' as const } },
      { header: '', meaning: { as: 'comment' as const } },
      { header: 'w', meaning: { as: 'ignored' as const } },
      { header: 'open' },
    ];
    const joined = { header: 'Date', meaning: { as: 'name' as const, characteristic: 'collection date' } };
    expect(documentOf([joined], undefined, 'a sheet').columns).toEqual([{ header: 'Date', as: 'name' }]);
    expect(documentOf([joined, columns[0] as typeof joined], undefined, 'a sheet').columns[0]).toEqual({
      header: 'Date',
      as: 'name',
      characteristic: 'collection date',
    });
    expect(documentOf(columns, undefined, 'a sheet')).toEqual({
      profile: 1,
      title: 'a sheet',
      columns: [
        { header: 'Tube', as: 'name' },
        { header: 'W', nth: 1, as: 'comment' },
        { header: 'w', nth: 2, as: 'ignored' },
      ],
    });
  });

  it('takes over what this sheet lacks, but for what hangs on another column', () => {
    const beside = ['unit', 'term', 'source'] as const;
    const basis = profile({
      columns: [
        { header: 'Tube', as: 'name' },
        { header: 'colour', as: 'characteristic', optional: true },
        ...beside.map((as) => ({ header: `a ${as}`, as, optional: true })),
      ],
    });
    const { columns } = documentOf([{ header: 'Tube', meaning: { as: 'name' } }], basis.document, 'a sheet');
    expect(columns.map(({ header }) => header)).toEqual(['Tube', 'colour']);
  });
});
