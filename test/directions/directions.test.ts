import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, because the check runs it as it is
import { RULES } from '../../scripts/directions.mjs';
// @ts-expect-error plain JavaScript, because the check runs it as it is
import { checkImports } from '../../scripts/imports.mjs';
import { ROOT } from '../support/output.js';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A small house made of these files. */
function house(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'directions-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The breaches in such a house, in words. */
const check = (files: Record<string, string>): string[] => checkImports(house(files), RULES).breaches;

const SAMPLE = { 'src/registry/sample.ts': 'export interface Sample { name: string }\nexport const one = 1;\n' };

describe('the import directions', () => {
  it('let a room import what it may', () => {
    const breaches = check({
      ...SAMPLE,
      'src/tsv/read.ts': "import { one } from '../registry/sample.js';\nexport const two = one + 1;\n",
      'src/submissions/job.ts': "import { two } from '../tsv/read.js';\nexport const three = two + 1;\n",
    });
    expect(breaches).toEqual([]);
  });

  it.each([
    ['the core imports the dialect', 'src/registry/decide.ts', '../tsv/read.js'],
    ['HTTP imports an adapter', 'src/http/app.ts', '../store/open.js'],
    ['a worker imports an adapter', 'workers/ingest.ts', '../src/store/open.js'],
    ['one adapter imports another', 'src/queue/open.ts', '../store/open.js'],
    ['the source imports a worker', 'src/submissions/job.ts', '../../workers/maintenance.js'],
    ['the source imports a test', 'src/submissions/job.ts', '../../test/support.js'],
    ['a file of no room appears', 'src/odds/ends.ts', '../registry/sample.js'],
    ['an import leads nowhere', 'src/submissions/job.ts', '../registry/gone.js'],
    ['a package is imported that is not there', 'src/submissions/job.ts', 'no-such-package-of-anybody'],
    ['a client’s command touches the store', 'src/cli/status.ts', '../wiring/compose-operator.js'],
    ['the page imports the service', 'web/src/samples/list.ts', '../../../src/http/app.js'],
    ['what the page shares imports a view', 'web/src/show/note.tsx', '../samples/view.js'],
    ['a view imports another', 'web/src/samples/list.ts', '../account/view.js'],
    ['a file of no room appears in the page', 'web/src/odds/ends.tsx', '../show/words.js'],
    ['what proofs share imports a proof', 'test/support/run.ts', '../web/view.js'],
    ['a figure imports a proof', 'bench/main.ts', '../test/web/view.js'],
    ['a proof imports a figure', 'test/web/shown.ts', '../../bench/report.js'],
    ['a command imports the service', 'scripts/start.mjs', '../src/http/app.js'],
  ])('are broken when %s', (_what, from, specifier) => {
    const breaches = check({
      ...SAMPLE,
      'src/tsv/read.ts': 'export const thing = 2;\n',
      'src/store/open.ts': 'export const thing = 3;\n',
      'workers/maintenance.ts': 'export const thing = 4;\n',
      'test/support.ts': 'export const thing = 5;\n',
      'test/web/view.ts': 'export const thing = 6;\n',
      'bench/report.ts': 'export const thing = 7;\n',
      'src/http/app.ts': 'export const thing = 8;\n',
      'src/wiring/compose-operator.ts': 'export const thing = 9;\n',
      'web/src/samples/view.tsx': 'export const thing = <p>1</p>;\n',
      'web/src/account/view.tsx': 'export const thing = <p>2</p>;\n',
      'web/src/show/words.ts': 'export const thing = 10;\n',
      [from]: `import { thing } from '${specifier}';\nexport const mine = thing;\n`,
    });
    expect(new Set(breaches.map((breach) => breach.split(' → ')[0]))).toEqual(new Set([from]));
  });

  it('count an import at run time and one within a type', () => {
    const breaches = check({
      'src/tsv/read.ts': 'export interface Row { line: number }\nexport const row = 1;\n',
      'src/registry/decide.ts': "export type Decision = import('../tsv/read.js').Row;\n",
      'src/registry/late.ts': "export const late = async (): Promise<unknown> => import('../tsv/read.js');\n",
    });
    expect(breaches).toHaveLength(2);
  });

  it('are between folders that one can look over: none holds forty files', () => {
    const counted = new Map<string, number>();
    for (const top of ['src', 'workers', 'web/src', 'test', 'bench', 'scripts']) {
      for (const file of readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })) {
        if (file.isFile()) counted.set(file.parentPath, (counted.get(file.parentPath) ?? 0) + 1);
      }
    }
    expect(counted.size).toBeGreaterThan(50);
    expect([...counted].filter(([, count]) => count >= 40)).toEqual([]);
  });

  it('count an import of types alone, which the command says', () => {
    const folder = house({
      'src/tsv/read.ts': 'export interface Row { line: number }\n',
      'src/registry/decide.ts': "import type { Row } from '../tsv/read.js';\nexport type Decision = Row;\n",
    });
    const program = join(ROOT, 'scripts', 'check-directions.mjs');
    const run = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
    expect(run).toMatchObject({ status: 1, stdout: 'Import directions: 2 files, 1 breaches.\n' });
    expect(run.stderr).toContain('src/registry/decide.ts → src/tsv/read.ts');
  });

  it.each(['src/tsv', 'web/src/upload', 'test/web', 'bench'])('are broken by a cycle inside %s', (room) => {
    const breaches = check({
      [`${room}/a.ts`]: "import { b } from './b.js';\nexport const a = (): number => b();\n",
      [`${room}/b.ts`]: "export const b = async (): Promise<number> => (await import('./c.js')).c();\n",
      [`${room}/c.ts`]: "import { a } from './a.js';\nexport const c = (): number => a();\n",
    });
    expect(breaches).toEqual([expect.stringContaining('no cycles')]);
  });
});
