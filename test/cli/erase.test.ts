/** `erase`, beside a running service and on copies of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandOptions, runCommand } from '../support/command.js';
import { filesHolding } from '../support/files-holding.js';
import { startServer, type TestServer } from '../support/server.js';

const MARK = 'quetzal';

let server: TestServer;
let folder: string;
let owner: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'erase-'));
  owner = await server.token('lab');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const run = (args: string[], { env, ...options }: CommandOptions = {}) =>
  runCommand(args, { cwd: folder, ...options, env: { HOME: folder, DATA_DIR: server.dataDir, ...env } });

const traces = (of: string): string[] => filesHolding(of, MARK);

/** Ten samples, the fourth of which says the mark; resolves to its accession. */
async function register(): Promise<string> {
  const rows = Array.from({ length: 10 }, (_, at) =>
    at === 3 ? `${MARK}\t2020-01-01\t${MARK}` : `s${at}\t2020-01-01\tx`,
  );
  const sheet = ['Sample Name\tRelease Date\tCharacteristics[organism]', ...rows, ''].join('\n');
  const answer = await server.upload(sheet, { token: owner, options: { duplicate: 'allow' } });
  expect(answer.status).toBe(201);
  return answer.text
    .split('\n')
    .find((line) => line.startsWith(MARK))
    ?.split('\t')
    .at(-1) as string;
}

describe('erase', () => {
  it('says what would go and changes nothing, and takes it with --yes, beside the service', async () => {
    const accession = await register();
    const said = await run(['erase', accession]);
    expect(said.code, said.stderr).toBe(0);
    expect(said.stdout).toContain(`${accession} "${MARK}" of account lab: 1 version, 0 curations, 0 tables`);
    expect(said.stdout).toMatch(/upload [-0-9a-f]{36} of account lab, "samples.tsv", line 5: its file goes/);
    expect(said.stdout).toContain('Nothing is erased yet: 1 sample, 1 uploaded file, 0 kept exports. Give --yes');
    expect((await server.get(`/samples/${accession}`, { token: null })).status).toBe(200);
    const done = await run(['erase', accession, '--yes']);
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toContain('Erased: 1 sample, 1 uploaded file, 0 kept exports.');
    expect(traces(server.dataDir)).toEqual([]);
    expect((await server.get(`/samples/${accession}`, { token: null })).status).toBe(410);
    expect((await server.get(`/samples?text=${MARK}&filter=status:any`, { token: owner })).text).not.toContain(
      accession,
    );
    const [report] = (await run(['verify', '--originals', '--json'])).lines<{ faults: unknown[] }>();
    expect(report?.faults).toEqual([]);
    expect((await run(['audit', 'find', accession])).stdout).toContain('erase');
    const again = await run(['erase', accession, '--yes', '--vacuum', '--json']);
    expect(again.lines()).toMatchObject([{ erased: true, samples: [{ accession, name: '', versions: 2 }] }]);
    const next = await register();
    expect(next).not.toBe(accession);
    expect((await run(['erase', next, accession, '--yes'])).stdout).toContain('2 samples, 1 uploaded file');
    expect(traces(server.dataDir)).toEqual([]);
  });

  it('leaves nothing of many writes either, where the files of the database are written anew', async () => {
    const accession = await register();
    for (let n = 0; n < 30; n++) {
      const text = `${MARK} `.repeat(1 + 40 * (n % 4));
      const body = { accession, name: `${MARK} ${n}`, release: '2020-01-01', characteristics: { note: [{ text }] } };
      expect((await server.send('PUT', `/samples/${accession}`, body, { token: owner })).status).toBe(200);
    }
    const edit = { select: { accessions: [accession] }, changes: [{ set: 'note', values: [{ text: MARK }] }] };
    const edited = await server.send('POST', '/submissions/edits', edit, { token: owner });
    expect(edited.status, edited.text).toBe(201);
    const done = await run(['erase', accession, '--yes', '--vacuum']);
    expect(done.stdout).toContain('32 versions');
    expect(traces(server.dataDir)).toEqual([]);
    expect((await run(['verify'])).stdout).toContain(' 0 faults');
    const list = await server.get('/submissions?size=1', { token: owner });
    expect(list.json<{ _embedded: { submissions: { edit: unknown }[] } }>()._embedded.submissions[0]?.edit).toEqual({
      select: {},
      changes: [],
    });
  });

  it('takes whole results that are kept, and keys only on demand', async () => {
    const accession = await register();
    const body = { accession, name: MARK, release: '2020-01-01' };
    await server.send('PUT', '/samples/by-key/lims/key-1', body, { token: owner });
    const ordered = await server.call('/samples/exports?format=tsv', { method: 'POST', token: owner });
    expect(ordered.status).toBe(202);
    const id = ordered.json<{ exportId: string }>().exportId;
    await expect
      .poll(async () => (await server.get(`/samples/exports/${id}`, { token: owner })).text)
      .toContain('COMPLETED');
    const kept = await run(['erase', accession, '--yes']);
    expect(kept.stdout).toContain('its keys stay: key-1');
    expect(kept.stdout).toContain('1 kept export');
    expect((await server.get(`/samples/exports/${id}`, { token: owner })).status).toBe(404);
    expect(traces(server.dataDir)).toEqual([]);
    expect(
      (await server.send('PUT', '/samples/by-key/lims/key-1', { ...body, accession: undefined }, { token: owner }))
        .status,
    ).toBe(410);
    const without = await run(['erase', accession, '--yes', '--with-keys']);
    expect(without.stdout).toContain('its keys go too');
    expect((await server.get('/samples/by-key/lims/key-1', { token: owner })).status).toBe(404);
  });

  it('is followed by copies of the registry, of all that it has and of what is public', async () => {
    const accession = await register();
    const copies = ['all', 'public'].map((kind) => {
      const env = { DATA_DIR: join(folder, kind) };
      const args = ['mirror', server.url, '--once', ...(kind === 'all' ? ['--token', server.adminToken] : [])];
      return { env, follow: () => run(args, { env }) };
    });
    for (const { env, follow } of copies) {
      const followed = await follow();
      expect(followed.code, followed.stderr).toBe(0);
      expect(traces(env.DATA_DIR)).not.toEqual([]);
    }
    expect((await run(['erase', accession, '--yes'])).code).toBe(0);
    for (const { env, follow } of copies) {
      expect((await follow()).code).toBe(0);
      expect(traces(env.DATA_DIR)).toEqual([]);
      expect((await run(['verify'], { env })).code).toBe(0);
      const refused = await run(['erase', accession, '--yes'], { env });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('erase the samples there')]);
    }
  });

  it('refuses what is no accession, and one that nobody has', async () => {
    const none = await run(['erase', 'sample-1', '--yes']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('"sample-1" is no accession')]);
    const unknown = await run(['erase', 'SAMR999999', '--yes']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no sample SAMR999999 here')]);
  });
});
