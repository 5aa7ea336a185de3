import { describe, expect, it } from 'vitest';
import { MOST_VALUES } from '../../../src/registry/search/facets.js';
import { attributeFilter, filterParts, rangeFilter, writtenRange } from '../../../src/registry/search/filter-parts.js';
import { facetsDocument, foundRangeFilter, readFacets } from '../../../src/registry/search/sample-facets-document.js';
import { parseSearch } from '../../../src/registry/search/search-query.js';
import { valueTerm } from '../../../src/registry/search/search-terms.js';

describe('a filter that is refused', () => {
  const KNOWN =
    'acc:ACCESSION, name:NAME, attr:NAME[:VALUE], range:NAME:from=VALUE[until=VALUE|below=VALUE], dt:release|update:from=DATEuntil=DATE, rel:TYPE[:ACCESSION], descendantOf|ancestorOf:ACCESSION[:TYPE], account:ACCOUNT, status:withdrawn|any';
  const date = 'a date such as 2024-11-21 or 2024-11-21T09:30:00Z';
  it.each([
    ['colour:red', `The filter "colour:red" is not one of ${KNOWN}.`],
    ['colour:any', `The filter "colour:any" is not one of ${KNOWN}.`],
    ['colour:release:from=2024-01-01', `The filter "colour:release:from=2024-01-01" is not one of ${KNOWN}.`],
    ['range:age:xfrom=1', `The filter "range:age:xfrom=1" is not one of ${KNOWN}.`],
    ['status:gone', `The filter "status:gone" is not one of ${KNOWN}.`],
    ['acc', `The filter "acc" is not one of ${KNOWN}.`],
    ['dt:created:from=2024-01-01', `The filter "dt:created:from=2024-01-01" is not one of ${KNOWN}.`],
    ['dt:release:2024', `The filter "dt:release:2024" is not one of ${KNOWN}.`],
    ['dt:release:xfrom=2024-01-01', `The filter "dt:release:xfrom=2024-01-01" is not one of ${KNOWN}.`],
    [`x${'y'.repeat(200)}`, `The filter "x${'y'.repeat(99)}" is not one of ${KNOWN}.`],
    ['dt:update:from=soon', `The filter "dt:update:from=soon" needs ${date} after "from=".`],
    ['dt:release:until=2024', `The filter "dt:release:until=2024" needs ${date} after "until=".`],
    [
      'range:age:from=ten',
      'The filter "range:age:from=ten" needs numbers or dates such as 12.5 or 2024-11-21; "ten" is neither.',
    ],
    [
      `range:age:below=${'z'.repeat(200)}`,
      `The filter "range:age:below=${'z'.repeat(84)}" needs numbers or dates such as 12.5 or 2024-11-21; "${'z'.repeat(40)}" is neither.`,
    ],
    [
      'range:age:from=1until=2024-01-01',
      'The filter "range:age:from=1until=2024-01-01" needs two numbers or two dates, not one of each.',
    ],
    [
      `range:${'a'.repeat(200)}:from=1until=2024-01-01`,
      `The filter "range:${'a'.repeat(94)}" needs two numbers or two dates, not one of each.`,
    ],
    [`dt:update:from=${'s'.repeat(200)}`, `The filter "dt:update:from=${'s'.repeat(85)}" needs ${date} after "from=".`],
    ['range::from=1', `The filter "range::from=1" is not one of ${KNOWN}.`],
    ...['attr::liver', 'attr: : liver', 'rel::SAMR1', 'descendantOf::child of', 'ancestorOf: :child of'].map(
      (filter) => [filter, `The filter "${filter}" is not one of ${KNOWN}.`],
    ),
    ['range:age:', `The filter "range:age:" is not one of ${KNOWN}.`],
  ])('is named, with what there is: %.40s', (filter, message) => {
    expect(() => parseSearch('SAMR', undefined, [filter])).toThrow(
      expect.objectContaining({ code: 'request.invalid', message }),
    );
  });

  it.each([
    ['dt:release:from=2024-01-01until=2024-12-31', 'dt:release:from=2022-01-01until=2022-12-31', 'release: say from='],
    ['dt:release:until=2024-12-31', 'dt:release:from=2022-01-01until=2022-12-31', 'release: say until='],
    ['dt:update:from=2022-01-01', 'dt:update:from=2021-01-01', 'update: say from='],
  ])('is one of two that say another end of one time: %s, %s', (one, other, message) => {
    for (const filters of [
      [one, other],
      [other, 'dt:update:until=2030-01-01', one],
    ]) {
      expect(() => parseSearch('SAMR', undefined, filters)).toThrow(
        expect.objectContaining({ code: 'request.invalid', message: expect.stringContaining(`dt:${message}`) }),
      );
    }
  });

  it.each([
    [['dt:update:from=2024-12-31until=2024-01-01'], 'dt:update'],
    [['dt:release:until=2023-12-31', 'name:a', 'dt:release:from=2024-01-01'], 'dt:release'],
    [['range:age:from=65below=18'], 'range:age:from=65below=18'],
    [['range:age:from=19until=18'], 'range:age:from=19until=18'],
    [['range:day:from=2024-12-31until=2024-01-01'], 'range:day:from=2024-12-31until=2024-01-01'],
  ])('begins after it ends, and would find nothing without a word: %s', (filters, named) => {
    expect(() => parseSearch('SAMR', undefined, filters)).toThrow(
      expect.objectContaining({
        code: 'request.invalid',
        message: `The filter "${named}" begins after it ends, so that nothing can be within it; what stands behind "from=" comes first.`,
      }),
    );
  });

  it('is none of a day, a moment or a number', () => {
    for (const range of ['from=2024-01-01until=2024-01-01', 'from=2024-01-01T09:00:00Zuntil=2024-01-01']) {
      expect(() => parseSearch('SAMR', undefined, [`dt:release:${range}`, `range:day:${range}`])).not.toThrow();
    }
    expect(() => parseSearch('SAMR', undefined, ['range:age:from=18until=18'])).not.toThrow();
  });

  it('is the fifth of descent', () => {
    const filters = (count: number) => Array.from({ length: count }, (_, at) => `ancestorOf:SAMR${at + 1}`);
    expect(parseSearch('SAMR', undefined, filters(4)).lineage).toHaveLength(4);
    expect(() => parseSearch('SAMR', undefined, filters(5))).toThrow(
      expect.objectContaining({
        code: 'request.invalid',
        message: 'A search takes 4 filters descendantOf: and ancestorOf: at most.',
      }),
    );
  });
});

describe('filters of one search', () => {
  const asked = (...filters: string[]) => parseSearch('SAMR', undefined, filters);

  it('of descent follow one type or those that say it, in either direction', () => {
    expect(asked('descendantOf:SAMR1', 'ancestorOf:OTHER1:derived from').lineage).toEqual([
      { direction: 'descendants', accession: 'SAMR1' },
      { direction: 'ancestors', accession: 'OTHER1', type: 'derived from' },
    ]);
  });

  it('of one name or relationship are alternatives, of different ones must all be met', () => {
    const { terms, attributes } = asked('attr:a:1', 'rel:t:SAMR1', 'attr:A:2', 'attr:b', 'rel:T', 'name:n', 'name:m');
    expect(terms.map((group) => group.length)).toEqual([2, 2, 1, 2]);
    expect([...(attributes?.keys() ?? [])]).toEqual([0, 2]);
    expect(asked('name:n')).not.toHaveProperty('attributes');
  });

  it('of ranges of one name are alternatives; every one of another name must be met', () => {
    const { ranges } = asked('range:a:from=1', 'range:A:below=0', 'range:b:until=5', 'range:c:until=2024-01-01T00:00Z');
    expect([...(ranges?.values() ?? [])]).toEqual([
      [
        { date: false, from: 1 },
        { date: false, below: 0 },
      ],
      [{ date: false, until: 5 }],
      [{ date: true, until: Date.UTC(2024, 0, 1) }],
    ]);
  });

  it('are read without the blanks around their parts', () => {
    expect(asked('attr: a : b ').terms).toEqual(asked('attr:a:b').terms);
    expect(filterParts(' range : a : from= 1 ')).toEqual({
      kind: ' range ',
      value: 'a : from= 1',
      name: 'a',
      detail: 'from= 1',
    });
    expect(filterParts('x')).toEqual({ kind: 'x', value: '', name: '', detail: '' });
    expect(writtenRange('from= 1 .. below= 2 ')).toEqual({ from: '1 ..', below: '2' });
    expect(writtenRange('from= 1 until= 2 ')).toEqual({ from: '1', until: '2' });
  });

  it('of accounts and of times are joined', () => {
    expect(asked('account:a', 'account:b').accounts).toEqual(['a', 'b']);
    expect(asked('dt:update:from=2024-01-01', 'dt:update:until=2024-01-02').updated).toEqual({
      from: Date.UTC(2024, 0, 1),
      until: Date.UTC(2024, 0, 3) - 1,
    });
    expect(asked('dt:update:from=2024-01-01', 'dt:update:from=2024-01-01T00:00Z').updated).toEqual({
      from: Date.UTC(2024, 0, 1),
    });
    expect(asked('dt:release:until= 2024-01-02 ').release).toEqual({ until: Date.UTC(2024, 0, 3) - 1 });
  });
});

describe('the filter of what was counted', () => {
  it.each([
    [() => attributeFilter('geo:site'), 'attr:geo\\:site'],
    [() => attributeFilter('a', 'x:y'), 'attr:a:x\\:y'],
    [() => attributeFilter('a\\'), 'attr:a\\ '],
    [() => rangeFilter('a:b', { from: '1', below: '2' }), 'range:a\\:b:from=1below=2'],
    [() => rangeFilter('a', { until: '2' }), 'range:a:until=2'],
    [() => foundRangeFilter('a', false, { from: 1.5 }), 'range:a:from=1.5'],
    [
      () => foundRangeFilter('a', true, { from: 0, below: 3_600_000 }),
      'range:a:from=1970-01-01below=1970-01-01T01:00:00.000Z',
    ],
  ])('is spelt as it is asked for (%#)', (filter, wanted) => expect(filter()).toBe(wanted));

  it('finds a name that ends in a backslash', () => {
    expect(parseSearch('SAMR', undefined, [attributeFilter('a\\', 'b')]).terms).toEqual([[valueTerm('a\\', 'b')]]);
  });
});

describe('what was counted', () => {
  const found = { samples: 7, missing: 0, more: 0, list: [] };
  it('is shown with the filters that find it', () => {
    const list = [
      { name: 'a', samples: 5, values: [{ value: 'x', samples: 3 }], others: 2 },
      {
        name: 'when',
        samples: 2,
        values: [],
        ranges: { date: true, list: [{ from: 0, below: 86_400_000, samples: 2 }] },
      },
      { name: 'n', samples: 1, values: [], ranges: { date: false, list: [{ below: 1, samples: 1 }] } },
    ];
    expect(facetsDocument({ ...found, list })).toEqual({
      samples: 7,
      characteristics: [
        {
          name: 'a',
          samples: 5,
          filter: 'attr:a',
          values: [{ value: 'x', samples: 3, filter: 'attr:a:x' }],
          others: 2,
        },
        {
          name: 'when',
          samples: 2,
          filter: 'attr:when',
          values: [],
          rangesOf: 'dates',
          ranges: [
            {
              from: '1970-01-01',
              below: '1970-01-02',
              samples: 2,
              filter: 'range:when:from=1970-01-01below=1970-01-02',
            },
          ],
        },
        {
          name: 'n',
          samples: 1,
          filter: 'attr:n',
          values: [],
          rangesOf: 'numbers',
          ranges: [{ below: 1, samples: 1, filter: 'range:n:below=1' }],
        },
      ],
    });
  });

  it('says what it leaves out', () => {
    expect(facetsDocument({ ...found, missing: 2, more: 3 })).toEqual({
      samples: 7,
      characteristics: [],
      notIndexed: 2,
      notCounted: 3,
    });
  });

  it.each([
    ['0', 'facets=0'],
    ['21', 'facets=21'],
    ['9'.repeat(50), `facets=${'9'.repeat(40)}`],
    [Array.from({ length: 21 }, (_, at) => `a${at}`).join(','), 'facets= with 21 names'],
  ])('is no more than is counted at once: %.20s', (given, what) => {
    expect(() => readFacets([given], 5)).toThrow(
      expect.objectContaining({
        code: 'request.invalid',
        message: `${what}: 1 to 20 characteristics are counted at once, each by up to ${MOST_VALUES} values.`,
      }),
    );
  });
});
