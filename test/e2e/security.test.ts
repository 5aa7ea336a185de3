import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditFiles } from '../../src/audit/files.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'info' } });
  token = await server.token('ada');
});
afterAll(() => server.stop());

const CELL = 'Homo-secretus-4711';
const SHEET = `Sample Name\tRelease Date\tCharacteristics[organism]\nsecret-name-815\t2024-01-01\t${CELL}\n`;

interface LogLine {
  time: string;
  level: number;
  requestId?: string;
  submissionId?: string;
  method?: string;
  path?: string;
}
const logLines = (): LogLine[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

const auditText = (): string => {
  const folder = join(server.dataDir, 'audit');
  return auditFiles(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
};
const auditEvents = () =>
  auditText()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: string; event: Record<string, unknown> });

/** Sends a path or header that `fetch` would tidy or refuse. */
function raw(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = request({ hostname, port, path, headers, insecureHTTPParser: true }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('uploaded files', () => {
  it('are stored under names of our own, whatever the client calls them', async () => {
    for (const [n, name] of ['../../../escape.tsv', '/etc/cron.d/x.tsv', 'C:\\temp\\x.tsv'].entries()) {
      const { answer } = await server.uploadAndSettle(`${SHEET}n${n}\t2024-01-01\tx\n`, { name, token });
      expect(answer.status).toBe(201);
    }
    expect(existsSync(join(server.dataDir, '..', 'escape.tsv'))).toBe(false);
    const names = readdirSync(server.dataDir, { recursive: true }).map(String);
    expect(names.filter((name) => /escape|cron|temp|\.tsv/.test(name))).toEqual([]);
  });

  it('are handed out as downloads that no browser opens, under a name that cannot break the header', {
    tags: 'slow',
  }, async () => {
    const name = 'rows"; filename=evil.html\r\nX-Evil: 1 \u202Evst.exe ü.tsv';
    const { id } = await server.uploadAndSettle(`${SHEET}dl\t2024-01-01\tx\n`, { name, token });
    const { headers } = await server.get(`/submissions/${id}/original`, { token });
    const disposition = headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/);
    expect(disposition).not.toMatch(/[\r\n\u202E]/);
    expect(headers.get('x-evil')).toBeNull();
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('that look like a page or a program are answered as data and never run', { tags: 'slow' }, async () => {
    const html = `Sample Name\tRelease Date\tCharacteristics[x]\n<script>alert(1)</script>\t2024-01-01\t<?php phpinfo() ?>\n`;
    const { id } = await server.uploadAndSettle(html, { name: 'x.html', token });
    for (const part of ['original', 'result', 'mapping', 'errors']) {
      const { headers } = await server.get(`/submissions/${id}/${part}`, { token });
      expect(headers.get('content-type'), part).toMatch(/octet-stream|tab-separated|json/);
      expect(headers.get('content-disposition'), part).toMatch(/^attachment/);
    }
  });
});

describe('answers', () => {
  it.each(['/', '/samples', '/submissions', '/no/such/address', '/health/live', '/docs'])(
    'of %s tell browsers to trust nothing',
    async (path) => {
      const { headers } = await server.get(path, { headers: { accept: 'application/json' } });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );
});

describe('the log', () => {
  it('says when, where, who and what on every line, in UTC, and ties requests to submissions, workers included', {
    tags: 'slow',
  }, async () => {
    const { answer, id } = await server.uploadAndSettle(`${SHEET}log\t2024-01-01\tx\n`, { token });
    await expect
      .poll(() => logLines().filter(({ submissionId }) => submissionId === id).length)
      .toBeGreaterThanOrEqual(2);
    const lines = logLines();
    for (const line of lines) expect(new Date(line.time).toISOString()).toBe(line.time);
    expect(lines.find(({ submissionId, path }) => submissionId === id && path === '/submissions')).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      method: 'POST',
      status: 201,
    });
    expect(lines.find((line) => line.submissionId === id && 'worker' in line)).toMatchObject({ state: 'COMPLETED' });
  });

  it('holds no token, password or cell', async () => {
    await server.upload(SHEET, { token });
    await server.send(
      'POST',
      '/samples',
      { name: 'n', release: '2024-01-01', characteristics: { organism: [{ text: CELL }] } },
      { token },
    );
    await server.send('POST', '/auth/token', { username: 'ada', password: 'very secret password' }, { token: null });
    await server.get(`/samples?filter=name:secret-name-815&text=${CELL}`, { token });
    await server.get('/samples', { token: 'srt_wrong-token-1234567890' });
    const written = server.output() + auditText();
    for (const secret of [token, server.adminToken, 'very secret password', CELL, 'secret-name-815', 'wrong-token']) {
      expect(written).not.toContain(secret);
    }
  });

  it('cannot be made to say what a client writes', async () => {
    const before = logLines().length;
    await raw('/samples/%0a%7b"level":60%7d?x=%0d%0a', { 'x-request-id': 'a b {"level":60}' });
    await raw('/nowhere%1b[31m');
    await server.send('DELETE', '/samples/x%0aforged', {});
    await expect.poll(() => logLines().length).toBeGreaterThan(before);
    // Each line is one JSON object, or LogLine parsing above had failed; and none was forged.
    expect(logLines().filter(({ level }) => level >= 60)).toEqual([]);
    expect(server.output()).not.toContain('\u001b[31m');
    for (const line of auditText().trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('of changes names sign-ins and refusals, good and bad, with address and request', { tags: 'slow' }, async () => {
    await server.send('POST', '/auth/password', { account: 'ada', password: 'long enough for all' });
    await server.send('POST', '/auth/token', { username: 'ada', password: 'long enough for all' }, { token: null });
    await server.send('POST', '/auth/token', { username: 'ada', password: 'wrong' }, { token: null });
    await server.send('POST', '/tokens', { account: 'bo', name: 'x' }, { token });
    await server.send('POST', '/samples', { name: 'x', release: '2024-01-01' }, { token: null });
    const events = auditEvents();
    const common = { address: '127.0.0.1', requestId: expect.any(String) };
    for (const event of [
      { action: 'POST /auth/token', outcome: 200, ...common },
      { action: 'POST /auth/token', outcome: 401, ...common },
      { action: 'POST /tokens', account: 'ada', outcome: 403, ...common },
      { action: 'POST /samples', outcome: 401, ...common },
    ]) {
      expect(events.map((line) => line.event)).toContainEqual(expect.objectContaining(event));
    }
    for (const { at } of events) expect(new Date(at).toISOString()).toBe(at);
  });

  it('of changes can be read by its owner alone', { tags: 'slow' }, () => {
    const folder = join(server.dataDir, 'audit');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).not.toEqual([]);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});

describe('tokens', () => {
  it('are kept as hashes only, and are random enough', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => server.token('rnd')));
    expect(new Set(made).size).toBe(50);
    // 32 bytes in base64url behind the prefix.
    for (const text of made) expect(text).toMatch(/^srt_[\w-]{43}$/);
    const stored = ['registry.db', 'registry.db-wal']
      .map((name) => join(server.dataDir, name))
      .filter((path) => existsSync(path));
    for (const path of stored) {
      const bytes = readFileSync(path, 'latin1');
      for (const text of [token, ...made]) expect(bytes.includes(text)).toBe(false);
    }
  });
});

describe('sessions', () => {
  it('are listed for their account, which ends any of them', { tags: 'slow' }, async () => {
    await server.send('POST', '/accounts', { account: 'fay', password: 'long enough for all' });
    const signedIn = await server.send(
      'POST',
      '/auth/session',
      { account: 'fay', password: 'long enough for all' },
      { token: null },
    );
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const me = async () => (await server.get('/me', { token: null, headers: { cookie } })).status;
    expect(await me()).toBe(200);
    const own = await server.token('fay');
    const listed = await server.get('/tokens', { token: own });
    const session = /"id":"([^"]+)"[^}]*"name":"page session"/.exec(listed.text)?.[1];
    expect(session, listed.text).toBeDefined();
    expect((await server.call(`/tokens/${session}`, { method: 'DELETE', token: own })).status).toBe(204);
    await expect.poll(me).toBe(401);
  });
});
