/**
 * A mirror is equal to its source after mixed writes with kills on both sides: every document, history, curation and
 * table. Short form: some seconds; with PROOF=1 ten minutes.
 *
 * @module-tag slow
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { TcpProxy } from '../many-machines/tcp-proxy.js';
import { runCommand, startCommand } from '../support/command.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';

/** The short form ends after so many kills, the long one after its time. */
const KILLS = 2;
const PROOF_MS = 600_000;
/** For the comparison of every sample afterwards: fourteen requests each. */
const COMPARE_MS = 1_800_000;
const WRITERS = 3;
/** Writes between two kills, and rows of a sheet. */
const AMOUNT = 10;
const ROWS = PROOF ? 10 : 4;
const SOON_MS = 300;
const AT_ONCE = 8;
/** Between two writes of a writer: one that asks a source that is not there takes the processor from who starts it. */
const BETWEEN_MS = PROOF ? 1 : 20;

let sourceFolder: string;
let mirrorFolder: string;
let source: TestServer;
/** Where the mirrors find the source, at whatever port it is started again. */
let way: TcpProxy;
const address = () => `http://127.0.0.1:${way.port}`;
let tokens: string[];
const portOf = ({ url }: TestServer): number => Number(new URL(url).port);
const accessions: string[] = [];
beforeAll(async () => {
  sourceFolder = mkdtempSync(join(tmpdir(), 'registry-source-'));
  mirrorFolder = mkdtempSync(join(tmpdir(), 'registry-mirror-'));
  source = await startServer({ dataDir: sourceFolder });
  way = await TcpProxy.open(portOf(source));
  tokens = [await source.token('lab-1'), await source.token('lab-2')];
});
afterAll(async () => {
  await source.stop();
  await way.close();
  for (const folder of [sourceFolder, mirrorFolder]) rmSync(folder, { recursive: true, force: true });
});

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
let written = 0;
const release = (): string => new Date(Date.now() + any([-86_400_000, SOON_MS, 3_600_000])).toISOString();
const sample = () => ({
  name: `sample ${++written}`,
  release: release(),
  characteristics: {
    organism: [{ text: any(['Homo sapiens', 'Mus musculus']) }],
    n: [{ text: `${written}`, unit: 'mg' }],
  },
  ...(accessions.length > 0 && written % 3 === 0
    ? { relationships: [{ type: 'derived from', target: any(accessions) }] }
    : {}),
});

/** One write of some kind, or of the `turn`-th; what a kill cuts off may have happened or not. */
async function write(turn?: number): Promise<void> {
  const token = any(tokens);
  const accession = any(accessions);
  const admin = { token: source.adminToken };
  const kinds = [
    async () => {
      const made = await source.send('POST', '/samples', sample(), { token });
      if (made.status === 201) accessions.push(made.json<{ accession: string }>().accession);
    },
    async () => {
      const rows = Array.from(
        { length: ROWS },
        (_, at) => `r${++written}\t2020-01-01\tHomo sapiens\t${at > 0 ? `r${written - 1}` : ''}`,
      );
      const head = 'Sample Name\tRelease Date\tCharacteristics[organism]\tComment[bsd_relationship:derived from]';
      const answer = await source.upload([head, ...rows, ''].join('\n'), { token });
      const id = /"submissionId":"([^"]+)"/.exec(answer.text)?.[1] ?? answer.headers.get('submission-id');
      if (id && Math.random() < 0.5) await source.send('POST', `/submissions/${id}/undo`, {}, { token });
    },
    () => source.send('PUT', `/samples/${accession}`, { ...sample(), accession }, admin),
    () =>
      source.send(
        'PUT',
        `/samples/${accession}`,
        { ...sample(), accession, status: any(['KILLED', 'SUPPRESSED']) },
        admin,
      ),
    () => source.send('POST', '/samples/accession', { name: `placeholder ${++written}` }, { token }),
    async () => {
      const curation = { attributesPost: [{ type: 'note', value: `n${++written}` }] };
      const path = `/samples/${accession}/curationlinks`;
      const made = await source.send('POST', path, { sample: accession, curation }, admin);
      const { hash } = made.json<{ hash: string }>();
      const after = any(['stay', 'decline', 'delete']);
      if (after === 'decline') await source.send('POST', `${path}/${hash}/decline`, {}, admin);
      if (after === 'delete') await source.call(`${path}/${hash}`, { method: 'DELETE', ...admin });
    },
    async () => {
      const data = [{ type: any(['AMR', 'CHICKEN']), content: [{ drug: { value: `d${++written}` } }] }];
      await source.send('PUT', `/structureddata/${accession}`, { accession, data }, admin);
      if (Math.random() < 0.3) await source.call(`/structureddata/${accession}`, { method: 'DELETE', ...admin });
    },
    async () => {
      // The first one is written at the end.
      const erased = accessions.slice(1).at(-1 - Math.floor(Math.random() * 3));
      if (erased) await runCommand(['erase', erased, '--yes'], { env: { DATA_DIR: sourceFolder } });
    },
  ];
  const kind = turn === undefined ? any(kinds) : kinds[turn % kinds.length];
  await (accession === undefined ? kinds[0] : kind)?.().catch(() => undefined);
}

interface Mirror {
  child: ChildProcess;
  /** All that it has printed. */
  said(): string;
}

function begin(env: Record<string, string>): Mirror {
  const child = startCommand(['mirror', address()], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      said += text;
    });
  }
  return { child, said: () => said };
}

/** @throws when it has ended by itself */
async function kill({ child, said }: Mirror): Promise<void> {
  if (child.exitCode !== null) throw new Error(`The mirror ended with ${child.exitCode}: ${said()}`);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Writes without pause, and kills one side after the other, until the time is over. */
async function storm(env: Record<string, string>): Promise<number> {
  const until = Date.now() + PROOF_MS;
  let mirror = begin(env);
  let kills = 0;
  let over = false;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!over) await write().then(() => sleep(BETWEEN_MS));
  });
  while (PROOF ? Date.now() < until : kills < KILLS) {
    const seen = written;
    await expect.poll(() => written, { interval: 20 }).toBeGreaterThan(seen + AMOUNT);
    await kill(mirror);
    mirror = begin(env);
    if (++kills % 2 === 0) {
      const { adminToken } = source;
      await source.kill('SIGKILL');
      source = await startServer({ dataDir: sourceFolder, env: { ADMIN_TOKEN: adminToken } });
      way.target = portOf(source);
    }
  }
  over = true;
  await Promise.all(writers);
  // Some of each kind, however little the storm has left.
  for (let n = 0; n < 14; n++) await write(n);
  await kill(mirror);
  for (let n = 0; n < 2; n++) {
    const body = { ...sample(), accession: accessions[0] };
    expect((await source.send('PUT', `/samples/${accessions[0]}`, body)).status).toBe(200);
  }
  return kills;
}

/** All that there is to read of a sample, without what names the registry it is read from. */
async function everything(server: TestServer, accession: string): Promise<unknown> {
  const read = async (path: string) => {
    const { status, text } = await server.get(`/samples/${accession}${path}`);
    return [status, JSON.parse(text, (key, value) => (['_links', 'submissionId'].includes(key) ? undefined : value))];
  };
  const data = await server.get(`/structureddata/${accession}`);
  const parts = ['', '?applyCurations=false', '?declined=true', '?version=1', '/history', '/curationlinks?size=200'];
  return [...(await Promise.all(parts.map(read))), data.status === 200 ? data.json() : data.status];
}

async function settled(): Promise<void> {
  const active = async () => (await source.get('/submissions?status=ACTIVE&size=200')).text.includes('submissionId');
  await expect.poll(active).toBe(false);
}

const STORES: [string, boolean, () => Record<string, string>][] = [
  ['SQLite', false, () => ({})],
  ['PostgreSQL', without('postgres'), () => ({ STORE_URL: freshSchemaUrl() })],
];

describe.each(STORES)('a mirror in %s', (name, skipped, settings) => {
  it.skipIf(skipped)(
    'is equal to its source after kills on both sides',
    PROOF ? { timeout: PROOF_MS + COMPARE_MS } : {},
    async () => {
      const dataDir = join(mirrorFolder, name);
      const env = { DATA_DIR: dataDir, SAMPLE_REGISTRY_TOKEN: source.adminToken, HOME: mirrorFolder, ...settings() };
      expect(await storm(env)).toBeGreaterThan(1);
      await settled();
      const last = await runCommand(['mirror', address(), '--once'], { env });
      expect(last.code, last.stderr).toBe(0);
      // Some samples become public a moment after the last write, which is a change.
      const again = async () => (await runCommand(['mirror', address(), '--once', '--json'], { env })).lines();
      await expect.poll(again).toEqual([{ changes: 0 }]);
      const mirror = await startServer({ dataDir, env: { ...env, ADMIN_TOKEN: source.adminToken } });
      try {
        const next = Number(
          (await source.send('POST', '/samples', sample())).json<{ accession: string }>().accession.slice(4),
        );
        let versions = 0;
        const compare = async (id: number) => {
          const [there, here] = await Promise.all([source, mirror].map((one) => everything(one, `SAMR${id}`)));
          expect(here, `SAMR${id}`).toEqual(there);
          versions += JSON.stringify(there).split('"version":').length - 1;
        };
        for (let id = 1; id < next; id += AT_ONCE) {
          await Promise.all(Array.from({ length: Math.min(AT_ONCE, next - id) }, (_, at) => compare(id + at)));
        }
        console.log(`${name}: ${next - 1} samples with ${versions} versions are equal`);
        expect(versions, 'some samples have several versions').toBeGreaterThan(next);
        const refused = await mirror.send('POST', '/samples', sample());
        expect([refused.status, refused.json<{ code: string }>().code]).toEqual([409, 'conflict']);
      } finally {
        await mirror.stop();
      }
    },
  );
});
