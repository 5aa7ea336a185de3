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

it('the same seed draws the same, another one something else, and no number is refused', { tags: 'slow' }, () => {
  // One process in which the module is loaded anew for each seed: starting one takes ten times as long.
  const program = `
    import fc from 'fast-check';
    for (const [at, seed] of ['17', '17', '18', 'seventeen'].entries()) {
      process.env.RANDOM_SEED = seed;
      fc.resetConfigureGlobal();
      const { newSeed } = await import('./test/support/seeds.ts?' + at);
      console.log(newSeed(), JSON.stringify(fc.sample(fc.integer(), { numRuns: 5, seed: fc.readConfigureGlobal().seed })));
    }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  const [first, again, other, ...more] = stdout.trimEnd().split('\n');
  expect(first).toMatch(/^17 \[/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(more).toEqual([]);
  expect(stderr).toContain('RANDOM_SEED=seventeen is no whole number.');
});
