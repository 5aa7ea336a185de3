/** The caller as the registry's rules see it. */
import { type Caller, isAdmin } from '../auth/caller.js';
import type { Caller as RegistryCaller } from '../registry/permissions.js';

export const registryCaller = (caller: Caller): RegistryCaller => ({
  account: caller.account,
  admin: isAdmin(caller),
  scopes: caller.scopes,
});
