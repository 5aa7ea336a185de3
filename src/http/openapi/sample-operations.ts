/** Samples, validation, curations and structured data in the interface description. Over 250 lines: one list of operations, a table rather than logic. */

import { EXPORT_FORMATS, FORMAT_IDS, FORMAT_NAMES, namesOfMany } from '../../formats/names.js';
import { CURATION_LINK_REQUEST } from '../../registry/curations/curation-schema.js';
import { NDJSON } from '../../registry/json-form.js';
import { SAMPLE_REQUEST } from '../../registry/samples/sample-schema.js';
import { MOST_FACETS, MOST_VALUES } from '../../registry/search/facets.js';
import { STRUCTURED_DATA_REQUEST } from '../../registry/structured-data/structured-data-schema.js';
import { MAX_SHEET_SAMPLES } from '../../submissions/results/sample-sheets.js';
import { SAMPLE_SHEET_REQUEST } from '../schemas/schemas-of-sheets.js';
import { SAMPLE_RECORD } from './change-operations.js';
import { keptExportOperations } from './kept-export-operations.js';
import {
  header,
  IDEMPOTENCY_KEY,
  json,
  type Operation,
  type Parameter,
  path,
  plainJson,
  query,
  REPLAYED,
  refusals,
  text,
} from './operation.js';
import * as documents from './sample-documents.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const ACCESSION = path('accession', 'Accession of the sample.');
const APPLY = query('applyCurations', 'false shows the sample as it was submitted.', {
  type: 'boolean',
  default: true,
});
const DECLINED = query('declined', 'true applies also the curations that the sample’s owner declined.', {
  type: 'boolean',
  default: false,
});
/** How one sample is shown, whatever it is read by. */
export const VIEW = [
  APPLY,
  DECLINED,
  query('version', 'A former version, by its number in the history.', { type: 'integer', minimum: 1 }),
];
/** Which samples are meant: of the list and of whole results. */
const SEARCH = [
  query('text', 'Words to find in names and characteristics.'),
  query(
    'filter',
    'Repeatable: `acc:`, `name:`, `attr:NAME[:VALUE]`, `range:NAME:from=..below=..` (numbers or dates; `until=` includes the end), `dt:release|update:from=..until=..`, `rel:TYPE[:ACC]`, `descendantOf|ancestorOf:ACC[:TYPE]` (up to 10 000 samples), `account:`, `status:withdrawn|any`. Filters of one kind are alternatives (of `attr:`, `range:` and `rel:` those of one name), different ones must all be met; of `dt:release` and `dt:update` there is one range each. Samples that their owner, an undo or an administrator withdrew are listed only where a filter asks for them.',
    { type: 'array', items: { type: 'string' } },
  ),
];
/** What a whole result is asked for with. */
const EXPORT = [
  ...SEARCH,
  query('format', 'tsv, csv, xlsx (up to 1 048 575 samples), ndjson, or a format of others.', {
    type: 'string',
    enum: [...EXPORT_FORMATS],
    default: 'tsv',
  }),
  query(
    'applyCurations',
    'For ndjson and the formats of others; false shows the samples as they were submitted, true with their curations.',
    {
      type: 'boolean',
    },
  ),
];
const FORMATTED = Object.fromEntries(
  FORMAT_IDS.map((id) => FORMAT_NAMES[id].mediaType)
    .filter((type) => type !== 'application/json')
    .map((type) => [type, { type: type.endsWith('json') ? 'object' : 'string' }]),
);
const MANY = Object.fromEntries(
  FORMAT_IDS.map((id) => namesOfMany(id).mediaType)
    .filter((type) => type !== NDJSON)
    .map((type) => [type, { type: type.endsWith('json') ? 'object' : 'string' }]),
);
/** Whole results, in each format. */
const EXPORTED = {
  ...text('text/tab-separated-values'),
  ...text('text/csv'),
  [XLSX]: { type: 'string', format: 'binary' },
  [NDJSON]: documents.EXPORTED_LINE,
  ...MANY,
};
const TAG = { ETag: 'Fingerprint of the sample as shown.' };
const LOCATION = { Location: 'Address of what was made.' };
const PAGE = [
  query('page', 'Number of the page, from 0.', { type: 'integer', minimum: 0 }),
  query('size', 'Entries on a page.', { type: 'integer', minimum: 1, maximum: 200, default: 20 }),
];
const bodyOf = (description: string, schema: Record<string, unknown>) => ({
  description,
  contents: { 'application/json': schema, 'application/hal+json': schema },
});
export const sampleBody = bodyOf('The sample.', SAMPLE_REQUEST);

const validate = (address: string): Operation => ({
  method: 'post',
  path: address,
  tag: 'Samples',
  summary: 'Check a sample without storing it',
  scope: 'read',
  body: sampleBody,
  responses: {
    200: { description: 'The sample as it would be stored.', contents: json(documents.VALIDATED_SAMPLE) },
    ...refusals(400, 401, 403, 406, 413, 415, 422, 429),
  },
});

export const SAMPLE_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/samples',
    tag: 'Samples',
    summary: 'Register a sample',
    description:
      'An accession is assigned. `Location` and the links `self` and `applyCurations` of this first answer name the collection, as the reference interface shows them.',
    scope: 'submit',
    parameters: [IDEMPOTENCY_KEY],
    body: sampleBody,
    responses: {
      201: {
        description: 'Registered.',
        contents: json(documents.SAMPLE),
        headers: { ...LOCATION, ...TAG, ...REPLAYED },
      },
      ...refusals(400, 401, 403, 406, 413, 415, 422, 429),
    },
  },
  {
    method: 'get',
    path: '/samples',
    tag: 'Samples',
    summary: 'List and search samples, newest first',
    description:
      'Every change that was acknowledged before is in the answer, or `notIndexed` tells how many are not. With `cursor` a walk sees each sample once, whatever is registered meanwhile; with `page` what is registered or withdrawn meanwhile moves the others, so that a walk meets some twice or not at all; totals are counted, up to 10 000 samples, and no page begins beyond them.',
    parameters: [
      ...SEARCH,
      query('cursor', 'From the link `next` of the page before.'),
      ...PAGE,
      query(
        'facets',
        `Characteristics to count by, separated by commas (\`\\,\` for one in a name) or repeated; a number, up to ${MOST_FACETS}, for so many of the most frequent ones; \`*\` for ten. Counts are of all that is found, not of the page.`,
        { type: 'array', items: { type: 'string' } },
      ),
      query('facetValues', 'Values of each characteristic that are listed.', {
        type: 'integer',
        minimum: 1,
        maximum: MOST_VALUES,
        default: 10,
      }),
    ],
    responses: {
      200: {
        description: 'A page of samples that the caller may read.',
        contents: json(documents.SAMPLE_PAGE),
        headers: { 'Samples-Not-Indexed': 'The member `notIndexed`, when there is one.' },
      },
      ...refusals(400, 401, 406, 429),
    },
  },
  {
    method: 'get',
    path: '/samples/{accession}',
    tag: 'Samples',
    summary: 'Read a sample',
    parameters: [
      ACCESSION,
      ...VIEW,
      query('format', 'Another format; docs/formats.md says what each of them holds.', {
        type: 'string',
        enum: ['json', ...FORMAT_IDS],
      }),
      header('If-None-Match', 'Entity tags that the client holds.'),
    ],
    responses: {
      200: {
        description: 'The sample.',
        contents: { ...json(documents.SAMPLE_IN_FORMAT), ...FORMATTED },
        headers: { ...TAG, 'Cache-Control': 'max-age=60; public for a public sample, private for a private one.' },
      },
      304: { description: 'The client holds the present one.', headers: TAG },
      ...refusals(400, 401, 403, 404, 406, 429),
    },
  },
  {
    method: 'put',
    path: '/samples/{accession}',
    tag: 'Samples',
    summary: 'Overwrite a sample',
    description:
      'What is not sent is gone; the former version stays in the history. What a read gave changes nothing. `status` follows from the release and is refused where it contradicts it; administrators may set one.',
    scope: 'submit',
    parameters: [
      ACCESSION,
      header('If-Match', 'Entity tag of the version that may be overwritten.'),
      header('If-None-Match', '`*`: write over nothing (412, since the sample is there).'),
    ],
    body: sampleBody,
    responses: {
      200: { description: 'The stored sample.', contents: json(documents.SAMPLE), headers: TAG },
      ...refusals(400, 401, 403, 404, 406, 412, 413, 415, 422, 429),
    },
  },
  {
    method: 'post',
    path: '/samples/accession',
    tag: 'Samples',
    summary: 'Get an accession for a sample to come',
    description:
      'Stores a private placeholder, released in a hundred years unless it is submitted before; takes no `release`.',
    scope: 'submit',
    parameters: [IDEMPOTENCY_KEY],
    body: bodyOf('The sample, as far as it is known.', { ...SAMPLE_REQUEST, required: ['name'] }),
    responses: {
      201: {
        description: 'The placeholder.',
        contents: json(documents.SAMPLE),
        headers: { ...LOCATION, ...TAG, ...REPLAYED },
      },
      ...refusals(400, 401, 403, 406, 413, 415, 422, 429),
    },
  },
  validate('/validate'),
  validate('/samples/validate'),
  {
    method: 'get',
    path: '/samples/template',
    tag: 'Samples',
    summary: 'Get existing samples as a sheet to edit and upload',
    description: 'Samples that the caller may read, by accession, or those that a submission registered or updated.',
    parameters: [
      query('accession', 'Accessions, separated by commas; repeatable.'),
      query('submission', 'A submission ID of the caller’s, instead of accessions.'),
      query('format', 'tsv or xlsx.', { type: 'string', enum: ['tsv', 'xlsx'], default: 'tsv' }),
    ],
    responses: {
      200: {
        description: 'The sheet.',
        contents: { ...text('text/tab-separated-values'), [XLSX]: { type: 'string', format: 'binary' } },
      },
      ...refusals(400, 401, 403, 404, 429),
    },
  },
  {
    method: 'post',
    path: '/samples/template',
    tag: 'Samples',
    summary: 'Get many existing samples as a sheet to edit and upload',
    description: `Like GET, for more accessions than an address holds: at most ${MAX_SHEET_SAMPLES}.`,
    body: { description: 'The samples.', contents: { 'application/json': SAMPLE_SHEET_REQUEST } },
    responses: {
      200: {
        description: 'The sheet.',
        contents: { ...text('text/tab-separated-values'), [XLSX]: { type: 'string', format: 'binary' } },
      },
      ...refusals(400, 401, 403, 404, 413, 415, 429),
    },
  },
  {
    method: 'get',
    path: '/samples/export',
    tag: 'Samples',
    summary: 'Take a whole result as one file',
    description:
      'Everything that the list would show page by page, in the order of the accessions, as the samples were when the request came: changes made during it are not in it. A sheet (tsv, csv, xlsx) has the samples as they were submitted, and changes nothing when it is uploaded; samples that a sheet cannot hold are named below its rows. ndjson has a document on each line, as `GET /samples/{accession}` shows it but for its links; the formats of others are one document of all samples, or one on each line (docs/formats.md). Without `format`, the media type that Accept likes best says it, of those that one format alone has (TSV, CSV, XLSX, NDJSON, JSON-LD); where it takes none of them, the file is TSV. HEAD counts without making the file. Two at once for an account, four in all.',
    parameters: EXPORT,
    responses: {
      200: {
        description: 'The samples that the caller may read.',
        contents: EXPORTED,
        headers: { 'Samples-Count': 'How many samples the result has; there before the first of them.' },
      },
      ...refusals(400, 401, 429, 507),
    },
  },
  ...keptExportOperations(EXPORT, EXPORTED),
  {
    method: 'get',
    path: '/samples/{accession}/history',
    tag: 'Samples',
    summary: 'List the versions of a sample',
    scope: 'read',
    parameters: [ACCESSION],
    responses: {
      200: {
        description: 'All versions, newest first; for the owner and administrators.',
        contents: json(documents.HISTORY),
      },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'get',
    path: '/samples/{accession}/history/{version}',
    tag: 'Samples',
    summary: 'Read a version as it is stored',
    description: 'In the form that `GET /changes?records=true` has, for those who keep a copy.',
    scope: 'read',
    parameters: [ACCESSION, path('version', 'Number of the version.')],
    responses: {
      200: { description: 'The version; for the owner and administrators.', contents: plainJson(SAMPLE_RECORD) },
      ...refusals(401, 403, 404, 429),
    },
  },
  {
    method: 'post',
    path: '/samples/{accession}/curationlinks',
    tag: 'Curations',
    summary: 'Curate a sample',
    description: 'Changes what readers see and never the stored sample. Posting the same again answers the first.',
    scope: 'submit',
    parameters: [ACCESSION],
    body: bodyOf('The curation link.', CURATION_LINK_REQUEST),
    responses: {
      200: { description: 'It was there already.', contents: json(documents.CURATION_LINK), headers: LOCATION },
      201: { description: 'The stored curation link.', contents: json(documents.CURATION_LINK), headers: LOCATION },
      ...refusals(400, 401, 403, 404, 406, 409, 413, 415, 422, 429),
    },
  },
  {
    method: 'get',
    path: '/samples/{accession}/curationlinks',
    tag: 'Curations',
    summary: 'List the curations of a sample',
    parameters: [ACCESSION, ...PAGE],
    responses: {
      200: { description: 'A page of curation links.', contents: json(documents.CURATION_LINK_PAGE) },
      ...refusals(400, 401, 403, 404, 406, 429),
    },
  },
  {
    method: 'get',
    path: '/samples/{accession}/curationlinks/{hash}',
    tag: 'Curations',
    summary: 'Read a curation link',
    parameters: [ACCESSION, path('hash', 'Hash of the curation link.')],
    responses: {
      200: { description: 'The curation link.', contents: json(documents.CURATION_LINK) },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'delete',
    path: '/samples/{accession}/curationlinks/{hash}',
    tag: 'Curations',
    summary: 'Take a curation back',
    scope: 'submit',
    parameters: [ACCESSION, path('hash', 'Hash of the curation link.')],
    responses: { 204: { description: 'Gone.' }, ...refusals(401, 403, 404, 429) },
  },
  ...(['decline', 'accept'] as const).map(
    (action): Operation => ({
      method: 'post',
      path: `/samples/{accession}/curationlinks/{hash}/${action}`,
      tag: 'Curations',
      summary: action === 'decline' ? 'Decline a curation of the own sample' : 'Take back that a curation was declined',
      description:
        action === 'decline'
          ? 'For the sample’s owner and administrators. The link stays and says so; it applies only where a reader asks for `declined=true`.'
          : 'For the sample’s owner and administrators. It applies to what readers see again.',
      scope: 'submit',
      parameters: [ACCESSION, path('hash', 'Hash of the curation link.')],
      responses: {
        200: { description: 'The curation link.', contents: json(documents.CURATION_LINK) },
        ...refusals(401, 403, 404, 406, 429),
      },
    }),
  ),
  {
    method: 'get',
    path: '/curations',
    tag: 'Curations',
    summary: 'List curations',
    description: 'Those of samples that the caller may read, in the order of their hashes.',
    parameters: [query('cursor', 'From the link `next` of the page before.'), PAGE[1] as Parameter],
    responses: {
      200: { description: 'A page of curations.', contents: json(documents.CURATION_LIST) },
      ...refusals(400, 401, 406, 429),
    },
  },
  {
    method: 'get',
    path: '/curations/{hash}',
    tag: 'Curations',
    summary: 'Read a curation',
    parameters: [path('hash', 'Hash of the curation.')],
    responses: {
      200: { description: 'The curation.', contents: json(documents.CURATION) },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'put',
    path: '/structureddata/{accession}',
    tag: 'Structured data',
    summary: 'Attach tables to a sample',
    description:
      'Replaces the tables of the caller’s account and keeps the others’, which may come back as they were read. The same tables again are no change. For the sample’s owner and administrators; for others where the owner’s account opens it (`PUT /me/settings`).',
    scope: 'submit',
    parameters: [
      ACCESSION,
      header('If-Match', 'Entity tag of the tables that may be overwritten.'),
      header('If-None-Match', '`*`: only while the sample has no tables (412 otherwise).'),
    ],
    body: bodyOf('The tables.', STRUCTURED_DATA_REQUEST),
    responses: {
      200: { description: 'The stored tables.', contents: json(documents.STRUCTURED_DATA), headers: TAG },
      ...refusals(400, 401, 403, 404, 406, 409, 412, 413, 415, 422, 429),
    },
  },
  {
    method: 'delete',
    path: '/structureddata/{accession}',
    tag: 'Structured data',
    summary: 'Take tables away',
    description:
      'The sample’s owner and administrators take any tables away, all of them unless `account` or `type` says which; other accounts their own.',
    scope: 'submit',
    parameters: [
      ACCESSION,
      query('account', 'Only tables of this account.'),
      query('type', 'Only tables of this type.'),
      header('If-Match', 'Entity tag of the tables that may be taken away.'),
    ],
    responses: { 204: { description: 'Gone.' }, ...refusals(400, 401, 403, 404, 412, 429) },
  },
  {
    method: 'get',
    path: '/structureddata/{accession}',
    tag: 'Structured data',
    summary: 'Read the tables of a sample',
    parameters: [ACCESSION],
    responses: {
      200: { description: 'All tables.', contents: json(documents.STRUCTURED_DATA), headers: TAG },
      304: { description: 'The client holds the present ones.', headers: TAG },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
];
