/** What may be the name of an account. */

/** `.` and `..` in an address lead elsewhere, however they are encoded. */
const STEPS = new Set(['.', '..']);

/** 1 to 128 characters without control characters or blanks at the ends: what provider subjects, e-mails and our own names are. */
export function isAccountName(name: string): boolean {
  if (name.length < 1 || name.length > 128 || STEPS.has(name)) return false;
  return name === name.trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

export const ACCOUNT_NAME_WORDS =
  'must be 1 to 128 characters, without blanks at the ends and characters that are not seen, and not "." or ".." alone.';
