/** For scripts that work on a clone of the last commit, so that what they install or change is nobody else's. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

/** A new folder for it, which is deleted when this process ends. */
export function folderOfClone(name) {
  const folder = mkdtempSync(join(tmpdir(), `sample-registry-${name}-`));
  // Tests run its programs as others, too.
  chmodSync(folder, 0o755);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  return folder;
}

/** Clones the last commit into the folder and installs what it needs. */
export function cloneInto(folder, env = process.env) {
  run('git', ['clone', '--quiet', ROOT, folder]);
  run('npm', ['ci', '--include=dev', '--no-progress'], { cwd: folder, env });
}

/** @returns what it printed, where that is piped. Ends this script with the program's code when it fails. */
export function run(program, args, options = {}) {
  const { status, error, stdout } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    ...options,
  });
  if (status === 0) return stdout ?? '';
  console.error(`\`${program} ${args.join(' ')}\` failed${error ? `: ${error.message}` : ''}.`);
  process.exit(status || 1);
}
