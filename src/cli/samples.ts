import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { saveStream } from '../client/save.js';
import { EXPORT_FORMATS, type ExportFormat } from '../formats/names.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { collect } from './lists.js';
import { printJson } from './print.js';
import { addEditCommand } from './samples-edit.js';

/** `get` and `template`. */
export function addSampleCommands(program: Command): void {
  const get = program
    .command('get')
    .description('Prints samples as JSON, one a line when there are several or --json is given.')
    .argument('<accession...>', 'accessions');
  addConnection(get).action(async (accessions: string[], options: ConnectionOptions) => {
    const client = await connect(options);
    for (const accession of accessions) {
      const sample = await client.sample(accession);
      if (options.json || accessions.length > 1) printJson(sample);
      else process.stdout.write(`${JSON.stringify(sample, null, 2)}\n`);
    }
  });

  const template = program
    .command('template')
    .description('Fetches a sheet to fill in: empty for a checklist, or with existing samples to edit.')
    .addOption(new Option('--checklist <id>', 'checklist that the sheet is for').conflicts(['accession', 'submission']))
    .addOption(new Option('--accession <list>', 'accessions, separated by commas').conflicts('submission'))
    .option('--submission <id>', 'the samples of this submission')
    .addOption(new Option('--format <format>', 'of an empty sheet').choices(['tsv', 'xlsx']).default('tsv'))
    .option('-o, --output <file>', 'save it there instead of printing it');
  type Options = ConnectionOptions & {
    checklist?: string;
    accession?: string;
    submission?: string;
    format: 'tsv' | 'xlsx';
    output?: string;
  };
  addConnection(template).action(async (options: Options, command: Command) => {
    const { checklist, accession, submission, format, output } = options;
    const client = await connect(options);
    if (!checklist && !accession && !submission) {
      command.error('Name what the sheet is for: --checklist, --accession or --submission.');
    }
    const sheet = checklist
      ? await client.template(checklist, format)
      : await client.sheet({ ...(accession ? { accession } : {}), ...(submission ? { submission } : {}) });
    await saveOrPrint(sheet, output, options.url);
  });
}

/** `samples export` and `samples edit`. */
export function addSamplesCommand(program: Command): void {
  const samples = program.command('samples').description('What concerns many samples at once.');
  addEditCommand(samples);
  const take = samples
    .command('export')
    .description('Takes everything that a search finds as one file; a sheet goes back in unchanged with no changes.')
    .option('--text <words>', 'words to find in names and characteristics')
    .option('--filter <filter>', 'such as attr:organism:Homo sapiens; may be given several times', collect, [])
    .addOption(new Option('--format <format>', 'of the file').choices(EXPORT_FORMATS).default('tsv'))
    .option('--as-submitted', 'not of a sheet: the samples without their curations')
    .option('--count', 'print how many samples there are, and nothing else')
    .option('-o, --output <file>', 'save it there instead of printing it');
  type Options = ConnectionOptions & {
    text?: string;
    filter: string[];
    format: ExportFormat;
    asSubmitted?: true;
    count?: true;
    output?: string;
  };
  addConnection(take).action(async ({ text, filter, format, asSubmitted, count, output, ...options }: Options) => {
    const client = await connect(options);
    const query = {
      format,
      ...(text === undefined ? {} : { text }),
      filter,
      ...(asSubmitted ? { applyCurations: 'false' } : {}),
    };
    if (count) process.stdout.write(`${await client.countExport(query)}\n`);
    else if (output) await client.saveExport(query, output);
    else await pipeline(await client.export(query), process.stdout, { end: false });
  });
}

async function saveOrPrint(source: Readable, output: string | undefined, from: string): Promise<void> {
  if (output) await saveStream(source, output, from);
  else await pipeline(source, process.stdout, { end: false });
}
