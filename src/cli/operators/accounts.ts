import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ask } from '../ask.js';
import { printJson, printLine } from '../print.js';
import { operate, operateOnNew } from './operate.js';

const SCOPES = ['read', 'submit', 'admin'] as const;
type Scope = (typeof SCOPES)[number];
const DAY_MS = 24 * 3600_000;

/** `token` and `account`. */
export function addAccountCommands(program: Command): void {
  const token = program.command('token').description('Tokens, on the store itself.');
  token
    .command('create')
    .description('Makes a token and prints it, this once; an account that is new is made, and said to be new.')
    .requiredOption('--account <name>', 'whose token it is')
    .option('--name <text>', 'what it is for', 'command line')
    .addOption(
      new Option('--scopes <list>', 'of read, submit, admin').default(['read', 'submit']).argParser(readScopes),
    )
    .addOption(new Option('--expires-in-days <days>', 'absent: never').argParser(readDays))
    .option('--json', 'print JSON')
    .action(
      async (options: { account: string; name: string; scopes: Scope[]; expiresInDays?: number; json?: boolean }) => {
        const { account, name, scopes, expiresInDays, json } = options;
        const issued = await operateOnNew(async (operator) => {
          const expires = expiresInDays === undefined ? {} : { expires: Date.now() + expiresInDays * DAY_MS };
          if (await operator.ensureAccount(account)) {
            process.stderr.write(
              `There was no account ${account}: it was made. Look at the spelling if that is a surprise.\n`,
            );
          }
          const made = await operator.tokens.issue({ account, name, scopes, ...expires });
          operator.audit('token create', 0, `token ${made.record.id} of ${account}`);
          return made;
        });
        if (json) printJson({ token: issued.text, ...issued.record });
        else printLine(issued.text);
      },
    );
  token
    .command('list')
    .description('Lists tokens, newest first; their text is nowhere kept.')
    .option('--account <name>', 'of this account alone')
    .option('--json', 'print JSON, one token a line')
    .action(async ({ account, json }: { account?: string; json?: boolean }) => {
      for (const record of await operate((operator) => operator.tokens.list(account))) {
        if (json) printJson(record);
        else printLine(describeToken(record));
      }
    });
  token
    .command('revoke')
    .description('Revokes a token.')
    .argument('<id>', 'id, as list prints it')
    .action(async (id: string) => {
      await operate(async (operator) => {
        if (!(await operator.tokens.revoke(id))) throw new Error(`There is no token ${id}.`);
        operator.audit('token revoke', 0, `token ${id}`);
      });
      printLine(`Token ${id} is revoked; running services stop taking it within some seconds.`);
    });

  const account = program.command('account').description('Accounts, on the store itself.');
  addPasswordCommand(account, 'create', 'Makes an account that signs in with a password.', true);
  addPasswordCommand(account, 'passwd', 'Sets the password of an account.', false);
}

function addPasswordCommand(account: Command, name: string, description: string, make: boolean): void {
  account
    .command(name)
    .description(description)
    .argument('<name>', 'account')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (who: string, { passwordStdin }: { passwordStdin?: boolean }) => {
      const password = passwordStdin
        ? (await text(process.stdin)).replace(/\r?\n$/, '')
        : await ask('Password: ', { instead: 'Nobody can be asked here: give --password-stdin.', hidden: true });
      await (make ? operateOnNew : operate)(async (operator) => {
        await operator.setPassword(who, password, make);
        operator.audit(`account ${name}`, 0, `account ${who}`);
      });
      printLine(`Account ${who} signs in with this password now.`);
    });
}

function describeToken(record: {
  id: string;
  account: string;
  name: string;
  scopes: string[];
  expires?: number;
  revoked: boolean;
}): string {
  const until = record.expires === undefined ? 'never expires' : `expires ${new Date(record.expires).toISOString()}`;
  const state = record.revoked ? 'revoked' : until;
  return `${record.id}  ${record.account}  ${record.name}  ${record.scopes.join(',')}  ${state}`;
}

function readScopes(list: string): Scope[] {
  const scopes = list.split(',').map((scope) => scope.trim());
  const known = scopes.filter((scope): scope is Scope => (SCOPES as readonly string[]).includes(scope));
  if (known.length === 0 || known.length < scopes.length) {
    throw new InvalidArgumentError(`Give a list such as read,submit; scopes are ${SCOPES.join(', ')}.`);
  }
  return known;
}

function readDays(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('Give a number of days.');
  return Number(text);
}
