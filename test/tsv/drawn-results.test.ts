/** A result that is sent again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/seeds.js';
import { readSheet } from './read-sheet.js';
import { numbered, resultOf } from './result-of.js';
import { anySpelling, spell } from './sheets.js';

const D = '2024-05-01';

describe('the result', () => {
  it('sent again with its receipt changes nothing', async () => {
    const cell = fc.constantFrom(
      '',
      'v',
      ' padded ',
      '"',
      '"x"y',
      'a\tb',
      'two\nlines',
      'a\rb',
      '日本',
      '5" pipe',
      '=1+1',
      '#',
      'n1',
    );
    const target = fc.constantFrom('', '', 'n0', 'n1', 'n2', 'SAMEA1', 'nowhere');
    const row = fc.tuple(
      fc.constantFrom('', ...'nnnnnn'),
      fc.constantFrom(D, D, D, 'soon', ''),
      cell,
      cell,
      target,
      cell,
    );
    const rows = fc.array(fc.oneof({ weight: 9, arbitrary: row }, fc.constantFrom([''], ['# note'])), {
      minLength: 1,
      maxLength: 12,
    });
    const header = fc.constantFrom(
      ['Sample Name', 'Release Date', 'Characteristics[x]', 'Unit', 'Comment[bsd_relationship:a]', 'Comment[note]'],
      ['Sample Name', 'Release Date', 'Sample Identifier', 'Characteristics[x]', 'Comment[bsd_relationship:a]', ''],
    );
    await fc.assert(
      fc.asyncProperty(header, rows, anySpelling(), async (names, cells, spelling) => {
        const named = cells.map((each, at) => (each[0] === 'n' ? [`n${at}`, ...each.slice(1)] : each));
        const text = spell([names, ...named, ['end', D]], spelling);
        const first = await readSheet(text, numbered);
        const result = await resultOf(text, numbered);
        const second = await readSheet(result, numbered);
        const meant = (samples: typeof first.samples) =>
          samples.map(({ name, release, content, id, reserved }) => ({ name, release, content, id: id || reserved }));
        expect(meant(second.samples)).toEqual(meant(first.samples));
        expect(second.samples.every(({ id }) => id > 0)).toBe(true);
        const faults = (sheet: typeof first) =>
          sheet.rejected.map(({ name, issues }) => [name, issues.map(({ code }) => code)]);
        expect(faults(second)).toEqual(faults(first));
        expect(await resultOf(result, numbered)).toBe(result);
      }),
      { numRuns: runs(600) },
    );
  });
});
