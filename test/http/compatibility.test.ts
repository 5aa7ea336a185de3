/** Spellings and habits of programs written for the field, the base path, other origins. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

const ALIAS = 'webinSubmissionAccountId';
let service: Service;
let accession: string;
beforeAll(async () => {
  service = await startService({
    env: { BASE_PATH: '/biosamples', ACCOUNT_FIELD_ALIAS: ALIAS, CORS_ORIGIN: 'https://portal.example.org' },
  });
  const answer = await service.send('POST', '/samples', { name: 's', release: '2020-01-01' });
  accession = answer.json<{ accession: string }>().accession;
});
afterAll(() => service.stop());

/** With an address and a host that fetch would not send as they are. */
async function asked(path: string, headers: Record<string, string> = {}) {
  const call = request({ port: new URL(service.url).port, path, headers }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const body = await text(response);
  return { status: response.statusCode, json: <T>() => JSON.parse(body) as T };
}

describe('addresses', () => {
  it.each(['', '/', '//', '.json', '.json/'])('tolerate %j behind a sample', async (ending) => {
    expect((await service.get(`/samples/${accession}${ending}`)).json()).toMatchObject({ accession });
    const body = { accession, name: `s${ending}`, release: '2020-01-01' };
    expect((await service.send('PUT', `/samples/${accession}${ending}`, body)).status).toBe(200);
  });

  it.each(['/samples/', '/samples.json', '/curations/', '/submissions/', '/me/', '/'])('tolerate %s', async (path) => {
    expect((await service.get(path)).status).toBe(200);
  });

  it.each([
    ['words in any letter case', '/BioSamples/SAMPLES/', ''],
    ['the host in front, as proxies are asked', 'http://samples.example.org/biosamples/samples/', '?x=/'],
    ['such a host and no other word of ours', 'HTTP://samples/biosamples/samples/', '/'],
  ])('are taken with %s', async (_, before, behind) => {
    const answer = await asked(`${before}${accession}${behind}`);
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ accession })]);
  });

  it('have names of accounts as they are, which may end in .json', async () => {
    await service.send('POST', '/accounts', { account: 'lab.json' });
    expect((await service.get('/accounts/lab.json')).json()).toMatchObject({ account: 'lab.json' });
    expect((await service.get('/accounts/lab')).status).toBe(404);
    expect((await service.get('/accounts.json')).status).toBe(200);
  });

  it('have accessions as they are', async () => {
    expect((await asked(`/biosamples/samples/${accession.toLowerCase()}`)).status).toBe(404);
    expect((await asked(`/biosamples/sample/${accession}`)).status).toBe(404);
  });

  it('ignore query parameters that nobody knows', async () => {
    expect((await service.get(`/samples/${accession}?legacydetails=true&x=%ff`)).status).toBe(200);
  });

  it('lie below the base path and nowhere else', async () => {
    const outside = service.url.replace('/biosamples', '');
    expect((await service.call(`${outside}/samples/${accession}`)).status).toBe(404);
    expect((await service.call(`${outside}/health/live`)).status).toBe(404);
  });

  it('in answers follow the host that the client named, unless it is none', async () => {
    const { port } = new URL(service.url);
    const self = async (host: string) => {
      const answer = await asked(`/biosamples/samples/${accession}`, { host });
      return answer.json<{ _links: { self: { href: string } } }>()._links.self.href;
    };
    expect(await self('samples.example.org')).toBe(`http://samples.example.org/biosamples/samples/${accession}`);
    expect(await self('evil.org/"><script>')).toBe(`http://127.0.0.1:${port}/biosamples/samples/${accession}`);
  });
});

describe('the root', () => {
  it('names where to start', async () => {
    const answer = await service.get('/', { token: null });
    expect(answer.json()).toEqual({
      _links: {
        samples: { href: `${service.url}/samples` },
        curations: { href: `${service.url}/curations` },
        submissions: { href: `${service.url}/submissions` },
      },
    });
  });

  it('leads a browser to the page', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const answer = await service.get('/', { token: null, headers: { accept } });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${service.url}/page/`]);
  });
});

describe('bodies', () => {
  it('may give tax ids as text, dates without zone, and members that nobody knows', async () => {
    const body = {
      name: 's',
      release: '2020-01-01T10:00:00',
      taxId: '9606',
      unknown: { member: true },
      _links: { self: { href: 'x' } },
    };
    const answer = await service.send('POST', '/samples', body);
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ release: '2020-01-01T10:00:00.000Z', taxId: 9606 });
  });

  it('carry the account under its second name, in and out', async () => {
    await service.token('lab-7');
    const answer = await service.send('POST', '/samples', { name: 's', release: '2020-01-01', [ALIAS]: 'lab-7' });
    expect(answer.json()).toMatchObject({ submissionAccountId: 'lab-7', [ALIAS]: 'lab-7' });
  });

  it('never say that a link is not templated', async () => {
    for (const path of [
      '/',
      `/samples/${accession}`,
      `/samples/${accession}/curationlinks`,
      '/samples',
      '/curations',
    ]) {
      expect((await service.get(path)).text).not.toContain('"templated":false');
    }
  });
});

describe('pages of other origins', () => {
  const from = (origin: string, path = `/samples/${accession}`) =>
    service.get(path, { token: null, headers: { origin } });

  it.each([() => `/samples/${accession}`, () => '/samples', () => '/samples/SAMR424242'])(
    'may read when they are named',
    async (path) => {
      const named = await from('https://portal.example.org', path());
      expect(named.headers.get('access-control-allow-origin')).toBe('https://portal.example.org');
      expect(named.headers.get('access-control-expose-headers')).toContain('ETag');
      expect(named.headers.get('vary')).toContain('Origin');
      expect((await from('https://evil.example.org', path())).headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('are reported that they may read and not write', async () => {
    const headers = { origin: 'https://portal.example.org', 'access-control-request-method': 'PUT' };
    const answer = await service.call(`/samples/${accession}`, { method: 'OPTIONS', token: null, headers });
    expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD']);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('are all allowed by default', async () => {
    const open = await startService();
    const answer = await open.get('/', { headers: { origin: 'https://anybody.example.org' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    await open.stop();
  });
});

describe('a proxy in front', () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'samples.example.org' };
  const self = async (env: Record<string, string>) => {
    const behind = await startService({ env });
    const { href } = (await behind.get('/', { headers })).json<{ _links: { samples: { href: string } } }>()._links
      .samples;
    await behind.stop();
    return href.replace(/:\d+/, ':PORT');
  };

  it('is believed when it is named, and PUBLIC_URL before everything', async () => {
    expect(await self({})).toBe('http://127.0.0.1:PORT/samples');
    expect(await self({ TRUST_PROXY: '1' })).toBe('https://samples.example.org/samples');
    expect(await self({ TRUST_PROXY: '10.0.0.0/8' })).toBe('http://127.0.0.1:PORT/samples');
    expect(await self({ PUBLIC_URL: 'https://public.example.org/' })).toBe('https://public.example.org/samples');
  });

  it('is believed by its first word, as far as that is an address', async () => {
    const behind = await startService({ env: { TRUST_PROXY: '1' } });
    const named = async (proto: string, host: string) => {
      const sent = { 'x-forwarded-proto': proto, 'x-forwarded-host': host };
      const answer = await behind.get('/', { headers: sent });
      return answer.json<{ _links: { samples: { href: string } } }>()._links.samples.href;
    };
    expect(await named('https, http', 'a.example.org , b.example.org')).toBe('https://a.example.org/samples');
    expect(await named('ftp', '[2001:db8::1]:8080')).toBe('http://[2001:db8::1]:8080/samples');
    expect(await named('', 'a_b-c.example:1')).toBe('http://a_b-c.example:1/samples');
    for (const host of ['', 'a b', 'a/b', 'me@a', 'a:123456', 'a:', ':1', '[::1', '[a.b]x', 'x[::1]', '"a"'])
      expect([host, await named('https', host)]).toEqual([host, `${behind.url.replace('http:', 'https:')}/samples`]);
    expect((await behind.get('/')).json()).toMatchObject({ _links: { samples: { href: `${behind.url}/samples` } } });
    await behind.stop();
  });
});
