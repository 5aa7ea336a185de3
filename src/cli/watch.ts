import { type Command, InvalidArgumentError, Option } from 'commander';
import { addConnection, type ConnectionOptions, connect, readSeconds } from './connection.js';
import { EXIT, type ExitCode, worstOf } from './exit-codes.js';
import { addUploadOptions, uploadOptionsOf } from './flags.js';
import { printJson, printLine } from './print.js';
import type { WatchEvent } from './watch/process-file.js';

interface WatchCommandOptions extends ConnectionOptions {
  stable: number;
  poll: number;
  retry: number;
  concurrency: number;
  once?: boolean;
}

export function addWatchCommand(program: Command): void {
  const command = program
    .command('watch')
    .summary('upload every file that appears in a folder')
    .description(
      'Takes files from DIR/inbox, uploads them, and puts each into DIR/done or DIR/rejected with its receipt, result, mapping and errors beside it. May be killed at any time.',
    )
    .argument('<dir>', 'folder to watch; inbox, working, done and rejected are made in it')
    .addOption(new Option('--stable <seconds>', 'how long a file must stay as it is').default(5).argParser(readSeconds))
    .addOption(new Option('--poll <seconds>', 'pause between two looks').default(1).argParser(readSeconds))
    .addOption(new Option('--retry <seconds>', 'pause after a failure').default(30).argParser(readSeconds))
    .addOption(new Option('--concurrency <n>', 'files worked on at once').default(4).argParser(readCount))
    .option('--once', 'end when the inbox is empty and every file has its end');
  addUploadOptions(command, false);
  addConnection(command).action(async (directory: string, options: WatchCommandOptions) => {
    process.exitCode = await runWatch(directory, options);
  });
}

/** One that keeps running ends with 0 when it is asked to stop, whatever became of its files. */
async function runWatch(directory: string, options: WatchCommandOptions): Promise<number> {
  const { watchFolder } = await import('./watch/daemon.js');
  const { FolderBusyError } = await import('./watch/journal.js');
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const codes = new Set<ExitCode>();
  try {
    await watchFolder({
      directory,
      client: await connect(options, stop.signal),
      upload: uploadOptionsOf({ ...options }),
      stableMs: options.stable * 1000,
      pollMs: options.poll * 1000,
      retryPauseMs: options.retry * 1000,
      concurrency: options.concurrency,
      once: options.once === true,
      signal: stop.signal,
      report: (event) => {
        if (event.code !== undefined) codes.add(event.code);
        report(event, options.json === true);
      },
    });
    return options.once && !stop.signal.aborted ? worstOf([...codes]) : EXIT.done;
  } catch (error) {
    if (stop.signal.aborted) return EXIT.done;
    if (!(error instanceof FolderBusyError)) throw error;
    process.stderr.write(`${directory}: ${error.message}\n`);
    return EXIT.refused;
  }
}

function report(event: WatchEvent, json: boolean): void {
  if (json) {
    printJson({ time: new Date().toISOString(), ...event });
    return;
  }
  const { event: what, key: _key, file, ...rest } = event;
  const details = Object.entries(rest).map(([name, value]) => `${name}: ${value}`);
  const line = `${new Date().toISOString()} ${file} ${what}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
  // Names and cells of others stand in it: none may look like a line of its own.
  printLine(line.replace(/[\r\n\u0085\u2028\u2029]+/g, ' '));
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 64) throw new InvalidArgumentError('Give a number from 1 to 64.');
  return count;
}
