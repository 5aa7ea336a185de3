/**
 * `npm test`: sets up, starts the services that the suites want, runs them and stops everything again, also on Ctrl-C.
 * Arguments go to vitest (`npm test -- test/tsv`). Tests with the tag `slow` run where arguments choose them and
 * with `--all` (`npm run test:all`), those with the tags `bounds` and `engines` in CI, too; `--proof` runs the long forms as well
 * (faults by the hundred, big files).
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { compileTests, pathsIn } from './modules.mjs';
import { find, install, OFTEN_STARTED, RARELY_STARTED, startPostgres, startRedis } from './services.mjs';
import { ROOT, setUpOrExit } from './setup.mjs';
import { hasSlow, skippedLine } from './skipped-tests.mjs';
import { slowFiles } from './slow-files.mjs';

const IN_MEMORY = 'sample-registry-test-';
/** Bytes that must be free there; a whole run held 0.7 GiB at most. */
const ROOM = 4 * 2 ** 30;
const given = process.argv.slice(2);
const args = given.filter((argument) => argument !== '--proof' && argument !== '--all');
const proof = given.includes('--proof');
const all = hasSlow(given);
/** Tags that this run leaves out. */
const leftOut = all ? [] : process.env.CI === 'true' ? ['slow'] : ['slow', 'bounds', 'engines'];

endWithNpm();
setUpOrExit();
const everything = proof || process.env.CI === 'true';
const missing = [
  ...install(proof ? [...OFTEN_STARTED, 'strace'] : OFTEN_STARTED),
  ...(everything ? install(RARELY_STARTED) : RARELY_STARTED.filter((program) => !find(program))),
];
for (const program of missing) {
  const then = process.env.CI === 'true' ? 'its suites will fail' : 'its suites are skipped';
  console.log(`No ${program} here: ${then}.`);
}

const inMemory = proof || process.env.TMPDIR ? undefined : folderInMemory();
const tests = mkdtempSync(join(ROOT, 'dist', 'tests-'));
// Before the services begin: theirs are there, too.
if (inMemory) process.env.TMPDIR = inMemory;
const started = [];
const env = {
  ...process.env,
  FIXTURES_DIR: process.env.FIXTURES_DIR ?? join(dirname(ROOT), 'shared', 'fixtures'),
  ...(proof && { PROOF: '1' }),
  COMPILED_TESTS: tests,
};
if (!proof) env.RANDOM_SEED ||= seedOfCommit();
if (!all) Object.assign(env, { QUICK_TESTS: '1', RANDOM_TIMES: env.RANDOM_TIMES || '0.1' });
let vitest;
process.once('exit', () => {
  endGroup(vitest);
  for (const service of started) service.stop();
  for (const folder of [tests, inMemory].filter(Boolean)) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (vitest) vitest.kill(signal);
    else process.exit(130);
  });
}

const paths = pathsIn(args);
const compiled = compileTests(tests, paths);
// A run of all tests begins sooner where they are started beside it, one of some files where those that nobody asks for are not.
const asks = paths ? await compiled : () => true;
await Promise.all([
  compiled,
  asks('TEST_REDIS_URL') && offer('TEST_REDIS_URL', 'redis-server', startRedis),
  asks('TEST_POSTGRES_URL') && offer('TEST_POSTGRES_URL', 'postgres', startPostgres),
]);
if (find('chromium')) env.TEST_CHROMIUM ??= find('chromium');

const output = join(ROOT, 'test-output');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(output, 'vitest.json')}`];
const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
vitest = spawn(
  process.execPath,
  [program, 'run', ...reporters, ...leftOut.map((tag) => `--tagsFilter=!${tag}`), ...args],
  {
    cwd: ROOT,
    env,
    stdio: 'inherit',
    detached: true,
  },
);
vitest.once('exit', (code) => {
  saySkipped();
  process.exit(code ?? 130);
});

/**
 * Ends what the suites have started, of which each is in the group of vitest: one that is ended by a signal stops none of
 * its servers, and they went on for good.
 */
function endGroup(leader) {
  try {
    process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // Nobody is left, or it never began.
  }
}

/**
 * A folder for what the suites write, where memory has room for all of it: thousands of stores synchronise each of their writes, and a
 * disk adds nothing to that but time. What a disk does to the registry is the matter of suites with disks of their own, and of the proof.
 */
function folderInMemory() {
  const place = '/dev/shm';
  if (!existsSync(place)) return undefined;
  removeLeft(place);
  const { bavail, bsize } = statfsSync(place);
  if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined;
  const folder = mkdtempSync(join(place, `${IN_MEMORY}${process.pid}-`));
  // Like the one in its place: PostgreSQL runs as another user.
  chmodSync(folder, 0o1777);
  return folder;
}

/** What runs that were killed have left there would take the machine's memory until it is started anew. */
function removeLeft(place) {
  for (const name of readdirSync(place)) {
    const pid = name.startsWith(IN_MEMORY) && Number.parseInt(name.slice(IN_MEMORY.length), 10);
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(place, name), { recursive: true, force: true });
  }
}

/** The closing line: a test that did not run is no test that passed. */
function saySkipped() {
  const path = join(output, 'vitest.json');
  if (!existsSync(path)) return;
  const absent = [
    ...missing,
    ...(existsSync(join(env.FIXTURES_DIR, 'README.md')) ? [] : ['fixtures']),
    ...leftOut,
    ...(proof ? [] : ['proof']),
  ];
  const line = skippedLine(JSON.parse(readFileSync(path, 'utf8')), absent, all ? 0 : slowFiles(ROOT).length);
  if (line) console.log(line);
}

/**
 * What is drawn at random is drawn from the files of the commit: they pass or fail together, today and tomorrow, and the
 * next commit tries other draws. The proof draws anew each time.
 */
function seedOfCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? String(Number.parseInt(stdout.slice(0, 7), 16)) : '';
}

/** Starts a service unless the caller brings one. */
async function offer(variable, program, start) {
  if (env[variable] || missing.includes(program)) return;
  try {
    const service = await start();
    started.push(service);
    env[variable] = service.url;
  } catch (error) {
    console.log(`${program} could not be started: ${error.message}`);
  }
}
