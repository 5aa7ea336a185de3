/** Lists of samples as clients of the reference system's second version send them, in the interface description. */
import { z } from 'zod';
import { SAMPLE_REQUEST } from '../../registry/samples/sample-schema.js';
import { MAX_LISTED } from '../json-list.js';
import { IDEMPOTENCY_KEY, json, type Operation, query, REPLAYED, refusals } from './operation.js';
import * as documents from './sample-documents.js';

const LIST = { type: 'array', items: SAMPLE_REQUEST, minItems: 1, maxItems: MAX_LISTED };
const listBody = (schema: Record<string, unknown>) => ({
  description: `At most ${MAX_LISTED} samples, 8 MiB in all; more go as a file to \`POST /submissions\`.`,
  contents: { 'application/json': schema, 'application/hal+json': schema },
});

const list = (address: string, summary: string, description: string, status: number, answer: z.ZodType): Operation => ({
  method: 'post',
  path: `/v2/samples${address}`,
  limit: 'upload',
  tag: 'Samples',
  summary,
  description,
  scope: 'submit',
  parameters: [IDEMPOTENCY_KEY],
  body: listBody(LIST),
  responses: {
    [status]: { description: 'In the order of the list.', contents: json(answer), headers: REPLAYED },
    ...refusals(400, 401, 403, 406, 413, 415, 422, 429),
  },
});

const SUBMIT = `All are checked first: a sample that breaks a rule is answered with 400, \`errors\` naming its place with its number in front, and nothing is written. An object with an accession updates that sample.`;

export const SAMPLE_V2_OPERATIONS: readonly Operation[] = [
  list('', 'Register or update samples', SUBMIT, 201, z.array(documents.EXPORTED_SAMPLE)),
  list('/bulk-submit', 'Register or update samples', SUBMIT, 201, z.array(documents.EXPORTED_SAMPLE)),
  list(
    '/bulk-submit-get-receipt',
    'Register or update those of the samples that are good',
    'What is wrong with the others is in `errors`, by sample.',
    201,
    documents.BULK_RECEIPT,
  ),
  list(
    '/bulk-accession',
    'Get accessions for samples to come',
    'Placeholders, private until they are submitted; a release is passed over. All or none.',
    200,
    z.record(z.string(), z.string()).describe('Name → accession.'),
  ),
  {
    ...list('/validate', 'Check samples without storing them', SUBMIT, 200, z.unknown()),
    scope: 'read',
    parameters: [],
    body: listBody({ oneOf: [LIST, SAMPLE_REQUEST] }),
    responses: {
      200: { description: 'What was sent: nothing is wrong with it.', contents: json(z.unknown()) },
      ...refusals(400, 401, 403, 406, 413, 415, 429),
    },
  },
  {
    method: 'get',
    path: '/v2/samples/bulk-fetch',
    tag: 'Samples',
    summary: 'Read several samples',
    description: 'As they were submitted, without curations. What is not there, or not for the caller, is left out.',
    parameters: [
      query('accessions', `At most ${MAX_LISTED}, with commas between them; repeatable.`, {
        type: 'array',
        items: { type: 'string' },
      }),
    ],
    responses: {
      200: {
        description: 'Accession → sample.',
        contents: json(z.record(z.string(), documents.SAMPLE)),
      },
      ...refusals(400, 401, 406, 429),
    },
  },
];
