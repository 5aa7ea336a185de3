import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
// @ts-expect-error plain JavaScript, because npm test runs it as it is
import { slowFiles } from './scripts/slow-files.mjs';

/** In a browser; what is here and not in this list reads files alone. */
const inBrowser = 'test/web/**/!(bundle|interface|sheet).test.ts';
/** Ends what hangs; how long a test takes is no question of it: a machine with other work is ten times slower. */
const long = process.env.PROOF === '1' ? 30 * 60_000 : 15 * 60_000;

/** Set by `npm test`: where our modules lie compiled (scripts/modules.mjs), which Node loads itself; it says where in the source a fault is. */
const { COMPILED_TESTS = '' } = process.env;
const COMPILED = COMPILED_TESTS
  ? {
      runner: join(import.meta.dirname, 'scripts/test-runner.mjs'),
      server: { deps: { external: [/\/dist\/(modules|tests)/] } },
    }
  : {};
/** A module that vitest loads before any test, once. */
const loadedOnce = (path: string): string =>
  COMPILED_TESTS ? join(COMPILED_TESTS, path.replace(/\.ts$/, '.js')) : path;

/** Set by `npm test` where it leaves the slow tests out (scripts/test.mjs). */
const QUICK = process.env.QUICK_TESTS === '1';
const LEFT_OUT: string[] = QUICK ? slowFiles(import.meta.dirname) : [];
/** The main job from outside; the proof runs every end-to-end suite on those engines, and CI what `npm test` has run on one machine already. */
const MAIN_JOB = [
  'updates',
  ...(QUICK && process.env.CI !== 'true' ? [] : ['boundaries', 'privacy']),
  ...(QUICK ? [] : ['fixtures', 'bad-input']),
].map((name) => `test/e2e/${name}.test.ts`);

/** Change the stored files themselves, in the folder that S3 takes the place of. */
const ON_DISK = ['test/e2e/stored-files.test.ts'];

const onManyMachines = {
  extends: true as const,
  test: {
    name: 'many machines',
    setupFiles: 'test/support/histories.ts',
    include: process.env.PROOF === '1' ? ['test/e2e/**/*.test.ts'] : MAIN_JOB,
    exclude: ON_DISK,
    env: { TEST_ENGINES: 'many' },
    globalSetup: loadedOnce('test/support/offer-shared.ts'),
    maxWorkers: 3,
    testTimeout: long,
    hookTimeout: long,
  },
};

/** Files that take long and are short: by size, as vitest goes in a fresh clone, they would come last, one after the other on one core. */
const LONG_FILES =
  /test\/(contract\/(store|queue)|load\/costs|faults\/(hostile|index-storm|kill|worker)|e2e\/(whole|stored)|cli\/op|store\/(uploads\/standing|index-deaths)|http\/samples\/read-your)/;
/** The last one has the most short files, which fill what is left of the time. */
const PROJECTS = ['page', 'many machines', 'service'];

/**
 * One project after the other, and of each the long files first. A process of vitest goes on with the next file where
 * that is of the same project; another one is started, and loads every module, at each change between them.
 */
class ProjectsInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project, moduleId }: TestSpecification): number =>
      2 * PROJECTS.indexOf(project.name) + (LONG_FILES.test(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => place(a) - place(b));
  }
}

/**
 * Tests run much code a few times each: a quarter of their processor time went to threads that optimised it (docs/decisions/0191). Seven
 * times as much is run before, of what runs long after a millisecond or so. Only Node 20 knows the option.
 */
const OPTIMISED_LATER = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : [];

export default defineConfig({
  test: {
    ...COMPILED,
    execArgv: [...OPTIMISED_LATER, ...(COMPILED_TESTS ? ['--enable-source-maps'] : [])],
    sequence: { sequencer: ProjectsInTurn },
    tags: [
      {
        name: 'slow',
        description:
          'Run by `npm run test:all` and where its file is named; `npm test` has quicker ones of the same rule.',
      },
      {
        name: 'bounds',
        description:
          'Memory or time that may not grow with what is sent, with enough to see it. Run in CI, by `npm run test:all` and where its file is named.',
      },
      {
        name: 'engines',
        description:
          'PostgreSQL, Redis or S3: a contract again, and their faults. Run in CI, by `npm run test:all` and where its file is named.',
      },
    ],
    environment: 'node',
    pool: 'forks',
    // Files change nothing that the next one sees, and loading the same modules for each took a fifth of their time.
    isolate: false,
    // As patient as the browser itself (test/web/browser.ts): how fast things come is no question of a poll.
    expect: { poll: { timeout: 300_000, interval: 25 } },
    projects: [
      // One pool of three: of two at a time a quarter of the processors waits.
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [inBrowser, ...LEFT_OUT],
          globalSetup: loadedOnce('test/support/offer-shared.ts'),
          setupFiles: 'test/support/histories.ts',
          maxWorkers: 3,
          testTimeout: long,
          hookTimeout: long,
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: [inBrowser],
          exclude: LEFT_OUT,
          globalSetup: loadedOnce('test/web/start-shared.ts'),
          // A file's modules are the next one's, too: the driver of the browser takes as long to load as a test.
          isolate: false,
          maxWorkers: 3,
          testTimeout: long,
          hookTimeout: long,
        },
      },
      // The main job again, on PostgreSQL, BullMQ and S3 (test/many-machines/engines.ts).
      ...(process.env.TEST_POSTGRES_URL && process.env.TEST_REDIS_URL ? [onManyMachines] : []),
    ],
  },
});
