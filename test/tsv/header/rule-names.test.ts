import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, table } from '../read-sheet.js';

const HEADER = ['Sample Name', 'Release Date', 'Sample Identifier'];
const D = '2024-05-01';

describe('Sample Name', () => {
  it('every repeat is a row error that names the first line', async () => {
    const { samples, rejected } = await readSheet(table(HEADER, ['a', D], ['b', D], ['a', D], [' a ', D]));
    expect(samples.map(({ line }) => line)).toEqual([2, 3]);
    expect(codes(rejected)).toEqual(['4 name.repeated', '5 name.repeated']);
    expect(issuesOf(rejected).every(({ message }) => message.includes('line 2'))).toBe(true);
    expect(issuesOf(rejected)[0]).toMatchObject({ column: 'Sample Name', columnLetter: 'A', value: 'a' });
  });

  it('differs by case and inner blanks', async () => {
    const { samples } = await readSheet(table(HEADER, ['a b', D], ['A b', D], ['a  b', D], ['a_b', D]));
    expect(samples).toHaveLength(4);
  });

  it('may repeat where both rows carry identifiers that differ', async () => {
    const { samples, rejected } = await readSheet(table(HEADER, ['a', D, 'SAMR1'], ['a', D, 'SAMR2'], ['a', D]));
    expect(samples.map(({ id }) => id)).toEqual([1, 2]);
    expect(codes(rejected)).toEqual(['4 name.repeated']);
  });

  it('repeats a row without an identifier, even with one of its own', async () => {
    const { rejected } = await readSheet(table(HEADER, ['a', D], ['a', D, 'SAMR2']));
    expect(codes(rejected)).toEqual(['3 name.repeated']);
  });

  it('is taken even by a row that is bad for another reason', async () => {
    const { rejected } = await readSheet(table(HEADER, ['a', 'soon'], ['a', D]));
    expect(codes(rejected)).toEqual(['2 release.invalid', '3 name.repeated']);
  });

  it('is known again after a restart in the middle of the file', async () => {
    const text = table(HEADER, ['a', D], ['b', D], ['a', D], ['c', D]);
    const { samples, rejected, batches } = await readSheet(text, { read: { fromLine: 3 } });
    expect(samples.map(({ name }) => name)).toEqual(['c']);
    expect(codes(rejected)).toEqual(['4 name.repeated']);
    expect(batches[0]?.fromLine).toBe(4);
  });
});
