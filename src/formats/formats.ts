/** The table of formats in which a sample leaves the registry beside its own JSON. */
import { printBioschemas } from './bioschemas.js';
import { printDatacite } from './datacite.js';
import { printEna } from './ena.js';
import type { FormattedSample } from './format.js';
import { FORMAT_IDS, FORMAT_NAMES, type FormatId } from './names.js';
import { printNcbi } from './ncbi.js';
import { printPhenopacket } from './phenopacket.js';

const PRINTERS: Record<FormatId, (sample: FormattedSample) => string> = {
  jsonld: printBioschemas,
  'ena-xml': printEna,
  'ncbi-xml': printNcbi,
  phenopacket: printPhenopacket,
  datacite: printDatacite,
};

export interface SampleFormat {
  /** As a client asks for it: `?format=`. */
  id: FormatId;
  title: string;
  mediaType: string;
  fileEnding: string;
  /** Of the format that is written. */
  version: string;
  print: (sample: FormattedSample) => string;
}

export const SAMPLE_FORMATS: readonly SampleFormat[] = FORMAT_IDS.map((id) => ({
  id,
  ...FORMAT_NAMES[id],
  print: PRINTERS[id],
}));

export const formatNamed = (id: string): SampleFormat | undefined => SAMPLE_FORMATS.find((format) => format.id === id);
