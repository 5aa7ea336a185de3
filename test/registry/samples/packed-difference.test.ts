import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameContent } from '../../../src/registry/samples/canonical.js';
import { surelyDiffers } from '../../../src/registry/samples/packed-difference.js';
import { emptyLayout, type SampleLayout, unpackSample } from '../../../src/registry/samples/packed-sample.js';
import { runs } from '../../support/seeds.js';

const LAYOUT: SampleLayout = {
  ...emptyLayout(),
  cells: 8,
  characteristics: [
    { name: 'organism', text: 0, terms: [{ source: 1, accession: 2 }] },
    { name: 'note', text: 3 },
    { name: 'note', text: 4 },
    { name: '__proto__', text: 5, unit: 6 },
  ],
  relationships: [{ type: 't', target: 7 }],
};
/** Cells that are the text of a characteristic whose name no other column bears. */
const TELLING = [0, 5];
const row = fc.array(fc.constantFrom('', 'a', 'b', 'ab'), { maxLength: 8 }).map((cells) => cells.join('\t'));

describe('two rows of one sheet', () => {
  it('that surely differ do differ, whatever their cells', () => {
    fc.assert(
      fc.property(row, row, (one, other) => {
        if (!surelyDiffers(LAYOUT, one, other)) return;
        expect(sameContent(unpackSample(LAYOUT, one), unpackSample(LAYOUT, other))).toBe(false);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('differ by their first difference, however far behind it stands', () => {
    const filler = fc.array(fc.constantFrom('a', 'é', '\ud800', '😀', 'x'.repeat(500)), { maxLength: 8 });
    fc.assert(
      fc.property(filler, fc.nat(8), fc.constantFrom('y', '', '\t'), (parts, cell, other) => {
        const before = `${'\t'.repeat(cell)}${parts.join('')}`;
        const [one, two] = [`${before}z`, `${before}${other}`];
        const cells = [one, two].map((text) => text.split('\t')) as [string[], string[]];
        const first = cells[0].findIndex((text, at) => text !== cells[1][at]);
        expect(surelyDiffers(LAYOUT, one, two)).toBe(TELLING.includes(first));
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each([
    ['a changed text', 'a\tx', 'b\tx'],
    ['an emptied text', 'a\tx', '\tx'],
    ['a longer text', 'a', 'ab'],
    ['a text further on', 'a\tT\t1\tn\tm\tp', 'a\tT\t1\tn\tm\tq'],
  ])('surely differ in %s', (_, one, other) => expect(surelyDiffers(structuredClone(LAYOUT), one, other)).toBe(true));

  it.each([
    ['nothing', 'a\tx', 'a\tx'],
    ['empty cells at the end', 'a', 'a\t\t'],
    ['a term’s source', 'a\tx\t1', 'a\ty\t1'],
    ['columns of one name', 'a\t\t\tn\t', 'a\t\t\t\tn'],
    ['a unit', 'a\t\t\t\t\t\tu', 'a\t\t\t\t\t\tv'],
  ])('are not distinguished by %s', (_, one, other) =>
    expect(surelyDiffers(structuredClone(LAYOUT), one, other)).toBe(false),
  );
});
