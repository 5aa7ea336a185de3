/** Account and password in, token out: sessions of the page and short-lived tokens of programs. */
import { RegistryError } from '../registry/errors.js';
import type { AccountStore, Scope } from './account-store.js';
import { hashPassword, passwordMatches } from './passwords.js';
import type { IssuedToken, Tokens } from './tokens.js';

export interface SignInRequest {
  account: string;
  password: string;
  /** Network address of the client; failures are counted for it and for the account. */
  address: string;
  /** Name of the token that is made. */
  name: string;
  lifeMs: number;
}

export interface PasswordChange {
  account: string;
  /** The present password, where there is one. */
  current: string | undefined;
  next: string;
  address: string;
  /** Token that makes the change and stays valid. */
  kept: string | undefined;
}

/** Names of the tokens that a sign-in makes. */
export const SESSION_TOKEN = 'page session';
export const PASSWORD_TOKEN = 'password sign-in';
const SIGN_IN_TOKENS: readonly string[] = [SESSION_TOKEN, PASSWORD_TOKEN];

/** Failures allowed for one account from one address, and for one address, in the window. */
const MAX_FAILURES = 10;
const MAX_ADDRESS_FAILURES = 100;
const WINDOW_MS = 15 * 60_000;
const MAX_COUNTED = 50_000;

interface Failures {
  count: number;
  since: number;
}

export class SignIn {
  private readonly failures = new Map<string, Failures>();

  constructor(
    private readonly store: AccountStore,
    private readonly tokens: Tokens,
    private readonly administrators: readonly string[],
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws RegistryError auth.required for a wrong account or password; rate.limited after too many of them */
  async signIn(request: SignInRequest): Promise<IssuedToken> {
    await this.prove(request);
    return this.tokens.issue({
      account: request.account,
      name: request.name,
      scopes: this.scopesOf(request.account),
      expires: this.now() + request.lifeMs,
    });
  }

  /** What a sign-in without a token of its own may do: everything of its account, and administration for the listed ones. */
  scopesOf(account: string): Scope[] {
    return this.administrators.includes(account) ? ['read', 'submit', 'admin'] : ['read', 'submit'];
  }

  /** @throws RegistryError auth.required when there is a password and `current` is another; request.invalid for an unfit one */
  async changePassword({ account, current, next, address, kept }: PasswordChange): Promise<void> {
    const known = await this.store.findAccount(account);
    if (known?.passwordHash !== undefined) await this.prove({ account, password: current ?? '', address });
    await this.setPassword(account, next, kept);
  }

  /**
   * Makes the account when it is new. Whoever signed in with the former password is signed out, but for the token `kept`.
   * @throws RegistryError request.invalid for an unfit password
   */
  async setPassword(account: string, next: string, kept?: string): Promise<void> {
    const hash = await hashPassword(next);
    await this.store.ensureAccount(account, this.now());
    await this.store.setPassword(account, hash);
    for (const { id, name, revoked } of await this.tokens.list(account)) {
      if (!revoked && SIGN_IN_TOKENS.includes(name) && id !== kept) await this.tokens.revoke(id, account);
    }
  }

  private async prove({
    account,
    password,
    address,
  }: Pick<SignInRequest, 'account' | 'password' | 'address'>): Promise<void> {
    const both = JSON.stringify([account, address]);
    this.refuseAfter(both, MAX_FAILURES);
    this.refuseAfter(address, MAX_ADDRESS_FAILURES);
    // Counted before the slow comparison, so that attempts sent all at once are counted too.
    this.count(both);
    this.count(address);
    const known = await this.store.findAccount(account);
    if (!(await passwordMatches(password, known?.passwordHash))) {
      throw new RegistryError('auth.required', 'Account or password is wrong.');
    }
    this.failures.delete(both);
    this.forgive(address);
  }

  private refuseAfter(key: string, allowed: number): void {
    const seen = this.failures.get(key);
    if (!seen) return;
    const left = seen.since + WINDOW_MS - this.now();
    if (left <= 0) this.failures.delete(key);
    else if (seen.count >= allowed) {
      throw new RegistryError('rate.limited', 'Too many failed sign-ins; wait before the next one.', {
        extra: { retryAfter: Math.ceil(left / 1000) },
      });
    }
  }

  private count(key: string): void {
    if (this.failures.size >= MAX_COUNTED) this.failures.clear();
    const seen = this.failures.get(key);
    if (seen) seen.count += 1;
    else this.failures.set(key, { count: 1, since: this.now() });
  }

  private forgive(key: string): void {
    const seen = this.failures.get(key);
    if (seen) seen.count -= 1;
  }
}
