/** What may be the name of an account. */

/** 1 to 128 characters without control characters or blanks at the ends: what provider subjects, e-mails and our own names are. */
export function isAccountName(name: string): boolean {
  return name.length >= 1 && name.length <= 128 && name === name.trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}
