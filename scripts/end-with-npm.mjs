/**
 * npm runs a script by a shell, and hands a signal of its own to that shell alone: whoever ended `npm start` (a process manager, the system
 * on its way down) left the service running, and its port and store taken. What npm has started ends as on SIGTERM when its shell has ended.
 */
import { basename } from 'node:path';

const LOOK_EVERY_MS = 250;

/** Does nothing for a program that no script of package.json names. */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_script?.includes(basename(process.argv[1]))) return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  look.unref();
}
