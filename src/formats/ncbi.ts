/** NCBI BioSample: the XML in which the archive gives out its samples. */
import { type FormattedSample, firstText, organismOf } from './format.js';
import { element, type XmlElement, xmlPrinter } from './xml.js';

function bioSample({ sample }: FormattedSample): XmlElement {
  const { accession, name, taxId, submissionAccountId = '' } = sample;
  const organism = organismOf(sample);
  const comment = firstText(sample, 'description');
  const shown = { taxonomy_id: taxId, taxonomy_name: organism };
  const links = (sample.externalReferences ?? []).map(({ url }) => element('Link', url, { type: 'url', label: url }));
  return element(
    'BioSample',
    [
      element('Ids', [
        element('Id', accession, { db: 'BioSample', is_primary: 1 }),
        element('Id', name, { db: submissionAccountId, db_label: 'Sample name' }),
      ]),
      element('Description', [
        element('Title', firstText(sample, 'title') ?? name),
        organism === undefined && taxId === undefined
          ? undefined
          : element('Organism', organism === undefined ? [] : [element('OrganismName', organism)], shown),
        comment === undefined ? undefined : element('Comment', [element('Paragraph', comment)]),
      ]),
      element('Owner', [element('Name', owner(sample))]),
      element('Models', [element('Model', 'Generic')]),
      element('Package', 'Generic.1.0', { display_name: 'Generic' }),
      element('Attributes', attributes(sample)),
      links.length > 0 ? element('Links', links) : undefined,
      element('Status', [], { status: sample.status === 'PUBLIC' ? 'live' : 'suppressed', when: sample.update }),
    ],
    {
      access: sample.status === 'PUBLIC' ? 'public' : 'controlled-access',
      accession,
      submission_date: sample.submitted,
      publication_date: sample.release,
      last_update: sample.update,
    },
  );
}

const owner = ({ organization, submissionAccountId = '' }: FormattedSample['sample']): string =>
  organization?.find(({ Name }) => Name)?.Name ?? submissionAccountId;

const attributes = ({ characteristics }: FormattedSample['sample']): XmlElement[] =>
  Object.entries(characteristics).flatMap(([name, entries]) =>
    entries.map(({ text, unit, ontologyTerms }) =>
      element('Attribute', text ?? ontologyTerms?.join(' ') ?? '', { attribute_name: name, unit }),
    ),
  );

export const ncbi = xmlPrinter('BioSampleSet', bioSample);
