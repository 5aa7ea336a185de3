/**
 * After `npm ci` or `npm install`: sees to it that the SQLite driver of this Node is there (src/store/sqlite/driver.ts),
 * or exits with 1 and the reason. The version for Node 20 brings no binary in its package: it fetches one, or compiles for
 * a minute where none can be fetched. Newer versions of Node must not wait for that; theirs brings its binary.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const driver = Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';

if (!opens()) {
  const printed = driver === 'better-sqlite3' ? build() : '';
  if (!works()) {
    console.error(
      `${printed}The SQLite driver ${driver} is not installed for Node ${process.version}. Run npm ci with this Node, without --omit=optional. Node 20 also needs a network that reaches the prebuilt binaries of better-sqlite3, or python3, make and a C++ compiler; newer versions do not.`,
    );
    process.exit(1);
  }
}

/** In this process, which takes half of the time: what is not loaded here may still be loaded by another one. */
function opens() {
  try {
    new (require(driver))(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** In a process of its own: what is loaded once could not be loaded again. */
function works() {
  const open = `new (require('${driver}'))(':memory:').close()`;
  return (
    spawnSync(process.execPath, ['-e', open], { cwd: dirname(dirname(fileURLToPath(import.meta.url))) }).status === 0
  );
}

/** The package's own step of installation. @returns what it printed */
function build() {
  let folder;
  try {
    folder = dirname(require.resolve(`${driver}/package.json`));
  } catch {
    return '';
  }
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'install'], {
    cwd: folder,
    // Its two sources are compiled side by side, and as SQLite's own build does: with -O3, as the package has it, SQLite takes half as
    // long again to compile (108 s of processor for 74) and is no faster.
    env: { ...ownHeaders(), ...process.env, JOBS: 'max', CFLAGS: `-O2 ${process.env.CFLAGS ?? ''}` },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return `${stdout}${stderr}`;
}

/** Most installations of Node bring its headers: where those of this very version are there, none are fetched from nodejs.org. */
function ownHeaders() {
  const prefix = dirname(dirname(process.execPath));
  let version;
  try {
    version = readFileSync(join(prefix, 'include', 'node', 'node_version.h'), 'utf8');
  } catch {
    return {};
  }
  const [major, minor, patch] = ['MAJOR', 'MINOR', 'PATCH'].map(
    (part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(version)?.[1],
  );
  return process.version === `v${major}.${minor}.${patch}` ? { npm_config_nodedir: prefix } : {};
}
