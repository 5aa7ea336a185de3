/** What is drawn at random is drawn again by the command that a failure prints. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../support/seeds.js';

function failureOf(): string {
  try {
    fc.assert(
      fc.property(fc.integer(), (n) => n % 7 !== 3),
      { numRuns: runs(1_000) },
    );
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

it('a failing property says the command that makes it again, with its file', () => {
  expect(failureOf()).toMatch(/^Once more: RANDOM_SEED=-?\d+ (?:RANDOM_TIMES=\d+ )?npm test -- \S*seeds\.test\.ts\n/);
});

it('the same seed draws the same, another one something else, and no number is refused', () => {
  const program = `
    import fc from 'fast-check';
    const { newSeed } = await import('./test/support/seeds.ts');
    console.log(newSeed(), JSON.stringify(fc.sample(fc.integer(), { numRuns: 5, seed: fc.readConfigureGlobal().seed })));`;
  const drawn = (seed: string): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      env: { ...process.env, RANDOM_SEED: seed },
      encoding: 'utf8',
    });
  const first = drawn('17').stdout;
  expect(first).toMatch(/^17 \[/);
  expect(drawn('17').stdout).toBe(first);
  expect(drawn('18').stdout).not.toBe(first);
  expect(drawn('seventeen').stderr).toContain('RANDOM_SEED=seventeen is no whole number.');
});
