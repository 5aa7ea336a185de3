/** The service itself in the interface description. */
import { json, type Operation, path, plainJson, query, refusals, text } from './operation.js';
import * as documents from './service-documents.js';

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/',
    tag: 'Service',
    summary: 'Where to start',
    responses: {
      200: { description: 'Links.', contents: json(documents.ROOT) },
      302: { description: 'A browser is led to the page.' },
      ...refusals(406),
    },
  },
  {
    method: 'get',
    path: '/health/live',
    tag: 'Service',
    summary: 'Is the process alive',
    responses: { 200: { description: 'Yes.', contents: plainJson(documents.LIVE) } },
  },
  {
    method: 'get',
    path: '/health/ready',
    tag: 'Service',
    summary: 'Can it take requests',
    responses: {
      200: { description: 'Yes.', contents: plainJson(documents.READY) },
      503: { description: 'No.', contents: plainJson(documents.READY) },
    },
  },
  {
    method: 'get',
    path: '/problems/{code}',
    tag: 'Service',
    summary: 'What a problem code means',
    parameters: [path('code', 'The member `code` of a problem.')],
    responses: { 200: { description: 'Its meaning.', contents: json(documents.PROBLEM_TYPE) }, ...refusals(404, 406) },
  },
  {
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This description',
    responses: {
      200: {
        description: 'OpenAPI 3.1.',
        contents: { 'application/json': { type: 'object' }, 'application/openapi+json': { type: 'object' } },
      },
      ...refusals(406, 429),
    },
  },
  {
    method: 'get',
    path: '/docs',
    tag: 'Service',
    summary: 'This description, to read',
    responses: { 200: { description: 'A page without scripts.', contents: text('text/html') }, ...refusals(429) },
  },
  {
    method: 'get',
    path: '/docs/style.css',
    tag: 'Service',
    summary: 'How that page looks',
    responses: { 200: { description: 'Its stylesheet.', contents: text('text/css') } },
  },
  {
    method: 'get',
    path: '/help',
    tag: 'Service',
    summary: 'The help, to read and to search',
    description: 'The pages of docs/ that came with this version. Nothing is loaded from elsewhere.',
    parameters: [
      query('q', 'Words to look for in its sections, at most 200 characters; without it, the list of pages.'),
    ],
    responses: { 200: { description: 'A page without scripts.', contents: text('text/html') }, ...refusals(429) },
  },
  {
    method: 'get',
    path: '/help/{page}',
    tag: 'Service',
    summary: 'A page of the help',
    parameters: [path('page', 'As the list links it, such as `guide`.')],
    responses: {
      200: { description: 'A page without scripts.', contents: text('text/html') },
      ...refusals(404, 429),
    },
  },
  {
    method: 'get',
    path: '/help/decisions/{record}',
    tag: 'Service',
    summary: 'Why something is as it is',
    parameters: [path('record', 'As the list links it, such as `0003-packed-samples`.')],
    responses: {
      200: { description: 'A page without scripts.', contents: text('text/html') },
      ...refusals(404, 429),
    },
  },
  {
    method: 'get',
    path: '/page/',
    tag: 'Service',
    summary: 'The page for people with a spreadsheet',
    description: 'The page and, below it, its files. It signs in by itself.',
    parameters: [
      query('sample', 'A sample that the page shows; where anybody may read it, the page holds its JSON-LD.'),
    ],
    responses: {
      200: { description: 'The page.', contents: text('text/html') },
      304: { description: 'The client holds the present one.' },
      301: { description: 'The slash at the end was missing.', contents: text('text/html') },
      ...refusals(404, 429),
    },
  },
  {
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Read the metrics',
    description: 'For Prometheus: a token with the scope `admin`, or the one of the setting METRICS_TOKEN.',
    scope: 'admin',
    responses: {
      200: { description: 'In the text format of Prometheus.', contents: text('text/plain') },
      ...refusals(401, 403, 429),
    },
  },
  {
    method: 'get',
    path: '/operations',
    tag: 'Service',
    summary: 'How the work behind the service is getting on',
    scope: 'admin',
    responses: {
      200: { description: 'The state of the search index.', contents: json(documents.OPERATIONS) },
      ...refusals(401, 403, 406, 429),
    },
  },
];
