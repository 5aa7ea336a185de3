/** Accounts, tokens, checklists, problems and the service itself as zod schemas: strict, so that a member that nobody described is noticed by the tests. */
import { z } from 'zod';
import { SCOPES } from '../../auth/account-store.js';
import { LINK, links, SELF, TIME } from './document-parts.js';

const TOKEN_MEMBERS = {
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created: TIME,
  expires: TIME.optional(),
  lastUsed: TIME.optional(),
  revoked: z.boolean(),
};

export const TOKEN_MADE = z
  .strictObject({ token: z.string(), ...TOKEN_MEMBERS })
  .describe('A new token; its text is shown only this once.');

export const TOKEN_LIST = z
  .strictObject({
    _embedded: z.strictObject({ tokens: z.array(z.strictObject(TOKEN_MEMBERS)) }).optional(),
    _links: SELF,
  })
  .describe('Tokens, newest first, without their texts.');

export const ME = z
  .strictObject({
    account: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    signedInBy: z.enum(['token', 'cookie', 'identity-provider']),
  })
  .describe('The account that asks.');

export const SESSION = z
  .strictObject({ account: z.string(), scopes: z.array(z.enum(SCOPES)) })
  .describe('Who has signed in.');

export const ROOT = z
  .strictObject({ _links: links('samples', 'curations', 'submissions') })
  .describe('Where to start.');

export const LIVE = z.strictObject({ status: z.literal('up') }).describe('The process answers.');

export const READY = z
  .strictObject({ status: z.enum(['up', 'down']), checks: z.record(z.string(), z.enum(['up', 'down'])) })
  .describe('Whether the parts behind the service can be used.');

export const PROBLEM_TYPE = z
  .strictObject({ code: z.string(), status: z.int(), title: z.string() })
  .describe('What a problem code means.');

export const PROBLEM = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.string(),
    message: z.string(),
    errors: z.array(z.strictObject({ dataPath: z.string(), errors: z.array(z.string()).min(1) })).optional(),
  })
  .describe('Why a request was refused (RFC 9457). For invalid content, every fault at once.');

export const CHECKLIST = z
  .looseObject({ id: z.string(), title: z.string() })
  .describe('Rules that a community lays down for samples.');

export const CHECKLIST_LIST = z
  .looseObject({
    _embedded: z.looseObject({ checklists: z.array(CHECKLIST) }).optional(),
    _links: z.record(z.string(), LINK),
  })
  .describe('The checklists that this service knows.');
