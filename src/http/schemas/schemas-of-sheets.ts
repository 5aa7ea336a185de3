/** Body of the request for a sheet of existing samples. */
import { z } from 'zod';
import { MAX_SHEET_SAMPLES } from '../../submissions/results/sample-sheets.js';

export const SAMPLE_SHEET_REQUEST = z
  .object({
    accessions: z
      .array(z.string('must be an accession.'), 'must be a list of accessions.')
      .min(1, 'must name at least one sample.')
      .max(MAX_SHEET_SAMPLES, `must name at most ${MAX_SHEET_SAMPLES} samples; ask for fewer at a time.`)
      .describe('Accessions of the samples; each is listed once.'),
    format: z.enum(['tsv', 'xlsx'], 'must be tsv or xlsx.').default('tsv').describe('Kind of file.'),
  })
  .describe('Samples to put into a sheet.');
