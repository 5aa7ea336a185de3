/**
 * Bearer tokens of our own: opaque, shown once, kept as SHA-256. Sessions of the page are tokens too, held in a cookie.
 * A token that was made with another never allows more, never lasts longer, and ends with it.
 */
import { hash as digest, randomBytes, randomUUID } from 'node:crypto';
import { BoundedMap } from '../limits/bounded-map.js';
import { RegistryError } from '../registry/errors.js';
import type { AccountStore, NewToken, Scope, TokenKind, TokenPage, TokenRecord } from './account-store.js';

export interface TokenRequest {
  account: string;
  name: string;
  scopes: Scope[];
  /** Milliseconds since 1970; absent: never. */
  expires?: number;
  kind?: TokenKind;
  /** Id of the token that it is made with. */
  parent?: string;
}

/** What a caller's credentials let it hand on: nothing beyond this time, and only as long as this token is valid. */
export interface Grant {
  parent?: string;
  expires?: number;
}

export interface IssuedToken {
  /** Shown once, never stored. */
  text: string;
  record: TokenRecord;
}

/** How long a look-up is believed. A token revoked in this process stops at once, one revoked elsewhere after this long. */
const BELIEVED_MS = 3_000;
const MAX_BELIEVED = 10_000;
/** `lastUsed` is written at most this often for each token: reads must not become writes. */
const TOUCH_MS = 60_000;

/** When a token was found valid. */
export interface Moment {
  revocations: number;
  /** Of the monotonic clock. */
  at: number;
}

interface Believed {
  record: TokenRecord | undefined;
  until: number;
}

export class Tokens {
  private readonly believed = new BoundedMap<string, Believed>(MAX_BELIEVED);
  private readonly touched = new BoundedMap<string, number>(MAX_BELIEVED);
  /** Grows with every revocation; a look-up that began before one may not be believed after it. */
  private revocations = 0;

  constructor(
    private readonly store: AccountStore,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Makes the account when it is new. `text` presets the token; issuing the same text again changes nothing. `proven`: the
   * hash of the password that the caller has just shown.
   * @throws RegistryError auth.required when the parent has ended or the password is another by now
   */
  async issue(
    request: TokenRequest,
    text = `srt_${randomBytes(32).toString('base64url')}`,
    proven?: { passwordHash: string },
  ): Promise<IssuedToken> {
    const created = this.now();
    await this.store.ensureAccount(request.account, created);
    const record: NewToken = { id: randomUUID(), created, ...request };
    if (!(await this.store.addToken(record, fingerprint(text), proven))) {
      throw new RegistryError('auth.required', 'What you signed in with has ended meanwhile; sign in again.');
    }
    this.believed.delete(fingerprint(text));
    return { text, record: { ...record, revoked: false } };
  }

  /** The token's record while it is valid; undefined when it is unknown, revoked or expired. */
  async check(text: string): Promise<TokenRecord | undefined> {
    const now = this.now();
    const record = await this.lookUp(fingerprint(text), now);
    if (!record || record.revoked || (record.expires !== undefined && record.expires <= now)) return undefined;
    this.touch(record, now);
    return record;
  }

  present(): Moment {
    return { revocations: this.revocations, at: performance.now() };
  }

  /** Whether the token with this id was revoked after this moment, at which it was valid; believed for as long as any look-up. */
  async wasRevokedSince({ revocations, at }: Moment, id: string): Promise<boolean> {
    if (revocations === this.revocations && performance.now() - at < BELIEVED_MS) return false;
    return (await this.store.findTokenById(id))?.revoked === true;
  }

  /** Newest first; of one account, or of all. */
  list(account?: string, page?: TokenPage): Promise<TokenRecord[]> {
    return this.store.listTokens(account, page);
  }

  /** What the token with this id may hand on. A session hands on what it was opened with: a token, or the password itself. */
  async grantOf(id: string): Promise<Grant> {
    const record = await this.store.findTokenById(id);
    const origin = record?.kind === 'session' ? record.parent : id;
    if (record && origin === undefined) return {};
    const source = origin === id ? record : origin && (await this.store.findTokenById(origin));
    if (!source) throw new RegistryError('auth.required', 'The token has ended; ask for a new one.');
    return { parent: source.id, ...(source.expires === undefined ? {} : { expires: source.expires }) };
  }

  /**
   * A token for the page's cookie that allows what this token allows, and ends with it.
   * @throws RegistryError auth.required for the token of a session: nobody prolongs one with itself
   */
  async openSession(
    { id, account, scopes, expires, kind }: TokenRecord,
    lifeMs: number,
    browser?: string,
  ): Promise<IssuedToken> {
    if (kind === 'session') {
      throw new RegistryError('auth.required', 'A session cannot be opened with another session; sign in again.');
    }
    const end = Math.min(this.now() + lifeMs, expires ?? Number.POSITIVE_INFINITY);
    return this.issue({
      account,
      name: sessionName(browser, 'opened with a token'),
      scopes,
      expires: end,
      kind: 'session',
      parent: id,
    });
  }

  /** Revokes it and all that was made with it. True when there was such a token (of this account, when one is given). */
  async revoke(id: string, account?: string): Promise<boolean> {
    const found = await this.store.revokeToken(id, account);
    this.forgetLookUps();
    return found;
  }

  /** After a change in the store that ended tokens. */
  forgetLookUps(): void {
    this.revocations += 1;
    this.believed.clear();
  }

  private async lookUp(hash: string, now: number): Promise<TokenRecord | undefined> {
    const known = this.believed.get(hash);
    // A clock that was set back leaves nobody believed for longer.
    if (known && known.until > now && known.until <= now + BELIEVED_MS) return known.record;
    const before = this.revocations;
    const record = await this.store.findToken(hash);
    if (before === this.revocations) this.believed.set(hash, { record, until: now + BELIEVED_MS });
    return record;
  }

  private touch(record: TokenRecord, now: number): void {
    if (now - (this.touched.get(record.id) ?? record.lastUsed ?? 0) < TOUCH_MS) return;
    this.touched.set(record.id, now);
    // A failed note of the last use must not refuse a valid token.
    this.store.touchToken(record.id, now).catch(() => undefined);
  }
}

/** Shown in lists of tokens; what is not known is left out. */
export const sessionName = (...known: (string | undefined)[]): string =>
  ['page session', ...known].filter(Boolean).join(', ');

const fingerprint = (text: string): string => digest('sha256', text, 'hex');
