/** Which columns belong to which, and where their cells are packed. */
import { describe, expect, it } from 'vitest';
import type { CharacteristicCells } from '../../../src/registry/samples/packed-sample.js';
import { columnKind, plainName } from '../../../src/tsv/header/header-name.js';
import { bindColumns } from '../../../src/tsv/header/layout.js';
import { planOf, readSheet, refusal, table } from '../read-sheet.js';

const bind = (headers: string[], units?: string[]) => {
  const { layout, keptColumns } = bindColumns(headers.map(columnKind), units);
  return { layout, keptColumns };
};
const NOTHING = { relationships: [], externalReferences: [], contact: [], organization: [], publications: [] };
const A = 'Characteristics[a]';
const [SOURCE, ACCESSION] = ['Term Source REF', 'Term Accession Number'];

/** Only where a source may be joined to an accession does the layout say how. */
const joins = ({ terms = [], unitTerms = [] }: Partial<CharacteristicCells>): boolean =>
  [...terms, ...unitTerms].some(({ source }) => source !== undefined);

describe('units and terms', () => {
  it.each([
    ['a source and its accession', [SOURCE, ACCESSION], { terms: [{ source: 1, accession: 2 }] }],
    ['an accession and its source', [ACCESSION, SOURCE], { terms: [{ accession: 1, source: 2 }] }],
    ['an accession alone', [ACCESSION], { terms: [{ accession: 1 }] }],
    ['what FAANG and SampleTab call one', ['term_source_id'], { terms: [{ accession: 1 }] }],
    ['the same behind its source', [SOURCE, 'Term Source ID.1'], { terms: [{ source: 1, accession: 2 }] }],
    ['two accessions', [ACCESSION, ACCESSION], { terms: [{ accession: 1 }, { accession: 2 }] }],
    [
      'an accession alone and a term',
      [ACCESSION, SOURCE, ACCESSION],
      { terms: [{ accession: 1 }, { source: 2, accession: 3 }] },
    ],
    [
      'two terms with the source behind',
      [ACCESSION, SOURCE, ACCESSION, SOURCE],
      {
        terms: [
          { accession: 1, source: 2 },
          { accession: 3, source: 4 },
        ],
      },
    ],
    [
      'an accession without a source before terms with the source behind',
      [ACCESSION, ACCESSION, SOURCE, ACCESSION, SOURCE],
      { terms: [{ accession: 1 }, { accession: 2, source: 3 }, { accession: 4, source: 5 }] },
    ],
    [
      'a term and one with the source behind',
      [SOURCE, ACCESSION, ACCESSION, SOURCE],
      {
        terms: [
          { source: 1, accession: 2 },
          { accession: 3, source: 4 },
        ],
      },
    ],
    ['a term before a source alone', [SOURCE, ACCESSION, SOURCE], { terms: [{ source: 1, accession: 2 }] }, 3],
    [
      'two terms of a unit with the source behind',
      ['Unit', ACCESSION, SOURCE, ACCESSION, SOURCE],
      {
        unit: 1,
        unitTerms: [
          { accession: 2, source: 3 },
          { accession: 4, source: 5 },
        ],
      },
    ],
    ['a unit with a term', ['Unit', SOURCE, ACCESSION], { unit: 1, unitTerms: [{ source: 2, accession: 3 }] }],
    ['a unit whose header says it, too', ['Unit[kg]'], { unit: 1 }],
    ['a unit behind other columns', ['Comment[x]', 'Unit'], { unit: 1 }, 2, [0, 2]],
  ])('%s are of the characteristic before', (_, headers, cells, count = headers.length + 1, kept?: number[]) => {
    const { layout, keptColumns } = bind([A, ...headers]);
    const columns = kept ?? Array.from({ length: count }, (_each, column) => column);
    expect(keptColumns).toStrictEqual(columns);
    expect(layout).toStrictEqual({
      cells: columns.length,
      characteristics: [{ name: 'a', text: 0, ...cells, ...(joins(cells) ? { prefixes: true } : {}) }],
      ...NOTHING,
    });
  });

  it.each([
    ['a source alone', [A, SOURCE]],
    ['a source alone behind the unit of another column', [A, 'Factor Value[f]', 'Unit', SOURCE, ACCESSION]],
    ['terms of what is not stored', [A, 'Parameter Value[p]', ACCESSION, SOURCE, 'Unit']],
    ['terms of a header that is not known', [A, 'Material[m]', SOURCE, ACCESSION, 'Unit']],
  ])('%s are not stored', (_, headers) => {
    expect(bind(headers)).toStrictEqual({
      layout: { cells: 1, characteristics: [{ name: 'a', text: 0 }], ...NOTHING },
      keptColumns: [0],
    });
  });

  it('before any characteristic are of none', () => {
    expect(bind(['Unit', SOURCE, ACCESSION, A])).toStrictEqual({
      layout: { cells: 1, characteristics: [{ name: 'a', text: 0 }], ...NOTHING },
      keptColumns: [3],
    });
  });

  it('for all rows are trimmed, and blank ones are none', () => {
    const { layout } = bind([A, 'Characteristics[b]'], [' m ', ' ']);
    expect(layout.characteristics).toStrictEqual([
      { name: 'a', text: 0, fixedUnit: 'm' },
      { name: 'b', text: 1 },
    ]);
  });

  it('that stand elsewhere are of the first that they fit, or of nothing', () => {
    const { layout, keptColumns } = bindColumns([
      { kind: 'term-at', column: 9 },
      { kind: 'unit-of', name: 'b' },
      { kind: 'unit-of', name: 'a' },
      { kind: 'unit-at', column: 4 },
      { kind: 'characteristic', name: 'a' },
      { kind: 'term-at', column: 2 },
    ]);
    expect(keptColumns).toStrictEqual([2, 4, 5]);
    expect(layout.characteristics).toStrictEqual([{ name: 'a', text: 1, unit: 0, unitTerms: [{ accession: 2 }] }]);
  });

  it('are packed in the order of the sheet, whatever they are', () => {
    const { keptColumns } = bind(['Comment[external DB REF]', 'Comment[bsd_relationship:child of]', A, ACCESSION]);
    expect(keptColumns).toStrictEqual([0, 1, 2, 3]);
  });
});

describe('headers with brackets', () => {
  it.each(['Characteristics', 'characteristic', 'Characteristics[age', 'Characteristic [age', 'Comment[x'])(
    '%s without one of them refuses the file',
    async (header) => {
      const { code, message } = await refusal(table(['Sample Name', header], ['a', 'v']), {
        header: { releaseDate: 0 },
      });
      expect(code).toBe('file.header');
      expect(message).toContain('[name]');
    },
  );

  it.each(['Comment', 'Site [x'])('%s is no such header', (header) => {
    expect(columnKind(header)).toEqual({ kind: 'unknown' });
  });

  it.each([
    'Comment[foo:bar]',
    'Comment[foo:]',
    'Comment[:x]',
    'Comment[submission_contacts]',
    'Comment[bsd_relationships]',
  ])('%s is a comment like any other', (header) => {
    expect(columnKind(header)).toEqual({ kind: 'ignored column' });
  });

  it('that ISA-Tab knows are known with unknownColumns=reject', () => {
    const header = ['Sample Name', 'Factor Value[dose]', 'Unit', 'Parameter Value[p]', 'Comment[x]'];
    const { notStored } = planOf(table(header, ['a']), { unknownColumns: 'reject', releaseDate: 0 });
    expect(notStored).toEqual(header.slice(1));
  });
});

it('a header of several lines names its characteristic in one', async () => {
  expect(plainName(' Collection \r\n\r\n date\n')).toBe('Collection date');
  const { samples } = await readSheet('Sample Name\t"Collection\r\r date"\na\t2024\n', {
    header: { unknownColumns: 'characteristics', releaseDate: 0 },
  });
  expect(Object.keys(samples[0]?.content.characteristics ?? {})).toEqual(['Collection date']);
});
