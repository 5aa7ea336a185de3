/**
 * Every command and every exit code of docs/cli.md, run as built. What the commands do is looked at
 * in the files beside this one; here none of the document's words may be without a run.
 *
 * @module-tag slow
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedCommands, documentedExitCodes, documentedOptions } from '../docs/documented-commands.js';
import { stopWorkers } from '../faults/kill-at-work.js';
import { dropSchemas } from '../many-machines/postgres-schema.js';
import { runCommand, runProgram } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Run, runsOf } from './documented-runs.js';

let server: TestServer;
let folder: string;
let env: Record<string, string>;
let runs: ReturnType<typeof runsOf>;
beforeAll(async () => {
  // A worker that stands still is not taken for dead meanwhile.
  server = await startServer({ env: { LEASE_SECONDS: '120' } });
  folder = mkdtempSync(join(tmpdir(), 'every-command-'));
  const token = await server.token('ada');
  const { id } = await server.uploadAndSettle(plainSheet({ tag: 'seed', rows: 8, badEvery: 4 }), { token });
  const accession = (await server.mapping(id)).sampleNameAccessionPairs[0]?.sampleAccession as string;
  const listed = (await server.get('/tokens?account=ada')).json<{ _embedded: { tokens: { id: string }[] } }>();
  const tokenId = listed._embedded.tokens[0]?.id as string;
  env = { HOME: folder, SAMPLE_REGISTRY_URL: server.url, SAMPLE_REGISTRY_TOKEN: token, DATA_DIR: server.dataDir };
  mkdirSync(join(folder, 'lims', 'inbox'), { recursive: true });
  writeFileSync(join(folder, 'lims', 'inbox', 'plate.tsv'), plainSheet({ tag: 'watched', rows: 2 }));
  writeFileSync(join(folder, 'held.tsv'), plainSheet({ tag: 'held', rows: 1_000 }));
  let goOn = (): void => undefined;
  const uploadHeld = async (): Promise<string> => {
    goOn = await stopWorkers(server);
    const sent = await run({ args: ['upload', join(folder, 'held.tsv'), '--json'], code: 0 });
    return sent.lines<{ submission: { submissionId: string } }>()[0]?.submission.submissionId as string;
  };
  runs = runsOf({
    url: server.url,
    folder,
    token,
    id,
    accession,
    tokenId,
    uploadHeld,
    goOn: () => goOn(),
  });
});
afterAll(async () => {
  await server.stop();
  await dropSchemas();
  rmSync(folder, { recursive: true, force: true });
});

const seen: Run[] = [];
/** Each exit code once from the program itself; the others run in one process. */
async function run({ args, code, before, ...options }: Run) {
  before?.();
  const start = seen.some((earlier) => earlier.code === code) ? runCommand : runProgram;
  const finished = await start(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
  expect([args.join(' '), finished.code], `${finished.stdout}${finished.stderr}`).toEqual([args.join(' '), code]);
  seen.push({ args, code });
  return finished;
}

describe('every command of docs/cli.md', () => {
  it('has runs, and no other', () => {
    expect(Object.keys(runs).sort()).toEqual(documentedCommands().sort());
  });

  it('ends with the exit codes that it may end with', async () => {
    for (const [name, make] of Object.entries(runs)) {
      for (const one of await make()) await run(one);
      expect(seen.some(({ args }) => args.join(' ').startsWith(name))).toBe(true);
    }
  });

  it('was run with every option that the document names', () => {
    const used = new Set(seen.flatMap(({ args }) => args));
    expect(documentedOptions().filter((option) => !used.has(option))).toEqual([]);
    expect(documentedOptions().length).toBeGreaterThan(25);
  });

  it('has ended with every exit code that the document names, and no other', () => {
    expect([...new Set(seen.map(({ code }) => code))].sort()).toEqual(documentedExitCodes());
  });
});
