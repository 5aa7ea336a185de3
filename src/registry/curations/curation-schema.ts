/** The curation link as a request spells it. */
import { z } from 'zod';
import { filledText, text } from '../body.js';
import { externalReferenceSchema, relationshipSchema } from '../samples/sample-schema.js';

export const curatedAttributeSchema = z.object({
  type: filledText,
  value: text.nullish(),
  iri: z.array(text).nullish(),
  unit: text.nullish(),
  tag: text.nullish(),
});

const attributes = z.array(curatedAttributeSchema).nullish();
const references = z.array(externalReferenceSchema).nullish();
const relationships = z.array(relationshipSchema).nullish();

/** Missing lists count as empty; `externalPre` and `externalPost` are accepted and mean nothing. */
export const curationLinkBodySchema = z.object({
  sample: text.nullish(),
  curation: z.object({
    attributesPre: attributes,
    attributesPost: attributes,
    externalReferencesPre: references,
    externalReferencesPost: references,
    relationshipsPre: relationships,
    relationshipsPost: relationships,
  }),
  domain: text.nullish(),
});

/** The body in JSON Schema, for the API description. */
export const CURATION_LINK_REQUEST: Record<string, unknown> = z.toJSONSchema(curationLinkBodySchema, { io: 'input' });
