/** Bodies of the account and token routes. */
import { z } from 'zod';
import { isAccountName } from '../auth/account-name.js';
import { SCOPES } from '../auth/account-store.js';

const account = z
  .string('must be the name of an account.')
  .refine(isAccountName, 'must be 1 to 128 characters without blanks at the ends.')
  .describe('Name of an account.');

export const TOKEN_REQUEST = z
  .object({
    account: account
      .optional()
      .describe('Whose token it is; absent: the caller’s. Another account needs an administrator; a new one is made.'),
    name: z
      .string('must be a text.')
      .trim()
      .min(1, 'must not be empty.')
      .max(100, 'must be at most 100 characters long.')
      .default('token')
      .describe('What the token is for, for people.'),
    scopes: z
      .array(z.enum(SCOPES, 'must be read, submit or admin.'), 'must be a list.')
      .min(1, 'must name at least one scope.')
      .default(['read', 'submit'])
      .describe('What the token allows; never more than the caller’s own.'),
    expiresInDays: z
      .number('must be a number.')
      .positive('must be more than 0.')
      .max(3650, 'must be at most 3650.')
      .optional()
      .describe('Absent: it never expires.'),
  })
  .describe('A token to make.');

export const PASSWORD_SIGN_IN = z
  .object({ username: z.string('must be a text.'), password: z.string('must be a text.') })
  .describe('Account and password.');

export const SESSION_REQUEST = z
  .union(
    [z.object({ account: z.string(), password: z.string() }), z.object({ token: z.string().min(1) })],
    'must hold account and password, or token.',
  )
  .describe('Account and password, or a token.');

export const PASSWORD_CHANGE = z
  .object({
    account: account
      .optional()
      .describe('Whose password; absent: the caller’s. Another account needs an administrator.'),
    current: z
      .string('must be a text.')
      .optional()
      .describe('The present password, where there is one; administrators need none for others.'),
    password: z.string('must be a text.').describe('The new password.'),
  })
  .describe('A new password.');
