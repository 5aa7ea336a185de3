/** @module-tag slow */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mapping, StatusDocument } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { Folder, kill } from './folder.js';

const PROOF = process.env.PROOF === '1';
const KILLS = PROOF ? 100 : 8;
const FILES = PROOF ? 200 : 16;
/** What the daemon says of a file; it is killed when it has said one of them, one kill after the other. */
const STEPS = ['taken', 'submitted', 'settled'];

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  token = await server.token('ada');
});
afterAll(() => server.stop());

/** Every seventh is refused as a whole; some are large. */
const sheet = (n: number): string =>
  n % 7 === 3
    ? `not a table ${n}\n`
    : plainSheet({ tag: `f${n}`, rows: n % 20 === 0 ? 600 : 4, badEvery: n % 5 === 0 ? 3 : 0 });

it(`a daemon that is killed ${KILLS} times while ${FILES} files arrive loses none and registers none twice`, {
  timeout: 15 * 60_000,
}, async () => {
  const folder = new Folder({ SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: token });
  mkdirSync(join(folder.root, 'inbox'));
  let put = 0;
  const stages = new Map<string, number>();
  for (let n = 0; n < KILLS; n++) {
    const daemon = folder.start('--concurrency', '3');
    const step = STEPS[n % STEPS.length] as string;
    const reached = new Promise<void>((resolve) => {
      daemon.stdout?.setEncoding('utf8').on('data', (text: string) => {
        for (const [, event] of text.matchAll(/"event":"(\w+)"/g)) {
          stages.set(event as string, (stages.get(event as string) ?? 0) + 1);
          if (event === step) resolve();
        }
      });
    });
    for (; put < ((n + 1) * FILES) / KILLS; put++) {
      folder.put(`f${put}.tsv`, sheet(put));
      if (put % 3 === 0) folder.put(`f${put}.tsv.ready`, '');
    }
    await reached;
    await kill(daemon);
  }
  const last = await folder.runOnce();
  // What `upload` of the files that were left would have ended with.
  expect([0, 2, 4], last.stderr).toContain(last.code);
  console.log(`steps seen while being killed: ${JSON.stringify(Object.fromEntries(stages))}`);

  const receipts = folder.receipts();
  expect(receipts.map(({ file }) => file).sort()).toEqual(Array.from({ length: FILES }, (_, n) => `f${n}.tsv`).sort());
  expect(folder.names('inbox').filter((name) => !name.endsWith('.ready'))).toEqual([]);
  expect(folder.names('working')).toEqual([]);
  for (const { file, outcome } of receipts) expect(folder.names(outcome)).toContain(file);
  expect(new Set(receipts.map(({ key }) => key)).size).toBe(FILES);

  const accessions = new Set<string>();
  let created = 0;
  for (const { outcome, file, submission } of receipts) {
    expect(outcome, file).toBe(Number(file.slice(1, -4)) % 7 === 3 ? 'rejected' : 'done');
    if (outcome === 'rejected') continue;
    const mapping = JSON.parse(folder.text('done', `${file}.mapping.json`)) as Mapping;
    created += submission?.counts.created ?? 0;
    for (const { sampleAccession } of mapping.sampleNameAccessionPairs) accessions.add(sampleAccession);
  }
  expect(accessions.size).toBe(created);

  // Nothing but what the receipts tell of was registered.
  const submissions: StatusDocument[] = [];
  for (let path = '/submissions?size=200'; path; ) {
    const page = (await server.get(path, { token })).json<{
      _embedded?: { submissions: StatusDocument[] };
      _links: { next?: { href: string } };
    }>();
    submissions.push(...(page._embedded?.submissions ?? []));
    path = page._links.next?.href ?? '';
  }
  const registered = submissions.filter(({ submissionStatus }) => submissionStatus !== 'FAILED');
  expect(registered).toHaveLength(receipts.filter(({ outcome }) => outcome === 'done').length);
  expect(registered.reduce((sum, { counts }) => sum + counts.created, 0)).toBe(created);
  folder.remove();
});
