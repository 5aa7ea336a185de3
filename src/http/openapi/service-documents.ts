/** Accounts, tokens, checklists, problems and the service itself as zod schemas: strict, so that a member that nobody described is noticed by the tests. */
import { z } from 'zod';
import { SCOPES } from '../../auth/account-store.js';
import { COUNT, LINK, links, SELF, TIME } from './document-parts.js';

const TOKEN_MEMBERS = {
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created: TIME,
  expires: TIME.optional(),
  lastUsed: TIME.optional(),
  revoked: z.boolean(),
  kind: z
    .enum(['token', 'session', 'password', 'setting'])
    .describe('token: somebody made it · session: of the page · password: of POST /auth/token · setting: ADMIN_TOKEN.'),
  parent: z.uuid().optional().describe('Id of the token that it was made with, and ends with.'),
};

export const TOKEN_MADE = z
  .strictObject({ token: z.string(), ...TOKEN_MEMBERS })
  .describe('A new token; its text is shown only this once.');

export const TOKEN = z.strictObject({
  ...TOKEN_MEMBERS,
  current: z.literal(true).optional().describe('The one that asks.'),
});

export const TOKEN_LIST = z
  .strictObject({
    _embedded: z.strictObject({ tokens: z.array(TOKEN) }).optional(),
    _links: links('self', 'next'),
  })
  .describe('Tokens, newest first, without their texts.');

export const ACCOUNT = z
  .strictObject({
    account: z.string(),
    created: TIME,
    administrator: z.boolean().describe('Whether it is an administrator when it signs in with its password.'),
    password: z.enum(['none', 'set', 'one-time']),
    tokens: COUNT.describe('Tokens and sessions that are valid now.'),
    lastUsed: TIME.optional().describe('Last use of any of them.'),
    _links: links('self', 'tokens', 'passwordReset'),
  })
  .describe('An account.');

export const ACCOUNT_LIST = z
  .strictObject({
    _embedded: z.strictObject({ accounts: z.array(ACCOUNT) }).optional(),
    _links: links('self', 'next'),
  })
  .describe('Accounts by name.');

export const ONE_TIME_PASSWORD = z
  .strictObject({ account: z.string(), oneTimePassword: z.string(), expires: TIME })
  .describe('A password for one use; shown only this once.');

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

export const LIVE = z
  .strictObject({
    status: z.enum(['up', 'leaving']).describe('Leaving: it has had SIGTERM and ends soon.'),
    version: z.string().describe('Of the program, as the changelog numbers it.'),
  })
  .describe('The process answers.');

export const READY = z
  .strictObject({ status: z.enum(['up', 'down', 'leaving']), checks: z.record(z.string(), z.enum(['up', 'down'])) })
  .describe('Whether the parts behind the service can be used.');

export const OPERATIONS = z
  .strictObject({
    searchIndex: z.strictObject({
      status: z.enum(['current', 'behind', 'standstill']),
      lag: z.int().min(0),
      behindSince: TIME.optional(),
      lastProgress: TIME.optional(),
      nameOnly: z.strictObject({
        count: z.int().min(0),
        samples: z.array(z.strictObject({ accession: z.string(), reason: z.string() })).max(100),
      }),
      setAside: z.array(z.string()),
    }),
    _links: SELF,
  })
  .describe(
    'What works behind the service. `lag`: samples that changed and are not yet indexed; `standstill`: for a minute none of them was. `nameOnly`: samples found by name and accession alone. `setAside`: damaged index files that were replaced by a new one and kept.',
  );

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
