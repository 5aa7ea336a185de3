import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { ask } from './ask.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { credentialsPath, saveToken } from './credentials.js';
import { printJson, printLine } from './print.js';

interface LoginOptions extends ConnectionOptions {
  username?: string;
  passwordStdin?: boolean;
  tokenStdin?: boolean;
}

export function addLoginCommand(program: Command): void {
  const command = program
    .command('login')
    .description(
      'Keeps a token for an address, so that other commands need none. Asks for account and password, or reads a token with --token-stdin.',
    )
    .option('--username <account>', 'account to sign in with')
    .option('--password-stdin', 'read the password from standard input')
    .option('--token-stdin', 'read a token from standard input and keep it');
  addConnection(command).action(async (options: LoginOptions) => {
    const token = options.tokenStdin ? await readSecret() : await signIn(options);
    if (token === '') throw new Error('No token was given.');
    // The token is tried before it is kept: a wrong one fails here and not in tonight's job.
    await (await connect({ ...options, token })).json({ path: '/submissions', query: { size: '1' } });
    await saveToken(options.url, token);
    if (options.json) printJson({ url: options.url, credentials: credentialsPath() });
    else printLine(`Signed in at ${options.url}; the token is kept in ${credentialsPath()}.`);
  });
}

const INSTEAD = 'Nobody can be asked here: give --username with --password-stdin, or --token-stdin.';

async function signIn(options: LoginOptions): Promise<string> {
  const username = options.username ?? (await ask('Account: ', { instead: INSTEAD }));
  const password = options.passwordStdin
    ? await readSecret()
    : await ask('Password: ', { instead: INSTEAD, hidden: true });
  return (await connect(options)).signIn(username, password);
}

const readSecret = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');
