/** Accounts, tokens and the service itself in the interface description. */
import { PASSWORD_CHANGE, PASSWORD_SIGN_IN, SESSION_REQUEST, TOKEN_REQUEST } from '../schemas-of-accounts.js';
import { json, type Operation, path, plainJson, query, refusals, text } from './operation.js';
import * as documents from './service-documents.js';

const body = (schema: Parameters<typeof plainJson>[0], description: string) => ({
  description,
  contents: plainJson(schema),
});

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/tokens',
    tag: 'Accounts',
    summary: 'Make a token',
    scope: 'submit',
    body: body(TOKEN_REQUEST, 'What the token is for.'),
    responses: {
      201: { description: 'The token, shown once.', contents: json(documents.TOKEN_MADE) },
      ...refusals(400, 401, 403, 406, 413, 415, 429),
    },
  },
  {
    method: 'get',
    path: '/tokens',
    tag: 'Accounts',
    summary: 'List tokens',
    scope: 'read',
    parameters: [query('account', 'Of this account; administrators see all when it is absent.')],
    responses: {
      200: { description: 'Tokens without their texts.', contents: json(documents.TOKEN_LIST) },
      ...refusals(401, 403, 406, 429),
    },
  },
  {
    method: 'delete',
    path: '/tokens/{id}',
    tag: 'Accounts',
    summary: 'Revoke a token',
    scope: 'read',
    parameters: [path('id', 'Id of the token.')],
    responses: { 204: { description: 'Revoked.' }, ...refusals(401, 403, 404, 429) },
  },
  {
    method: 'get',
    path: '/me',
    tag: 'Accounts',
    summary: 'Who am I',
    scope: 'read',
    responses: {
      200: { description: 'The account and what its token allows.', contents: json(documents.ME) },
      ...refusals(401, 403, 406, 429),
    },
  },
  {
    method: 'post',
    path: '/auth/token',
    tag: 'Accounts',
    summary: 'Get a short-lived token for a password',
    body: body(PASSWORD_SIGN_IN, 'Account and password.'),
    responses: {
      200: { description: 'The token as plain text.', contents: text('text/plain') },
      ...refusals(400, 401, 413, 415, 429),
    },
  },
  {
    method: 'post',
    path: '/auth/session',
    tag: 'Accounts',
    summary: 'Sign the page in',
    body: body(SESSION_REQUEST, 'Account and password, or a token.'),
    responses: {
      201: {
        description: 'Signed in.',
        contents: json(documents.SESSION),
        headers: { 'Set-Cookie': 'The session: HttpOnly, SameSite=Strict, Secure behind TLS.' },
      },
      ...refusals(400, 401, 406, 413, 415, 429),
    },
  },
  {
    method: 'delete',
    path: '/auth/session',
    tag: 'Accounts',
    summary: 'Sign the page out',
    responses: { 204: { description: 'Signed out.' }, ...refusals(401, 403, 429) },
  },
  {
    method: 'post',
    path: '/auth/password',
    tag: 'Accounts',
    summary: 'Set a password',
    scope: 'submit',
    body: body(PASSWORD_CHANGE, 'The new password.'),
    responses: {
      204: { description: 'Set; sessions and password tokens of before have ended.' },
      ...refusals(400, 401, 403, 413, 415, 429),
    },
  },
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
      200: { description: 'OpenAPI 3.1.', contents: { 'application/json': { type: 'object' } } },
      ...refusals(406),
    },
  },
  {
    method: 'get',
    path: '/docs',
    tag: 'Service',
    summary: 'This description, to read',
    responses: { 200: { description: 'A page without scripts.', contents: text('text/html') } },
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
    path: '/page/',
    tag: 'Service',
    summary: 'The page for people with a spreadsheet',
    description: 'The page and, below it, its files. It signs in by itself.',
    responses: {
      200: { description: 'The page.', contents: text('text/html') },
      301: { description: 'The slash at the end was missing.', contents: text('text/html') },
      ...refusals(404),
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
];
