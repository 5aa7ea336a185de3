/** Structured data as a request spells it. */
import { z } from 'zod';
import { filledText, text, textOrNumber } from '../body.js';

export const structuredDataCellSchema = z.object({ value: textOrNumber, iri: text.nullish() });

/** `content`: field name → cell. Walked by hand, since zod's records drop `__proto__`. */
export const structuredDataTableSchema = z.object({
  domain: text.nullish(),
  submissionAccountId: text.nullish(),
  type: filledText,
  schema: text.nullish(),
  content: z.array(z.record(z.string(), structuredDataCellSchema)),
});

const structuredDataBodySchema = z.object({
  accession: text.nullish(),
  create: text.nullish(),
  update: text.nullish(),
  data: z.array(structuredDataTableSchema),
});

/** The body in JSON Schema, for the API description. */
export const STRUCTURED_DATA_REQUEST: Record<string, unknown> = z.toJSONSchema(structuredDataBodySchema, {
  io: 'input',
});
