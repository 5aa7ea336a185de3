/** The table of formats in which samples leave the registry beside its own JSON. */
import { bioschemas } from './bioschemas.js';
import { datacite } from './datacite.js';
import { ena } from './ena.js';
import type { Printer } from './format.js';
import { isaJson } from './isa-json.js';
import { FORMAT_IDS, FORMAT_NAMES, type FormatId, type FormatName } from './names.js';
import { ncbi } from './ncbi.js';
import { phenopacket } from './phenopacket.js';

const PRINTERS: Record<FormatId, Printer> = {
  jsonld: bioschemas,
  'isa-json': isaJson,
  'ena-xml': ena,
  'ncbi-xml': ncbi,
  phenopacket,
  datacite,
};

export interface SampleFormat extends FormatName, Printer {
  /** As a client asks for it: `?format=`. */
  id: FormatId;
}

export const SAMPLE_FORMATS: readonly SampleFormat[] = FORMAT_IDS.map((id) => ({
  id,
  ...FORMAT_NAMES[id],
  ...PRINTERS[id],
}));

export const formatNamed = (id: string): SampleFormat | undefined => SAMPLE_FORMATS.find((format) => format.id === id);
