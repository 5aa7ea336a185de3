/**
 * After `npm ci` or `npm install`: sees to it that Node 20 has the better-sqlite3 it needs (src/store/sqlite/driver.ts).
 * That version brings no binary in its package: it fetches one, or compiles for a minute where none can be fetched.
 * Newer versions of Node use better-sqlite3-13, which brings its binary, and must not wait for that.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const OLDER_THAN_ITS_BINARY = 22;

if (Number.parseInt(process.versions.node, 10) < OLDER_THAN_ITS_BINARY && !works()) {
  const folder = folderOf('better-sqlite3');
  if (folder)
    spawnSync('npm', ['run', '--silent', 'install'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  if (!works()) {
    console.error(
      `better-sqlite3 could not be installed for Node ${process.version}: it needs a network that reaches its prebuilt binaries, or python3, make and a C++ compiler. Node 22 and newer need neither.`,
    );
    process.exit(1);
  }
}

/** In a process of its own: what is loaded here could not be replaced. */
function works() {
  const open = "new (require('better-sqlite3'))(':memory:').close()";
  return (
    spawnSync(process.execPath, ['-e', open], { cwd: dirname(dirname(fileURLToPath(import.meta.url))) }).status === 0
  );
}

function folderOf(name) {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
