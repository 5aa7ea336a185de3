import { type Command, InvalidArgumentError, Option } from 'commander';
import { RegistryClient } from '../client/registry-client.js';
import type { Retry } from '../client/retry.js';
import { savedToken } from './credentials.js';

const ADDRESS = 'SAMPLE_REGISTRY_URL';
const DEFAULT_ADDRESS = 'http://127.0.0.1:8080';

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
        .env(ADDRESS)
        .default(DEFAULT_ADDRESS)
        .argParser(addressOrDefault),
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
  const kept = options.token ? undefined : () => savedToken(options.url);
  return new RegistryClient({
    baseUrl: options.url,
    token: options.token || (await kept?.()),
    keptToken: kept,
    retry: { firstPauseMs: 500, longestPauseMs: 15_000, giveUpAfterMs: options.giveUpAfter * 1000 },
    onRetry: reportRetry,
    environment: process.env,
    ...(signal ? { signal } : {}),
  });
}

function reportRetry({ reason, pauseMs }: Retry): void {
  process.stderr.write(`${reason.message} Trying again in ${Math.ceil(pauseMs / 1000)} s.\n`);
}

/** Blanks around it are those of the file that it came from. */
export function readAddress(given: string): string {
  const text = given.trim();
  if (!/^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('An address looks like https://samples.example.org/biosamples.');
  }
  const { username, password, host } = new URL(text);
  // Not as an invalid argument, which would be shown: it stands in logs then.
  if (username || password)
    throw new Error(
      `The address of ${host} has a user name or a password in it: leave them out, and sign in with login.`,
    );
  return text.replace(/\/+$/, '');
}

/** An empty variable of the environment counts as absent. */
const addressOrDefault = (given: string): string =>
  given === '' && process.env[ADDRESS] === '' ? DEFAULT_ADDRESS : readAddress(given);

export function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > 1e6) throw new InvalidArgumentError('Give a number of seconds.');
  return seconds;
}
