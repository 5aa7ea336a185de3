import type { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import type { FacetsDocument } from '../client/documents.js';
import { type KeptExportDocument, saveKeptExport } from '../client/kept-exports.js';
import { saveStream } from '../client/save.js';
import { EXPORT_FORMATS, type ExportFormat } from '../formats/names.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { collect, oneCell } from './lists.js';
import { printJson, printLine } from './print.js';
import { addEditCommand } from './samples-edit.js';
import { printStream, readerLeft } from './streams.js';

/** `get` and `template`. */
export function addSampleCommands(program: Command): void {
  const get = program
    .command('get')
    .description('Prints samples as JSON, one a line when there are several or --json is given.')
    .argument('<accession...>', 'accessions');
  addConnection(get).action(async (accessions: string[], options: ConnectionOptions) => {
    const client = await connect(options);
    for (const accession of accessions) {
      if (readerLeft()) return;
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

/** `samples export`, `samples edit` and `samples facets`. */
export function addSamplesCommand(program: Command): void {
  const samples = program.command('samples').description('What concerns many samples at once.');
  addEditCommand(samples);
  addFacets(samples);
  const take = samples
    .command('export')
    .description('Takes everything that a search finds as one file; a sheet goes back in unchanged with no changes.')
    .option('--text <words>', 'words to find in names and characteristics')
    .option('--filter <filter>', 'such as attr:organism:Homo sapiens; may be given several times', collect, [])
    .addOption(new Option('--format <format>', 'of the file').choices(EXPORT_FORMATS).default('tsv'))
    .option('--as-submitted', 'not of a sheet: the samples without their curations')
    .option(
      '--keep',
      'with -o: the service makes the file first and keeps it for a day, so that a download that broke goes on where it stopped; the same command goes on after an interruption',
    )
    .option('--count', 'print how many samples there are, and nothing else')
    .option('-o, --output <file>', 'save it there instead of printing it');
  type Options = ConnectionOptions & {
    text?: string;
    filter: string[];
    format: ExportFormat;
    asSubmitted?: true;
    keep?: true;
    count?: true;
    output?: string;
  };
  addConnection(take).action(async (given: Options, command: Command) => {
    const { text, filter, format, asSubmitted, keep, count, output, ...options } = given;
    if (keep && !output) command.error('--keep needs a file to save to: -o FILE.');
    const client = await connect(options);
    const query = {
      format,
      ...(text === undefined ? {} : { text }),
      filter,
      ...(asSubmitted ? { applyCurations: 'false' } : {}),
    };
    if (count) process.stdout.write(`${await client.countExport(query)}\n`);
    else if (keep && output)
      await saveKeptExport(client, query, output, (begun) => process.stderr.write(aboutKept(begun)));
    else if (output) await client.saveExport(query, output);
    else await printStream(await client.export(query), options.url);
  });
}

const aboutKept = ({ exportId, state, expires }: KeptExportDocument): string =>
  `Export ${exportId} is ${state === 'ACTIVE' ? 'being made' : 'there'}; the service keeps it until ${expires}.\n`;

/** `samples facets`. */
function addFacets(samples: Command): void {
  const facets = samples
    .command('facets')
    .description('Counts what a search finds, by characteristic and value: characteristic, value, samples.')
    .option('--text <words>', 'words to find in names and characteristics')
    .option('--filter <filter>', 'such as attr:organism:Homo sapiens; may be given several times', collect, [])
    .option('--of <names>', 'characteristics separated by commas, or how many of the most frequent ones', '10')
    .option('--values <number>', 'values of each that are listed', '10');
  type Options = ConnectionOptions & { text?: string; filter: string[]; of: string; values: string };
  addConnection(facets).action(async ({ text, filter, of, values, ...options }: Options) => {
    const client = await connect(options);
    const query = { ...(text === undefined ? {} : { text }), filter, facets: of, facetValues: values };
    const found = await client.facets(query);
    if (options.json) printJson(found);
    else for (const cells of facetRows(found)) printLine(cells.map(oneCell).join('\t'));
  });
}

function* facetRows({ samples, characteristics, notIndexed }: FacetsDocument): Generator<string[]> {
  yield ['', 'all samples', String(samples)];
  for (const { name, samples: having, values, ranges = [], others = 0 } of characteristics) {
    yield [name, 'any value', String(having)];
    for (const { value, samples: count } of values) yield [name, value, String(count)];
    if (others > 0) yield [name, `${others} more values`, ''];
    for (const { from, below, samples: count } of ranges) {
      const ends = [from === undefined ? '' : `from ${from}`, below === undefined ? '' : `below ${below}`];
      yield [name, ends.filter(Boolean).join(' '), String(count)];
    }
  }
  if (notIndexed !== undefined) yield ['', `${notIndexed} changes are not counted yet`, ''];
}

async function saveOrPrint(source: Readable, output: string | undefined, from: string): Promise<void> {
  if (output) await saveStream(source, output, from);
  else await printStream(source, from);
}
