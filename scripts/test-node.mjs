/**
 * `npm run test:node24`, or `node scripts/test-node.mjs VERSION [vitest arguments]`: clones the last commit
 * into a temporary folder, installs it with that version of Node (from the npm package `node`, so nothing has to be on
 * the machine), runs the example and all tests there, and deletes the folder. Native packages belong to the Node that
 * installed them, hence the clone.
 */
import { delimiter, dirname } from 'node:path';
import { cloneInto, folderOfClone, run } from './clone.mjs';

const [version = '', ...tests] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('Which Node? For instance: node scripts/test-node.mjs 24 test/store');
  process.exit(2);
}

const folder = folderOfClone(`node${version}`);
const node = nodeOf(version);
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
console.log(
  `Node ${run(node, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] }).trim()}, a clone of the last commit in ${folder}`,
);
cloneInto(folder, env);
run('npm', ['run', 'demo', '--', '--once'], { cwd: folder, env });
run('npm', tests.length > 0 ? ['test', '--', ...tests] : ['run', 'test:all'], { cwd: folder, env });
console.log(`Node ${version}: everything passed.`);

/** Path of that Node's program, which npm fetches unless it is there. */
function nodeOf(wanted) {
  const print = ['-y', '-p', `node@${wanted}`, '-c', 'node -p process.execPath'];
  return run('npx', print, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
