/** DataCite: what a registration agency asks of a sample that is to have an IGSN or DOI. */
import { saysDerived } from '../registry/samples/relationship-types.js';
import { type FormattedSample, firstText, linePrinter, organismOf, valueText } from './format.js';

const PROPERTIES = 'http://datacite.org/schema/kernel-4';
const SCHEMES = 'https://www.ncbi.nlm.nih.gov/taxonomy';

function dataciteDocument({ sample, address, registry }: FormattedSample): Record<string, unknown> {
  const { accession, name, release, create, update, taxId, relationships = [] } = sample;
  const organism = organismOf(sample);
  const collected = firstText(sample, 'collection date');
  const related = [
    ...relationships
      .filter(({ source }) => source === accession)
      .map(({ type, target }) =>
        relation(`${registry}/samples/${target}`, saysDerived(type) ? 'IsDerivedFrom' : 'References'),
      ),
    ...(sample.externalReferences ?? []).map(({ url }) => relation(url, 'References')),
  ];
  return {
    schemaVersion: PROPERTIES,
    url: address,
    identifiers: [{ identifier: address, identifierType: 'URL' }],
    alternateIdentifiers: [{ alternateIdentifier: accession, alternateIdentifierType: 'Sample accession' }],
    types: { resourceTypeGeneral: 'PhysicalObject', resourceType: 'Biological sample' },
    creators: creators(sample),
    titles: [{ title: name }],
    publisher: { name: new URL(registry).host },
    publicationYear: release.slice(0, 4),
    dates: [
      { date: create, dateType: 'Created' },
      { date: update, dateType: 'Updated' },
      { date: release, dateType: 'Available' },
      ...(collected !== undefined && /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/.test(collected)
        ? [{ date: collected, dateType: 'Collected' }]
        : []),
    ],
    ...(organism === undefined
      ? {}
      : {
          subjects: [
            {
              subject: organism,
              ...(taxId === undefined
                ? {}
                : {
                    subjectScheme: 'NCBI taxonomy',
                    schemeUri: SCHEMES,
                    valueUri: `http://purl.obolibrary.org/obo/NCBITaxon_${taxId}`,
                  }),
            },
          ],
        }),
    descriptions: descriptions(sample),
    ...(related.length > 0 ? { relatedIdentifiers: related } : {}),
  };
}

const relation = (relatedIdentifier: string, relationType: string) => ({
  relatedIdentifier,
  relatedIdentifierType: 'URL',
  relationType,
});

/** People, else organizations, else the account. */
function creators({ contact = [], organization = [], submissionAccountId = '' }: FormattedSample['sample']) {
  const people = contact.flatMap((one) => {
    const named = [one.LastName, one.FirstName].filter((part) => part).join(', ');
    const text = named || one.Name;
    return text ? [{ name: text, nameType: 'Personal' }] : [];
  });
  if (people.length > 0) return people;
  const bodies = organization.flatMap(({ Name }) => (Name ? [{ name: Name, nameType: 'Organizational' }] : []));
  return bodies.length > 0 ? bodies : [{ name: submissionAccountId, nameType: 'Organizational' }];
}

/** One for the abstract, where there is one, and one line for each characteristic. */
function descriptions(sample: FormattedSample['sample']) {
  const abstract = firstText(sample, 'description');
  const technical = Object.entries(sample.characteristics).flatMap(([name, entries]) =>
    entries.map((entry) => `${name}: ${valueText(entry)}`),
  );
  return [
    ...(abstract === undefined ? [] : [{ description: abstract, descriptionType: 'Abstract' }]),
    ...(technical.length > 0 ? [{ description: technical.join('\n'), descriptionType: 'TechnicalInfo' }] : []),
  ];
}

export const datacite = linePrinter(dataciteDocument);
