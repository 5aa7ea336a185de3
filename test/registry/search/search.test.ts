import { describe, expect, it } from 'vitest';
import { emptyContent } from '../../../src/registry/samples/sample.js';
import { numberTerm } from '../../../src/registry/search/accession-terms.js';
import { readFacets } from '../../../src/registry/search/sample-facets-document.js';
import { parseSearch } from '../../../src/registry/search/search-query.js';
import { termsOf } from '../../../src/registry/search/search-terms.js';
import { textsOf } from '../../../src/registry/search/term-keys.js';

function sample() {
  const content = emptyContent();
  content.characteristics.Organism = [{ text: 'Müs musculus', ontologyTerms: ['NCBITaxon:10090'] }];
  content.characteristics['collection site'] = [{ text: 'São Paulo: centro', unit: 'km' }];
  content.relationships = [{ type: 'derived from', target: 'SAMR7' }];
  content.publications = [{ doi: '10.1/x.5' }];
  return content;
}
const TERMS = new Set([...textsOf(termsOf('SAMR', { id: 5, name: 'Probe-12' }, sample())), numberTerm(5)]);

/** Whether an index that holds this one sample would answer it. */
const finds = (text: string | undefined, ...filters: string[]): boolean =>
  parseSearch('SAMR', text, filters).terms.every((group) => group.some((term) => TERMS.has(term)));

const names = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`);

describe('facets that are asked for', () => {
  it.each([
    [['organism,tissue'], ['organism', 'tissue']],
    [
      ['organism', 'a\\,b,'],
      ['organism', 'a,b'],
    ],
    [['\\10,\\*'], ['10', '*']],
    [['*'], 10],
    [[' 3 '], 3],
    [['1'], 1],
    [['20'], 20],
    [
      ['*', 'a'],
      ['*', 'a'],
    ],
    [
      ['3', 'a'],
      ['3', 'a'],
    ],
    [['a3'], ['a3']],
    [['3a'], ['3a']],
    [[names(20).join(',')], names(20)],
  ])('%j', (given, of) => expect(readFacets(given, 5)).toEqual({ of, values: 5 }));

  it('none', () => expect(readFacets([' ', ','], 5)).toBeUndefined());

  it.each([['0'], ['21'], [Array.from({ length: 21 }, (_, at) => `a${at}`).join(',')]])('not %s', (given) =>
    expect(() => readFacets([given], 5)).toThrow('1 to 20 characteristics'),
  );
});

describe('ranges', () => {
  const rangesOf = (filter: string) => [...(parseSearch('SAMR', undefined, [filter]).ranges?.values() ?? [])].flat();

  it.each([
    ['range:age:from=10below=20', { date: false, from: 10, below: 20 }],
    ['range:age:from=-1.5..until=2e3', { date: false, from: -1.5, until: 2000 }],
    ['range:a\\:b:below=0', { date: false, below: 0 }],
    [
      'range:when:from=2024-01-01below=2024-02',
      { date: true, from: Date.UTC(2024, 0, 1), below: Date.UTC(2024, 1, 1) },
    ],
    ['range:when:until=2024-01-01', { date: true, until: Date.UTC(2024, 0, 2) - 1 }],
  ])('%s', (filter, range) => expect(rangesOf(filter)).toEqual([range]));

  it.each(['range:age', 'range:age:10', 'range:age:from=ten', 'range:age:from=1below=2024-01-01', 'range::from=1'])(
    'are not %s',
    (filter) => expect(() => rangesOf(filter)).toThrow(`The filter "${filter}"`),
  );
});

describe('what a sample is found by', () => {
  it.each([
    'mus',
    'MÜS',
    'musculus mus',
    'samr5',
    'probe 12',
    'sao paulo',
    'organism',
    'km',
    'ncbitaxon 10090',
    '10 1 x 5',
  ])('the words %s', (text) => expect(finds(text)).toBe(true));

  it('its accession, alone', () => {
    const asked = (text: string, prefix = 'SAMR') => parseSearch(prefix, text, []).terms;
    expect(asked('Samr5')).toEqual([['wsamr5', numberTerm(5)]]);
    expect(asked('SAMR9007199254740991')).toEqual([['wsamr9007199254740991', numberTerm(Number.MAX_SAFE_INTEGER)]]);
    for (const none of ['samr05', 'samr', 'samr5x', 'xsamr5', '5', 'samr99999999999999999999']) {
      expect(asked(none)).toEqual([[`w${none}`]]);
    }
    // Where its letters are words of their own, they are those of every sample.
    expect(asked('LAB_ONE5', 'LAB_ONE')).toEqual([['wlab'], ['wone5', numberTerm(5)]]);
    expect(asked('LAB_5', 'LAB_')).toEqual([['wlab'], ['w5', numberTerm(5)]]);
    expect(textsOf(termsOf('LAB_ONE', { id: 5, name: 'x' }, emptyContent()))).toContain('wlab');
  });

  it('nothing at all where there is no word in the text', () => {
    for (const text of ['=', ' %% ', '-', '\u0301']) {
      expect(parseSearch('SAMR', text, []).ids).toEqual([]);
      expect(parseSearch('SAMR', text, ['acc:SAMR5']).ids).toEqual([]);
    }
    for (const text of [undefined, '', '  ']) expect(parseSearch('SAMR', text, [])).toEqual({ terms: [] });
  });

  it('a characteristic with a colon in its name, which a filter writes with a backslash', () => {
    const content = emptyContent();
    content.characteristics['geo:site'] = [{ text: 'a:b' }];
    const terms = textsOf(termsOf('SAMR', { id: 5, name: 'x' }, content));
    for (const filter of ['attr:geo\\:site', 'attr:geo\\:site:a:b', 'attr:geo\\:site:a\\:b']) {
      expect(terms).toContain(parseSearch('SAMR', undefined, [filter]).terms[0]?.[0]);
    }
    expect(terms).not.toContain(parseSearch('SAMR', undefined, ['attr:geo:site']).terms[0]?.[0]);
  });

  it.each(['muscul', 'homo', 'musculus homo'])('not by %s', (text) => expect(finds(text)).toBe(false));

  it.each([
    'name:probe-12',
    'attr:organism',
    'attr:ORGANISM:müs musculus',
    'attr:organism:NCBITaxon:10090',
    'attr:collection site:são paulo: centro',
    'rel:DERIVED_FROM',
    'rel:derived from:SAMR7',
  ])('the filter %s', (filter) => expect(finds(undefined, filter)).toBe(true));

  it.each(['name:probe', 'attr:organ', 'attr:organism:mus', 'rel:same as', 'rel:derived from:SAMR8'])(
    'not by the filter %s',
    (filter) => expect(finds(undefined, filter)).toBe(false),
  );

  it('filters of one kind are alternatives, different ones must all be met', () => {
    expect(finds(undefined, 'attr:organism:homo', 'attr:Organism:müs musculus')).toBe(true);
    expect(finds(undefined, 'attr:organism:müs musculus', 'attr:collection site:x')).toBe(false);
    expect(finds('mus', 'rel:same as')).toBe(false);
  });
});

describe('filters by column', () => {
  it('read accessions, accounts and dates', () => {
    const asked = parseSearch('SAMR', undefined, [
      'acc:SAMR5',
      'acc:OTHER1',
      'account:lab: north',
      'dt:release:from=2024-01-01..until=2024-01-31',
      'dt:update:until=2024-01-31T00:00:00Z',
    ]);
    expect(asked).toEqual({
      terms: [],
      ids: [5, 0],
      accounts: ['lab: north'],
      release: { from: Date.UTC(2024, 0, 1), until: Date.UTC(2024, 1, 1) - 1 },
      updated: { until: Date.UTC(2024, 0, 31) },
      // A sample that is named is found whatever became of it.
      withdrawn: 'too',
    });
    expect(parseSearch('SAMR', undefined, ['dt:release:from=2024-01-01until=2024-01-02']).release).toEqual({
      from: Date.UTC(2024, 0, 1),
      until: Date.UTC(2024, 0, 3) - 1,
    });
  });

  it('leave withdrawn samples out unless they are asked for', () => {
    const withdrawn = (...filters: string[]) => parseSearch('SAMR', undefined, filters).withdrawn;
    expect(withdrawn()).toBeUndefined();
    expect(withdrawn('status:withdrawn')).toBe('only');
    expect(withdrawn('status:any')).toBe('too');
    expect(withdrawn('status:any', 'status:withdrawn')).toBe('too');
    expect(withdrawn('acc:SAMR5', 'status:withdrawn')).toBe('only');
  });

  it.each([
    'x',
    'x:y',
    'acc',
    'acc:',
    'dt:created:from=2024-01-01',
    'dt:release',
    'dt:release:2024',
    'dt:release:from=',
    'dt:update:from=yesterday',
    '',
  ])('%j is refused', (filter) => {
    expect(() => parseSearch('SAMR', undefined, [filter])).toThrow(
      expect.objectContaining({ code: 'request.invalid' }),
    );
  });
});
