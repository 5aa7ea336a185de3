import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sameJson } from '../../../src/registry/samples/canonical.js';
import { decodeContent, encodeContent } from '../../../src/registry/samples/content-json.js';
import { mergeContent } from '../../../src/registry/samples/merge.js';
import { emptyContent, type SampleContent } from '../../../src/registry/samples/sample.js';
import '../../support/seeds.js';

const NAMES = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '1', ''));
const entry = fc.record(
  { text: fc.string(), ontologyTerms: fc.array(fc.string(), { minLength: 1 }), unit: fc.string() },
  { requiredKeys: ['text'] },
);

const content = fc
  .tuple(fc.array(fc.tuple(NAMES, fc.array(entry, { minLength: 1 }))), fc.option(fc.nat(), { nil: undefined }))
  .map(([pairs, taxId]) => {
    const made = emptyContent();
    for (const [name, entries] of pairs) made.characteristics[name] = entries;
    if (taxId !== undefined) made.taxId = taxId;
    return made;
  });

describe('content as a JSON document', () => {
  it('comes back as it was, whatever the names', () => {
    fc.assert(
      fc.property(content, (made) => {
        const back = decodeContent(encodeContent(made));
        expect(back).toEqual(made);
        expect(Object.getPrototypeOf(back.characteristics)).toBeNull();
        expect(Object.keys(back.characteristics)).toEqual(Object.keys(made.characteristics));
      }),
    );
  });

  it('keeps lists and records, and leaves empty ones out', () => {
    const made: SampleContent = {
      ...emptyContent(),
      domain: 'd',
      relationships: [{ type: 'derived from', target: 'SAMR1' }],
      externalReferences: [{ url: 'http://e.org', duo: ['DUO:1'] }],
      contact: [{ Name: 'Ada' }],
      organization: [{ Name: 'Lab' }],
      publications: [{ doi: '10.1/x' }],
    };
    expect(decodeContent(encodeContent(made))).toEqual(made);
    expect(encodeContent(emptyContent())).toBe('{"characteristics":{}}');
  });
});

describe('equality of JSON', () => {
  it('is that of the canonical text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(sameJson(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      }),
    );
  });

  it('does not see the order of members and sees that of lists', () => {
    expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(canonicalJson({ b: 1, a: { d: 1, c: 2 } })).toBe('{"a":{"c":2,"d":1},"b":1}');
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson([], {})).toBe(false);
    for (const [one, other] of [
      [[], { length: 0 }],
      [{ length: 0 }, []],
      [[1], [1, 2]],
      [[1, 2], [1]],
      [5, {}],
      [{}, 5],
    ])
      expect(sameJson(one, other)).toBe(false);
    expect(sameJson({}, { a: undefined })).toBe(true);
    expect(canonicalJson([1, [2, 'x'], {}])).toBe('[1,[2,"x"],{}]');
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
    expect(canonicalJson(undefined)).toBe('null');
    expect(sameJson({ a: undefined }, {})).toBe(true);
    expect(sameJson(JSON.parse('{"__proto__":[1]}'), {})).toBe(false);
    expect(sameJson(JSON.parse('{"__proto__":[1]}'), JSON.parse('{"__proto__":[2]}'))).toBe(false);
  });
});

describe('merging', () => {
  const stored: SampleContent = {
    ...emptyContent(),
    domain: 'd',
    taxId: 9606,
    relationships: [{ type: 'derived from', target: 'SAMR1' }],
    contact: [{ Name: 'Ada' }],
  };
  stored.characteristics.organism = [{ text: 'Homo sapiens' }, { text: 'second' }];
  stored.characteristics.tissue = [{ text: 'blood' }];

  it('keeps what the row does not fill and replaces what it fills', () => {
    const row = { ...emptyContent(), externalReferences: [{ url: 'u' }], contact: [{ Name: 'Bo' }] };
    row.characteristics.organism = [{ text: 'Mus musculus' }];
    row.characteristics.age = [{ text: '3', unit: 'year' }];
    expect(mergeContent(stored, row)).toEqual({
      ...stored,
      characteristics: {
        organism: [{ text: 'Mus musculus' }],
        tissue: [{ text: 'blood' }],
        age: [{ text: '3', unit: 'year' }],
      },
      externalReferences: [{ url: 'u' }],
      contact: [{ Name: 'Bo' }],
    });
  });

  it('of a row that fills nothing changes nothing, and neither side is touched', () => {
    const before = encodeContent(stored);
    expect(mergeContent(stored, emptyContent())).toEqual(stored);
    expect(encodeContent(stored)).toBe(before);
  });

  it('takes away what the row clears, unless the row fills it elsewhere', () => {
    const more: SampleContent = {
      ...stored,
      relationships: [...stored.relationships, { type: 'same as', target: 'SAMR2' }],
      externalReferences: [{ url: 'u' }],
    };
    const cleared = {
      characteristics: ['tissue', 'none'],
      relationships: ['derived from'],
      lists: ['contact' as const],
    };
    expect(mergeContent(more, emptyContent(), cleared)).toEqual({
      ...more,
      characteristics: { organism: stored.characteristics.organism },
      relationships: [{ type: 'same as', target: 'SAMR2' }],
      contact: [],
    });
    const row = {
      ...emptyContent(),
      contact: [{ Name: 'Bo' }],
      relationships: [{ type: 'derived from', target: 'X' }],
    };
    row.characteristics.tissue = [{ text: 'skin' }];
    expect(mergeContent(more, row, cleared)).toMatchObject({
      characteristics: { tissue: [{ text: 'skin' }] },
      relationships: [{ type: 'derived from', target: 'X' }],
      contact: [{ Name: 'Bo' }],
    });
  });

  it('does not take what is undefined for said', () => {
    expect(mergeContent(stored, { ...emptyContent(), domain: undefined } as unknown as SampleContent).domain).toBe('d');
    expect(mergeContent(stored, { ...emptyContent(), taxId: 7 }).taxId).toBe(7);
  });
});
