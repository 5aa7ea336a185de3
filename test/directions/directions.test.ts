import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Checks a small house made of these files; resolves to exit code and what was printed. */
function check(files: Record<string, string>): { code: number | null; printed: string } {
  const folder = mkdtempSync(join(tmpdir(), 'directions-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const run = spawnSync(process.execPath, [join(ROOT, 'scripts', 'check-directions.mjs'), folder], {
    encoding: 'utf8',
  });
  return { code: run.status, printed: run.stdout + run.stderr };
}

const SAMPLE = { 'src/registry/sample.ts': 'export interface Sample { name: string }\nexport const one = 1;\n' };

describe('the import directions', () => {
  it('let a room import what it may', () => {
    const { code, printed } = check({
      ...SAMPLE,
      'src/tsv/read.ts': "import { one } from '../registry/sample.js';\nexport const two = one + 1;\n",
      'src/submissions/job.ts': "import { two } from '../tsv/read.js';\nexport const three = two + 1;\n",
    });
    expect(printed).toContain('0 breaches');
    expect(code).toBe(0);
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
  ])('are broken when %s', (_what, from, specifier) => {
    const { code, printed } = check({
      ...SAMPLE,
      'src/tsv/read.ts': 'export const thing = 2;\n',
      'src/store/open.ts': 'export const thing = 3;\n',
      'workers/maintenance.ts': 'export const thing = 4;\n',
      'test/support.ts': 'export const thing = 5;\n',
      [from]: `import { thing } from '${specifier}';\nexport const mine = thing;\n`,
    });
    expect(printed).toContain(`${from} → `);
    expect(code).toBe(1);
  });

  it('count an import of types alone', () => {
    const { code } = check({
      'src/tsv/read.ts': 'export interface Row { line: number }\n',
      'src/registry/decide.ts': "import type { Row } from '../tsv/read.js';\nexport type Decision = Row;\n",
    });
    expect(code).toBe(1);
  });

  it('are broken by a cycle inside a room', () => {
    const { code, printed } = check({
      'src/tsv/a.ts': "import { b } from './b.js';\nexport const a = (): number => b();\n",
      'src/tsv/b.ts': "import { a } from './a.js';\nexport const b = (): number => a();\n",
    });
    expect(printed).toContain('no cycles');
    expect(code).toBe(1);
  });
});
