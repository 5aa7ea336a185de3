/** Bodies of the account and token routes. */
import { z } from 'zod';
import { ACCOUNT_NAME_WORDS, isAccountName } from '../../auth/account-name.js';
import { SCOPES } from '../../auth/account-store.js';

const account = z
  .string('must be the name of an account.')
  .refine(isAccountName, ACCOUNT_NAME_WORDS)
  .describe('Name of an account.');

const createAccount = z
  .boolean('must be true or false.')
  .default(false)
  .describe('Makes the account when there is none of this name; otherwise that is refused with 404.');

/** Of a sign-in: what cannot be an account is not one, and is never kept or counted under its text. */
const signingIn = z.string('must be a text.').max(128, 'must be at most 128 characters long.');
const shownPassword = z.string('must be a text.').max(1024, 'must be at most 1024 characters long.');

export const TOKEN_REQUEST = z
  .object({
    account: account
      .optional()
      .describe('Whose token it is; absent: the caller’s. Another account needs an administrator.'),
    createAccount,
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
      .describe('Absent: never. A token does not outlive the one that it is made with, whatever is asked for.'),
  })
  .describe('A token to make.');

export const PASSWORD_SIGN_IN = z
  .object({ username: signingIn, password: shownPassword })
  .describe('Account and password.');

export const SESSION_REQUEST = z
  .union(
    [
      z.object({
        account: signingIn,
        password: shownPassword,
        newPassword: z
          .string('must be a text.')
          .optional()
          .describe('Takes the place of the password before the session begins; a one-time password needs it.'),
      }),
      z.object({ token: z.string().min(1).max(4096) }),
    ],
    'must hold account and password, or token.',
  )
  .describe('Account and password, or a token.');

export const PASSWORD_CHANGE = z
  .object({
    account: account
      .optional()
      .describe('Whose password; absent: the caller’s. Another account needs an administrator.'),
    current: shownPassword
      .optional()
      .describe('The present password, where there is one; administrators need none for others.'),
    password: z.string('must be a text.').describe('The new password.'),
    endTokens: z
      .boolean('must be true or false.')
      .default(false)
      .describe('Ends the account’s tokens too, not only its sessions; the one that asks stays.'),
    createAccount,
  })
  .describe('A new password.');

export const NEW_ACCOUNT = z
  .object({
    account,
    password: z.string('must be a text.').optional().describe('Its password; absent: it signs in with tokens alone.'),
  })
  .describe('An account to make.');
