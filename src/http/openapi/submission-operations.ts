/** Submissions and batch edits in the interface description. Over 250 lines: one list of operations, a table rather than logic. */
import { NDJSON } from '../../registry/json-form.js';
import { SAMPLE_REQUEST } from '../../registry/samples/sample-schema.js';
import { SUBMISSION_STATES } from '../../submissions/submission.js';
import { OPTION_NAMES, optionOf } from '../../submissions/uploads/upload-options.js';
import { BATCH_EDIT_REQUEST } from '../schemas/schemas-of-edits.js';
import { optionSchema } from '../uploads/upload-options.js';
import { header, json, type Operation, path, plainJson, query, refusals, text } from './operation.js';
import * as documents from './submission-documents.js';

const ID = path('id', 'The submission ID.');
const TSV = 'text/tab-separated-values';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const BYTES = { type: 'string', format: 'binary' };
const optionSchemas = Object.fromEntries(
  OPTION_NAMES.map((name) => [name, { ...optionSchema(optionOf(name)), description: optionOf(name).help }]),
);

/** Printed from the rows of the file: those that could not be read when it came cannot be printed either. */
const OF_ROWS: readonly string[] = ['result', 'errors', 'mapping', 'ro-crate'];

/** Asked for in a format. */
const IN_FORMATS: readonly string[] = ['result', 'errors'];
/** What can be asked of them can be asked wrongly. */
const ASKED: readonly string[] = ['original'];

const file = (address: string, summary: string, contents: Operation['responses'][number]['contents']): Operation => ({
  method: 'get',
  path: `/submissions/{id}/${address}`,
  tag: 'Submissions',
  summary,
  scope: 'read',
  parameters: [ID],
  responses: {
    200: { description: 'Streamed.', ...(contents ? { contents } : {}) },
    ...refusals(...(IN_FORMATS.includes(address) ? [400, 406] : ASKED.includes(address) ? [400] : []), 401, 403, 404),
    ...refusals(...(OF_ROWS.includes(address) ? [410, 422] : []), 429),
  },
});

const status = json(documents.SUBMISSION);
/** An ISA-JSON document is answered with itself. */
const resultOrStatus = { ...text(TSV), ...text(NDJSON), ...status, ...plainJson(documents.SUBMISSION_OR_ISA) };

/** The submission that follows from another one. */
const followUp = (description: string) => ({
  description,
  contents: status,
  headers: {
    Location: 'Address of the new submission.',
    'Idempotent-Replayed': 'true when it was asked for before.',
  },
});

export const SUBMISSION_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/submissions',
    limit: 'upload',
    tag: 'Submissions',
    summary: 'Upload a file of samples',
    description:
      'A form with one file and option fields in any order, or the file itself as the body with the options in the query. ' +
      'A small file is answered with its result, a large one with its submission ID. ' +
      'Samples as JSON, an object on each line or an array, are answered with NDJSON: each object with its accession, then the receipt; an ISA-JSON document with itself, its sources and samples with their accessions as comments. ' +
      'The same bytes, or the same Idempotency-Key, answer the first submission.',
    scope: 'submit',
    parameters: [
      header('Idempotency-Key', 'Makes a retry safe: the same key answers the same submission.'),
      ...OPTION_NAMES.map((name) => query(name, optionOf(name).help, optionSchema(optionOf(name)))),
      query('fileName', 'Name of a raw file.'),
    ],
    body: {
      description: 'The file.',
      contents: {
        'multipart/form-data': { type: 'object', properties: { file: BYTES, ...optionSchemas }, required: ['file'] },
        [TSV]: BYTES,
        'text/csv': BYTES,
        [XLSX]: BYTES,
        [NDJSON]: BYTES,
        'application/json': {
          oneOf: [
            { type: 'array', items: SAMPLE_REQUEST },
            { type: 'object', description: 'ISA-JSON' },
          ],
        },
        'application/zip': BYTES,
        'application/gzip': BYTES,
      },
    },
    responses: {
      201: {
        description: 'Small, and done: the result.',
        contents: resultOrStatus,
        headers: {
          Location: 'Address of the submission.',
          'Idempotent-Replayed': 'true when an earlier submission is answered.',
        },
      },
      202: {
        description: 'Accepted: two lines, `Submission ID` and the id.',
        contents: { ...text(TSV), ...text(NDJSON), ...status },
        headers: {
          Location: 'Address of the submission.',
          'Retry-After': 'Seconds until it is worth asking.',
          'Idempotent-Replayed': 'true when an earlier submission is answered.',
        },
      },
      ...refusals(400, 401, 403, 406, 409, 410, 413, 415, 422, 429),
    },
  },
  {
    method: 'get',
    path: '/submissions',
    tag: 'Submissions',
    summary: 'List submissions, newest first',
    scope: 'read',
    parameters: [
      query('size', 'Entries on a page.', { type: 'integer', minimum: 1, maximum: 200, default: 20 }),
      query('cursor', 'From the link `next` of the page before.'),
      query('status', 'Only those in this state; several with commas between.', {
        type: 'array',
        items: { type: 'string', enum: [...SUBMISSION_STATES] },
      }),
      query('account', 'Only those of this account; for administrators, others see their own alone.'),
      query('fileName', 'A part of the file’s name, in upper or lower case.', { type: 'string', maxLength: 200 }),
      query('from', 'Uploaded at or after this ISO 8601 date or date-time.'),
      query('to', 'Uploaded before this ISO 8601 date-time, or up to the end of this date.'),
      query('dryRuns', 'false leaves dry runs out.', { type: 'boolean', default: true }),
    ],
    description:
      'With filters a page may hold fewer entries than `size`, even none, and still have a link `next`: each request looks at a bounded number of submissions.',
    responses: {
      200: {
        description: 'The caller’s submissions; an administrator’s answer holds all.',
        contents: json(documents.SUBMISSION_PAGE),
      },
      ...refusals(400, 401, 403, 406, 429),
    },
  },
  {
    method: 'post',
    path: '/submissions/edits',
    limit: 'upload',
    tag: 'Submissions',
    summary: 'Change many samples alike',
    description:
      'Chooses samples by a search, as they are at this moment, or by their accessions, and sets, renames or clears characteristics of theirs. ' +
      'It is a submission like any other: with `dryRun` a preview, whose commit refuses samples that were changed meanwhile; with receipt, changes and undo. ' +
      'Samples of other accounts that the search finds are left out and counted.',
    scope: 'submit',
    parameters: [header('Idempotency-Key', 'Makes a retry safe: the same key answers the same submission.')],
    body: { description: 'Which samples, and what is changed.', contents: plainJson(BATCH_EDIT_REQUEST) },
    responses: {
      201: {
        description: 'Done: the submission.',
        contents: status,
        headers: {
          Location: 'Address of the submission.',
          'Idempotent-Replayed': 'true when an earlier submission is answered.',
        },
      },
      202: {
        description: 'Accepted: the submission, as far as it is.',
        contents: status,
        headers: {
          Location: 'Address of the submission.',
          'Retry-After': 'Seconds until it is worth asking.',
          'Idempotent-Replayed': 'true when an earlier submission is answered.',
        },
      },
      ...refusals(400, 401, 403, 406, 409, 413, 415, 422, 429),
    },
  },
  {
    method: 'get',
    path: '/submissions/results',
    tag: 'Submissions',
    summary: 'Download the results of several submissions as one archive',
    description: 'A zip with `overview.tsv` and the result of each submission that has rows.',
    scope: 'read',
    parameters: [query('id', 'The submission IDs, 1 to 100, with commas between.')],
    responses: {
      200: { description: 'Streamed.', contents: { 'application/zip': BYTES } },
      ...refusals(400, 401, 403, 404, 429),
    },
  },
  {
    method: 'get',
    path: '/submissions/{id}',
    tag: 'Submissions',
    summary: 'Read the status of a submission',
    scope: 'read',
    parameters: [ID],
    responses: { 200: { description: 'The status document.', contents: status }, ...refusals(401, 403, 404, 406, 429) },
  },
  {
    method: 'delete',
    path: '/submissions/{id}',
    tag: 'Submissions',
    summary: 'Cancel a submission',
    description: 'Stops at the next chunk; what is registered stays and is listed.',
    scope: 'submit',
    parameters: [ID],
    responses: { 200: { description: 'The status document.', contents: status }, ...refusals(401, 403, 404, 406, 429) },
  },
  {
    method: 'post',
    path: '/submissions/{id}/retry',
    tag: 'Submissions',
    summary: 'Go on with a submission that failed for a reason outside its file',
    scope: 'submit',
    parameters: [ID],
    responses: {
      202: { description: 'It waits again, from where it stopped.', contents: status },
      ...refusals(401, 403, 404, 406, 409, 429),
    },
  },
  {
    method: 'post',
    path: '/submissions/{id}/commit',
    tag: 'Submissions',
    summary: 'Carry out a dry run as it was shown',
    description:
      'Rows whose sample changed since are refused and left alone, and all of it where the same file was registered since by another upload (`conflict`, with its `submissionId`). Asked again, the first commit is answered.',
    scope: 'submit',
    parameters: [ID],
    responses: {
      201: followUp('Done.'),
      202: followUp('Accepted.'),
      ...refusals(400, 401, 403, 404, 406, 409, 410, 429),
    },
  },
  {
    method: 'post',
    path: '/submissions/{id}/undo',
    tag: 'Submissions',
    summary: 'Take back what an upload changed',
    description:
      'Updated samples get their former version back, new ones are withdrawn; rows changed since are left alone. Asked again, the first undo is answered.',
    scope: 'submit',
    parameters: [ID],
    responses: {
      201: followUp('Done.'),
      202: followUp('Accepted.'),
      ...refusals(400, 401, 403, 404, 406, 409, 410, 429),
    },
  },
  {
    method: 'post',
    path: '/submissions/{id}/check',
    tag: 'Submissions',
    summary: 'Check changed rows of its sheet before they are sent',
    description:
      'By the rules of the sheet and its checklist; nothing is written. A row that would be a second sample of a name is said, too (`name.used-before`); whose a sample is and which rows relationships mean is said by the upload alone.',
    scope: 'read',
    parameters: [ID],
    body: { description: 'The rows, at most 500.', contents: plainJson(documents.CHANGED_ROWS) },
    responses: {
      200: { description: 'Checked.', contents: plainJson(documents.CHECKED_ROWS) },
      ...refusals(400, 401, 403, 404, 410, 413, 415, 429),
    },
  },
  {
    ...file(
      'result',
      'Download the result: the sheet, the JSON items with a receipt, or the ISA-JSON document, with accessions',
      { ...text(TSV), ...text(NDJSON), ...plainJson(documents.ISA_DOCUMENT), [XLSX]: BYTES },
    ),
    description:
      'A sheet also as a workbook whose cells are text, so that no spreadsheet turns accessions, codes and gene names into something else; as either it goes back in and changes nothing.',
    parameters: [
      ID,
      query(
        'format',
        'tsv (of what came as JSON its own form) or xlsx; absent: xlsx where the Accept header names it.',
        {
          type: 'string',
          enum: ['tsv', 'xlsx'],
        },
      ),
    ],
  },
  {
    ...file('errors', 'Download the rejected rows with what is wrong in them', {
      ...text(TSV),
      ...text(NDJSON),
      ...plainJson(documents.REJECTED_ROWS),
      [XLSX]: BYTES,
    }),
    parameters: [
      ID,
      query('format', 'tsv (of a JSON file its items as NDJSON), json or xlsx; absent: as the Accept header says.', {
        type: 'string',
        enum: ['tsv', 'json', 'xlsx'],
      }),
    ],
  },
  {
    ...file(
      'changes',
      'Read which cells a dry run would change, or an upload has changed',
      plainJson(documents.CHANGES),
    ),
    parameters: [
      ID,
      query('size', 'The first so many cells; without it, all.', { type: 'integer', minimum: 1, maximum: 1_000_000 }),
    ],
    responses: {
      200: { description: 'Streamed.', contents: plainJson(documents.CHANGES) },
      ...refusals(400, 401, 403, 404, 409, 410, 429),
    },
  },
  {
    ...file('missing', 'Read which samples a standing sheet has no more', plainJson(documents.MISSING)),
    description: 'As its plan found them, or its commit withdrew them. 404 for every other submission.',
    parameters: [
      ID,
      query('size', 'The first so many samples; without it, all.', { type: 'integer', minimum: 1, maximum: 1_000_000 }),
    ],
    responses: {
      200: { description: 'Streamed.', contents: plainJson(documents.MISSING) },
      ...refusals(400, 401, 403, 404, 409, 410, 429),
    },
  },
  {
    ...file(
      'open-relationships',
      'Read which relationships of an upload wait for samples still to come',
      plainJson(documents.OPEN_RELATIONSHIPS),
    ),
    description: 'Those that its rows opened (relationships=later) and that no later upload has completed yet.',
    parameters: [
      ID,
      query('size', 'The first so many; without it, all.', { type: 'integer', minimum: 1, maximum: 1_000_000 }),
    ],
    responses: {
      200: { description: 'Streamed.', contents: plainJson(documents.OPEN_RELATIONSHIPS) },
      ...refusals(400, 401, 403, 404, 410, 429),
    },
  },
  file('mapping', 'Download the mapping from sample names to accessions', plainJson(documents.MAPPING)),
  {
    ...file('receipt', 'Download the receipt of an ISA-JSON document, as MARS reads it', plainJson(documents.RECEIPT)),
    description:
      'Where the accessions belong in the document, by path. `status` while it is worked on; `errors` for what was rejected.',
    responses: {
      200: { description: 'Streamed.', contents: plainJson(documents.RECEIPT) },
      ...refusals(401, 403, 404, 406, 410, 429),
    },
  },
  {
    ...file('ro-crate', 'Download the submission as an RO-Crate', { 'application/zip': BYTES }),
    description:
      'A zip by RO-Crate 1.2: `ro-crate-metadata.json`, the file as it was uploaded, result and mapping, errors and the receipt of an ISA-JSON document where there are some. ' +
      'The first 1 000 samples are described in the metadata, all of them in the mapping. Before the submission has ended it holds what is done so far.',
  },
  {
    ...file('original', 'Download the bytes that were uploaded', { 'application/octet-stream': BYTES }),
    parameters: [
      ID,
      query('text', 'true: of a workbook or an archive, the text of the sheet that was read.', { type: 'boolean' }),
    ],
  },
  {
    ...file('events', 'Follow the progress as server-sent events', text('text/event-stream')),
    description:
      'Events `progress`, then one `end`; the data of each is the status document. The stream begins with the present state.',
    parameters: [ID, header('Last-Event-ID', 'Id of the last event that was seen, after a lost connection.')],
    responses: {
      200: { description: 'Sent as it happens.', contents: text('text/event-stream') },
      204: { description: 'The end was seen already; there is no reason to come back.' },
      ...refusals(401, 403, 404, 429),
    },
  },
];
