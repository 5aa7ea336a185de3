import { type Command, Option } from 'commander';
import { readAddress } from '../connection.js';
import { savedToken } from '../credentials.js';
import { printJson, printLine } from '../print.js';
import { readConfig } from './operate.js';

interface Options {
  token?: string;
  once?: boolean;
  end?: boolean;
  json?: boolean;
}

/** `mirror`. */
export function addMirrorCommand(program: Command): void {
  program
    .command('mirror')
    .description('Keeps the store of the settings a copy of another registry, from where it was left; Ctrl-C ends it.')
    .argument('[url]', 'address of the registry to copy', readAddress)
    .addOption(
      new Option('--token <token>', 'bearer token there; an administrator’s copies everything').env(
        'SAMPLE_REGISTRY_TOKEN',
      ),
    )
    .option('--once', 'end when everything is here, instead of waiting for more')
    .option('--end', 'make the copy a registry of its own, which takes samples')
    .option('--json', 'print JSON')
    .action(async (url: string | undefined, { token, once, end, json }: Options) => {
      if ((url === undefined) !== (end === true)) throw new Error('Give the address of a registry, or --end and none.');
      const { endMirror, runMirror } = await import('../../wiring/compose-mirror.js');
      const config = await readConfig();
      if (url === undefined) {
        await endMirror(config);
        printLine('This is a registry of its own now; numbers go on behind the last accession.');
        return;
      }
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
      const mirrored = await runMirror(config, {
        source: url,
        token: token || (await savedToken(url)),
        once: once === true,
        signal: stopping.signal,
        onStep: (changes) => process.stderr.isTTY && process.stderr.write(`\r${changes} changes   `),
        onRetry: ({ reason, pauseMs }) =>
          process.stderr.write(`${reason.message} Trying again in ${Math.ceil(pauseMs / 1000)} s.\n`),
      });
      if (json) printJson(mirrored);
      else printLine(`${mirrored.changes} changes were taken.`);
    });
}
