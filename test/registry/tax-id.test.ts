import { describe, expect, it } from 'vitest';
import { type Characteristic, emptyContent } from '../../src/registry/sample.js';
import { taxIdOf } from '../../src/registry/tax-id.js';

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
});
