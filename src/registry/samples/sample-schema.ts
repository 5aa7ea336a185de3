/**
 * The sample as a request spells it. The schemas describe each part; maps under users' own names
 * are walked by hand in sample-body.ts, because zod's records drop `__proto__`.
 */
import { z } from 'zod';
import { filledText, text, textOrNumber } from '../body.js';
import { parseDateTime, WANTED_DATE } from '../date-time.js';

export const characteristicSchema = z.object({
  text: textOrNumber.nullish(),
  ontologyTerms: z.array(text).nullish(),
  unit: text.nullish(),
  unitOntologyTerms: z.array(text).nullish(),
});

export const externalReferenceSchema = z.object({ url: filledText, duo: z.array(text).nullish() });

export const relationshipSchema = z.object({ source: text.nullish(), type: filledText, target: filledText });

/** A date or date-time; see date-time.ts. */
export const dateTimeSchema = z
  .string()
  .trim()
  .superRefine((value, context) => {
    const read = parseDateTime(value);
    if (typeof read === 'number') return;
    const hint = read.suggestion === undefined ? '' : `; did you mean ${read.suggestion}?`;
    context.addIssue({ code: 'custom', message: `"${value.slice(0, 100)}" is not ${WANTED_DATE}${hint}` });
  })
  .meta({ format: 'date-time' });

const TAX_ID = 'must be a whole number, the NCBI taxonomy identifier';

const taxIdSchema = z
  .union([z.int().nonnegative({ error: TAX_ID }), z.string().regex(/^\s*\d{1,15}\s*$/, { error: TAX_ID })], {
    error: TAX_ID,
  })
  .meta({ description: 'NCBI taxonomy identifier' });

/** Member name → text, in the submitter's own member names. */
const textRecordSchema = z.record(z.string(), text.nullable());

/** The whole body, for the API description; `parseSampleBody` reads it. */
export const sampleBodySchema = z.object({
  name: filledText,
  release: dateTimeSchema,
  accession: text.nullish(),
  domain: text.nullish(),
  submissionAccountId: text.nullish(),
  taxId: taxIdSchema.nullish(),
  characteristics: z.record(z.string(), z.array(characteristicSchema)).nullish(),
  relationships: z.array(relationshipSchema).nullish(),
  externalReferences: z.array(externalReferenceSchema).nullish(),
  contact: z.array(textRecordSchema).nullish(),
  organization: z.array(textRecordSchema).nullish(),
  publications: z.array(textRecordSchema).nullish(),
});

/** The body in JSON Schema, for the API description. */
export const SAMPLE_REQUEST: Record<string, unknown> = z.toJSONSchema(sampleBodySchema, { io: 'input' });
