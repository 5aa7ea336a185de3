/** Import profiles in the interface description. */
import { z } from 'zod';
import { IMPORT_PROFILE } from '../../profiles/schema.js';
import { json, type Operation, path, plainJson, query, refusals } from './operation.js';

const SUMMARY = z.looseObject({
  name: z.string(),
  rank: z.enum(['own', 'shared', 'shipped']),
  title: z.string(),
  version: z.int().min(1).optional(),
  shared: z.boolean().optional(),
  created: z.iso.datetime().optional(),
});
const LIST = z.looseObject({ _embedded: z.looseObject({ profiles: z.array(SUMMARY) }) });
const NAME = path('name', 'Name of the profile.');

export const PROFILE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/profiles',
    tag: 'Import profiles',
    summary: 'List import profiles',
    description: 'Those of the account, those that are shared with everybody, and those that ship with the product.',
    scope: 'read',
    responses: { 200: { description: 'The profiles.', contents: json(LIST) }, ...refusals(401, 403, 406, 429, 503) },
  },
  {
    method: 'get',
    path: '/profiles/{name}',
    tag: 'Import profiles',
    summary: 'Read an import profile',
    description: 'As it can be kept again, by this or another account.',
    scope: 'read',
    parameters: [NAME, query('version', 'An earlier version of a kept one.', { type: 'integer', minimum: 1 })],
    responses: {
      200: { description: 'The document.', contents: json(IMPORT_PROFILE) },
      ...refusals(400, 401, 403, 404, 406, 429, 503),
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
    ],
    body: { description: 'What the columns are.', contents: plainJson(IMPORT_PROFILE) },
    responses: {
      200: { description: 'Kept.', contents: json(SUMMARY) },
      201: { description: 'Kept under a new name.', contents: json(SUMMARY) },
      ...refusals(400, 401, 403, 406, 409, 413, 415, 429, 503),
    },
  },
  {
    method: 'delete',
    path: '/profiles/{name}',
    tag: 'Import profiles',
    summary: 'Delete an import profile',
    description: 'What was uploaded by it stays as it is.',
    scope: 'submit',
    parameters: [NAME],
    responses: { 204: { description: 'Deleted.' }, ...refusals(401, 403, 404, 429, 503) },
  },
];
