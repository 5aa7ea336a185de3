/** Who may do what: every rule of the registry about accounts, as pure functions. */
import type { AccountSettings } from './account-settings.js';
import type { CurationLink } from './curations/curation.js';
import type { StoredSample } from './samples/sample.js';
import { statusOf } from './samples/status.js';

/** Who asks. A missing caller is nobody: someone without a token. */
export interface Caller {
  account: string;
  /** May read and change everything. */
  admin: boolean;
  scopes: readonly string[];
}

/** Writes need the scope `submit`; an administrator's includes it. */
export const maySubmit = (caller: Caller): boolean => caller.admin || caller.scopes.includes('submit');

export const owns = (account: string, caller: Pick<Caller, 'account' | 'admin'> | undefined): boolean =>
  caller !== undefined && (caller.admin || caller.account === account);

type Shown = Pick<StoredSample, 'release' | 'adminStatus'>;

export const isPublic = (sample: Shown, now: number): boolean => statusOf(sample, now) === 'PUBLIC';

/** Everybody reads what is public; the rest is its owner's and the administrators'. */
export const mayRead = (
  sample: Shown & Pick<StoredSample, 'account'>,
  caller: Caller | undefined,
  now: number,
): boolean => isPublic(sample, now) || owns(sample.account, caller);

/** Samples are changed by their owner or an administrator. */
export const mayChange = (sample: Pick<StoredSample, 'account'>, caller: Caller): boolean =>
  maySubmit(caller) && owns(sample.account, caller);

/** Old versions are shown to the owner and administrators only. */
export const mayReadHistory = (sample: StoredSample, caller: Caller | undefined): boolean =>
  owns(sample.account, caller);

/** Structured data is attached by the owner and administrators, by others where the owner's account lets them. */
export const mayAttach = (sample: StoredSample, caller: Caller, { othersMayAttachData }: AccountSettings): boolean =>
  maySubmit(caller) && (owns(sample.account, caller) || othersMayAttachData);

export const mayDeleteLink = (link: CurationLink, caller: Caller): boolean =>
  maySubmit(caller) && owns(link.account, caller);

/**
 * To others there is no such submission. A batch edit of an administrator's token, and its undo, names what a search found that sees all, and is there for
 * administrators alone.
 */
export const maySeeSubmission = (
  { account, admin, columns }: { account: string; admin: boolean; columns?: { json?: string | undefined } | undefined },
  caller: Pick<Caller, 'account' | 'admin'>,
): boolean => owns(account, caller) && (caller.admin || !admin || columns?.json !== 'edit');
