import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditFiles } from '../../src/audit/files.js';
import Database from '../../src/store/sqlite/driver.js';
import { SUM_FUNCTION, sumOf } from '../../src/store/sqlite/row-sum.js';
import { startService } from '../http/service.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { type CommandOptions, runCommand } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'operator-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const run = (args: string[], { env, ...options }: CommandOptions = {}) =>
  runCommand(args, { cwd: folder, ...options, env: { HOME: folder, DATA_DIR: server.dataDir, ...env } });

interface Report {
  samples: number;
  submissions: number;
  fingerprint: string;
  faults: { rule: string }[];
}

describe('token', () => {
  it('create makes one that the running service takes, list shows it, revoke ends it', async () => {
    const made = await run([
      'token',
      'create',
      '--account',
      'ada',
      '--scopes',
      'read',
      '--expires-in-days',
      '2',
      '--json',
    ]);
    const { token, id } = made.lines<{ token: string; id: string }>()[0] as { token: string; id: string };
    expect((await server.get('/me', { token })).json()).toMatchObject({ account: 'ada', scopes: ['read'] });
    const listed = await run(['token', 'list', '--account', 'ada']);
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).not.toContain(token);
    // A process believes for some seconds what it has looked up (test/auth/tokens.test.ts): this one was not asked for yet.
    const other = await run(['token', 'create', '--account', 'ada', '--scopes', 'read', '--json']);
    const [second] = other.lines<{ token: string; id: string }>();
    expect((await run(['token', 'revoke', second?.id as string])).code).toBe(0);
    expect((await server.get('/me', { token: second?.token as string })).status).toBe(401);
    expect((await run(['token', 'revoke', 'none'])).code).toBe(1);
    expect((await run(['token', 'create', '--account', 'ada', '--scopes', 'all'])).code).toBe(1);
  });
});

describe('account', () => {
  it('create and passwd set a password that signs in', { tags: 'slow' }, async () => {
    const signIn = (password: string) =>
      server.send('POST', '/auth/token', { username: 'dee', password }, { token: null });
    expect((await run(['account', 'create', 'dee', '--password-stdin'], { input: 'first password\n' })).code).toBe(0);
    expect((await signIn('first password')).status).toBe(200);
    expect((await run(['account', 'passwd', 'dee', '--password-stdin'], { input: 'second password\n' })).code).toBe(0);
    expect((await signIn('first password')).status).toBe(401);
    expect((await signIn('second password')).status).toBe(200);
    expect((await run(['account', 'passwd', 'dee', '--password-stdin'], { input: 'short' })).code).toBe(1);
    expect((await run(['account', 'passwd', 'nobody', '--password-stdin'], { input: 'long enough 1' })).code).toBe(1);
  });
});

describe('backup, restore and verify', () => {
  it('a backup that is taken while samples are registered is whole, as of one moment', { tags: 'slow' }, async () => {
    await server.uploadAndSettle(plainSheet({ tag: 'before', rows: 500, badEvery: 9 }));
    const running = Array.from({ length: 3 }, (_, n) =>
      server.uploadAndSettle(plainSheet({ tag: `during${n}`, rows: PROOF ? 8_000 : 1_500, related: n === 1 })),
    );
    const taken: string[] = [];
    for (let n = 0; n < 2; n++) {
      const target = join(folder, `backup-${n}`);
      const made = await run(['backup', target, '--json']);
      expect(made.code, made.stderr).toBe(0);
      taken.push(target);
    }
    await Promise.all(running);
    for (const [n, backup] of taken.entries()) {
      const elsewhere = { DATA_DIR: join(folder, `restored-${n}`) };
      const restored = await run(['restore', backup], { env: elsewhere });
      expect(restored.stdout, restored.stderr).toContain('0 faults');
      expect(restored.code).toBe(0);
      const again = await run(['restore', backup], { env: elsewhere });
      expect(again.stderr).toContain('already');
      expect(again.code).toBe(1);
    }
    // What was under way when the backup was taken goes on where it is restored.
    const back = await startServer({ dataDir: join(folder, 'restored-0'), env: { ADMIN_TOKEN: server.adminToken } });
    try {
      const { _embedded } = (await back.get('/submissions?size=200')).json<{
        _embedded: { submissions: { submissionId: string }[] };
      }>();
      for (const { submissionId } of _embedded.submissions) {
        expect((await back.settled(submissionId)).submissionStatus).toMatch(/^COMPLETED/);
      }
    } finally {
      await back.stop();
    }
    const report = await run(['verify', '--originals', '--json'], { env: { DATA_DIR: join(folder, 'restored-0') } });
    expect(report.lines<Report>()[0]).toMatchObject({ faults: [] });
  });

  it('of a quiet registry has the same fingerprint as the registry', async () => {
    const original = (await run(['verify', '--json'])).lines<Report>()[0];
    await run(['backup', join(folder, 'quiet')]);
    await run(['restore', join(folder, 'quiet')], { env: { DATA_DIR: join(folder, 'quiet-back') } });
    const copy = (
      await run(['verify', '--json'], { env: { DATA_DIR: join(folder, 'quiet-back') } })
    ).lines<Report>()[0];
    expect(copy).toEqual(original);
  });

  it('lacks an uploaded file that is gone or damaged, names it and does not end as if all were well', {
    tags: 'slow',
  }, async () => {
    const dataDir = join(folder, 'lossy');
    const env = { DATA_DIR: dataDir };
    const lossy = await startService({ folder: dataDir });
    const ids: string[] = [];
    for (const tag of ['kept', 'gone', 'spoilt'])
      ids.push((await lossy.uploadAndSettle(plainSheet({ tag, rows: 30 }))).id);
    await lossy.stop();
    const [, gone, spoilt] = blobsOf(join(dataDir, 'registry.db'), ids).map((key) =>
      join(dataDir, 'blobs', key.slice(0, 2), key),
    ) as [string, string, string];
    rmSync(gone);
    writeFileSync(spoilt, readFileSync(spoilt, 'utf8').replace('sapiens', 'SAPIENS'));
    const taken = await run(['backup', join(folder, 'lossy-backup'), '--json'], { env });
    expect(taken.code).toBe(4);
    expect(taken.lines()[0]).toMatchObject({
      submissions: 3,
      originals: 1,
      lost: expect.arrayContaining([
        expect.objectContaining({ submissionId: ids[1], fault: 'missing' }),
        expect.objectContaining({ submissionId: ids[2], fault: 'damaged' }),
      ]),
    });
    expect(taken.stderr).toContain(`submission ${ids[1]} is missing: not in the backup.`);
    const back = { DATA_DIR: join(folder, 'lossy-back') };
    const restored = await run(['restore', join(folder, 'lossy-backup')], { env: back });
    expect(restored.stdout).toContain('90 samples, 3 submissions');
    expect(restored.stderr).toContain(`submission ${ids[2]} is missing: not restored.`);
    expect(restored.code).toBe(4);
    const original = (await run(['verify', '--json'], { env })).lines<Report>()[0];
    const copy = (await run(['verify', '--json'], { env: back })).lines<Report>()[0];
    expect(copy?.fingerprint).toBe(original?.fingerprint);
  });

  it('is restored so that no accession is given again, and goes on behind the last one where that is said', async () => {
    const plain = await run(['restore', join(folder, 'quiet')], { env: { DATA_DIR: join(folder, 'plain') } });
    const next = Number(
      /The next accession is SAMR(\d+)\.\n1000000 numbers .*--continue-after/.exec(plain.stdout)?.[1],
    );
    const saved = new Database(join(folder, 'quiet', 'registry.db'), { readonly: true });
    expect(next).toBe(
      Number(saved.prepare("select next from counter where name = 'accession'").pluck().get()) + 1_000_000,
    );
    saved.close();
    const dataDir = join(folder, 'further');
    const env = { DATA_DIR: dataDir };
    const wrong = await run(['restore', join(folder, 'quiet'), '--continue-after', '900000'], { env });
    expect(wrong.stderr).toContain('"900000" is no accession; give one such as SAMR1234.');
    const further = await run(['restore', join(folder, 'quiet'), '--continue-after', 'SAMR900000'], { env });
    expect(further.stdout).toContain('The next accession is SAMR900001.');
    expect(further.stdout).not.toContain('--continue-after');
    expect(further.code).toBe(0);
    const back = await startService({ folder: dataDir });
    try {
      const { id } = await back.uploadAndSettle(plainSheet({ tag: 'since', rows: 1 }));
      const { sampleNameAccessionPairs } = await back.mapping(id);
      expect(sampleNameAccessionPairs.map(({ sampleAccession }) => sampleAccession)).toEqual(['SAMR900001']);
    } finally {
      await back.stop();
    }
  });

  it('gives no accession again where it could not be restored to its end, says so, and can be repeated', {
    tags: 'slow',
  }, async () => {
    const dataDir = join(folder, 'broken-off');
    const originals = readdirSync(join(folder, 'quiet', 'originals')).find((name) => name.length === 2) as string;
    mkdirSync(join(dataDir, 'blobs'), { recursive: true });
    writeFileSync(join(dataDir, 'blobs', originals), 'where a folder of uploaded files should be');
    const restore = ['restore', join(folder, 'quiet'), '--continue-after', 'SAMR900000'];
    const store = join(dataDir, 'registry.db');
    const broken = await run(restore, { env: { DATA_DIR: dataDir } });
    expect(broken.stderr).toMatch(/^Not all uploaded files could be restored: .+ Take away \S+registry\.db, /m);
    expect(broken.code).toBe(1);
    const begun = new Database(store, { readonly: true });
    expect(begun.prepare("select next from counter where name = 'accession'").pluck().get()).toBe(900_001);
    begun.close();
    rmSync(join(dataDir, 'blobs', originals));
    expect((await run(restore, { env: { DATA_DIR: dataDir } })).stderr).toMatch(/already.+If a restore was broken off/);
    for (const name of readdirSync(dataDir)) if (name.startsWith('registry.db')) rmSync(join(dataDir, name));
    const whole = await run(restore, { env: { DATA_DIR: dataDir } });
    expect(whole.stdout, whole.stderr).toContain('The next accession is SAMR900001.');
    expect(whole.stdout).toContain(' 0 faults');
  });

  it('is what the metrics tell the age of', { tags: 'slow' }, async () => {
    const at = async () =>
      Number(/^last_backup_timestamp_seconds (\S+)$/m.exec((await server.get('/metrics')).text)?.[1]) * 1000;
    // Later than those before it; what was asked a moment ago would be remembered for some seconds.
    const before = Date.now();
    expect((await run(['backup', '--record'])).code).toBe(0);
    expect(await at()).toBeGreaterThanOrEqual(before);
  });

  it('is refused without a manifest, or for another prefix', { tags: 'slow' }, async () => {
    expect((await run(['restore', folder], { env: { DATA_DIR: join(folder, 'x') } })).stderr).toContain(
      'no whole backup',
    );
    const other = { DATA_DIR: join(folder, 'y'), ACCESSION_PREFIX: 'OTHER' };
    expect((await run(['restore', join(folder, 'quiet')], { env: other })).stderr).toContain('SAMR');
  });
});

describe('migrate, reindex and purge', () => {
  it('migrate makes a store where there is none', async () => {
    const env = { DATA_DIR: join(folder, 'new') };
    expect((await run(['migrate'], { env })).code).toBe(0);
    expect(readdirSync(join(folder, 'new'))).toContain('registry.db');
  });

  it('reindex finds every sample again', { tags: 'slow' }, async () => {
    const env = { DATA_DIR: join(folder, 'quiet-back') };
    expect((await run(['reindex'], { env })).code).toBe(0);
    const back = await startService({ folder: env.DATA_DIR });
    try {
      const found = (await back.get('/samples?filter=name:before_7')).json<{ _embedded: { samples: unknown[] } }>();
      expect(found._embedded.samples).toHaveLength(1);
    } finally {
      await back.stop();
    }
  });

  it('purge removes what is no longer kept, and verify knows', { tags: 'slow' }, async () => {
    const env = { DATA_DIR: join(folder, 'quiet-back') };
    const kept = await run(['purge', '--json'], { env });
    expect(kept.lines()).toMatchObject([{ originals: 0, ledgers: 0, idempotencyKeys: 0 }]);
    const database = new Database(join(env.DATA_DIR, 'registry.db'));
    database.function(SUM_FUNCTION, { varargs: true, deterministic: true }, sumOf);
    database.prepare('update submission set updated = updated - 10 * 86400000').run();
    database.close();
    const retention = { RETENTION_ORIGINALS_DAYS: '9', RETENTION_LEDGERS_DAYS: '9', RETENTION_KEYS_DAYS: '9' };
    const purged = await run(['purge', '--json'], { env: { ...env, ...retention } });
    const [counts] = purged.lines<{ originals: number; ledgers: number }>();
    expect(counts?.originals).toBeGreaterThan(0);
    expect(counts?.ledgers).toBe(counts?.originals);
    expect((await run(['purge', '--json'], { env: { ...env, ...retention } })).lines()).toMatchObject([
      { originals: 0, ledgers: 0 },
    ]);
    const report = await run(['verify', '--originals', '--json'], { env });
    expect(report.lines<Report>()[0]).toMatchObject({ faults: [] });
    expect(report.lines<Report>()[0]?.samples).toBeGreaterThan(0);
  });
});

describe.skipIf(without('postgres'))('migrate-store', () => {
  afterAll(() => dropSchemas());

  it('brings the registry into PostgreSQL, where verify finds the same', { tags: 'slow' }, async () => {
    const from = `sqlite:${join(folder, 'quiet-back', 'registry.db')}`;
    const to = freshSchemaUrl();
    const moved = await run(['migrate-store', '--from', from, '--to', to, '--json']);
    expect(moved.code, moved.stderr).toBe(0);
    const before = (await run(['verify', '--json'], { env: { STORE_URL: from } })).lines<Report>()[0];
    expect(moved.lines()).toMatchObject([{ samples: before?.samples }]);
    const after = (await run(['verify', '--json'], { env: { STORE_URL: to } })).lines<Report>()[0];
    expect(after).toEqual(before);
    expect((await run(['migrate-store', '--from', from, '--to', to])).code).toBe(1);

    // Backup and restore of PostgreSQL go through pg_dump and pg_restore.
    const env = { STORE_URL: toldByParameters(to), DATA_DIR: join(folder, 'quiet-back') };
    const backup = join(folder, 'postgres-backup');
    const taken = await run(['backup', backup], { env });
    expect(taken.code, taken.stderr).toBe(0);
    const elsewhere = { ...env, DATA_DIR: join(folder, 'postgres-restored') };
    expect((await run(['restore', backup], { env: elsewhere })).stderr).toContain('already');
    await emptySchema(to);
    const restored = await run(['restore', backup], { env: elsewhere });
    expect(restored.stdout, restored.stderr).toContain('0 faults');
    expect(restored.stdout).toContain(before?.fingerprint);
  });
});

it.each([
  ['postgres://u:secret@db:99999/x', {}, 'STORE_URL: the value given cannot be read as an address'],
  ['postgres://u:se/cret@db/x', {}, 'STORE_URL: the value given cannot be read as an address'],
  ['mysql://u:secret@db/x', {}, 'STORE_URL: the value given must be an address such as'],
  ['postgres://u:secret@db/x', { STORE_PASSWORD: 'secret' }, 'STORE_PASSWORD: STORE_URL holds one already'],
  [undefined, {}, 'give it as --to, or as STORE_URL'],
])('migrate-store says what is wrong with the target %s, and not its password', async (to, env, message) => {
  const target = to === undefined ? [] : ['--to', to];
  const { code, stderr } = await run(['migrate-store', '--from', 'sqlite:any.db', ...target], { env });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  expect(stderr).not.toContain('secret');
});

/** The same server as `?host=`, as sockets are named: the host in its usual place is none. */
function toldByParameters(url: string): string {
  const address = new URL(url);
  const { hostname, port, searchParams } = address;
  if (!searchParams.has('host')) searchParams.set('host', hostname);
  if (!searchParams.has('port')) searchParams.set('port', port || '5432');
  address.hostname = 'nobody.invalid';
  address.port = '1';
  return address.href;
}

async function emptySchema(url: string): Promise<void> {
  const address = new URL(url);
  const schema = address.searchParams.get('schema') as string;
  for (const own of ['schema', 'pool']) address.searchParams.delete(own);
  const client = new pg.Client(address.href);
  await client.connect();
  await client.query(`drop schema ${schema} cascade`);
  await client.end();
}

describe('audit verify', () => {
  it('finds every change with its account, and any change of the log: exit codes 0 and 4', {
    tags: 'slow',
  }, async () => {
    const audit = join(server.dataDir, 'audit');
    const events = auditFiles(audit)
      .flatMap((name) => readFileSync(join(audit, name), 'utf8').trimEnd().split('\n'))
      .map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event);
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'token create', account: expect.stringMatching(/^operator:/) }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        action: 'POST /submissions',
        account: 'admin',
        address: '127.0.0.1',
        requestId: expect.any(String),
      }),
    );
    expect(events).toContainEqual(expect.objectContaining({ action: 'POST /auth/token', outcome: 401 }));
    expect((await run(['audit', 'verify'])).code).toBe(0);
    const [name] = auditFiles(audit);
    const path = join(audit, name as string);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"account":"admin"', '"account":"adnin"'));
    const found = await run(['audit', 'verify']);
    expect(found.stdout).toContain(`${name}:`);
    expect(found.code).toBe(4);
    writeFileSync(path, text);
    const day = new Date(Date.now() - 5 * 86_400_000);
    utimesSync(path, day, day);
    expect((await run(['purge'], { env: { RETENTION_AUDIT_DAYS: '3' } })).code).toBe(0);
    expect(auditFiles(audit)).not.toContain(name);
    expect((await run(['audit', 'verify'])).code).toBe(0);
  });
});

describe('settings', () => {
  it('that cannot be used are named', { tags: 'slow' }, async () => {
    const { code, stderr } = await run(['verify'], { env: { STORE_URL: 'mysql://x' } });
    expect(stderr).toContain('STORE_URL');
    expect(code).toBe(1);
  });
});

/** Keys of the uploaded files of these submissions. */
function blobsOf(path: string, ids: readonly string[]): string[] {
  const database = new Database(path, { readonly: true });
  const key = database.prepare('select blob_key as key from submission where uuid = ?');
  const keys = ids.map((id) => (key.get(id) as { key: string }).key);
  database.close();
  return keys;
}
