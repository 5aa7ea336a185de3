/** The formats in which samples leave the registry beside its own JSON: what they are called. The page has it, too. */
import { NDJSON } from '../registry/json-form.js';

export interface FormatName {
  title: string;
  mediaType: string;
  fileEnding: string;
  /** Of the format that is written. */
  version: string;
  /** Of many samples, where they are not one document: a document on each line. */
  lines?: { mediaType: string; fileEnding: string };
}

const lines = (fileEnding: string) => ({ mediaType: NDJSON, fileEnding });

export const FORMAT_NAMES = {
  jsonld: {
    title: 'JSON-LD',
    mediaType: 'application/ld+json',
    fileEnding: 'jsonld',
    version: 'Bioschemas BioSample 0.2 (draft of 2024-02-14), schema.org',
  },
  'isa-json': {
    title: 'ISA-JSON',
    mediaType: 'application/json',
    fileEnding: 'isa.json',
    version: 'ISA model 1.0, Investigation',
  },
  'ena-xml': { title: 'ENA XML', mediaType: 'application/xml', fileEnding: 'ena.xml', version: 'SRA.sample 1.5' },
  'ncbi-xml': { title: 'NCBI XML', mediaType: 'application/xml', fileEnding: 'ncbi.xml', version: 'BioSampleSet 2.0' },
  phenopacket: {
    title: 'Phenopacket',
    mediaType: 'application/json',
    fileEnding: 'phenopacket.json',
    version: 'Phenopackets 2.0, Biosample',
    lines: lines('phenopacket.ndjson'),
  },
  datacite: {
    title: 'DataCite',
    mediaType: 'application/vnd.datacite.datacite+json',
    fileEnding: 'datacite.json',
    version: 'DataCite Metadata Schema 4.5',
    lines: lines('datacite.ndjson'),
  },
} as const satisfies Record<string, FormatName>;

export type FormatId = keyof typeof FORMAT_NAMES;
export const FORMAT_IDS = Object.keys(FORMAT_NAMES) as FormatId[];

/** Sheets to edit and send back. */
const SHEET_FORMATS = ['tsv', 'csv', 'xlsx'] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];

/** In which whole results leave; all but sheets show what a read shows, curations and all. */
export type ExportFormat = SheetFormat | 'ndjson' | FormatId;
export const EXPORT_FORMATS: readonly ExportFormat[] = [...SHEET_FORMATS, 'ndjson', ...FORMAT_IDS];

export const isSheet = (format: ExportFormat): format is SheetFormat => SHEET_FORMATS.some((sheet) => sheet === format);

/** How many samples in this format are sent. */
export function namesOfMany(id: FormatId): { mediaType: string; fileEnding: string } {
  const { lines: apart, mediaType, fileEnding }: FormatName = FORMAT_NAMES[id];
  return apart ?? { mediaType, fileEnding };
}

/** Media types that name one format alone: a client may ask by `Accept`. */
export const FORMAT_OF_TYPE: ReadonlyMap<string, FormatId> = new Map(
  (['jsonld', 'datacite'] as const).map((id) => [FORMAT_NAMES[id].mediaType, id]),
);
