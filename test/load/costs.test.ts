/**
 * The most expensive request of every operation: the proof looks for it over sizes, counts and depths and prints what it
 * costs (with UPDATE_DOCS=1 into docs/limits.md); the short form holds the table to the description and sends those
 * requests beside somebody else's reads.
 *
 * @module-tag slow
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { document, expectSection, tableRows } from '../docs/section.js';
import { OUTPUT_DIR } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { COSTLY_REQUESTS, type CostlyRequest } from './costly-requests.js';
import { type Amounts, makeScene, type Scene } from './costly-scene.js';
import { BOUNDS, type Cost, costOf, weight } from './costs.js';
import { publicSamples } from './mixed-load.js';
import { othersBeside } from './others.js';

const DOCS = 'docs/limits.md';
/** A refusal names at most 1 000 places. */
const MOST_REFUSAL_BYTES = 256 * 1024;
const SHORT: Amounts = { big: 6, rows: 800, wideRows: 20, versions: 20, different: 20, submissions: 3 };
const LONG: Amounts = { big: 60, rows: 6_000, wideRows: 80, versions: 200, different: 100, submissions: 20 };

type Measured = CostlyRequest & Cost;
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const row = ({ operation, request, loopMs, memoryMb }: Measured): string =>
  `| \`${operation}\` | ${request} | ${loopMs} | ${memoryMb} |`;

const documented = (): string[][] => {
  const section = document(DOCS).split('<!-- costs -->')[1]?.split('<!-- /costs -->')[0] ?? '';
  return tableRows(section).map((cells) => cells.map((cell) => cell.replaceAll('`', '')));
};

let server: TestServer;
let scene: Scene;
let paths: string[];
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  paths = await publicSamples(server, 20);
  scene = await makeScene(server, PROOF ? LONG : SHORT);
}, 15 * 60_000);
afterAll(() => server.stop());

describe('the most expensive requests', () => {
  it('are known for every operation of the interface description, with what they cost', () => {
    const operations = OPERATIONS.map(nameOf).sort();
    expect(
      documented()
        .map(([operation]) => operation)
        .sort(),
    ).toEqual(operations);
    for (const [operation, request, loopMs, memoryMb] of documented()) {
      expect(Number(loopMs), operation).toBeLessThanOrEqual(BOUNDS.loopMs);
      expect(Number(memoryMb), operation).toBeLessThanOrEqual(BOUNDS.memoryMb);
      expect(COSTLY_REQUESTS, `${operation}: ${request}`).toContainEqual(
        expect.objectContaining({ operation, request }),
      );
    }
  });

  it('leave the reads of others served, all of them', async () => {
    const rows = documented();
    const worst = COSTLY_REQUESTS.filter(({ operation, request }) =>
      rows.some((cells) => cells[0] === operation && cells[1] === request),
    );
    const others = await othersBeside({ url: server.url, paths, perSecond: 20, atLeast: 21 });
    const failed: string[] = [];
    for (const { operation, request, send } of worst) {
      const { status, text, bytes } = await send(scene);
      // A search that is stopped in time is an answer, too: on a busy machine one takes longer than it may.
      const isStopped = status === 503 && text.includes('was stopped after');
      if (status >= 500 && !isStopped) failed.push(`${operation}, ${request}: ${status} ${text.slice(0, 200)}`);
      if (status >= 400 && bytes.length > MOST_REFUSAL_BYTES)
        failed.push(`${operation}, ${request}: refused with ${bytes.length} bytes`);
    }
    const { reads } = await others.end();
    console.log(reads.line('reads of others'));
    expect(failed).toEqual([]);
    expect(reads.unexpected(200)).toEqual([]);
    expect(reads.times.length).toBeGreaterThan(20);
  });

  it.runIf(PROOF)('cost what the table says', { timeout: 1_500_000 }, async () => {
    const measured: Measured[] = [];
    for (const known of COSTLY_REQUESTS)
      measured.push({ ...known, ...(await costOf(server, () => known.send(scene))) });
    const worst = OPERATIONS.map(
      (operation) =>
        measured
          .filter((one) => one.operation === nameOf(operation))
          .toSorted((a, b) => weight(b) - weight(a))[0] as Measured,
    );
    const beyond = measured.filter((one) => weight(one) > 1);
    const table = [
      '| operation | request | event loop, ms | memory, MB |',
      '|---|---|---|---|',
      ...worst.map(row),
    ].join('\n');
    console.log(table);
    console.log(`beyond ${BOUNDS.loopMs} ms or ${BOUNDS.memoryMb} MB:\n${beyond.map(row).join('\n') || 'none'}`);
    mkdirSync(join(OUTPUT_DIR, 'load'), { recursive: true });
    writeFileSync(join(OUTPUT_DIR, 'load', 'costs.md'), `${measured.map(row).join('\n')}\n`);
    if (process.env.UPDATE_DOCS === '1') expectSection(DOCS, 'costs', table);
    expect(readFileSync(join(OUTPUT_DIR, 'load', 'costs.md'), 'utf8').split('\n')).toHaveLength(measured.length + 1);
  });
});
