import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProposedColumn, SheetProposal } from '../client/documents.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { readJsonFile } from './json-file.js';
import { oneCell } from './lists.js';
import { forTerminal, printJson, printLine } from './print.js';

/** `profile guess`, `list`, `show`, `save` and `delete`. */
export function addProfileCommands(program: Command): void {
  const profile = program.command('profile').description('Import profiles: what the columns of your own sheets are.');
  addGuess(profile);

  const list = profile
    .command('list')
    .description('Lists import profiles, your own first: name, whose (own, shared, shipped), version, title.');
  addConnection(list).action(async (options: ConnectionOptions) => {
    const client = await connect(options);
    for (const each of await client.profiles()) {
      const { name, rank, version, title } = each;
      if (options.json) printJson(each);
      else printLine([name, rank, version === undefined ? '' : String(version), title].map(oneCell).join('\t'));
    }
  });

  const show = profile
    .command('show')
    .description('Prints an import profile as the document that can be edited and saved again.')
    .argument('<name>')
    .addOption(new Option('--of-version <number>', 'an earlier version of a kept one').argParser(readNumber));
  addConnection(show).action(async (name: string, options: ConnectionOptions & { ofVersion?: number }) => {
    const client = await connect(options);
    const document = await client.profile(name, options.ofVersion);
    if (options.json) printJson(document);
    else process.stdout.write(inLines(document));
  });

  const save = profile
    .command('save')
    .description('Keeps an import profile under a name; another document makes a new version.')
    .argument('<name>')
    .argument('<file>', 'its document, as `guess` and `show` write it')
    .option('--shared', 'everybody may read sheets by it; for administrators');
  addConnection(save).action(async (name: string, file: string, options: ConnectionOptions & { shared?: true }) => {
    const document = await readJsonFile(file, 'Write one with: sample-registry profile guess');
    const client = await connect(options);
    const kept = await client.keepProfile(name, document, options.shared);
    if (options.json) printJson(kept);
    else printLine(`${kept.name}: version ${kept.version}. Sheets with its headers are read by it from now on.`);
  });

  const remove = profile
    .command('delete')
    .description('Deletes an import profile; what was uploaded by it stays as it is.')
    .argument('<name>');
  addConnection(remove).action(async (name: string, options: ConnectionOptions) => {
    const client = await connect(options);
    await client.deleteProfile(name);
    if (options.json) printJson({ deleted: name });
    else printLine(`${name} is deleted.`);
  });
}

interface GuessOptions extends ConnectionOptions {
  sheet?: string;
  headerLine?: number;
  encoding?: string;
  output?: string;
}

function addGuess(profile: Command): void {
  const guess = profile
    .command('guess')
    .summary('write a profile for a file, to edit and save')
    .description(
      'Writes what the columns of a file are taken for as an import profile, to edit and to keep with `profile save`; tells on standard error why, and how sure that is.',
    )
    .argument('<file>', 'a table, a workbook or an archive')
    .option('--sheet <name>', 'sheet of a workbook, or table of an archive')
    .addOption(new Option('--header-line <line>', 'line of the header row').argParser(readNumber))
    .option('--encoding <label>', 'of text that is neither UTF-8 nor marked')
    .option('-o, --output <file>', 'save it there instead of printing it');
  addConnection(guess).action(async (file: string, options: GuessOptions) => {
    const { sheet, headerLine, encoding, output } = options;
    const client = await connect(options);
    const proposal = await client.proposeProfile(file, {
      ...(sheet === undefined ? {} : { sheet }),
      ...(headerLine === undefined ? {} : { headerLine: String(headerLine) }),
      ...(encoding === undefined ? {} : { encoding }),
    });
    if (options.json) return printJson(proposal);
    for (const line of explained(proposal)) process.stderr.write(`${forTerminal(line)}\n`);
    if (output === undefined) process.stdout.write(inLines(proposal.document));
    else await writeFile(output, inLines(proposal.document));
  });
}

/** One line a column: header, example, what it is taken for, how sure, why. */
function explained({ sheet, headerLine, columns, lacks, profile }: SheetProposal): string[] {
  const lines = [`Header: line ${headerLine}${sheet === undefined ? '' : ` of ${sheet}`}.`];
  if (profile?.missing)
    lines.push(
      `Nearly the columns of the profile ${profile.name}; new ones are marked${profile.missing.length > 0 ? `, and it lacks ${profile.missing.join(', ')}` : ''}.`,
    );
  else if (profile) lines.push(`Read as it is by the profile ${profile.name}.`);
  for (const column of columns) lines.push(describeColumn(column));
  const advice = { name: ADD_NAME, organism: ADD_ORGANISM, release: ADD_RELEASE };
  return [...lines, ...lacks.map((what) => advice[what])].map(oneLine);
}

const ADD_NAME = 'No column names the samples: give one of them "as": "name".';
const ADD_ORGANISM = 'No column says the organism: where it is the same for all, add it to "fixed".';
const ADD_RELEASE =
  'No column says the release: give it with the upload (--release-date), or add it as "release": a day, or today.';

function describeColumn({ header, examples, meaning, confidence, why, fresh }: ProposedColumn): string {
  const { as = 'not stored', ...more } = meaning ?? {};
  const rest = Object.entries(more).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const what = [as, ...rest].join(', ');
  return `${fresh ? 'new ' : ''}${header || '(no header)'}  [${examples.join(' | ')}]  ${what}  ${confidence}: ${why}`;
}

const oneLine = (text: string): string => text.replace(/[\r\n\t]+/g, ' ');
const inLines = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return Number(text);
}
