/** Postings of the search index: sets of slots, pages, segments of a step and what merging makes of them, against plain sets. */
import { describe, expect, it } from 'vitest';
import { PostingBuilder } from '../../src/store/postings/builder.js';
import { type MergedPage, mergePages } from '../../src/store/postings/merge.js';
import {
  firstKeyOf,
  Page,
  type PageEntries,
  pageBitsFor,
  pageOf,
  type Slots,
  writePage,
} from '../../src/store/postings/page.js';
import { eachRising, findRising, risingBytes, writeRising } from '../../src/store/postings/rising.js';
import { addSlots, MASK_WORDS, packRuns, runsOf, SPAN, samplesIn, wordsOf } from '../../src/store/postings/slots.js';
import { Random } from '../support/random.js';
import { runs } from '../support/seeds.js';

const maskOf = (slots: Iterable<number>): Uint32Array => {
  const mask = new Uint32Array(MASK_WORDS);
  for (const slot of slots) mask[slot >> 5] = (mask[slot >> 5] as number) | (1 << (slot & 31));
  return mask;
};
const slotsIn = (mask: Uint32Array): number[] => {
  const slots: number[] = [];
  for (const [word, bits] of mask.entries())
    for (let bit = 0; bit < 32; bit++) if ((bits >>> bit) & 1) slots.push(word * 32 + bit);
  return slots;
};
const range = (count: number, first = 0, step = 1): number[] =>
  Array.from({ length: count }, (_, at) => first + at * step);

/** Sets that are stored as slots, runs and bits, and their edges. */
const SETS: [what: string, slots: number[]][] = [
  ['none', []],
  ['the first', [0]],
  ['the last', [SPAN - 1]],
  ['some', [3, 31, 32, 64, 65_000]],
  ['all', range(SPAN)],
  ['runs at the edges of words', [...range(32), ...range(33, 63), ...range(40, SPAN - 40)]],
  ['each second', range(SPAN / 2, 0, 2)],
  ['each third', range(SPAN / 3, 1, 3)],
  ['as many as bits are for, and fewer', range(16_384, 0, 4)],
  ['the most that are not written as bits', range(13_107, 3, 5)],
  ['some at the end', range(40, SPAN - 80, 2)],
  ['some of everywhere', ((random) => range(SPAN).filter(() => random.chance(0.03)))(new Random(3))],
];

describe('a set of slots', () => {
  it('takes some bits more for each than the logarithm of the gaps between them', () => {
    const sizes = [0.001, 0.0125, 0.1].map((part) => {
      const random = new Random(7);
      const slots = range(SPAN).filter(() => random.chance(part));
      return (packRuns(runsOf(maskOf(slots))).length * 8) / slots.length - Math.log2(1 / part);
    });
    for (const more of sizes) expect(more).toBeLessThan(3);
  });
  it('that is cut short is an error, not a search without an end', () => {
    const packed = packRuns(range(200, 5, 80).flatMap((slot) => [slot, slot]));
    expect(() => addSlots(new Uint32Array(MASK_WORDS), packed, 0, packed.length - 40)).toThrow(RangeError);
  });
  it('is read as it was packed where its runs come in any order', () => {
    const runs = [500, 500, 7, 9, 300, 300, 8, 12, ...range(30, 20_000, 3).flatMap((slot) => [slot, slot])];
    const mask = new Uint32Array(MASK_WORDS);
    addSlots(mask, packRuns(runs));
    expect(slotsIn(mask)).toEqual([7, 8, 9, 10, 11, 12, 300, 500, ...range(30, 20_000, 3)]);
  });

  it.each(SETS)('is read as it was packed: %s', (_, slots) => {
    const runs = runsOf(maskOf(slots));
    expect(samplesIn(runs)).toBe(slots.length);
    const packed = packRuns(runs);
    expect(packed.length).toBeLessThanOrEqual(1 + SPAN / 8);
    const mask = maskOf([7]);
    addSlots(mask, packed);
    expect(slotsIn(mask)).toEqual([...new Set([...slots, 7])].sort((a, b) => a - b));
  });
});

describe('rising numbers', () => {
  const written = (limit: number, numbers: readonly number[]): Uint8Array => {
    const bytes = new Uint8Array(risingBytes(limit, numbers.length));
    writeRising(bytes, limit, numbers);
    return bytes;
  };
  const readIn = (bytes: Uint8Array, limit: number, count: number): number[] => {
    const numbers: number[] = [];
    eachRising(bytes, limit, count, (number) => numbers.push(number));
    return numbers;
  };

  it.each([
    [1, [0]],
    [9, [0, 8]],
    [64, range(64)],
    [64, [0, 1, 2, 3, 60, 61]],
    [1000, range(100, 3, 9)],
    [1000, [...range(40, 100), ...range(40, 900)]],
    [1 << 12, [17, 4095]],
  ])('below %i are found where they stand, and no others', (limit, numbers) => {
    const bytes = written(limit, numbers);
    expect(readIn(bytes, limit, numbers.length)).toEqual(numbers);
    for (let number = 0; number < limit; number++)
      expect(findRising(bytes, limit, numbers.length, number)).toBe(numbers.indexOf(number));
  });

  it('of 48 bits are read as they were written, in as many bits as each', () => {
    const limit = 2 ** 48;
    for (const numbers of [
      [limit - 1],
      [5, 2 ** 24, 2 ** 24 + 1, 2 ** 47 + 2 ** 25 + 7, limit - 1],
      range(30, 9, 2 ** 42),
    ]) {
      const bytes = written(limit, numbers);
      expect(readIn(bytes, limit, numbers.length)).toEqual(numbers);
      for (const [at, number] of numbers.entries()) {
        expect(findRising(bytes, limit, numbers.length, number)).toBe(at);
        expect(findRising(bytes, limit, numbers.length, number - 1)).toBe(numbers.indexOf(number - 1));
      }
    }
  });

  it('are an error where any of them is missing, the last one too', () => {
    const numbers = range(50, 3, 20);
    const bytes = written(1000, numbers);
    for (let length = bytes.length - 1; length > 40; length--)
      expect(() => readIn(bytes.subarray(0, length), 1000, numbers.length)).toThrow(RangeError);
    expect(() => readIn(bytes, 1000, numbers.length + 1)).toThrow(RangeError);
    // Its bit is the first behind the end.
    const exact = written(8, range(8));
    expect(() => readIn(exact, 8, 9)).toThrow(RangeError);
  });
});

const KEYS = 2 ** 48;
const read = new WeakMap<Page, PageEntries>();
/** As a search finds them, and as a merge does. */
const slotsOf = (page: Page, key: number): number[] | undefined => {
  const found = page.addSlotsOf(key, undefined);
  const entries = read.get(page) ?? page.entries();
  read.set(page, entries);
  const entry = entries.lowerBound(key);
  if (entries.keys[entry] !== key) return found === undefined ? undefined : [-1];
  const mask = new Uint32Array(MASK_WORDS);
  entries.addTo(mask, entry);
  return found?.every((word, at) => word === mask[at]) ? slotsIn(mask) : [-1];
};

describe('a page', () => {
  it.each([
    [0, 0],
    [200, 8],
    [2 ** 9 - 1, 9],
    [2 ** 16 - 1, 16],
    [7, 20],
  ])('%i of 2 ** %i has for each of its keys the slots that were written', (number, bits) => {
    const first = firstKeyOf(number, bits);
    const last = firstKeyOf(number + 1, bits) - 1;
    const written: [number, Slots, number[]][] = [
      [first, 0, [0]],
      [first + 5, SPAN - 1, [SPAN - 1]],
      [first + 65_535, [1, 3], [1, 2, 3]],
      [first + 65_536, 9, [9]],
      ...range(9, first + 70_000).map((key): [number, Slots, number[]] => {
        const from = key % 7;
        return [key, [from, 7, 9, 9], [...range(8 - from, from), 9]];
      }),
      [last, [4, 4, 6, 6], [4, 6]],
    ];
    const keys = written.map(([key]) => key);
    const page = new Page(
      writePage(
        number,
        bits,
        keys,
        written.map(([, slots]) => slots),
      ),
      number,
      bits,
    );
    const entries = page.entries();
    expect([...entries.keys]).toEqual(keys);
    for (const [key, , slots] of written) expect(slotsOf(page, key), String(key)).toEqual(slots);
    for (const key of [first + 1, first + 65_534, last - 1]) expect(slotsOf(page, key)).toBeUndefined();
    expect([entries.singleAt(0), entries.singleAt(2), entries.lowerBound(last + 1)]).toEqual([0, -1, written.length]);
  });

  it('is one of so many that each has some hundred terms', () => {
    expect([0, 1, 128, 129, 257, 2 ** 40].map(pageBitsFor)).toEqual([0, 0, 0, 1, 2, 20]);
    for (const bits of [0, 1, 7, 20]) {
      for (const page of [0, 2 ** bits - 1]) {
        expect(pageOf(firstKeyOf(page, bits), bits)).toBe(page);
        expect(pageOf(firstKeyOf(page + 1, bits) - 1, bits)).toBe(page);
      }
    }
  });
});

interface Model {
  terms: Map<number, Set<number>>;
  bits: number;
  pages: Map<number, Page>;
  held: Set<number>;
}

/** Samples with terms, some of which many of them have, given in any order. */
function segmentOf(random: Random, samples: number): Model {
  const builder = new PostingBuilder();
  const terms = new Map<number, Set<number>>();
  const held = new Set<number>();
  const first = random.below(SPAN - 4 * samples);
  for (let at = 0; at < samples; at++) {
    const slot = random.chance(0.7) ? first + at : first + random.below(4 * samples);
    if (held.has(slot)) continue;
    held.add(slot);
    const own = [random.below(KEYS), random.below(9), 10 + (slot % 3), random.below(300) * 2 ** 39, KEYS - 1];
    for (const key of own) {
      builder.add(key, slot, slot);
      terms.set(key, (terms.get(key) ?? new Set()).add(slot));
    }
  }
  const { bits, pages } = builder.pages();
  expect(builder.terms).toBe(terms.size);
  return { terms, bits, held, pages: new Map(pages.map((data, number) => [number, new Page(data, number, bits)])) };
}

const sorted = (set: Iterable<number>): number[] => [...set].sort((a, b) => a - b);
const foundIn = ({ bits, pages }: Pick<Model, 'bits' | 'pages'>, key: number): number[] | undefined => {
  const page = pages.get(pageOf(key, bits));
  return page && slotsOf(page, key);
};

/** Compared as text: an expectation of its own for each of twenty thousand terms took a minute. */
function expectEach(
  expected: ReadonlyMap<number, Iterable<number>>,
  found: (key: number) => number[] | undefined,
): void {
  for (const [key, slots] of expected) {
    const [is, wanted] = [found(key), sorted(slots)];
    if (String(is) !== String(wanted)) expect(is, String(key)).toEqual(wanted);
  }
}

describe('the postings of a step', () => {
  it.each([1, 2, 900, 2_000])('have each term of %i samples with all of its slots', (samples) => {
    const segment = segmentOf(new Random(samples), samples);
    expectEach(segment.terms, (key) => foundIn(segment, key));
    expect(foundIn(segment, 2 ** 39 + 1)).toBeUndefined();
  });
});

it.each([1, 2, 3])('runs that lie over one another, in any order, are each slot once (%i)', (seed) => {
  const random = new Random(seed);
  const builder = new PostingBuilder();
  const expected = new Map<number, Set<number>>();
  for (let n = 0; n < 400; n++) {
    const [key, first] = [random.below(12), random.below(300)];
    const last = first + random.below(random.chance(0.5) ? 2 : 60);
    builder.add(key, first, last);
    const slots = expected.get(key) ?? new Set();
    for (let slot = first; slot <= last; slot++) slots.add(slot);
    expected.set(key, slots);
  }
  const page = new Page(builder.pages().pages[0] as Buffer, 0, 0);
  expectEach(expected, (key) => slotsOf(page, key));
});

describe('merged segments', () => {
  it.each([1, 2, 3, 4].slice(0, runs(4)))('find what the newest segment says of each sample (%i)', (seed) => {
    const random = new Random(seed);
    const segments = range(9).map(() => segmentOf(random, 1 + random.below(400)));
    const newest = new Map<number, number>();
    for (const [number, { held }] of segments.entries()) for (const slot of held) newest.set(slot, number);
    const expected = new Map<number, number[]>();
    for (const [number, { terms }] of segments.entries()) {
      for (const [key, slots] of terms) {
        const live = [...slots].filter((slot) => newest.get(slot) === number);
        if (live.length > 0) expected.set(key, sorted([...(expected.get(key) ?? []), ...live]));
      }
    }
    const bits = pageBitsFor(segments.reduce((sum, { terms }) => sum + terms.size, 0));
    const pages = new Map<number, Page>();
    let terms = 0;
    for (const page of range(2 ** bits)) {
      const sources = segments.flatMap((segment, number): MergedPage[] => {
        const own = segment.pages.get(pageOf(firstKeyOf(page, bits), segment.bits));
        const live = maskOf([...segment.held].filter((slot) => newest.get(slot) === number));
        return own ? [{ page: own.entries(), live, held: wordsOf(maskOf([...segment.held])) }] : [];
      });
      const merged = mergePages(sources, page, bits);
      terms += merged.terms;
      pages.set(page, new Page(merged.data, page, bits));
    }
    expect(terms).toBe(expected.size);
    expectEach(expected, (key) => foundIn({ bits, pages }, key));
  });

  it('leaves no key whose samples say something else by now, and one slot as one slot', () => {
    const [first, second, third] = [1, 2, 3];
    const pageWith = (entries: [key: number, slots: Slots][]): PageEntries => {
      const data = writePage(
        0,
        0,
        entries.map(([key]) => key),
        entries.map(([, slots]) => slots),
      );
      return new Page(data, 0, 0).entries();
    };
    const held = wordsOf(maskOf(range(64)));
    const sources: MergedPage[] = [
      {
        page: pageWith([
          [first, [3, 4]],
          [second, [3, 5]],
          [third, 6],
        ]),
        live: maskOf([5]),
        held,
      },
      {
        page: pageWith([
          [first, [4, 5]],
          [second, [5, 6]],
          [third, 6],
        ]),
        live: maskOf([7]),
        held,
      },
    ];
    const merged = mergePages(sources, 0, 0);
    expect([...new Page(merged.data, 0, 0).entries().keys]).toEqual([second]);
    expect(merged).toEqual({ data: writePage(0, 0, [second], [5]), terms: 1 });
  });
});
