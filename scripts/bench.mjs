/** `npm run bench`: sets up when needed, starts throwaway services to measure with, runs the bench with the arguments given (`-- --short`). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { install, MEASURED_WITH, startPostgres, startRedis } from './services.mjs';
import { ROOT, setUpOrExit } from './setup.mjs';

endWithNpm();
setUpOrExit();
const missing = install(MEASURED_WITH);
if (missing.length > 0) console.log(`Without ${missing.join(', ')}: the comparisons that need it are left out.`);

const given = process.argv.slice(2);
const only = given.find((argument) => argument.startsWith('--only='));
const started = [];
const env = { ...process.env };
process.once('exit', () => {
  for (const service of started) service.stop();
});
for (const [variable, program, start] of [
  ['TEST_REDIS_URL', 'redis-server', startRedis],
  ['TEST_POSTGRES_URL', 'postgres', () => startPostgres({ durable: true })],
]) {
  if (env[variable] || missing.includes(program) || (only && !/\bpostgres\b/.test(only))) continue;
  const service = await start();
  started.push(service);
  env[variable] = service.url;
}

const main = join(ROOT, 'dist', 'bench', 'main.js');
const bench = spawn(process.execPath, [main, ...given], { cwd: ROOT, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal));
bench.once('exit', (code) => process.exit(code ?? 1));
