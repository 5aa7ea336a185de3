/** What `npm test` compiles before it starts vitest (docs/decisions/0196): all that is run, from the sources as they are. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
// @ts-expect-error plain JavaScript, because npm test runs it as it is
import { compileTests, pathsIn } from '../../scripts/modules.mjs';
import { ROOT } from '../support/output.js';

const TAX_ID = 'test/registry/tax-id.test';
const OWN = 'test/packages/compiled-tests.test';

it.each([
  [[], undefined],
  [['test/registry'], ['test/registry']],
  [
    ['./test/registry/', `${TAX_ID}.ts`],
    ['test/registry', `${TAX_ID}.ts`],
  ],
  // What vitest makes of these is its own matter.
  [['registry'], undefined],
  [[`${TAX_ID}.ts:12`], undefined],
  [['-t', 'a name', 'test/http'], undefined],
  [['--project=page'], undefined],
])('%j: the paths that are chosen are %j', (args, paths) => {
  expect(pathsIn(args)).toEqual(paths);
});

it('asks for PostgreSQL where anything that is run may ask for it, whatever lies between', async () => {
  const asks = async (...paths: string[]): Promise<boolean> => {
    const folder = mkdtempSync(join(ROOT, 'dist', 'tests-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return (await compileTests(folder, paths))('TEST_POSTGRES_URL');
  };
  expect(await asks('test/tsv', 'test/quality')).toBe(false);
  expect(await asks('test/tsv', 'test/e2e/updates.test.ts')).toBe(true);
});

it('keeps addresses and lines of the sources, and takes modules that are compiled already', async () => {
  const folder = mkdtempSync(join(ROOT, 'dist', 'tests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await compileTests(folder, [`${TAX_ID}.ts`]);
  expect(existsSync(join(folder, `${OWN}.js`))).toBe(false);
  const output = readFileSync(join(folder, 'test/support/output.js'), 'utf8');
  expect(output).toContain(JSON.stringify(pathToFileURL(join(ROOT, 'test/support/output.ts')).href));
  const compiled = readFileSync(join(folder, `${TAX_ID}.js`), 'utf8');
  expect(compiled).toContain(JSON.stringify(join(ROOT, 'dist/modules/src/registry/tax-id.js')));
  const map = JSON.parse(String(Buffer.from(compiled.split('base64,')[1] as string, 'base64')));
  expect(map.sources.map((source: string) => resolve(join(folder, TAX_ID, '..'), source))).toEqual([
    join(ROOT, `${TAX_ID}.ts`),
  ]);
  expect(map.sourcesContent ?? []).toEqual([]);
});
