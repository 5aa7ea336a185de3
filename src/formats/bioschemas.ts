/** Bioschemas: JSON-LD by the profile BioSample 0.2 (schema.org), for crawlers. */
import { saysDerived } from '../registry/samples/relationship-types.js';
import { asJson, commas, type FormattedSample, firstText, organismOf, type Printer } from './format.js';

export const BIOSAMPLE_PROFILE = 'https://bioschemas.org/profiles/BioSample/0.2-DRAFT-2024_02_14';
const TAXON = 'http://purl.obolibrary.org/obo/NCBITaxon_';

const CONTEXT = 'https://schema.org/';

const bioschemasDocument = (sample: FormattedSample): Record<string, unknown> => ({
  '@context': CONTEXT,
  ...bioSample(sample),
});

function bioSample({ sample, address, registry }: FormattedSample): Record<string, unknown> {
  const { accession, name, taxId, externalReferences = [], relationships = [] } = sample;
  const description = firstText(sample, 'description', 'title');
  const organism = organismOf(sample);
  const derived = relationships.filter(({ source, type }) => source === accession && saysDerived(type));
  return {
    '@type': 'BioSample',
    '@id': address,
    'http://purl.org/dc/terms/conformsTo': { '@type': 'CreativeWork', '@id': BIOSAMPLE_PROFILE },
    identifier: accession,
    name,
    url: address,
    ...(description === undefined ? {} : { description }),
    ...(organism === undefined && taxId === undefined ? {} : { taxonomicRange: taxon(organism, taxId) }),
    additionalProperty: properties(sample.characteristics),
    ...(externalReferences.length > 0 ? { sameAs: externalReferences.map(({ url }) => url) } : {}),
    ...(derived.length > 0
      ? { isBasedOn: derived.map(({ target }) => ({ '@id': `${registry}/samples/${target}` })) }
      : {}),
    subjectOf: {
      '@type': 'DataRecord',
      '@id': `${address}#record`,
      identifier: accession,
      dateCreated: sample.create,
      dateModified: sample.update,
      datePublished: sample.release,
    },
  };
}

const taxon = (organism: string | undefined, taxId: number | undefined) => ({
  '@type': 'Taxon',
  ...(taxId === undefined ? {} : { '@id': `${TAXON}${taxId}`, identifier: `NCBITaxon:${taxId}` }),
  ...(organism === undefined ? {} : { name: organism }),
});

const properties = (characteristics: FormattedSample['sample']['characteristics']) =>
  Object.entries(characteristics).flatMap(([name, entries]) =>
    entries.map(({ text, unit, ontologyTerms = [], unitOntologyTerms: [unitCode] = [] }) => ({
      '@type': 'PropertyValue',
      name,
      ...(text === undefined ? {} : { value: text }),
      ...(unit === undefined ? {} : { unitText: unit }),
      ...(unitCode === undefined ? {} : { unitCode }),
      ...(ontologyTerms.length > 0
        ? {
            valueReference: ontologyTerms.map((term) => ({
              '@type': 'DefinedTerm',
              termCode: term,
              ...(/^https?:\/\//.test(term) ? { url: term } : {}),
            })),
          }
        : {}),
    })),
  );

/** Many samples are one graph. */
export const bioschemas: Printer = {
  one: (sample) => asJson(bioschemasDocument(sample)),
  many() {
    const comma = commas();
    return {
      head: `{"@context":${JSON.stringify(CONTEXT)},"@graph":[\n`,
      sample: (sample) => comma() + JSON.stringify(bioSample(sample)),
      tail: () => '\n]}\n',
    };
  },
};
