/** ISA-JSON: an investigation of one study, whose samples are ours. */

import { parseAccession } from '../registry/accession.js';
import { ISA_FURTHER_TERM } from '../registry/json-form.js';
import { saysDerived } from '../registry/samples/relationship-types.js';
import { type Characteristic, emptyContent } from '../registry/samples/sample.js';
import { impliedTaxId, withoutOwnSource } from '../registry/tax-id.js';
import { commentsOn, type IsaComment } from '../tsv/isa-comments.js';
import { isForeignAccession } from '../tsv/rows/relationships.js';
import { asJson, commas, type FormattedSample, type ManySamples, type Printer } from './format.js';
import { Declared, type IsaAnnotation } from './isa-declared.js';
import { isUri, sourceOfTerm } from './ontology-terms.js';

type Sample = FormattedSample['sample'];

function annotation(text: string, terms: readonly string[], declared: Declared): IsaAnnotation {
  const [first = '', ...further] = terms;
  const termAccession = isUri(first) ? first : '';
  const others = termAccession === '' && first !== '' ? terms : further;
  return {
    annotationValue: text,
    termSource: termAccession === '' ? '' : declared.ontology(sourceOfTerm(termAccession)),
    termAccession,
    ...(others.length > 0 ? { comments: others.map((value) => ({ name: ISA_FURTHER_TERM, value })) } : {}),
  };
}

function characteristic(name: string, entry: Characteristic, declared: Declared): Record<string, unknown> {
  const { text = '', ontologyTerms = [], unit, unitOntologyTerms = [] } = entry;
  const hasUnit = unit !== undefined || unitOntologyTerms.length > 0;
  return {
    category: declared.category(name),
    value: annotation(text, ontologyTerms, declared),
    ...(hasUnit ? { unit: declared.unit(annotation(unit ?? '', unitOntologyTerms, declared)) } : {}),
  };
}

/** What ISA has no member for. */
function comments(sample: Sample): IsaComment[] {
  const { accession, release, domain, taxId, characteristics, relationships = [], externalReferences = [] } = sample;
  const { contact = [], organization = [], publications = [] } = sample;
  const implied = impliedTaxId({ ...emptyContent(), characteristics });
  return [
    { name: 'accession', value: accession },
    { name: 'Release Date', value: release },
    ...(domain === undefined ? [] : [{ name: 'domain', value: domain }]),
    ...(taxId === undefined || taxId === implied ? [] : [{ name: 'taxId', value: String(taxId) }]),
    ...commentsOn({
      relationships: relationships.map((one) => withoutOwnSource(one, accession)),
      externalReferences: externalReferences.map(({ url, duo }) => ({ url, ...(duo.length > 0 ? { duo } : {}) })),
      contact,
      organization,
      publications,
    }),
  ];
}

const prefixOf = (accession: string): string => accession.replace(/\d+$/, '');

function material({ sample }: FormattedSample, declared: Declared): Record<string, unknown> {
  const { accession, name, characteristics, relationships = [] } = sample;
  const parents = relationships
    .filter(({ source = accession, type }) => source === accession && saysDerived(type))
    // A source with any other name would be a sample to be registered, for who reads the document.
    .filter(({ target }) => isForeignAccession(target) || parseAccession(prefixOf(accession), target) !== undefined)
    .flatMap(({ target }) => declared.source(target));
  return {
    '@id': `#sample/${accession}`,
    name,
    characteristics: Object.entries(characteristics).flatMap(([category, entries]) =>
      entries.map((entry) => characteristic(category, entry, declared)),
    ),
    factorValues: [],
    derivesFrom: parents,
    comments: comments(sample),
  };
}

/** Of an investigation or study, where the registry has nothing to say. */
const BARE = { description: '', submissionDate: '', publicReleaseDate: '', publications: [], people: [] };

const study = (identifier: string, title: string, declared: Declared, samples: object[]): object => ({
  identifier,
  title,
  filename: 's_samples.txt',
  ...BARE,
  studyDesignDescriptors: [],
  protocols: [],
  materials: { samples, sources: declared.sources(), otherMaterials: [] },
  processSequence: [],
  assays: [],
  factors: [],
  characteristicCategories: declared.categories(),
  unitCategories: declared.units(),
  comments: [],
});

const investigation = (identifier: string, title: string, studies: object[], declared: Declared): object => ({
  identifier,
  title,
  filename: 'i_samples.txt',
  ...BARE,
  studies,
  ontologySourceReferences: declared.ontologies(),
  comments: [],
});

function one(sample: FormattedSample): string {
  const declared = new Declared();
  const { accession, name } = sample.sample;
  const samples = [material(sample, declared)];
  return asJson(investigation(accession, name, [study(accession, name, declared, samples)], declared));
}

/** Where the samples stand in the text of a study without any. */
const SAMPLES = '"samples":[';

/** What is declared stands behind the samples, so that each is printed as it comes. */
function many(registry: string): ManySamples {
  const declared = new Declared();
  const comma = commas();
  const title = `Samples of ${registry}`;
  const text = (): string =>
    JSON.stringify(investigation(registry, title, [study(registry, title, declared, [])], declared));
  const cut = (whole: string): number => whole.indexOf(SAMPLES) + SAMPLES.length;
  const empty = text();
  return {
    head: `${empty.slice(0, cut(empty))}\n`,
    sample: (sample) => comma() + JSON.stringify(material(sample, declared)),
    tail: () => {
      const whole = text();
      return `\n${whole.slice(cut(whole))}\n`;
    },
  };
}

export const isaJson: Printer = { one, many };
