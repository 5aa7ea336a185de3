/** Import profiles in the interface description. */
import { z } from 'zod';
import { IMPORT_PROFILE } from '../../profiles/schema.js';
import { header, json, type Operation, path, plainJson, query, refusals } from './operation.js';

const SUMMARY = z.looseObject({
  name: z.string(),
  rank: z.enum(['own', 'shared', 'shipped']),
  title: z.string(),
  version: z.int().min(1).optional(),
  shared: z.boolean().optional(),
  created: z.iso.datetime().optional(),
});
const MEANING = z
  .looseObject({ as: z.string() })
  .describe('What the column is, as a column of an import profile says it, without its header.');
const PROPOSAL = z.looseObject({
  sheet: z.string().optional().describe('Of a workbook or an archive: which sheet or file this is.'),
  sheets: z.array(z.string()).optional().describe('All that there are.'),
  tables: z
    .array(z.string())
    .optional()
    .describe('Those of a workbook that name samples, where several do and the query names none.'),
  text: z.string().optional().describe('Its first 256 KiB as a table of text, where that was asked for.'),
  dated: z.literal(true).optional().describe('The archive says the release of its samples.'),
  complete: z.boolean().optional().describe('Whether that is all of it.'),
  headerLine: z.int().min(1),
  top: z
    .array(z.looseObject({ line: z.int().min(1), cells: z.array(z.string()) }))
    .describe('The first filled rows as they stand.'),
  known: z.boolean().describe('The sheet is read without a further profile: it is one of ours, or a profile reads it.'),
  columns: z.array(
    z.looseObject({
      column: z.int().min(0),
      header: z.string(),
      examples: z.array(z.string()).max(3),
      meaning: MEANING.optional(),
      why: z.string(),
      confidence: z.enum(['high', 'middle', 'low']),
      fresh: z.boolean().optional().describe('Its header is new to the kept profile that nearly fits.'),
      dateForms: z.array(z.string()).optional().describe('Forms between which the dates do not decide.'),
      decimalDoubt: z.boolean().optional().describe('A comma may be the decimal sign, or part thousands.'),
    }),
  ),
  document: IMPORT_PROFILE.describe('The same as a profile, to edit and keep.'),
  lacks: z.array(z.enum(['name', 'organism', 'release'])).describe('What the sheet says nothing of.'),
  profile: z
    .looseObject({
      name: z.string(),
      rank: z.enum(['own', 'shared', 'shipped']),
      version: z.int().min(1).optional(),
      missing: z.array(z.string()).optional(),
      further: z.array(z.string()).optional(),
    })
    .optional()
    .describe('The profile that reads the sheet; with `missing` and `further`, the one that it nearly fits.'),
});
const LIST = z.looseObject({ _embedded: z.looseObject({ profiles: z.array(SUMMARY) }) });
const TAG = { ETag: 'The version in double quotes, of one that the account keeps.' };
const NAME = path('name', 'Name of the profile.');
const OF_VERSION = 'Only while the account keeps this version of it: its number in double quotes (412 otherwise).';

export const PROFILE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/profiles',
    tag: 'Import profiles',
    summary: 'List import profiles',
    description: 'Those of the account, those that are shared with everybody, and those that ship with the product.',
    scope: 'read',
    responses: { 200: { description: 'The profiles.', contents: json(LIST) }, ...refusals(401, 403, 406, 429) },
  },
  {
    method: 'get',
    path: '/profiles/{name}',
    tag: 'Import profiles',
    summary: 'Read an import profile',
    description: 'As it can be kept again, by this or another account.',
    scope: 'read',
    parameters: [
      NAME,
      query('version', 'An earlier version of a kept one.', { type: 'integer', minimum: 1 }),
      header('If-None-Match', 'Entity tags that you have; 304 when one is the present one.'),
    ],
    responses: {
      200: { description: 'The document.', contents: json(IMPORT_PROFILE), headers: TAG },
      304: { description: 'You have the present one.' },
      ...refusals(400, 401, 403, 404, 406, 429),
    },
  },
  {
    method: 'put',
    path: '/profiles/{name}',
    tag: 'Import profiles',
    summary: 'Keep an import profile',
    description:
      'Another document makes a new version. Sheets whose headers are those of the profile are read by it from then on.',
    scope: 'submit',
    parameters: [
      NAME,
      query('shared', 'Whether everybody may read sheets by it; for administrators.', { type: 'boolean' }),
      header('If-Match', OF_VERSION),
      header('If-None-Match', '`*`: only while the account keeps none of this name (412 otherwise).'),
    ],
    body: { description: 'What the columns are.', contents: plainJson(IMPORT_PROFILE) },
    responses: {
      200: { description: 'Kept.', contents: json(SUMMARY), headers: TAG },
      201: { description: 'Kept under a new name.', contents: json(SUMMARY), headers: TAG },
      ...refusals(400, 401, 403, 406, 409, 412, 413, 415, 429),
    },
  },
  {
    method: 'delete',
    path: '/profiles/{name}',
    tag: 'Import profiles',
    summary: 'Delete an import profile',
    description: 'What was uploaded by it stays as it is.',
    scope: 'submit',
    parameters: [NAME, header('If-Match', OF_VERSION)],
    responses: { 204: { description: 'Deleted.' }, ...refusals(401, 403, 404, 412, 429) },
  },
  {
    method: 'post',
    path: '/profile-proposals',
    limit: 'upload',
    tag: 'Import profiles',
    summary: 'Propose an import profile for a file',
    description:
      'What each column of a sheet is taken for, why, and how sure that is. Nothing is kept. A workbook or an archive is sent whole (64 MiB at most), of text the first 256 KiB are enough.',
    scope: 'submit',
    parameters: [
      query('sheet', 'Name or number of the sheet of a workbook, or of the table in an archive.'),
      query('headerLine', 'Line of the header row, where it is another one.', {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
      }),
      query('encoding', 'Of text that is neither UTF-8 nor marked.'),
      query('text', 'true: of a workbook or an archive, what was read of the sheet as text.', { type: 'boolean' }),
    ],
    body: {
      description: 'The file.',
      contents: {
        'multipart/form-data': {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary' } },
          required: ['file'],
        },
      },
    },
    responses: {
      200: { description: 'The proposal.', contents: json(PROPOSAL) },
      ...refusals(400, 401, 403, 406, 413, 415, 422, 429),
    },
  },
];
