/**
 * Brings a fresh clone to where it runs: installs the locked packages when they are not all there, and builds dist/
 * when a source is newer than the last build. Plain Node, because nothing is installed when it starts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Holds when the build began that lies in dist/; a build begins by deleting all of that. */
export const STAMP = join(ROOT, 'dist', '.built');
const BUILDERS = ['build', 'bundle', 'modules'].map((name) => `scripts/${name}.mjs`);
const SOURCES = ['src', 'workers', 'bench', 'web', 'package.json', ...BUILDERS];
const OLDEST_NODE = 20;

/** @throws Error when Node is too old, npm fails or the sources cannot be built; npm's and the bundler's own words stand above it. */
export function setUp() {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Error(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}. See https://nodejs.org/.`);
  }
  if (!packagesInstalled() || !driverInstalled()) {
    console.log('Installing packages (npm ci), once …');
    npm('ci', '--include=dev', '--loglevel=error');
  }
  if (!buildIsFresh()) {
    console.log('Building …');
    npm('run', '--silent', 'build');
  }
}

function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed, see above.`);
}

/** Compares what npm has installed with the lock file by version, because a checkout gives files any time of change. */
function packagesInstalled() {
  const installedList = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

/** Native packages belong to the Node that installed them; another one may run now. */
function driverInstalled() {
  return spawnSync(process.execPath, [join(ROOT, 'scripts', 'install-driver.mjs')]).status === 0;
}

function buildIsFresh() {
  if (!existsSync(STAMP)) return false;
  const built = Date.parse(readFileSync(STAMP, 'utf8'));
  return SOURCES.every((source) => newest(join(ROOT, source)) < built);
}

/** Time of the newest change in a file or folder, milliseconds since 1970; 0 when there is none. */
function newest(path) {
  if (!existsSync(path) || /[\\/](node_modules|dist)$/.test(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((entry) => newest(join(path, entry))));
}

/** For scripts: sets up, or ends the process with the reason. */
export function setUpOrExit() {
  try {
    setUp();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
