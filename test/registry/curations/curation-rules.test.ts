import { describe, expect, it } from 'vitest';
import type { CuratedAttribute, CurationLink } from '../../../src/registry/curations/curation.js';
import {
  applyCurations,
  type CurationLists,
  curationHash,
  linkHash,
} from '../../../src/registry/curations/curation-rules.js';
import { emptyContent, type SampleContent } from '../../../src/registry/samples/sample.js';

const LISTS: CurationLists = {
  attributesPre: [],
  attributesPost: [],
  externalReferencesPre: [],
  externalReferencesPost: [],
  relationshipsPre: [],
  relationshipsPost: [],
};

let made = 0;
function link(lists: Partial<CurationLists>): CurationLink {
  const all = { ...LISTS, ...lists };
  const curation = { ...all, hash: curationHash(all) };
  return { curation, domain: null, account: 'bo', created: ++made, hash: linkHash(curation.hash, `SAMR${made}`, 'bo') };
}

function sample(): SampleContent {
  const content = emptyContent();
  content.characteristics.organism = [{ text: 'human', ontologyTerms: ['T:2', 'T:1'] }];
  content.characteristics.age = [{ text: '3', unit: 'year', unitOntologyTerms: ['U:1'] }, { text: '4' }];
  content.externalReferences = [{ url: 'http://e.org' }];
  content.relationships = [{ type: 'derived from', target: 'SAMR9' }];
  return content;
}

const human: CuratedAttribute = { type: 'organism', value: 'human', iri: ['T:1', 'T:2', 'T:1'], unit: '', tag: '' };
const apply = (...links: CurationLink[]) => applyCurations(sample(), links, 'SAMR1');

describe('applying curations', () => {
  it('takes Pre away and puts Post in its place, and leaves the stored content alone', () => {
    const content = sample();
    const one = link({ attributesPre: [human], attributesPost: [{ type: 'organism', value: 'Homo sapiens' }] });
    const view = applyCurations(content, [one], 'SAMR1');
    expect(view.content.characteristics.organism).toEqual([{ text: 'Homo sapiens' }]);
    expect(view.applied).toEqual(new Set([one.hash]));
    expect(content).toEqual(sample());
  });

  it('applies as a whole or not at all: one Pre that is missing in any list skips it', () => {
    const mouse = { type: 'organism', value: 'mouse' };
    const other = { type: 'same as', target: 'SAMR9' };
    const cases: [Partial<CurationLists>, string[]][] = [
      [{ attributesPre: [human, mouse], attributesPost: [] }, ['attributesPre/1']],
      [{ attributesPre: [human], externalReferencesPre: [{ url: 'http://other.org' }] }, ['externalReferencesPre/0']],
      [
        { attributesPre: [mouse, human, mouse], relationshipsPre: [other] },
        ['attributesPre/0', 'attributesPre/2', 'relationshipsPre/0'],
      ],
      [{ attributesPre: [{ type: 'organism', value: 'human' }] }, ['attributesPre/0']],
    ];
    for (const [lists, missing] of cases) {
      const one = link(lists);
      const view = apply(one);
      expect(view.applied.size).toBe(0);
      expect(view.missing).toEqual(new Map([[one.hash, missing.map((entry) => `/curation/${entry}`)]]));
      expect(view.content).toEqual(sample());
    }
  });

  it('says what is missing behind what others have taken away, and nothing of what it applied or was declined', () => {
    const first = link({ attributesPre: [human], attributesPost: [] });
    const second = link({ attributesPre: [human], attributesPost: [{ type: 'organism', value: 'Homo sapiens' }] });
    const declined = { ...link({ attributesPre: [{ type: 'organism', value: 'mouse' }] }), declined: 1 };
    const { missing } = apply(first, second, declined);
    expect([...missing]).toEqual([[second.hash, ['/curation/attributesPre/0']]]);
  });

  it('goes in order: the second sees what the first left, and a third that came too late is skipped', () => {
    const first = link({ attributesPre: [human], attributesPost: [{ type: 'organism', value: 'b' }] });
    const second = link({
      attributesPre: [{ type: 'organism', value: 'b' }],
      attributesPost: [{ type: 'organism', value: 'c' }],
    });
    const late = link({ attributesPre: [human], attributesPost: [{ type: 'organism', value: 'd' }] });
    expect(apply(first, second, late).content.characteristics.organism).toEqual([{ text: 'c' }]);
    expect(apply(first, second, late).applied).toEqual(new Set([first.hash, second.hash]));
    expect(apply(second, first).applied).toEqual(new Set([first.hash]));
  });

  it('leaves an entry that stands in Pre and Post where it is, with all it has', () => {
    const age = { type: 'age', value: '3', unit: 'year' };
    const one = link({ attributesPre: [age, human], attributesPost: [human, age, { type: 'sex', value: 'male' }] });
    const { characteristics } = apply(one).content;
    expect(characteristics).toEqual({ ...sample().characteristics, sex: [{ text: 'male' }] });
    expect(apply(link({ attributesPre: [{ ...age, value: '9' }], attributesPost: [age] })).applied.size).toBe(0);
  });

  it('does not add what is there already, and adds an entry of its own once', () => {
    const one = link({
      attributesPost: [
        { type: 'age', value: '4' },
        { type: 'x', value: 'y' },
        { type: 'x', value: 'y' },
      ],
    });
    const { characteristics } = apply(one).content;
    expect(characteristics.age).toHaveLength(2);
    expect(characteristics.x).toEqual([{ text: 'y' }]);
  });

  it('adds an entry with its terms and unit, of two that say the same the first', () => {
    const post = (iri: string[]) => ({ type: 'x', value: 'y', iri, unit: 'kg' });
    const { characteristics } = apply(link({ attributesPost: [post(['b', 'a']), post(['a', 'b'])] })).content;
    expect(characteristics.x).toEqual([{ text: 'y', ontologyTerms: ['b', 'a'], unit: 'kg' }]);
  });

  it('takes away every entry that says the same, and one that has terms alone', () => {
    const content = emptyContent();
    content.characteristics.age = [{ text: '4' }, { text: '5' }, { text: '4' }];
    content.characteristics.organ = [{ ontologyTerms: ['T:1'] }];
    const one = link({
      attributesPre: [
        { type: 'age', value: '4' },
        { type: 'organ', value: '', iri: ['T:1'] },
      ],
    });
    expect(applyCurations(content, [one], 'SAMR1').content.characteristics).toEqual({ age: [{ text: '5' }] });
  });

  it('leaves out what the owner declined, unless a reader asks for it', () => {
    const declined = { ...link({ attributesPost: [{ type: 'x', value: 'y' }] }), declined: 1 };
    const other = link({ attributesPost: [{ type: 'z', value: 'y' }] });
    const names = (options?: { declined: boolean }) =>
      Object.keys(applyCurations(sample(), [declined, other], 'SAMR1', options).content.characteristics).slice(2);
    expect([names(), names({ declined: false }), names({ declined: true })]).toEqual([['z'], ['z'], ['x', 'z']]);
  });

  it('adds nothing for a Post without value, terms and unit', () => {
    const one = link({
      attributesPre: [human],
      attributesPost: [
        { type: 'organism', value: '' },
        { type: 'new', value: '' },
      ],
    });
    expect(Object.keys(apply(one).content.characteristics)).toEqual(['age']);
    expect(apply(one).applied.size).toBe(1);
  });

  it('takes terms for a set, in every list and between curations', () => {
    const first = link({
      attributesPost: [{ type: 'x', value: 'y', iri: ['b', 'a', 'b'] }],
      externalReferencesPost: [{ url: 'u', duo: ['d', 'c'] }],
    });
    const second = link({
      attributesPre: [{ type: 'x', value: 'y', iri: ['a', 'b'] }],
      externalReferencesPre: [{ url: 'u', duo: ['c', 'd', 'c'] }],
    });
    expect(apply(first, second).applied.size).toBe(2);
    expect(apply(first, second).content).toEqual(sample());
  });

  it('distinguishes unit, tag and value', () => {
    expect(apply(link({ attributesPre: [{ type: 'age', value: '3' }] })).applied.size).toBe(0);
    expect(apply(link({ attributesPre: [{ type: 'age', value: '4', tag: 't' }] })).applied.size).toBe(0);
    expect(apply(link({ attributesPre: [{ type: 'age', value: '4', iri: [''] }] })).applied.size).toBe(1);
  });

  it('remembers a tag between curations though a sample cannot show it', () => {
    const first = link({ attributesPost: [{ type: 'x', value: 'y', tag: 't' }] });
    const second = link({ attributesPre: [{ type: 'x', value: 'y', tag: 't' }] });
    expect(apply(first, second).content.characteristics.x).toBeUndefined();
    expect(apply(first, second).applied.size).toBe(2);
  });

  it('compares relationship types without case, blanks and underscores, and takes a blank source for the sample', () => {
    const one = link({ relationshipsPre: [{ source: 'SAMR1', type: 'DERIVED_FROM', target: 'SAMR9' }] });
    expect(apply(one).content.relationships).toEqual([]);
    const other = link({ relationshipsPre: [{ source: 'SAMR2', type: 'derived from', target: 'SAMR9' }] });
    expect(apply(other).applied.size).toBe(0);
  });

  it('removes the last reference, with an empty duo for none', () => {
    expect(
      apply(link({ externalReferencesPre: [{ url: 'http://e.org', duo: [] }] })).content.externalReferences,
    ).toEqual([]);
  });

  it('keeps characteristics that bear the names of JavaScript', () => {
    const one = link({
      attributesPost: [
        { type: '__proto__', value: 'p' },
        { type: 'constructor', value: 'c' },
      ],
    });
    const { characteristics } = apply(one).content;
    expect(Object.keys(characteristics)).toEqual(['organism', 'age', '__proto__', 'constructor']);
  });
});

describe('the work of applying curations', () => {
  /** The entry, counting how often it is looked at. */
  function counted<T extends object>(item: T, count: { reads: number }): T {
    return new Proxy(item, {
      get: (target, member, receiver) => {
        count.reads += 1;
        return Reflect.get(target, member, receiver);
      },
    });
  }

  function contentOf(entries: number, count: { reads: number }): SampleContent {
    const content = emptyContent();
    content.characteristics.a = Array.from({ length: entries }, (_, at) => counted({ text: String(at) }, count));
    content.externalReferences = Array.from({ length: entries }, (_, at) => counted({ url: `http://e/${at}` }, count));
    content.relationships = Array.from({ length: entries }, (_, at) => counted({ type: 't', target: `S${at}` }, count));
    return content;
  }

  const many: [string, (at: number) => Partial<CurationLists>][] = [
    ['an empty Pre and one Post each', (at) => ({ attributesPost: [{ type: 'x', value: String(at) }] })],
    ['a Pre that is there', (at) => ({ attributesPre: [{ type: 'a', value: String(at % 100) }] })],
    ['a Pre that is not there', () => ({ relationshipsPre: [{ type: 'no', target: 'such' }] })],
    [
      'a Post in every list',
      (at) => ({ externalReferencesPost: [{ url: `u${at}` }], relationshipsPost: [{ type: `${at}`, target: 'x' }] }),
    ],
    ['nothing at all', () => ({})],
  ];
  it.each(many)('looks at the sample once however many links there are: %s', (_, curationOf) => {
    const reads = [1, 2000].map((links) => {
      const count = { reads: 0 };
      const all = Array.from({ length: links }, (_, at) => link(curationOf(at)));
      applyCurations(contentOf(100, count), all, 'SAMR1');
      return count.reads;
    });
    expect(reads[1]).toBe(reads[0]);
  });

  it('looks at what a link adds once, however many links of many entries come after it', () => {
    const lookedAt = (links: number): number => {
      const count = { reads: 0 };
      const post = (of: number) =>
        Array.from({ length: 500 }, (_, at) => counted({ type: `${of}`, value: `${at}` }, count));
      const all = Array.from({ length: links }, (_, of) => {
        const made = link({});
        return { ...made, curation: { ...made.curation, attributesPost: post(of) } };
      });
      applyCurations(emptyContent(), all, 'SAMR1');
      return count.reads;
    };
    expect(lookedAt(40)).toBe(40 * lookedAt(1));
  });
});

describe('hashes of curations', () => {
  it('depend on the six lists and nothing else, and not on the order of members', () => {
    const lists = { ...LISTS, attributesPost: [{ type: 'a', value: 'b' }] };
    const turned = { ...Object.fromEntries(Object.entries(lists).reverse()), more: 1 } as unknown as CurationLists;
    turned.attributesPost = [{ value: 'b', type: 'a' }];
    expect(curationHash(turned)).toBe(curationHash(lists));
    expect(curationHash(lists)).toMatch(/^[0-9a-f]{64}$/);
    expect(curationHash({ ...lists, attributesPre: lists.attributesPost })).not.toBe(curationHash(lists));
  });

  it('of links depend on curation, sample and account', () => {
    const hashes = [
      linkHash('h', 'SAMR1', 'a'),
      linkHash('h', 'SAMR2', 'a'),
      linkHash('h', 'SAMR1', 'b'),
      linkHash('i', 'SAMR1', 'a'),
    ];
    expect(new Set(hashes).size).toBe(4);
  });
});
