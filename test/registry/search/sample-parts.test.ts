/** What rows of a sheet are found and counted by, made part by part, against what their whole content says. */
import { describe, expect, it } from 'vitest';
import {
  type CharacteristicCells,
  emptyLayout,
  type SampleLayout,
  unpackSample,
} from '../../../src/registry/samples/packed-sample.js';
import { indexedParts, indexedSample } from '../../../src/registry/search/indexed-sample.js';
import type { IndexedParts } from '../../../src/registry/search/sample-parts.js';
import { textsOf } from '../../../src/registry/search/term-keys.js';
import { Random } from '../../support/random.js';
import { runs } from '../../support/seeds.js';
import { usedHeap } from '../../support/used-heap.js';

const NAMES = ['organism', 'Organism', ' ORGANISM', 'age', 'Café', '  ', 'collection site', '__proto__', '7'];
const TEXTS = [
  '',
  ' ',
  'Homo sapiens',
  'HOMO  sapiens',
  '10.5',
  '-3',
  '2020-01-02',
  '2020-05',
  'Ünï',
  'Ünï_1',
  'http://www.e.org/x',
];

/** Any sheet: columns that share a name, units and terms of their own or of others, records, the same cell twice. */
function layoutOf(random: Random): SampleLayout {
  const cells = 1 + random.below(12);
  const cell = (): number => random.below(cells);
  const several = <T>(most: number, make: () => T): T[] => Array.from({ length: random.below(most + 1) }, make);
  const characteristic = (): CharacteristicCells => ({
    name: random.pick(NAMES),
    text: cell(),
    ...(random.chance(0.3) && {
      terms: several(2, () => ({ accession: cell(), ...(random.chance(0.5) && { source: cell() }) })),
    }),
    ...(random.chance(0.3) && { unit: cell() }),
    ...(random.chance(0.1) && { fixedUnit: 'kg' }),
    ...(random.chance(0.1) && { unitTerms: [{ accession: cell() }] }),
    ...(random.chance(0.5) && { prefixes: true }),
  });
  const record = () => Object.fromEntries(several(3, () => [random.pick(['Name', 'Email', 'doi']), cell()]));
  return {
    ...emptyLayout(),
    cells,
    characteristics: several(6, characteristic),
    relationships: several(2, () => ({ type: random.pick(['derived from', 'Child Of']), target: cell() })),
    externalReferences: several(2, cell),
    contact: several(2, record),
    organization: several(1, record),
    publications: several(1, record),
  };
}

const summary = (indexed: IndexedParts) => ({
  terms: textsOf(indexed.parts.flatMap(({ terms }) => terms)).sort(),
  counted: indexed.parts
    .flatMap(({ counted }) => (counted ? [counted] : []))
    .map(([code, { values }]) => [code, [...values].sort((a, b) => a.code - b.code)])
    .sort(),
  more: indexed.more,
  nameOnly: indexed.nameOnly,
});

function expectSame(layout: SampleLayout, doc: string, id = 5, name = 'Probe-12'): IndexedParts {
  const head = { id, name, bytes: 1 };
  const parts = indexedParts('SAMR', head, false, () => ({ layout, doc }));
  const content = { content: unpackSample(layout, doc), curationLinks: [] };
  const { terms, facets } = indexedSample('SAMR', head, false, () => content);
  // The last says the accession, which postings have without a term (`numberTerm`).
  const whole = [
    { terms: terms.slice(0, -1) },
    ...Array.from(facets.characteristics, (counted) => ({ terms: [], counted })),
  ];
  expect(summary(parts), doc).toEqual(summary({ parts: whole, more: facets.more }));
  expect(summary(indexedParts('SAMR', head, false, () => content))).toEqual(summary(parts));
  return parts;
}

describe('the parts of a row', () => {
  it.each([1, 2, 3].slice(0, runs(3)))(
    'say what its whole content says, whatever the rows before it said (%i)',
    (seed) => {
      const random = new Random(seed);
      for (let sheet = 0; sheet < 60; sheet++) {
        const layout = layoutOf(random);
        const text = (row: number): string => (random.chance(0.2) ? `text ${row} of its own` : random.pick(TEXTS));
        for (let row = 0; row < 40; row++) {
          // Missing cells at the end count as empty.
          const cells = Array.from({ length: 1 + random.below(layout.cells) }, () => text(row));
          // A target may be another sample or, which says less, the sample itself.
          if (random.chance(0.2)) cells[random.below(cells.length)] = random.pick(['SAMR5', 'SAMR6']);
          expectSame(layout, cells.join('\t'), 5 + random.below(2), `name ${random.below(3)}`);
        }
      }
    },
  );

  const LAYOUT: SampleLayout = {
    ...emptyLayout(),
    cells: 4,
    characteristics: [
      { name: 'organism', text: 0, terms: [{ accession: 1 }] },
      { name: 'age', text: 2, unit: 3 },
    ],
  };

  it('are those of the row before where the cells are the same, and where they were met lately', () => {
    const of = (doc: string) => expectSame(LAYOUT, doc).parts;
    const first = of('human\tT:1\t10\tyear');
    expect(of('human\tT:1\t11\tyear')[1]).toBe(first[1]);
    expect(of('human\tT:2\t10\tyear')[1]).not.toBe(first[1]);
    expect(of('human\tT:1\t10\tyear').slice(1)).toEqual(first.slice(1));
    expect(of('human\tT:1\t10\tyear')[2]).toBe(first[2]);
    expect(of('human\tT:1\t10\tmonth')[2]).not.toBe(first[2]);
  });

  it('are kept of the layouts that were met last', () => {
    const doc = 'human\tT:1\t10\tyear';
    const of = (layout: SampleLayout) => expectSame(layout, doc).parts[1];
    const first = of(LAYOUT);
    const others = Array.from({ length: 8 }, () => ({ ...LAYOUT }));
    for (const other of others.slice(0, 6)) of(other);
    expect(of(LAYOUT)).toBe(first);
    for (const other of others) of(other);
    expect(of(LAYOUT)).not.toBe(first);
  });

  it('are right in sheets whose rows say more than is kept, again and again', () => {
    for (let row = 0; row < 12_000; row++) {
      const doc = `of row ${row % 3_000}\tT:${row % 2}\t${row % 700}\tyear`;
      if (row % 97 === 0 || row % 3_000 < 3) expectSame(LAYOUT, doc);
      else indexedParts('SAMR', { id: 5, name: 'n', bytes: 1 }, false, () => ({ layout: LAYOUT, doc }));
    }
  });

  it.each(['a row', 'a content'])(
    'that are kept keep nothing of the blocks that their cells were read from: of %s',
    { tags: 'bounds' },
    (what) => {
      const characteristics = LAYOUT.characteristics.map((plan) => ({ ...plan, name: `${plan.name} of ${what}` }));
      const keepAlive = { ...LAYOUT, characteristics };
      const before = usedHeap();
      // Each cell is asked for twice, and so kept, out of a block of 256 KiB that is read for it: 50 MiB of them.
      for (let row = 0; row < 200; row++) {
        for (const _ of ['once', 'again']) {
          const block = Buffer.alloc(
            256 * 1024,
            `the cell of row ${row}\tTERM:${row} of it\tnumber ${row} of all\tyears of age\n`,
          );
          const doc = block.toString('latin1').slice(0, block.indexOf('\n'));
          const content = { content: unpackSample(keepAlive, doc), curationLinks: [] };
          const read = () => (what === 'a row' ? { layout: keepAlive, doc } : content);
          indexedParts('SAMR', { id: 5, name: 'n', bytes: 1 }, false, read);
        }
      }
      expect(usedHeap() - before).toBeLessThan(10e6);
    },
  );

  it('say that there is more where a row has more characteristics or values than are counted by', () => {
    const named = (count: number, name: (at: number) => string): SampleLayout => ({
      ...emptyLayout(),
      cells: count,
      characteristics: Array.from({ length: count }, (_, at) => ({ name: name(at), text: at })),
    });
    const row = (count: number): string => Array.from({ length: count }, (_, at) => `v${at}`).join('\t');
    expect(
      expectSame(
        named(250, (at) => `c${at}`),
        row(250),
      ).more,
    ).toBe(false);
    expect(
      expectSame(
        named(251, (at) => `c${at}`),
        row(251),
      ).more,
    ).toBe(true);
    expect(
      expectSame(
        named(251, (at) => `c${at}`),
        row(3),
      ).more,
    ).toBe(false);
    expect(
      expectSame(
        named(100, () => 'c'),
        row(100),
      ).more,
    ).toBe(false);
    expect(
      expectSame(
        named(101, () => 'c'),
        row(101),
      ).more,
    ).toBe(true);
  });

  it('are of the name alone where the row cannot be read', () => {
    const broken = { ...LAYOUT, characteristics: [null as unknown as CharacteristicCells] };
    const found = indexedParts('SAMR', { id: 5, name: 'Probe', bytes: 1 }, false, () => ({ layout: broken, doc: 'x' }));
    expect(textsOf(found.parts.flatMap(({ terms }) => terms))).toEqual(expect.arrayContaining(['wprobe']));
    expect(found.nameOnly).toMatch(/^The stored sample cannot be read: /);
  });
});
