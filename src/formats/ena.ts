/** ENA: the XML of a sample set, as Webin takes and shows it. */
import { type FormattedSample, firstText, organismOf, valueText } from './format.js';
import { element, type XmlElement, xmlPrinter } from './xml.js';

/** ENA asks each sample for a taxon; this is NCBI's for an organism that was not identified. */
const UNIDENTIFIED = 32644;
/** What `SAMPLE_NAME` and `TITLE` say already. */
const SAID = ['title'];
const MAX_TAXON = 2_147_483_647;

function sampleElement({ sample }: FormattedSample): XmlElement {
  const { accession, name, taxId = UNIDENTIFIED, submissionAccountId } = sample;
  const organism = organismOf(sample);
  const description = firstText(sample, 'description');
  const links = (sample.externalReferences ?? []).map(({ url }) =>
    element('SAMPLE_LINK', [element('URL_LINK', [element('LABEL', url), element('URL', url)])]),
  );
  const attributes = sampleAttributes(sample);
  return element(
    'SAMPLE',
    [
      element('IDENTIFIERS', [
        element('PRIMARY_ID', accession),
        element('SUBMITTER_ID', name, { namespace: submissionAccountId ?? '' }),
      ]),
      element('TITLE', firstText(sample, 'title') ?? name),
      element('SAMPLE_NAME', [
        element('TAXON_ID', String(taxId <= MAX_TAXON ? taxId : UNIDENTIFIED)),
        organism === undefined ? undefined : element('SCIENTIFIC_NAME', organism),
      ]),
      description === undefined ? undefined : element('DESCRIPTION', description),
      links.length > 0 ? element('SAMPLE_LINKS', links) : undefined,
      attributes.length > 0 ? element('SAMPLE_ATTRIBUTES', attributes) : undefined,
    ],
    { alias: name, accession, center_name: submissionAccountId },
  );
}

function sampleAttributes(sample: FormattedSample['sample']): XmlElement[] {
  const attribute = (tag: string, value: string | undefined, units?: string): XmlElement =>
    element('SAMPLE_ATTRIBUTE', [
      element('TAG', tag),
      value === undefined ? undefined : element('VALUE', value),
      units === undefined ? undefined : element('UNITS', units),
    ]);
  const characteristics = Object.entries(sample.characteristics).filter(([name]) => !SAID.includes(name.toLowerCase()));
  return [
    ...characteristics.flatMap(([name, entries]) =>
      entries.map(({ text, unit, ontologyTerms }) => attribute(name, text ?? ontologyTerms?.join(' '), unit)),
    ),
    ...(sample.relationships ?? [])
      .filter(({ source }) => source === sample.accession)
      .map(({ type, target }) => attribute(type, target)),
    attribute('INSDC first public', valueText({ text: sample.release })),
    attribute('INSDC last update', sample.update),
    attribute('INSDC status', sample.status.toLowerCase()),
  ];
}

export const ena = xmlPrinter('SAMPLE_SET', sampleElement);
