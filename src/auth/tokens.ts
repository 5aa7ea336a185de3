/**
 * Bearer tokens of our own: opaque, shown once, kept as SHA-256. Sessions of the page are tokens too, held in a cookie.
 */
import { hash as digest, randomBytes, randomUUID } from 'node:crypto';
import type { AccountStore, Scope, TokenRecord } from './account-store.js';

export interface TokenRequest {
  account: string;
  name: string;
  scopes: Scope[];
  /** Milliseconds since 1970; absent: never. */
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

interface Believed {
  record: TokenRecord | undefined;
  until: number;
}

export class Tokens {
  private readonly believed = new Map<string, Believed>();
  private readonly touched = new Map<string, number>();
  /** Grows with every revocation; a look-up that began before one may not be believed after it. */
  private revocations = 0;

  constructor(
    private readonly store: AccountStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** Makes the account when it is new. `text` presets the token; issuing the same text again changes nothing. */
  async issue(request: TokenRequest, text = `srt_${randomBytes(32).toString('base64url')}`): Promise<IssuedToken> {
    const created = this.now();
    await this.store.ensureAccount(request.account, created);
    const record = { id: randomUUID(), created, ...request };
    await this.store.addToken(record, fingerprint(text));
    this.believed.delete(fingerprint(text));
    return { text, record: { ...record, revoked: false } };
  }

  /** The token's record while it is valid; undefined when it is unknown, revoked or expired. */
  async check(text: string): Promise<TokenRecord | undefined> {
    const now = this.now();
    const record = await this.find(fingerprint(text), now);
    if (!record || record.revoked || (record.expires !== undefined && record.expires <= now)) return undefined;
    this.touch(record, now);
    return record;
  }

  list(account?: string): Promise<TokenRecord[]> {
    return this.store.listTokens(account);
  }

  /** A token for the page's cookie that allows what this token allows, and ends with it. */
  openSession({ id, account, scopes, expires }: TokenRecord, lifeMs: number): Promise<IssuedToken> {
    const end = Math.min(this.now() + lifeMs, expires ?? Number.POSITIVE_INFINITY);
    return this.issue({ account, name: sessionOf(id), scopes, expires: end });
  }

  /** Revokes it and the sessions that were opened with it. True when there was such a token (of this account, when one is given). */
  async revoke(id: string, account?: string): Promise<boolean> {
    const found = await this.store.revokeToken(id, account);
    if (found) {
      const sessions = (await this.store.listTokens(account)).filter(
        ({ name, revoked }) => !revoked && name === sessionOf(id),
      );
      for (const session of sessions) await this.store.revokeToken(session.id, session.account);
    }
    this.revocations += 1;
    this.believed.clear();
    return found;
  }

  private async find(hash: string, now: number): Promise<TokenRecord | undefined> {
    const known = this.believed.get(hash);
    if (known && known.until > now) return known.record;
    const before = this.revocations;
    const record = await this.store.findToken(hash);
    if (before === this.revocations) {
      if (this.believed.size >= MAX_BELIEVED) this.believed.clear();
      this.believed.set(hash, { record, until: now + BELIEVED_MS });
    }
    return record;
  }

  private touch(record: TokenRecord, now: number): void {
    if (now - (this.touched.get(record.id) ?? record.lastUsed ?? 0) < TOUCH_MS) return;
    if (this.touched.size >= MAX_BELIEVED) this.touched.clear();
    this.touched.set(record.id, now);
    // A failed note of the last use must not refuse a valid token.
    this.store.touchToken(record.id, now).catch(() => undefined);
  }
}

const sessionOf = (id: string): string => `page session of token ${id}`;

const fingerprint = (text: string): string => digest('sha256', text, 'hex');
