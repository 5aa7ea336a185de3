/** Accounts, tokens and signing in, in the interface description. */
import { accountSettingsSchema } from '../../registry/account-settings.js';
import {
  NEW_ACCOUNT,
  PASSWORD_CHANGE,
  PASSWORD_SIGN_IN,
  SESSION_REQUEST,
  TOKEN_REQUEST,
} from '../schemas/schemas-of-accounts.js';
import { json, type Operation, path, plainJson, query, refusals, text } from './operation.js';
import * as documents from './service-documents.js';

const body = (schema: Parameters<typeof plainJson>[0], description: string) => ({
  description,
  contents: plainJson(schema),
});

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/tokens',
    tag: 'Accounts',
    summary: 'Make a token',
    description:
      'It allows no more than the token that it is made with, does not outlive that one, and is revoked with it.',
    scope: 'submit',
    body: body(TOKEN_REQUEST, 'What the token is for.'),
    responses: {
      201: { description: 'The token, shown once.', contents: json(documents.TOKEN_MADE) },
      ...refusals(400, 401, 403, 404, 406, 413, 415, 429),
    },
  },
  {
    method: 'get',
    path: '/tokens',
    tag: 'Accounts',
    summary: 'List tokens',
    scope: 'read',
    parameters: [
      query('account', 'Of this account; administrators see all when it is absent.'),
      query('valid', 'Only those that are neither revoked nor expired.', { type: 'boolean', default: false }),
      query('size', 'Most tokens of a page.', { type: 'integer', minimum: 1, maximum: 200, default: 200 }),
      query('cursor', 'From the link `next` of the page before.'),
    ],
    responses: {
      200: { description: 'Tokens without their texts.', contents: json(documents.TOKEN_LIST) },
      ...refusals(400, 401, 403, 406, 429),
    },
  },
  {
    method: 'get',
    path: '/tokens/{id}',
    tag: 'Accounts',
    summary: 'Read a token',
    description: 'All but its text: when it was used last, when it ends, and whether it is revoked.',
    scope: 'read',
    parameters: [path('id', 'Id of the token.')],
    responses: {
      200: { description: 'The token without its text.', contents: json(documents.TOKEN) },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'delete',
    path: '/tokens/{id}',
    tag: 'Accounts',
    summary: 'Revoke a token',
    description: 'With all that was made with it: tokens and sessions.',
    scope: 'read',
    parameters: [path('id', 'Id of the token.')],
    responses: { 204: { description: 'Revoked.' }, ...refusals(401, 403, 404, 429) },
  },
  {
    method: 'get',
    path: '/accounts',
    tag: 'Accounts',
    summary: 'List accounts',
    scope: 'admin',
    parameters: [
      query('text', 'Part of the name, in any letter case.'),
      query('size', 'Most accounts of a page.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
      query('cursor', 'From the link `next` of the page before.'),
    ],
    responses: {
      200: { description: 'Accounts by name.', contents: json(documents.ACCOUNT_LIST) },
      ...refusals(400, 401, 403, 406, 429),
    },
  },
  {
    method: 'post',
    path: '/accounts',
    tag: 'Accounts',
    summary: 'Make an account',
    scope: 'admin',
    body: body(NEW_ACCOUNT, 'Its name and, if it has one, its password.'),
    responses: {
      201: { description: 'Made.', contents: json(documents.ACCOUNT) },
      ...refusals(400, 401, 403, 406, 409, 413, 415, 429),
    },
  },
  {
    method: 'get',
    path: '/accounts/{account}',
    tag: 'Accounts',
    summary: 'Read an account',
    scope: 'admin',
    parameters: [path('account', 'Name of the account.')],
    responses: {
      200: { description: 'The account.', contents: json(documents.ACCOUNT) },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'post',
    path: '/accounts/{account}/password-reset',
    limit: 'sign-in',
    tag: 'Accounts',
    summary: 'Give a one-time password',
    description:
      'It takes the place of the present password at once, and the sessions of the account end. Within a day it can be used once, to sign in with a `newPassword` (`POST /auth/session`).',
    scope: 'admin',
    parameters: [path('account', 'Name of the account.')],
    responses: {
      201: { description: 'The password, shown once.', contents: json(documents.ONE_TIME_PASSWORD) },
      ...refusals(401, 403, 404, 406, 429),
    },
  },
  {
    method: 'get',
    path: '/me/settings',
    tag: 'Accounts',
    summary: 'What the account decides about its samples',
    scope: 'read',
    responses: {
      200: { description: 'The settings of the caller’s account.', contents: json(accountSettingsSchema) },
      ...refusals(401, 403, 406, 429),
    },
  },
  {
    method: 'put',
    path: '/me/settings',
    tag: 'Accounts',
    summary: 'Decide about the samples of the account',
    scope: 'submit',
    body: body(accountSettingsSchema, 'The settings.'),
    responses: {
      200: { description: 'The settings as they are now.', contents: json(accountSettingsSchema) },
      ...refusals(400, 401, 403, 406, 413, 415, 429),
    },
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
    limit: 'sign-in',
    tag: 'Accounts',
    summary: 'Get a short-lived token for a password',
    body: body(PASSWORD_SIGN_IN, 'Account and password.'),
    responses: {
      200: { description: 'The token as plain text.', contents: text('text/plain') },
      ...refusals(400, 401, 403, 413, 415, 429),
    },
  },
  {
    method: 'post',
    path: '/auth/session',
    limit: 'sign-in',
    tag: 'Accounts',
    summary: 'Sign the page in',
    description:
      'With a token, or with account and password. A one-time password is refused with the code `auth.password-change` until `newPassword` comes with it.',
    body: body(SESSION_REQUEST, 'Account and password, or a token.'),
    responses: {
      201: {
        description: 'Signed in.',
        contents: json(documents.SESSION),
        headers: { 'Set-Cookie': 'The session: HttpOnly, SameSite=Strict, Secure behind TLS.' },
      },
      ...refusals(400, 401, 403, 406, 413, 415, 429),
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
    limit: 'sign-in',
    tag: 'Accounts',
    summary: 'Set a password',
    description:
      'Of one’s own with the present one. Without it, and for the first password of an account, an administrator does it; the password of an administrator with a token or session that does not end before it.',
    scope: 'submit',
    body: body(PASSWORD_CHANGE, 'The new password.'),
    responses: {
      204: { description: 'Set; sessions and password tokens of before have ended.' },
      ...refusals(400, 401, 403, 404, 413, 415, 429),
    },
  },
];
