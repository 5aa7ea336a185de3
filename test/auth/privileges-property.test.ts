/** Privileges never grow: random sequences of calls over HTTP, against the model; what is revoked ends on every process. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Tokens } from '../../src/auth/tokens.js';
import { ADMIN_TOKEN, type Service, startService } from '../http/service.js';
import type { Answer } from '../support/api-caller.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { authorityOf, type Credential, Model, may, type Password, type Scope } from './privileges-model.js';

vi.setConfig({ testTimeout: PROOF ? 7_200_000 : 900_000 });

const SEQUENCES = PROOF ? 5_000 : 10;
const CALLS = 12;
const HOUR = 3_600_000;
const ADMINISTRATORS = ['admin'];

let service: Service;
let ahead = 0;
const now = () => Date.now() + ahead;
/** The administrator's password lives as long as the service. */
const ofAdmin: { password?: Password } = {};

beforeAll(async () => {
  service = await startService({ clockAhead: () => ahead });
});
afterAll(() => service.stop());

class Sequence {
  readonly model = new Model();
  readonly accounts: string[];
  private passwords = 0;

  constructor(
    private readonly random: Random,
    private readonly name: string,
  ) {
    this.accounts = ['admin', `${name} a`, `${name} b`];
    if (ofAdmin.password) this.model.passwords.set('admin', ofAdmin.password);
  }

  async begin(): Promise<void> {
    this.model.credentials.push({
      text: ADMIN_TOKEN,
      kind: 'setting',
      account: 'admin',
      scopes: ['read', 'submit', 'admin'],
      expires: Number.POSITIVE_INFINITY,
      ended: false,
    });
    for (const account of this.accounts.slice(1)) await service.send('POST', '/accounts', { account });
  }

  async step(): Promise<void> {
    const calls = [
      this.makeToken,
      this.makeToken,
      this.openSession,
      this.signIn,
      this.signIn,
      this.changeOwn,
      this.setOther,
    ];
    const all = [...calls, this.reset, this.revoke, this.revoke, this.wait, this.look, this.look];
    await this.random.pick(all).call(this);
  }

  private async makeToken(): Promise<void> {
    const by = this.anyone();
    const account = this.random.chance(0.6) ? by.account : this.random.pick(this.accounts);
    const scopes: Scope[] = [this.random.pick(['read', 'submit', 'admin'] as const)];
    const days = this.random.pick([undefined, 0.001, 1, 400]);
    const answer = await this.send(by, 'POST', '/tokens', {
      account,
      name: 'x',
      scopes,
      ...(days ? { expiresInDays: days } : {}),
    });
    const allowed =
      may(by, 'submit') && (account === by.account || may(by, 'admin')) && scopes.every((scope) => may(by, scope));
    this.expectStatus(answer, by, allowed ? 201 : 403);
    if (answer.status !== 201) return;
    const parent = authorityOf(by);
    const { token, expires } = answer.json<{ token: string; expires?: string }>();
    const end = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
    this.model.add({ text: token, kind: 'token', account, scopes, expires: end, ...(parent ? { parent } : {}) });
  }

  private async openSession(): Promise<void> {
    const by = this.anyone();
    const answer = await this.send(undefined, 'POST', '/auth/session', { token: by.text });
    const allowed = this.model.isValid(by, now()) && by.kind !== 'session';
    expect(answer.status).toBe(allowed ? 201 : 401);
    if (!allowed) return;
    const expires = Math.min(by.expires, now() + 12 * HOUR);
    this.model.add({
      text: textOf(answer),
      kind: 'session',
      account: by.account,
      scopes: by.scopes,
      expires,
      parent: by,
    });
  }

  private async signIn(): Promise<void> {
    const account = this.random.pick(this.accounts);
    const known = this.model.passwords.get(account);
    const right = known !== undefined && this.random.chance(0.85);
    const password = right ? known.text : 'a wrong password';
    const page = this.random.chance(0.5);
    const next = right && page && this.random.chance(0.7) ? this.inPlaceOf(known) : undefined;
    const answer = page
      ? await this.send(undefined, 'POST', '/auth/session', {
          account,
          password,
          ...(next ? { newPassword: next } : {}),
        })
      : await this.send(undefined, 'POST', '/auth/token', { username: account, password });
    const refused = refusalOf(known, password, next);
    expect(answer.status).toBe(refused ?? (page ? 201 : 200));
    if (refused) return;
    if (next) this.setPassword(account, { text: next });
    this.model.add({
      text: page ? textOf(answer) : answer.text,
      kind: page ? 'session' : 'password',
      account,
      scopes: ADMINISTRATORS.includes(account) ? ['read', 'submit', 'admin'] : ['read', 'submit'],
      expires: now() + (page ? 12 : 1) * HOUR,
    });
  }

  private async changeOwn(): Promise<void> {
    const by = this.anyone();
    const known = this.model.passwords.get(by.account);
    const current = known && this.random.chance(0.8) ? known.text : 'a wrong password';
    const [text, endTokens] = [this.newPassword(), this.random.chance(0.2)];
    const answer = await this.send(by, 'POST', '/auth/password', { current, password: text, endTokens });
    const proven = known !== undefined && isProven(known, current);
    const allowed = !may(by, 'submit') ? 403 : known ? (proven ? 204 : 401) : this.maySet(by, by.account) ? 204 : 403;
    this.expectStatus(answer, by, allowed);
    if (answer.status === 204) this.setPassword(by.account, { text }, by, endTokens);
  }

  private async setOther(): Promise<void> {
    const by = this.anyone();
    const account = this.random.pick(this.accounts);
    if (account === by.account) return;
    const text = this.newPassword();
    const answer = await this.send(by, 'POST', '/auth/password', { account, password: text });
    this.expectStatus(answer, by, this.maySet(by, account) ? 204 : 403);
    if (answer.status === 204) this.setPassword(account, { text }, by);
  }

  private async reset(): Promise<void> {
    const by = this.anyone();
    const account = this.random.pick(this.accounts);
    const answer = await this.send(by, 'POST', `/accounts/${encodeURIComponent(account)}/password-reset`, {});
    this.expectStatus(answer, by, this.maySet(by, account) ? 201 : 403);
    if (answer.status !== 201) return;
    const { oneTimePassword, expires } = answer.json<{ oneTimePassword: string; expires: string }>();
    this.setPassword(account, { text: oneTimePassword, oneTimeUntil: Date.parse(expires) });
  }

  private async revoke(): Promise<void> {
    const by = this.anyone();
    const target = this.random.pick(this.model.credentials);
    const record = await service.tokens.check(target.text);
    if (!record || target.text === ADMIN_TOKEN) return;
    const answer = await this.send(by, 'DELETE', `/tokens/${record.id}`);
    const itself = by === target;
    const seen = may(by, 'admin') || by.account === target.account;
    this.expectStatus(answer, by, !itself && !may(by, 'submit') ? 403 : seen ? 204 : 404);
    if (answer.status === 204) this.model.end(target);
  }

  private async wait(): Promise<void> {
    ahead += this.random.below(8 * HOUR);
  }

  /** Whoever shows a credential is what it says, or nobody. */
  async look(credentials: readonly Credential[] = [this.anyone()]): Promise<void> {
    for (const credential of credentials) {
      const answer = await this.send(credential, 'GET', '/me');
      if (!this.model.isValid(credential, now())) expect(answer.status).toBe(401);
      else expect(answer.json()).toMatchObject({ account: credential.account, scopes: credential.scopes });
    }
  }

  private maySet(by: Credential, account: string): boolean {
    const lasts = (authorityOf(by)?.expires ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY;
    return may(by, 'admin') && (lasts || !ADMINISTRATORS.includes(account));
  }

  private setPassword(
    account: string,
    password: { text: string; oneTimeUntil?: number },
    kept?: Credential,
    endTokens = false,
  ): void {
    this.model.setPassword(account, password, kept, endTokens);
    if (account === 'admin') ofAdmin.password = password;
  }

  private anyone(): Credential {
    return this.random.pick(this.model.credentials.slice(-8).concat(this.model.credentials.slice(0, 1)));
  }

  /** Of one's own, in place of a one-time password. */
  private inPlaceOf({ oneTimeUntil }: Password): string | undefined {
    return oneTimeUntil === undefined ? undefined : this.newPassword();
  }

  private newPassword(): string {
    this.passwords += 1;
    return `password ${this.passwords} of ${this.name}`;
  }

  private expectStatus(answer: Answer, by: Credential, allowed: number): void {
    expect(answer.status, answer.text).toBe(this.model.isValid(by, now()) ? allowed : 401);
  }

  private send(by: Credential | undefined, method: string, path: string, body?: object): Promise<Answer> {
    const cookie = by?.kind === 'session';
    return service.call(path, {
      method,
      token: by && !cookie ? by.text : null,
      headers: {
        ...(cookie ? { cookie: `sample_registry_session=${by.text}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }
}

/** Whether this text is the password, which a one-time one is for a while. */
const isProven = (known: Password, text: string): boolean =>
  known.text === text && (known.oneTimeUntil ?? Number.POSITIVE_INFINITY) > now();

/** The status that refuses to sign in: it is not the password, or a one-time one and none is set in its place. */
function refusalOf(known: Password | undefined, text: string, next: string | undefined): 401 | 403 | undefined {
  if (!known || !isProven(known, text)) return 401;
  return known.oneTimeUntil !== undefined && !next ? 403 : undefined;
}

const textOf = (answer: Answer): string => /=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';

it(`no sequence of calls gives anybody more than somebody who had it gave, in ${SEQUENCES} of ${CALLS} calls`, async () => {
  const first = PROOF ? 1_000_000 : 1;
  for (let seed = first; seed < first + SEQUENCES; seed += 1) {
    // Failed sign-ins of the sequence before are forgotten.
    ahead += 16 * 60_000;
    const sequence = new Sequence(new Random(seed), `s${seed}`);
    try {
      await sequence.begin();
      for (let call = 0; call < CALLS; call += 1) await sequence.step();
      await sequence.look(sequence.model.credentials);
      const elsewhere = new Tokens(service.store, now);
      for (const { text } of sequence.model.credentials) await elsewhere.check(text);
      for (let call = 0; call < 3; call += 1) await sequence.step();
      ahead += 3_000;
      for (const credential of sequence.model.credentials) {
        const found = await elsewhere.check(credential.text);
        expect(found !== undefined, `on another process: ${credential.kind}`).toBe(
          sequence.model.isValid(credential, now()),
        );
      }
    } catch (error) {
      throw new Error(`sequence of the seed ${seed}`, { cause: error });
    }
  }
});
