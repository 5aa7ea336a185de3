/** Account and password in, token out: sessions of the page and short-lived tokens of programs. */

import { randomInt } from 'node:crypto';
import { DAY_MS } from '../registry/date-time.js';
import { RegistryError } from '../registry/errors.js';
import type { AccountStore, Scope } from './account-store.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { HashingTurns } from './hashing-turns.js';
import { COST, hashPassword, passwordMatches } from './passwords.js';
import { type IssuedToken, sessionName, type Tokens } from './tokens.js';

export interface SignInRequest {
  account: string;
  password: string;
  /** Network address of the client; failures are counted for it and for the account. */
  address: string;
  /** What is made: a session of the page, or a token for a program. */
  kind: 'session' | 'password';
  lifeMs: number;
  /** `Firefox on Windows`, for the list of sessions. */
  browser?: string | undefined;
}

export interface PasswordChange {
  account: string;
  current: string;
  next: string;
  address: string;
  /** Token that makes the change and stays valid. */
  kept?: string | undefined;
  /** Ends the account's other tokens too. */
  endTokens?: boolean | undefined;
}

/** Shown in lists of tokens. */
const PASSWORD_SIGN_IN = 'password sign-in';

/** Within it a one-time password has to be used. */
const ONE_TIME_MS = DAY_MS;

export class SignIn {
  private readonly failures = new FailedSignIns();
  private readonly turns = new HashingTurns();

  constructor(
    private readonly store: AccountStore,
    private readonly tokens: Tokens,
    private readonly administrators: readonly string[],
    private readonly now: () => number = Date.now,
    /** Of scrypt, for the passwords that are set and for comparisons where there is none. */
    private readonly cost = COST,
  ) {}

  /**
   * @throws RegistryError auth.required for a wrong account or password; auth.password-change for a one-time password;
   * rate.limited after too many failures, or while too many passwords are being compared
   */
  async signIn(request: SignInRequest): Promise<IssuedToken> {
    const { account, kind, browser } = request;
    const proven = await this.prove(request);
    if (proven.oneTime) {
      throw new RegistryError(
        'auth.password-change',
        'This password was given for one use: send it once more with a password of your own (POST /auth/session with account, password and newPassword).',
      );
    }
    return this.tokens.issue(
      {
        account,
        name: kind === 'session' ? sessionName(browser) : PASSWORD_SIGN_IN,
        scopes: this.scopesOf(account),
        expires: this.now() + request.lifeMs,
        kind,
      },
      undefined,
      proven,
    );
  }

  /** What a sign-in without a token of its own may do: everything of its account, and administration for the listed ones. */
  scopesOf(account: string): Scope[] {
    return this.administrators.includes(account) ? ['read', 'submit', 'admin'] : ['read', 'submit'];
  }

  isAdministrator(account: string): boolean {
    return this.administrators.includes(account);
  }

  /** By whoever knows the present password. @throws RegistryError as `signIn`; request.invalid for an unfit new one */
  async changePassword({ account, current, next, address, kept, endTokens }: PasswordChange): Promise<void> {
    const { passwordHash: proven } = await this.prove({ account, password: current, address });
    await this.setPassword(account, next, { kept, endTokens, address, proven });
  }

  /**
   * By an administrator, or in the place of the password that was `proven` (its hash). Sessions and password tokens of the
   * account end, but for the token `kept`.
   * @throws RegistryError request.invalid for an unfit password; not-found for an unknown account; auth.required when the
   * proven password is not the account's any more: whoever lost it to a reset must not win the account back
   */
  async setPassword(
    account: string,
    next: string,
    { kept, endTokens, address, proven }: Pick<PasswordChange, 'kept' | 'endTokens' | 'address'> & { proven?: string },
  ): Promise<void> {
    const hash = await this.hash(next, address);
    const isSet = await this.store.setPassword(account, {
      hash,
      ...(kept === undefined ? {} : { kept }),
      ...(endTokens ? { endTokens } : {}),
      ...(proven === undefined ? {} : { proven }),
    });
    if (!isSet) {
      throw new RegistryError('auth.required', 'The password was changed meanwhile; sign in with the new one.');
    }
    this.tokens.forgetLookUps();
  }

  /** Takes the place of the present password; good for setting another, once, within a day. @throws RegistryError not-found */
  async resetPassword(account: string, address: string): Promise<{ password: string; until: number }> {
    const password = newPassword();
    const hash = await this.hash(password, address);
    const until = this.now() + ONE_TIME_MS;
    await this.store.setPassword(account, { hash, until });
    this.tokens.forgetLookUps();
    return { password, until };
  }

  /** @throws RegistryError request.invalid for an unfit password; rate.limited */
  hash(password: string, address: string): Promise<string> {
    return this.turns.run(address, () => hashPassword(password, this.cost));
  }

  private async prove({
    account,
    password,
    address,
  }: Pick<SignInRequest, 'account' | 'password' | 'address'>): Promise<{ passwordHash: string; oneTime: boolean }> {
    // Counted before the slow comparison, so that attempts sent all at once are counted too.
    const attempt = this.failures.begin(account, address);
    const compared = await this.compare(account, password, address).catch((error: unknown) => {
      attempt.neverCompared();
      throw error;
    });
    if (compared === undefined) throw new RegistryError('auth.required', 'Account or password is wrong.');
    attempt.succeeded();
    return compared;
  }

  /** Undefined: it is not the account's password. @throws RegistryError where nobody can say */
  private async compare(
    account: string,
    password: string,
    address: string,
  ): Promise<{ passwordHash: string; oneTime: boolean } | undefined> {
    const known = await this.store.findAccount(account);
    const over = known?.passwordUntil !== undefined && known.passwordUntil <= this.now();
    const stored = over ? undefined : known?.passwordHash;
    const right = await this.turns.run(address, () => passwordMatches(password, stored, this.cost));
    if (!right || stored === undefined) return undefined;
    return { passwordHash: stored, oneTime: known?.passwordUntil !== undefined };
  }
}

/** Letters and digits that nobody takes for each other, in groups: 20 of 31, which is 99 bits. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
