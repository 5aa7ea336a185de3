/**
 * The package as npm makes it, installed in an empty folder: with what it ships and its production packages alone.
 *
 * @module-tag slow
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultRows } from '../support/invariants.js';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { PROOF } from '../support/proof.js';
import { EmptyFolder, pack, ran } from './packed.js';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

let folder: EmptyFolder;
/** By npm in the proof: it fetches and may compile the SQLite driver. */
beforeAll(() => {
  folder = new EmptyFolder();
  const packed = pack(ROOT, folder.path);
  if (PROOF) folder.install(packed);
  else folder.link(packed, ROOT);
});
afterAll(() => folder.remove());

describe('the installed package', () => {
  it('holds what runs: no source maps, no benchmark, no tests', () => {
    const files = readdirSync(folder.installed, { recursive: true }).map(String);
    expect(files).toContain('dist/workers/ingest.js');
    expect(files).toContain('web/dist/index.html');
    expect(files.filter((file) => /\.map$|\.tsx?$|^(?:dist\/)?(?:bench|test)\//.test(file))).toEqual([]);
  });

  it('brings the texts of the licences of what is inside its programs', () => {
    const texts = readFileSync(join(folder.installed, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['express', 'bullmq', '@aws-sdk/client-s3', 'pg', 'pino']) {
      expect(texts).toMatch(new RegExp(`^${name} \\S+ \\(\\S+\\)$`, 'm'));
    }
  });

  it('needs no package beside it but the SQLite driver and what packs blocks', () => {
    const { dependencies = {}, optionalDependencies } = JSON.parse(
      readFileSync(join(folder.installed, 'package.json'), 'utf8'),
    ) as { dependencies?: object; optionalDependencies: object };
    expect({ ...dependencies, ...optionalDependencies }).toEqual({
      'better-sqlite3': expect.any(String),
      'better-sqlite3-13': expect.any(String),
      'lz4-wasm-nodejs': expect.any(String),
    });
  });

  it('says its version', () => {
    expect(ran(process.execPath, [folder.command, '--version'], folder.path).trim()).toBe(version);
  });

  it('serves interface and page, takes an upload, and has it after a restart', async () => {
    const first = await folder.serve();
    expect((await first.api.get('/health/live')).json()).toEqual({ status: 'up', version });
    expect((await first.api.get('/page/')).text).toContain('<div id="root">');
    const { answer, status } = await first.api.uploadAndSettle(plainSheet({ tag: 'packed', rows: 20 }));
    expect(status.counts).toMatchObject({ created: 20, rejected: 0 });
    const [accession] = resultRows(answer.text).accessions;
    expect(await first.stop()).toBe(0);
    const second = await folder.serve();
    expect((await second.api.get(`/samples/${accession}`)).json()).toMatchObject({ name: 'packed_0' });
    expect(await second.stop()).toBe(0);
  });
});
