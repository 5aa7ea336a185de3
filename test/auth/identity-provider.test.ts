/** JSON Web Tokens of an identity provider, against one that runs here: real keys, real HTTP, the whole service. */
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJwtCheck } from '../../src/auth/jwt.js';
import { type Service, startService } from '../http/service.js';

const AUDIENCE = 'sample-registry';
let issuer: string;
let provider: Server;
let providerStatus = 200;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let strangers: Awaited<ReturnType<typeof generateKeyPair>>;
let service: Service;

beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  strangers = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  provider = createServer((_request, response) => {
    response.statusCode = providerStatus;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  service = await startService({
    env: { ...settingsOfProvider(), ADMIN_ACCOUNTS: 'admin,boss@example.org' },
  });
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => provider.close(resolve));
});

function settingsOfProvider(): Record<string, string> {
  return {
    AUTH_ISSUER: issuer,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: `${issuer}/jwks.json`,
    AUTH_ACCOUNT_CLAIM: 'principal',
  };
}

interface Spelling {
  claims?: JWTPayload;
  issuer?: string;
  audience?: string;
  expires?: string | number;
  key?: CryptoKey;
}

const sign = ({
  claims = { principal: 'Webin-1' },
  expires = '5m',
  key = keys.privateKey as CryptoKey,
  ...others
}: Spelling = {}) => {
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuedAt()
    .setIssuer(others.issuer ?? issuer)
    .setAudience(others.audience ?? AUDIENCE);
  return (expires === '' ? token : token.setExpirationTime(expires)).sign(key);
};
const me = (token: string) => service.get('/me', { token });
const newCheck = () =>
  createJwtCheck({ issuer, audience: AUDIENCE, jwksUrl: `${issuer}/jwks.json`, accountClaim: 'principal' });

describe('a token of the identity provider', () => {
  it('signs in the account that it names and may register samples', async () => {
    const token = await sign();
    expect((await me(token)).json()).toEqual({
      account: 'Webin-1',
      scopes: ['read', 'submit'],
      signedInBy: 'identity-provider',
    });
    const made = await service.send('POST', '/samples', { name: 's', release: '2020-01-01' }, { token });
    expect(made.json()).toMatchObject({ submissionAccountId: 'Webin-1' });
  });

  it('is an administrator’s for the accounts that the setting names', async () => {
    const token = await sign({ claims: { principal: 'boss@example.org' } });
    expect((await me(token)).json()).toMatchObject({ scopes: ['read', 'submit', 'admin'] });
  });

  it('of the subject admin is no administrator’s, unless a setting says so', async () => {
    const strict = await startService({ env: { ...settingsOfProvider(), ADMIN_ACCOUNTS: '' } });
    const answer = await strict.get('/me', { token: await sign({ claims: { principal: 'admin' } }) });
    await strict.stop();
    expect(answer.json()).toMatchObject({ account: 'admin', scopes: ['read', 'submit'] });
    expect((await me(await sign({ claims: { principal: 'admin' } }))).json()).toMatchObject({
      scopes: ['read', 'submit', 'admin'],
    });
  });

  it('makes no token that outlives it', async () => {
    const end = Math.floor(Date.now() / 1000) + 300;
    const made = await service.send('POST', '/tokens', { name: 'x' }, { token: await sign({ expires: end }) });
    expect(made.json()).toMatchObject({ account: 'Webin-1', expires: new Date(end * 1000).toISOString() });
  });

  it.each<[string, () => Promise<string> | string]>([
    ['of another issuer', () => sign({ issuer: 'http://elsewhere.example.org' })],
    ['for another audience', () => sign({ audience: 'another-service' })],
    ['that has expired', () => sign({ expires: Math.floor(Date.now() / 1000) - 60 })],
    ['without expiry', () => sign({ expires: '' })],
    ['without the account', () => sign({ claims: { sub: 'Webin-1' } })],
    ['with an account that is no name', () => sign({ claims: { principal: ' a\u0000b ' } })],
    ['with an account that is no text', () => sign({ claims: { principal: { a: 1 } } })],
    ['with several accounts', () => sign({ claims: { principal: ['ada'] } })],
    ['signed by a stranger', () => sign({ key: strangers.privateKey as CryptoKey })],
    ['that nobody signed', async () => `${(await sign()).split('.').slice(0, 2).join('.')}.`],
    ['with alg none', async () => `${encode({ alg: 'none' })}.${(await sign()).split('.')[1]}.`],
    ['signed with the public key as a shared secret', confused],
    [
      'whose content was changed',
      async () => (await sign()).replace(/\.[^.]+\./, `.${encode({ principal: 'admin' })}.`),
    ],
    ['that is no token', () => 'a.b.c'],
  ])('%s is refused', async (_, make) => {
    const token = await make();
    expect(await newCheck()(token)).toBeUndefined();
    const answer = await me(token);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([401, 'auth.required']);
  });

  it('is known with its account and its end', async () => {
    const end = Math.floor(Date.now() / 1000) + 300;
    expect(await newCheck()(await sign({ expires: end }))).toEqual({ account: 'Webin-1', expires: end * 1000 });
  });

  it('leaves tokens of our own as they are', async () => {
    expect((await me(await service.token('lab-1'))).json()).toMatchObject({ account: 'lab-1', signedInBy: 'token' });
  });

  it('is answered 503, not 401, while the provider’s keys cannot be fetched', async () => {
    const fresh = await startService({ env: settingsOfProvider() });
    providerStatus = 500;
    const away = await fresh.get('/samples', { token: await sign() });
    providerStatus = 200;
    await fresh.stop();
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    providerStatus = 500;
    await expect(newCheck()(await sign())).rejects.toMatchObject({
      code: 'service.unavailable',
      message: 'The identity provider’s keys cannot be fetched now; try again in a minute.',
      cause: expect.any(Error),
    });
    providerStatus = 200;
  });
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The classic confusion: HS256 with the published key as its secret. */
async function confused(): Promise<string> {
  const [, payload] = (await sign()).split('.');
  const head = `${encode({ alg: 'HS256', kid: 'one' })}.${payload}`;
  const secret = await exportSPKI(keys.publicKey);
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
}
