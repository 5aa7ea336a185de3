import { describe, expect, it } from 'vitest';
import { emptyContent, type Relationship, type SampleContent } from '../../../src/registry/samples/sample.js';
import { noFacets } from '../../../src/registry/search/sample-facets.js';
import {
  attributeTerm,
  nameTerm,
  relatedTerm,
  relationshipTerm,
  sourceTerm,
  termsOf,
  valueTerm,
  wordTerms,
} from '../../../src/registry/search/search-terms.js';
import { codeOf, Terms, termKey, textsOf } from '../../../src/registry/search/term-keys.js';
import { Random } from '../../support/random.js';
import { runs } from '../../support/seeds.js';

const content = (changes: Partial<SampleContent> = {}): SampleContent => ({ ...emptyContent(), ...changes });
const keysOf = ({ keys: { list, count } }: Terms): number[] => [...list.slice(0, count)];
const textsOfSample = (name: string, sample: SampleContent) => textsOf(termsOf('SAMR', { id: 5, name }, sample));
const textsOfContent = (changes: Partial<SampleContent>, name = 'n') => textsOfSample(name, content(changes));

describe('the terms of a sample', () => {
  it('are those that stored indexes hold: others call for a rebuilt index', () => {
    const sample = content({
      relationships: [{ type: 'derived from', target: 'SAMR7' }],
      publications: [{ doi: '10.1/x.5' }],
    });
    sample.characteristics.Organism = [{ text: 'Müs musculus', ontologyTerms: ['NCBITaxon:10090'] }];
    sample.characteristics['collection site'] = [{ text: 'São Paulo: centro', unit: 'km' }];
    const words = 'wprobe w12 worganism wmus wmusculus wncbitaxon w10090 wcollection wsite wsao wpaulo wcentro wkm';
    const hashed = 'm1twam4yguje anvx85ujtz7 vtp6e6vgq0f v1e5zhekjl84 as67kzm3sb8 v6azfhks1nu r14yvvn01ki7 toyivxrp2ip';
    expect(textsOfSample('Probe-12', sample).sort()).toEqual(
      `${words} ${hashed} wsamr7 w10 w1 wx w5`.split(' ').sort(),
    );
  });

  it('are keys of postings, which stored indexes hold too, and which queries make of the same texts', () => {
    expect(['wprobe', 'm1twam4yguje', 'anvx85ujtz7'].map(termKey)).toEqual([
      129531460554775, 139247147796172, 131704846196320,
    ]);
    expect(termKey(nameTerm('tissue'))).not.toBe(termKey(attributeTerm('tissue')));
    const terms = new Terms('Liver-x', 'v', codeOf(valueTerm('a', 'b')));
    expect(terms.texts).toEqual([valueTerm('a', 'b'), 'wliver', 'wx']);
    const keys = keysOf(terms);
    expect(keys).toEqual(terms.texts.map(termKey));
    for (const key of keys) expect(Number.isInteger(key) && key >= 0 && key < 2 ** 48, String(key)).toBe(true);
  });

  it('have the keys of their texts, in any script and of any length, asked for once or again', () => {
    const PIECES = [
      ...'abzAZ059 ,_-/~\x00\x1f\x7f',
      'http',
      'HTTPS',
      'www',
      'wwww',
      'x'.repeat(39),
      'é',
      'ß',
      'İ',
      '中',
      '\u0301',
      'Σ',
      '\ud83d',
    ];
    const random = new Random(11);
    for (let at = 0; at < 4_000; at++) {
      const from = random.chance(0.5) ? PIECES.slice(0, 24) : PIECES;
      const text = Array.from({ length: random.below(12) }, () => random.pick(from)).join('');
      const terms = random.chance(0.5) ? new Terms(text) : new Terms(text, 'v', random.below(2 ** 52));
      for (const _ of ['once', 'again', 'kept'])
        expect(keysOf(terms), JSON.stringify(text)).toEqual(terms.texts.map(termKey));
    }
    const many = new Terms(Array.from({ length: 900 }, (_, at) => `word${at}`).join(' '));
    expect(keysOf(many)).toEqual(many.texts.map(termKey));
  });

  it('hold words without what nearly every sample has, cut at 40 letters', () => {
    expect([...wordTerms(`https://WWW.e.org http ${'x'.repeat(41)}`)]).toEqual(['we', 'worg', `w${'x'.repeat(40)}`]);
  });

  it('hold the words of references, contacts, organizations and publications', () => {
    const terms = textsOfContent({
      externalReferences: [{ url: 'http://one.org' }],
      contact: [{ Name: 'Two' }],
      organization: [{ Name: 'Three' }],
      publications: [{ pubmed: '4' }],
    });
    expect(terms).toEqual(expect.arrayContaining(['wone', 'wtwo', 'wthree', 'w4']));
  });

  it('hold nothing of an empty text, term or unit', () => {
    const sample = content();
    sample.characteristics.a = [{ text: '', ontologyTerms: [''], unit: '' }, {}];
    expect(textsOfSample('n', sample).sort()).toEqual([...textsOfContent({}), attributeTerm('a'), 'wa'].sort());
  });

  it('are those of the sample alone, whatever was met before it, and however much', () => {
    const LETTERS = ['a', 'B', 'É', 'İ', 'ﬁ', 'ß', '3', '·', ' ', '_', '-', '中', 'e\u0301'];
    const random = new Random(5);
    const text = (): string => Array.from({ length: 1 + random.below(9) }, () => random.pick(LETTERS)).join('');
    for (let at = 0; at < runs(10_000); at++) {
      const [name, value, term] = [text(), at % 50 === 0 ? text().repeat(40) : text(), text()];
      const facets = noFacets();
      const sample = content({
        characteristics: { [name]: [{ text: value, ontologyTerms: [term] }, { text: value }] },
      });
      const words = [name, value, term].flatMap((each) => [...wordTerms(each)]);
      const wanted = [...words, attributeTerm(name), valueTerm(name, value), valueTerm(name, term)];
      for (const _ of ['met for the first time', 'known']) {
        expect(textsOf(termsOf('SAMR', { id: 5, name: 'n' }, sample, facets)).sort()).toEqual(
          [...new Set([...textsOfContent({}), ...wanted])].sort(),
        );
      }
    }
  });

  const related = (relationship: Relationship) =>
    textsOfContent({ relationships: [relationship] }).filter((term) => !textsOfContent({}).includes(term));
  it('hold a relationship by its type and by the other sample of it', () => {
    expect(related({ type: 'derived from', target: 'SAMR7' }).sort()).toEqual(
      [relationshipTerm('Derived_From'), relatedTerm('DERIVED FROM', 'SAMR7'), 'wsamr7'].sort(),
    );
    // Of two others it is found by both; of another as the source and itself as the target, as the target too.
    expect(related({ source: 'SAMR8', type: 't', target: 'SAMR7' }).sort()).toEqual(
      [relationshipTerm('t'), relatedTerm('t', 'SAMR7'), relatedTerm('t', 'SAMR8'), 'wsamr7', 'wsamr8'].sort(),
    );
    expect(related({ source: 'SAMR8', type: 'T', target: 'SAMR5' }).sort()).toEqual(
      [relationshipTerm('t'), relatedTerm('t', 'SAMR8'), sourceTerm('t', 'SAMR8'), 'wsamr8'].sort(),
    );
    expect(related({ source: 'SAMR5', type: 't', target: 'SAMR5' })).toEqual([relationshipTerm('t')]);
  });
});

describe('what a sample is counted by', () => {
  const facetsOf = (characteristics: Record<string, SampleContent['characteristics'][string]>) => {
    const facets = noFacets();
    termsOf('SAMR', { id: 5, name: 'n' }, content({ characteristics }), facets);
    return facets;
  };

  it('is each of its values under the code that finds it, texts as said, terms alone as not', () => {
    const { characteristics, more } = facetsOf({
      Age: [{ text: '10.5', ontologyTerms: ['EFO:1', '10.5'], unit: 'year' }, { text: 'Old' }, { text: 'OLD' }],
    });
    const age = characteristics.get(codeOf(attributeTerm('age')));
    expect(age?.name).toBe('Age');
    const codes = ['10.5', 'EFO:1', 'old'].map((value) => codeOf(valueTerm('age', value)));
    expect([...(age?.values ?? [])]).toEqual([
      { code: codes[0], text: '10.5', said: true, number: 10.5 },
      { code: codes[1], text: 'EFO:1', said: false },
      { code: codes[2], text: 'Old', said: true },
    ]);
    expect(more).toBe(false);
  });

  it('is a text where a term said the same before', () => {
    const { characteristics } = facetsOf({ a: [{ ontologyTerms: ['X'] }, { text: 'x' }] });
    expect([...(characteristics.get(codeOf(attributeTerm('a')))?.values ?? [])]).toEqual([
      { code: codeOf(valueTerm('a', 'x')), text: 'x', said: true },
    ]);
  });

  const values = (facets: ReturnType<typeof facetsOf>) => [
    ...(facets.characteristics.get(codeOf(attributeTerm('a')))?.values ?? []),
  ];
  it('is of one characteristic under any spelling of its name, and of one term in its first spelling', () => {
    const joined = facetsOf({ a: [{ text: 'x' }], A: [{ text: 'y' }] });
    expect([joined.characteristics.size, values(joined).map(({ text }) => text)]).toEqual([1, ['x', 'y']]);
    expect(values(facetsOf({ a: [{ ontologyTerms: ['X', 'x'] }] })).map(({ text }) => text)).toEqual(['X']);
  });

  it('is not that of a sample before it, which had more under the same characteristic', () => {
    const valuesOf = (characteristics: SampleContent['characteristics']): (string | undefined)[] => {
      const facets = noFacets();
      termsOf('SAMR', { id: 5, name: 'n' }, content({ characteristics }), facets);
      const known = facets.characteristics.get(codeOf(attributeTerm('site')));
      return [...(known?.values ?? [])].map(({ text }) => text);
    };
    const one = { site: [{ text: 'x' }] };
    expect(valuesOf({ ...one, Site: [{ text: 'y' }] })).toEqual(['x', 'y']);
    expect(valuesOf(one)).toEqual(['x']);
  });

  it('is said by a text though there is no room for a further value', () => {
    const full = Array.from({ length: 99 }, (_, at) => ({ text: `v${at}` }));
    const facets = facetsOf({ a: [{ ontologyTerms: ['T'] }, ...full, { text: 't' }] });
    expect([values(facets)[0], facets.more]).toMatchObject([{ text: 't', said: true }, false]);
  });

  it('is nothing of blanks, neither names nor values', () => {
    const { characteristics } = facetsOf({ ' ': [{ text: 'x' }], a: [{ text: ' ' }] });
    expect([...characteristics.values()].map(({ name, values }) => [name, values.length])).toEqual([['a', 0]]);
  });

  it.each([
    ['12', { number: 12 }],
    ['9', { number: 9 }],
    ['0024-02-03', { number: Date.parse('0024-02-03T00:00:00Z'), date: true }],
    ['-1.5e3', { number: -1500 }],
    ['+.5', { number: 0.5 }],
    ['7.', { number: 7 }],
    ['-0', { number: 0 }],
    ['2024', { number: 2024 }],
    ['2024-02', { number: Date.UTC(2024, 1, 1), date: true }],
    ['2024-02-03', { number: Date.UTC(2024, 1, 3), date: true }],
    ['2024-02-03T04:05:06Z', { number: Date.UTC(2024, 1, 3, 4, 5, 6), date: true }],
    ['1e999', {}],
    ['1e9999', {}],
    ['e5', {}],
    ['.', {}],
    ['1.2.3', {}],
    ['12 kg', {}],
    ['x12', {}],
    ['2024-13', {}],
    ['2024-02-30', {}],
    ['2024/02/03', {}],
    ['+2024-02-03', {}],
  ])('is the number or date of %s', (text, measure) => {
    const { characteristics } = facetsOf({ a: [{ text }] });
    expect([...(characteristics.get(codeOf(attributeTerm('a')))?.values ?? [])]).toEqual([
      { code: codeOf(valueTerm('a', text)), text, said: true, ...measure },
    ]);
  });

  it('is no more than 250 characteristics with 100 values each; it knows that there are more', () => {
    const named = (count: number) =>
      facetsOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, [{ text: 'x' }]])));
    expect([named(250).characteristics.size, named(250).more]).toEqual([250, false]);
    expect([named(251).characteristics.size, named(251).more]).toEqual([250, true]);
    const valued = (count: number) => facetsOf({ a: Array.from({ length: count }, (_, at) => ({ text: `v${at}` })) });
    const sizeOf = (count: number) => [...valued(count).characteristics.values()][0]?.values.length;
    expect([sizeOf(100), valued(100).more]).toEqual([100, false]);
    expect([sizeOf(101), valued(101).more]).toEqual([100, true]);
  });
});
