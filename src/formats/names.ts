/** The formats in which a sample leaves the registry beside its own JSON: what they are called. Imports nothing, so that the page can have it. */

export const FORMAT_NAMES = {
  jsonld: {
    title: 'JSON-LD',
    mediaType: 'application/ld+json',
    fileEnding: 'jsonld',
    version: 'Bioschemas BioSample 0.2 (draft of 2024-02-14), schema.org',
  },
  'ena-xml': { title: 'ENA XML', mediaType: 'application/xml', fileEnding: 'ena.xml', version: 'SRA.sample 1.5' },
  'ncbi-xml': { title: 'NCBI XML', mediaType: 'application/xml', fileEnding: 'ncbi.xml', version: 'BioSampleSet 2.0' },
  phenopacket: {
    title: 'Phenopacket',
    mediaType: 'application/json',
    fileEnding: 'phenopacket.json',
    version: 'Phenopackets 2.0, Biosample',
  },
  datacite: {
    title: 'DataCite',
    mediaType: 'application/vnd.datacite.datacite+json',
    fileEnding: 'datacite.json',
    version: 'DataCite Metadata Schema 4.5',
  },
} as const satisfies Record<string, { title: string; mediaType: string; fileEnding: string; version: string }>;

export type FormatId = keyof typeof FORMAT_NAMES;
export const FORMAT_IDS = Object.keys(FORMAT_NAMES) as FormatId[];

/** Media types that name one format alone: a client may ask by `Accept`. */
export const FORMAT_OF_TYPE: ReadonlyMap<string, FormatId> = new Map(
  (['jsonld', 'datacite'] as const).map((id) => [FORMAT_NAMES[id].mediaType, id]),
);
