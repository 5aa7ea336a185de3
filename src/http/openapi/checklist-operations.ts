/** Checklists in the interface description. */

import { json, type Operation, path, query, refusals, text } from './operation.js';
import * as documents from './service-documents.js';

const ID = path('id', 'Short id of the checklist.');
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const CHECKLIST_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/checklists',
    tag: 'Checklists',
    summary: 'List the checklists',
    responses: {
      200: { description: 'All of them.', contents: json(documents.CHECKLIST_LIST) },
      ...refusals(406, 429),
    },
  },
  {
    method: 'get',
    path: '/checklists/{id}',
    tag: 'Checklists',
    summary: 'Read what a checklist demands',
    parameters: [ID],
    responses: { 200: { description: 'Its fields.', contents: json(documents.CHECKLIST) }, ...refusals(404, 406, 429) },
  },
  {
    method: 'get',
    path: '/checklists/{id}/schema',
    tag: 'Checklists',
    summary: 'Read the JSON Schema of a checklist',
    parameters: [ID],
    responses: {
      200: { description: 'As it was written.', contents: { 'application/schema+json': { type: 'object' } } },
      ...refusals(404, 429),
    },
  },
  {
    method: 'get',
    path: '/checklists/{id}/template',
    tag: 'Checklists',
    summary: 'Get a sheet to fill',
    parameters: [
      ID,
      query('format', 'tsv or xlsx.', { type: 'string', enum: ['tsv', 'xlsx'], default: 'tsv' }),
      query('fields', 'Only these characteristics besides the required ones, separated by commas; 1 000 at most.'),
    ],
    responses: {
      200: {
        description: 'The sheet.',
        contents: { ...text('text/tab-separated-values'), [XLSX]: { type: 'string', format: 'binary' } },
      },
      ...refusals(400, 404, 429),
    },
  },
];
