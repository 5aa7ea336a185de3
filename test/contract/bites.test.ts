/**
 * The contracts bite: each adapter is broken on purpose, one way at a time, in a copy of the project, and the suites that
 * watch over it must fail. The short form only sees that the list still fits the code; the long one breaks.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { BREAKAGES, type Breakage, suiteOf } from './breakages.js';

const COPIED = ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

describe('the list of breakages', () => {
  it.each(BREAKAGES)('$adapter: $what', ({ edits }) => {
    for (const { file, find } of edits) {
      expect(readFileSync(join(ROOT, file), 'utf8').split(find).length - 1, `${find} in ${file}`).toBe(1);
    }
  });

  it('has at least eight for each adapter', () => {
    for (const adapter of ['sqlite', 'postgres', 'embedded', 'bullmq', 'files', 's3']) {
      expect(BREAKAGES.filter((each) => each.adapter === adapter).length, adapter).toBeGreaterThanOrEqual(8);
    }
  });
});

describe.runIf(PROOF)('a broken adapter is noticed', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'registry-broken-'));
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each(BREAKAGES)(
    '$adapter: $what',
    (breakage) => {
      const restore = apply(copy, breakage);
      try {
        const { tests, name } = suiteOf(breakage.adapter);
        const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
        const { status, stdout } = spawnSync(process.execPath, [program, 'run', '--bail=1', '-t', name, ...tests], {
          cwd: copy,
          encoding: 'utf8',
          // Its modules are those of the copy, not those that were compiled for this run.
          env: { ...process.env, PROOF: '', CI: 'true', NO_COLOR: '1', COMPILED_TESTS: '' },
        });
        expect(status, `nothing failed: ${stdout.slice(-500)}`).not.toBe(0);
        // A suite that cannot even be loaded has noticed nothing.
        expect(stdout).toMatch(/Tests .*\d+ failed|Unhandled|Timeout/);
        console.log(`${breakage.adapter}, ${breakage.what}: ${/(?:FAIL|×) +(.*)/.exec(stdout)?.[1] ?? 'failed'}`);
      } finally {
        restore();
      }
    },
    10 * 60_000,
  );
});

function apply(folder: string, { edits }: Breakage): () => void {
  const before = edits.map(({ file }) => readFileSync(join(folder, file), 'utf8'));
  for (const { file, find, replace } of edits) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      text.replace(find, () => replace),
    );
  }
  return () => {
    for (const [at, { file }] of edits.entries()) writeFileSync(join(folder, file), before[at] as string);
  };
}
