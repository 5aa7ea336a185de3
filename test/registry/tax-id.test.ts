import { describe, expect, it } from 'vitest';
import { type Characteristic, emptyContent } from '../../src/registry/samples/sample.js';
import { taxIdOf, taxIdOfTerm, withoutFilledIn, withoutImplied } from '../../src/registry/tax-id.js';

const organism = (name: string, ...entries: Characteristic[]) => {
  const content = emptyContent();
  content.characteristics[name] = entries;
  return content;
};

describe('the taxonomy identifier', () => {
  it.each(['http://purl.obolibrary.org/obo/NCBITaxon_9606', 'NCBITaxon:9606', 'NCBITAXON:9606', '9606'])(
    'comes from the organism term %s',
    (term) => {
      expect(taxIdOf(organism('Organism', { text: 'Homo sapiens', ontologyTerms: [term] }))).toBe(9606);
    },
  );

  it('is the explicit one when there is one', () => {
    expect(taxIdOf({ ...organism('organism', { ontologyTerms: ['NCBITaxon:9606'] }), taxId: 10090 })).toBe(10090);
  });

  it('comes from the first term that says one', () => {
    const content = organism('organism', { text: 'x', ontologyTerms: ['EFO:1'] }, { ontologyTerms: ['NCBITaxon_7'] });
    expect(taxIdOf(content)).toBe(7);
  });

  it.each([
    ['organism', 'EFO:0000001'],
    ['organism', 'XNCBITaxon_12x'],
    ['organism', 'BTO:9606'],
    ['organism part', 'NCBITaxon_9606'],
  ])('is not made up from %s %s', (name, term) => {
    expect(taxIdOf(organism(name, { text: '9606', ontologyTerms: [term] }))).toBeUndefined();
  });

  it.each([' NCBITaxon:9606 ', 'ncbitaxon_9606'])('comes from %j', (term) => expect(taxIdOfTerm(term)).toBe(9606));
  it.each(['NCBITaxon:', 'NCBITaxon:9606x', `NCBITaxon:${'1'.repeat(16)}`, 'x9606', ''])('is none in %j', (term) =>
    expect(taxIdOfTerm(term)).toBeUndefined(),
  );

  it('comes from the organism under any spelling of the name', () => {
    expect(taxIdOf(organism(' ORGANISM ', { ontologyTerms: ['NCBITaxon:7'] }))).toBe(7);
    expect(taxIdOf(organism('organism', {}))).toBeUndefined();
  });
});

describe('what a read fills in', () => {
  const human = organism('organism', { ontologyTerms: ['NCBITaxon:9606'] });
  it('is taken out again: an identifier that follows from the organism now or before, and the sample as a source', () => {
    expect(withoutImplied({ ...human, taxId: 9606 })).toEqual(human);
    expect(withoutImplied({ ...human, taxId: 7 })).toEqual({ ...human, taxId: 7 });
    expect(withoutImplied({ ...emptyContent(), taxId: 9606 }, [human])).toEqual(emptyContent());
    expect(withoutImplied({ ...emptyContent(), taxId: 9606 })).toHaveProperty('taxId');
    const relationships = [
      { source: 'SAMR1', type: 't', target: 'SAMR2' },
      { source: 'SAMR3', type: 't', target: 'SAMR1' },
      { type: 'u', target: 'SAMR2' },
    ];
    expect(withoutFilledIn({ ...human, taxId: 9606, relationships }, 'SAMR1')).toEqual({
      ...human,
      relationships: [
        { type: 't', target: 'SAMR2' },
        { source: 'SAMR3', type: 't', target: 'SAMR1' },
        { type: 'u', target: 'SAMR2' },
      ],
    });
    expect(withoutFilledIn({ ...emptyContent(), relationships }, undefined).relationships).toEqual(relationships);
  });
});
