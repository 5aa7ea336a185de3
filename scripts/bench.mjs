/** `npm run bench`: sets up when needed, then runs the benchmark with the arguments given (`-- --short`). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './services.mjs';
import { ROOT, setUpOrExit } from './setup.mjs';

setUpOrExit();
const missing = install(['sqlite3']);
if (missing.length > 0) console.log(`Without ${missing.join(', ')}: the comparisons that need it are left out.`);
const main = join(ROOT, 'dist', 'bench', 'main.js');
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
process.exit(status ?? 1);
