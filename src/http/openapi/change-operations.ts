/** The feed of changes in the interface description (docs/changes.md). */

import { z } from 'zod';
import { CHANGE_TYPES } from '../../registry/changes/sample-change.js';
import { NDJSON } from '../../registry/json-form.js';
import { header, type Operation, query, refusals } from './operation.js';

export const SAMPLE_RECORD = z
  .looseObject({
    accession: z.string(),
    account: z.string(),
    name: z.string(),
    release: z.string(),
    created: z.string(),
    updated: z.string(),
    content: z.looseObject({}),
    curationLinks: z.array(z.looseObject({ hash: z.string(), account: z.string(), created: z.string() })),
    structuredData: z.array(z.looseObject({ account: z.string(), type: z.string() })),
  })
  .describe('The sample as it is stored now, with what is attached to it.');

const CHANGE = z.object({
  cursor: z.string().describe('`after` for what comes behind this change.'),
  type: z.enum(CHANGE_TYPES),
  accession: z.string(),
  time: z.string().describe('When it was written.'),
  public: z
    .boolean()
    .optional()
    .describe('Whether the sample is public now; absent where you may not read it any more.'),
  sample: SAMPLE_RECORD.optional(),
});

const PAGE = z.object({
  changes: z.array(CHANGE),
  cursor: z.string(),
  more: z.boolean(),
  _links: z.object({ next: z.object({ href: z.string() }) }),
});

export const CHANGE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/changes',
    tag: 'Changes',
    summary: 'Follow what happens to samples',
    description:
      'Every change since a cursor, in order, each once, kept for ever: `created`, `updated`, `released` (by a write or by its date), `curated`, `withdrawn` (no longer public, withdrawn by its owner, or given a status by an administrator). You hear of what you may read; of a sample that was public and is not any more, its accession. With `Accept: text/event-stream` the answer stays open; each event has the cursor as its id.',
    parameters: [
      query(
        'after',
        'Cursor of a change or of a page; `latest` for what happens from now on; absent: from the beginning.',
      ),
      query('size', 'Changes on a page; 500 at most with `records`.', {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 200,
      }),
      query('records', 'true adds each sample as it is stored now: for those who keep a copy.', {
        type: 'boolean',
        default: false,
      }),
      header('Last-Event-ID', 'For events: the id of the last one seen; wins over `after`.'),
    ],
    responses: {
      200: {
        description: 'A page. It may hold fewer changes than asked for, even none, though there is more.',
        contents: {
          [NDJSON]: { type: 'string', description: 'A change on each line.' },
          'text/event-stream': { type: 'string' },
          'application/json': PAGE,
          'application/hal+json': PAGE,
        },
        headers: {
          'Changes-Cursor': 'To go on after.',
          'Changes-More': 'Whether there is more to be had at once.',
          Link: 'The next page, rel="next".',
        },
      },
      ...refusals(400, 401, 406, 410, 429),
    },
  },
];
