/**
 * An upgrade without a pause: the built program and a later version of it (the same with one more migration) serve one
 * database side by side, first the one alone, then both, then the other, while uploads and reads never stop.
 *
 * @module-tag slow
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { manyMachines } from './engines.js';
import { until } from './local-process.js';

/** Each stage lasts that long, and for so many uploads that were answered. */
const STAGE_MS = PROOF ? 20_000 : 0;
const STAGE_UPLOADS = 10;
const ADMIN_TOKEN = 'upgrade-admin-token-for-tests-0123456789';

/** What a release adds: a column with a default on the table that is written most, an index, a table. */
const NEXT_MIGRATION = `
alter table sample add column next_release_note text not null default '';
create index sample_next_release_note on sample (next_release_note) where next_release_note <> '';
create table next_release (id bigint primary key, made timestamptz not null default now());
`;

/** The built program with one more migration, in a folder of its own. */
function laterVersion(): string {
  const root = mkdtempSync(join(tmpdir(), 'registry-later-'));
  cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true });
  for (const shared of ['node_modules', 'package.json', 'web', 'docs', 'samples-tsv']) {
    symlinkSync(join(ROOT, shared), join(root, shared));
  }
  writeFileSync(join(root, 'dist/src/store/postgres/migrations/9000_next_release.sql'), NEXT_MIGRATION);
  return root;
}

describe.skipIf(without('redis') || without('postgres'))('an upgrade while the service works', () => {
  let later: string;
  let env: Record<string, string>;
  const running = new Set<TestServer>();

  beforeAll(async () => {
    later = laterVersion();
    // An old version that ends what it does in order is the matter; how long that takes beside other work of the machine is none.
    env = { ...(await manyMachines(later)), ADMIN_TOKEN, SHUTDOWN_SECONDS: '120' };
  });
  afterAll(async () => {
    await Promise.allSettled([...running].map((server) => server.stop()));
    if (later) rmSync(later, { recursive: true, force: true });
  });

  async function start(root?: string): Promise<TestServer> {
    const server = await startServer({ env, ...(root === undefined ? {} : { root }) });
    running.add(server);
    return server;
  }

  async function rowsOf(table: string): Promise<number> {
    const url = new URL(env.STORE_URL as string);
    const schema = url.searchParams.get('schema');
    url.search = '';
    const client = new pg.Client(url.href);
    await client.connect();
    try {
      return (await client.query(`select count(*)::int as n from ${schema}.${table}`)).rows[0].n;
    } finally {
      await client.end();
    }
  }

  it('refuses no request, and every submission of either version ends well', async () => {
    const old = await start();
    const token = await old.token('lab');
    let open = [old];
    const sent = new Map<string, number>();
    const failed: string[] = [];
    let asked = 0;
    let stop = false;

    /** One client: uploads of every size and reads of what it uploaded, at whichever version is open to requests. */
    const client = async (number: number): Promise<void> => {
      for (let n = 0; !stop; n++) {
        const api = open[n % open.length] as TestServer;
        const rows = n % 4 === 3 ? 3_000 : 40;
        asked++;
        try {
          const answer = await api.upload(plainSheet({ tag: `u${number}x${n}`, rows }), { token });
          if (answer.status > 202) failed.push(`upload: ${answer.status} ${answer.text.slice(0, 200)}`);
          else sent.set(submissionIdOf(answer), rows);
          const read = await (open[0] as TestServer).get('/submissions?size=5', { token });
          if (read.status !== 200) failed.push(`read: ${read.status} ${read.text.slice(0, 200)}`);
        } catch (error) {
          failed.push(String(error));
        }
      }
    };
    const clients = [0, 1, 2].map(client);

    const stage = async (): Promise<void> => {
      const before = sent.size;
      await pause(STAGE_MS);
      await until(() => expect(sent.size + failed.length).toBeGreaterThanOrEqual(before + STAGE_UPLOADS));
    };
    await stage();
    const fresh = await start(later);
    open = [old, fresh];
    await stage();
    // As a proxy does before an instance is stopped: new requests go to the others.
    open = [fresh];
    await stage();
    await old.stop();
    running.delete(old);
    await stage();
    stop = true;
    await Promise.all(clients);

    expect(failed).toEqual([]);
    expect(await old.ended(), old.output().slice(-3000)).toBe(0);
    expect(await rowsOf('migration where number = 9000')).toBe(1);
    let rows = 0;
    for (const [id, count] of sent) {
      await fresh.settled(id, token);
      expect((await fresh.status(id, token)).counts).toMatchObject({ rows: count, created: count, rejected: 0 });
      rows += count;
    }
    for (const id of [...sent.keys()].filter((_, at) => PROOF || at % 10 === 0)) await checkSubmission(fresh, id, 1);
    expect(await rowsOf('current_sample')).toBe(rows);
    console.log(`${asked} uploads, ${rows} samples, 0 failed requests while the version changed`);
  });
});
