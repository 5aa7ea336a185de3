/** GA4GH: a biosample of Phenopackets 2.0, as protobuf's JSON. */
import { saysDerived } from '../registry/samples/relationship-types.js';
import { type FormattedSample, firstText, linePrinter, organismOf, valuesNamed, valueText } from './format.js';
import { curieOf } from './ontology-terms.js';

interface OntologyClass {
  id: string;
  label: string;
}

/** A characteristic as a term, where it has one; a term needs both id and label. */
function termOf(sample: FormattedSample['sample'], ...names: string[]): OntologyClass | undefined {
  for (const { text, ontologyTerms = [] } of valuesNamed(sample, names)) {
    const id = ontologyTerms.map(curieOf).find((curie) => curie !== undefined);
    if (id !== undefined && text) return { id, label: text };
  }
  return undefined;
}

function taxonomy(sample: FormattedSample['sample']): OntologyClass | undefined {
  const label = organismOf(sample);
  return sample.taxId === undefined || label === undefined ? undefined : { id: `NCBITaxon:${sample.taxId}`, label };
}

function phenopacketBiosample({ sample }: FormattedSample): Record<string, unknown> {
  const { accession, name, characteristics, relationships = [] } = sample;
  const parent = relationships.find(({ source, type }) => source === accession && saysDerived(type));
  const individual = firstText(sample, 'subject', 'subject id', 'individual', 'donor', 'donor id');
  const description = firstText(sample, 'description') ?? summary(name, characteristics);
  const taxon = taxonomy(sample);
  const tissue = termOf(sample, 'tissue', 'organism part', 'sampled tissue', 'tissue type');
  const kind = termOf(sample, 'sample type', 'material', 'material type');
  const diagnosis = termOf(sample, 'disease', 'disease state', 'diagnosis', 'histological diagnosis');
  return {
    id: accession,
    ...(individual === undefined ? {} : { individualId: individual }),
    ...(parent === undefined ? {} : { derivedFromId: parent.target }),
    description,
    ...(tissue ? { sampledTissue: tissue } : {}),
    ...(kind ? { sampleType: kind } : {}),
    ...(taxon ? { taxonomy: taxon } : {}),
    ...(diagnosis ? { histologicalDiagnosis: diagnosis } : {}),
  };
}

/** What has no place of its own, in words. */
const summary = (name: string, characteristics: FormattedSample['sample']['characteristics']): string =>
  [
    name,
    ...Object.entries(characteristics).flatMap(([member, entries]) =>
      entries.map((entry) => `${member}: ${valueText(entry)}`),
    ),
  ].join('; ');

export const phenopacket = linePrinter(phenopacketBiosample);
