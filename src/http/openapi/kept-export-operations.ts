/** Whole results that are kept, in the interface description. */
import { z } from 'zod';
import { EXPORT_FORMATS } from '../../formats/names.js';
import { KEPT_EXPORT_STATES } from '../../registry/search/kept-export-store.js';
import { COUNT, links, SELF, TIME } from './document-parts.js';
import { type Contents, header, json, type Operation, type Parameter, path, refusals } from './operation.js';

const KEPT_EXPORT = z.strictObject({
  exportId: z.uuid(),
  account: z.string(),
  state: z.enum(KEPT_EXPORT_STATES),
  phase: z.enum(['QUEUED', 'MAKING', 'DONE']),
  format: z.enum(EXPORT_FORMATS),
  text: z.string().optional(),
  filter: z.array(z.string()),
  applyCurations: z.boolean(),
  samples: COUNT.optional().describe('Of a COMPLETED one, with those that a sheet leaves out.'),
  bytes: COUNT.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  problem: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  created: TIME,
  expires: TIME,
  _links: links('self', 'file'),
});
const LIST = z.strictObject({ _embedded: z.strictObject({ exports: z.array(KEPT_EXPORT) }), _links: SELF });
const ID = path('id', 'Id of the export.');
const FILE_HEADERS = {
  ETag: 'SHA-256 of the whole file.',
  'Accept-Ranges': 'bytes',
  'Samples-Count': 'How many samples the result has.',
};
const partsOf = (contents: Contents): Contents =>
  Object.fromEntries(Object.keys(contents).map((type) => [type, { type: 'string', format: 'binary' }]));

/** `parameters`: what a whole result is asked for with; `contents`: what it is, in each format. */
export const keptExportOperations = (parameters: readonly Parameter[], contents: Contents): Operation[] => [
  {
    method: 'post',
    path: '/samples/exports',
    tag: 'Samples',
    summary: 'Have a whole result made and kept for a day',
    description:
      'What `GET /samples/export` sends at once is made while nobody waits, in turn, and its file is kept (for 24 hours unless the service is set otherwise), to be taken in parts. It holds what the caller may read when it is made, the samples of one moment. One that still waits and asks for the same is answered again. What is wanted is said in the address; a body that says something is refused.',
    scope: 'read',
    parameters,
    responses: {
      202: {
        description: 'It waits, or is being made; `GET` of `Location` says when it is COMPLETED.',
        contents: json(KEPT_EXPORT),
        headers: { Location: 'Address of the export.', 'Retry-After': 'Seconds after which to look again.' },
      },
      ...refusals(400, 401, 403, 406, 409, 429),
    },
  },
  {
    method: 'get',
    path: '/samples/exports',
    tag: 'Samples',
    summary: 'List kept exports',
    description: 'Those of the account, newest first; an administrator sees those of all.',
    scope: 'read',
    responses: { 200: { description: 'The exports.', contents: json(LIST) }, ...refusals(401, 403, 406, 429) },
  },
  {
    method: 'get',
    path: '/samples/exports/{id}',
    tag: 'Samples',
    summary: 'How far a kept export is',
    description:
      'For the account that asked and administrators; one that was asked for with an administrator’s token is for administrators alone, since it may hold what is private to others.',
    scope: 'read',
    parameters: [ID],
    responses: {
      200: { description: 'The export.', contents: json(KEPT_EXPORT) },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'delete',
    path: '/samples/exports/{id}',
    tag: 'Samples',
    summary: 'Take a kept export away',
    description: 'Its making ends, and its file goes.',
    scope: 'read',
    parameters: [ID],
    responses: { 204: { description: 'Gone.' }, ...refusals(401, 403, 404, 429) },
  },
  {
    method: 'get',
    path: '/samples/exports/{id}/file',
    tag: 'Samples',
    summary: 'Take the file of a kept export, or a part of it',
    description:
      'The file never changes: a download that broke goes on where it stopped, with `Range: bytes=N-` and the `ETag` of before in `If-Range`. Several ranges at once are answered with the whole.',
    scope: 'read',
    parameters: [
      ID,
      header('Range', 'One range of bytes.'),
      header('If-Range', 'Entity tag of the file that a part is wanted of; the whole is sent of another.'),
      header('If-None-Match', 'Entity tags that the client holds.'),
    ],
    responses: {
      200: { description: 'The whole file.', contents, headers: FILE_HEADERS },
      206: {
        description: 'The part.',
        contents: partsOf(contents),
        headers: { ...FILE_HEADERS, 'Content-Range': 'Which bytes, of how many.' },
      },
      304: { description: 'The client holds it.' },
      ...refusals(401, 403, 404, 409, 416, 429, 500, 503),
    },
  },
];
