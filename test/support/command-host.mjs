/**
 * One process that runs one command line after the other, so that its modules are loaded once: `{ words, env, cwd,
 * input }` by message. What a command prints goes to this process's own streams, and END follows on both; `{ code }`
 * comes back by message. As with a process of its own, a command has not ended while anything that it began keeps the
 * process running.
 */
import { Readable } from 'node:stream';
import { runCommandLine } from '../../dist/src/cli/command-line.js';

/** No command prints this. */
const END = process.argv[2];
const streams = [process.stdout, process.stderr];
process.on('disconnect', () => process.exit());
process.on('message', async ({ words, env, cwd, input }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  const before = keepingAlive();
  const code = await runCommandLine(words);
  while (moreThan(before)) await aMoment();
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  for (const stream of streams) stream.write(END);
  process.send({ code });
});

/** How many of each kind keep this process running. */
function keepingAlive() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const moreThan = (before) => [...keepingAlive()].some(([kind, count]) => count > (before.get(kind) ?? 0));

/** By a timer that does not keep the process running itself. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1).unref());
