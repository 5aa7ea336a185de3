import { type Command, InvalidArgumentError, Option } from 'commander';
import { RegistryClient } from '../client/registry-client.js';
import type { Retry } from '../client/retry.js';
import { savedToken } from './credentials.js';

export interface ConnectionOptions {
  url: string;
  token?: string;
  giveUpAfter: number;
  json?: boolean;
}

/** The options of every command that talks to a service. */
export function addConnection(command: Command): Command {
  return command
    .addOption(
      new Option('--url <address>', 'address of the service, with its path prefix')
        .env('SAMPLE_REGISTRY_URL')
        .default('http://127.0.0.1:8080')
        .argParser(readAddress),
    )
    .addOption(
      new Option('--token <token>', 'bearer token; better set in the environment or kept by `login`').env(
        'SAMPLE_REGISTRY_TOKEN',
      ),
    )
    .addOption(
      new Option('--give-up-after <seconds>', 'how long to go on trying while the service is away')
        .default(300)
        .argParser(readSeconds),
    )
    .option('--json', 'print JSON for programs instead of text for people');
}

/** The client that the options ask for; says on standard error when it has to try again. */
export async function connect(options: ConnectionOptions, signal?: AbortSignal): Promise<RegistryClient> {
  // An empty variable of the environment counts as absent.
  const token = options.token || (await savedToken(options.url));
  return new RegistryClient({
    baseUrl: options.url,
    token,
    retry: { firstPauseMs: 500, longestPauseMs: 15_000, giveUpAfterMs: options.giveUpAfter * 1000 },
    onRetry: reportRetry,
    ...(signal ? { signal } : {}),
  });
}

function reportRetry({ reason, pauseMs }: Retry): void {
  process.stderr.write(`${reason.message} Trying again in ${Math.ceil(pauseMs / 1000)} s.\n`);
}

export function readAddress(text: string): string {
  if (!/^https?:\/\/[^\s/]+/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('An address looks like https://samples.example.org/biosamples.');
  }
  return text.replace(/\/+$/, '');
}

export function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > 1e6) throw new InvalidArgumentError('Give a number of seconds.');
  return seconds;
}
