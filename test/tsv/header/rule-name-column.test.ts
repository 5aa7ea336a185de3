/** A sheet without a Sample Name: which of its columns names the samples is said, and its result says it, too. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../src/registry/errors.js';
import { resultHeader, resultRow } from '../../../src/tsv/print/write.js';
import { runs } from '../../support/seeds.js';
import { planOf, readSheet, refusal, rowsOf, table } from '../read-sheet.js';

const RELEASE = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics' } as const;
const LIMS = table(
  ['barcode', 'Tube No', 'tissue', 'Sample Name'],
  ['77', 'T-1', 'liver', 'first'],
  ['78', 'T-2', 'liver', 'first'],
);
const named = (nameColumn: string) => ({ header: { ...RELEASE, nameColumn } });

describe('a sheet whose name column is said', () => {
  it.each(['Tube No', 'tube_no', ' TUBE NO '])(
    '(%s) keeps its other columns, one called Sample Name too',
    async (column) => {
      const { plan, samples } = await readSheet(LIMS, named(column));
      expect(plan.namedBy).toBe('Tube No');
      expect(samples.map(({ name }) => name)).toEqual(['T-1', 'T-2']);
      expect(samples[0]?.content.characteristics).toEqual({
        barcode: [{ text: '77' }],
        tissue: [{ text: 'liver' }],
        'Sample Name': [{ text: 'first' }],
      });
    },
  );

  it.each([
    ['ignore', ['tissue', 'Sample Name'], {}],
    ['characteristics', [], { tissue: [{ text: 'liver' }], 'Sample Name': [{ text: 'first' }] }],
  ] as const)(
    'has columns that mean what they mean in any sheet (unknownColumns=%s)',
    async (unknownColumns, not, more) => {
      const text = table(
        ['Tube', 'Release Date', 'Characteristics[age]', 'Unit', 'tissue', 'Sample Name', 'Sample Identifier'],
        ['T-1', '2024-05-01', '3', 'year', 'liver', 'first', 'SAMR7'],
      );
      const { plan, samples } = await readSheet(text, { header: { nameColumn: 'Tube', unknownColumns } });
      expect(plan).toMatchObject({ nameColumn: 0, releaseColumn: 1, identifierColumn: 6, notStored: not });
      expect(samples).toMatchObject([{ name: 'T-1', release: '2024-05-01T00:00:00.000Z', id: 7 }]);
      expect(samples[0]?.content.characteristics).toEqual({ age: [{ text: '3', unit: 'year' }], ...more });
    },
  );

  it.each([
    [
      'keeps dates and people under the words of ISA-Tab, as a sheet of another kind does',
      [],
      ['Date', 'Source Name', 'Performer', 'site'],
    ],
    ['has none of them where they are of a protocol', ['Protocol REF'], ['site']],
    ['has none of them where they are of a parameter', ['Parameter Value[dose]'], ['site']],
  ])('%s', async (_, more, kept) => {
    const header = ['Tube', 'Date', 'Source Name', 'Performer', 'Comment[n]', 'site', ...more];
    const sheet = table(header, ['T-1', '2024-05-01', 'donor', 'AE', 'n', 'x', ...more]);
    const { samples } = await readSheet(sheet, named('Tube'));
    expect(Object.keys(samples[0]?.content.characteristics ?? {})).toEqual(kept);
    const all = planOf(sheet, { ...RELEASE, nameColumn: 'Tube', unknownColumns: 'ignore' });
    expect(all.notStored).toEqual(header.slice(1));
  });

  it('is found below titles, in commas, and wins over a format that would be recognised', async () => {
    const commas = 'Export of Monday,,\n,,\nno,"tube, no",organ\n1,a,x\n2,b,y\n';
    expect((await readSheet(commas, named('tube, no'))).samples.map(({ name }) => name)).toEqual(['a', 'b']);
    const ena = table(['alias', 'title', 'taxon_id'], ['a', 'Title A', '9606']);
    const { plan, samples } = await readSheet(ena, named('title'));
    expect(plan.profile).toBeUndefined();
    expect(samples.map(({ name }) => name)).toEqual(['Title A']);
  });

  it('is sent back with a row that says it: the result is read alike without the option', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom('tube', 'Organ (left)', 'Datum', 'x,y', 'ID', 'Kürzel'), { minLength: 2 }),
        fc.nat(),
        async (header, pick) => {
          const column = header[pick % header.length] as string;
          const text = table(header, ...[1, 2, 3].map((row) => header.map((each) => `${each} ${row}`)));
          const first = await readSheet(text, named(column));
          let result = resultHeader(first.plan, true);
          for (const row of await rowsOf(text, first.plan))
            result += resultRow(first.plan, row, { accession: `SAMR${row.line}`, release: '2025-01-01T00:00:00Z' });
          const again = await readSheet(result, { header: { unknownColumns: 'characteristics' } });
          expect(again.rejected).toEqual([]);
          expect(again.samples.map(({ name, content }) => ({ name, content }))).toEqual(
            first.samples.map(({ name, content }) => ({ name, content })),
          );
          expect(again.samples.map(({ id }) => id)).toEqual([2, 3, 4]);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('that it does not have is refused with its headers', async () => {
    const { code, message } = await refusal(LIMS, named('tubes'));
    expect(code).toBe('file.header');
    expect(message).toMatch(/no column tubes, which the option nameColumn names.*Found: barcode, Tube No, tissue/);
  });
});

describe('a sheet without a name column', () => {
  const proposed = (text: string): unknown => {
    try {
      return planOf(text, RELEASE);
    } catch (error) {
      return (error as RegistryError).detail.extra?.nameColumns;
    }
  };

  it('is refused with the columns that could name its samples, likeliest first: filled, and no value twice', async () => {
    const text = table(
      ['batch', 'weight', 'barcode', 'isolate', 'note', 'Characteristics[x]'],
      ['1', '3.1', 'b1', 'i1', '', 'p'],
      ['1', '3.2', 'b2', 'i2', 'n', 'q'],
    );
    expect(proposed(text)).toEqual(['isolate', 'barcode']);
    expect((await refusal(text, { header: RELEASE })).message).toContain(
      'say which with the option nameColumn: isolate, barcode.',
    );
  });

  it.each([
    [
      'what is said of a sample is not its name',
      ['Sample Source', 'UID', 'Name'],
      ['P1', '17', 'AB-1'],
      ['P2', '19', 'AB-2'],
      ['Name', 'UID', 'Sample Source'],
    ],
    [
      'nor is its organism',
      ['scientificName', 'catalogNumber', 'eventDate'],
      ['Bufo bufo', 'H 1', '2019-05-04'],
      ['Rana temporaria', 'H 2', '2019-05-05'],
      ['catalogNumber', 'scientificName'],
    ],
    [
      'a number that counts rows is the last',
      ['tube number', 'Patient', 'No'],
      ['7', 'p', '1'],
      ['8', 'q', '2'],
      ['Patient', 'tube number'],
    ],
    ['a header that says so may lack a value', ['Probe', 'Organ'], ['', 'liver'], ['b', 'lung'], ['Probe', 'Organ']],
  ])('has them in this order: %s', (_, header, first, second, names) => {
    expect(proposed(table(header, first, second))).toEqual(names);
  });

  it('has them where each has a value twice or lacks one: those whose headers speak of samples, before what names nothing', () => {
    const lines = ['gc_sample_id', 'g1', 'g1', 'g2', ''];
    const beside = (header: string, ...cells: string[]) =>
      table(...lines.map((first, at) => [first, 'cod', [header, ...cells][at] as string]));
    expect(proposed(beside('jar', 'x', 'x', 'y', 'z'))).toEqual(['gc_sample_id']);
    expect(proposed(beside('jar', 'x', 'w', 'y', 'z'))).toEqual(['gc_sample_id', 'jar']);
    expect(proposed(beside('barcode', 'x', 'w', 'y', 'z'))).toEqual(['barcode']);
    expect(proposed(beside('core_sample_no', 'x', 'w', 'w', ''))).toEqual(['gc_sample_id', 'core_sample_no']);
    expect(proposed(beside('barcode', 'x', 'w', 'w', ''))).toEqual(['gc_sample_id']);
  });

  it('has its header named below titles, by the line on which it stands', async () => {
    const text = 'Freezer inventory,,\nPrinted: 03/04/2024,,\n\nBox,Tube,Species\nA,LV-1,Mouse\nA,LV-2,Mouse\n';
    expect(proposed(text)).toEqual(['Tube']);
    expect((await refusal(text, { header: RELEASE })).message).toBe(
      'Line 4: there is no Sample Name column; add one with a name for each sample. If a column names the samples already, say which with the option nameColumn: Tube. Found: Box, Tube, Species.',
    );
    expect((await refusal(text, named('Vial'))).message).toMatch(
      /^Line 4: there is no column Vial, .*Found: Box, Tube/,
    );
  });

  it.each([
    ['Sample.Name', 'Release.Date', 'Characteristics.cell.type.'],
    ['Sample.Identifier', 'Release.Date', 'Characteristics.cell.type.'],
  ])('is asked for as it was, where R has changed it: %s', async (...header) => {
    const { message } = await refusal(table(header, ['a', '2024-01-01', 'x'], ['b', '2024-01-01', 'y']));
    expect(message).toContain(
      `"${header[0]}" is one that R has changed, which writes dots for blanks and brackets: read the sheet anew with check.names = FALSE.`,
    );
    const ours = await refusal(table(['sample.name', 'body.site'], ['a', 'x'], ['b', 'y']));
    expect(ours.message).not.toContain('check.names');
  });

  it('has its rows looked at below the header, without remarks and blank rows, as far as 200', () => {
    const rows = (count: number): string[][] => Array.from({ length: count }, (_, at) => [` b${at} `, `n${at}`]);
    const text = table(['', ''], ['jar', 'Note '], ['# jar', ''], ['', ''], ...rows(200), ['b0', 'n200']);
    expect(proposed(text)).toEqual(['jar', 'Note']);
    expect(proposed(table(['jar', 'Note'], ...rows(199), ['b0', 'n200']))).toEqual(['Note']);
    expect(proposed(table(['barcode', 'Note'], ['b0'], ['b1']))).toEqual(['barcode']);
    expect(proposed(table(['barcode', 'Note']))).toBeUndefined();
  });

  it('has no more than five columns proposed, and of equal ones the first', () => {
    const headers = ['f', 'e', 'd', 'c', 'b', 'a', 'isolate'];
    expect(
      proposed(
        table(
          headers,
          headers,
          headers.map((text) => `${text}2`),
        ),
      ),
    ).toEqual(['isolate', 'f', 'e', 'd', 'c']);
  });

  it('in which nothing is unique gets no proposal', () => {
    expect(proposed(table(['a', 'b'], ['1', '2'], ['1', '2']))).toBeUndefined();
  });
});
