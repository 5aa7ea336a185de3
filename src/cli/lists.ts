import { type Command, InvalidArgumentError, Option } from 'commander';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { counted } from './counted.js';
import { printJson, printLine } from './print.js';
import { readerLeft } from './streams.js';

interface ListOptions extends ConnectionOptions {
  limit: number;
}

/** `list` and `search`. */
export function addListCommands(program: Command): void {
  const list = program
    .command('list')
    .description('Lists submissions, newest first: id, date, status, counts, file.')
    .addOption(limitOption());
  addConnection(list).action(async (options: ListOptions) => {
    const client = await connect(options);
    for await (const submission of client.submissions(options.limit)) {
      if (readerLeft()) return;
      const { submissionId, submissionDate = '', submissionStatus, counts, fileName = '' } = submission;
      const dryRun = submission.options?.dryRun ? 'dry run' : '';
      const cells = [submissionId, submissionDate, submissionStatus, counted(counts.rows, 'row'), dryRun, fileName];
      if (options.json) printJson(submission);
      else printLine(cells.map(oneCell).join('\t'));
    }
  });

  const search = program
    .command('search')
    .description('Lists samples that hold all these words, newest first: accession, name, release, status.')
    .argument('[word...]', 'words, or "a phrase"')
    .option('--filter <filter>', 'such as attr:organism:Homo sapiens; may be given several times', collect, [])
    .addOption(limitOption());
  addConnection(search).action(async (words: string[], options: ListOptions & { filter: string[] }) => {
    const client = await connect(options);
    const query = { ...(words.length > 0 ? { text: words.join(' ') } : {}), filter: options.filter };
    for await (const sample of client.search(query, options.limit)) {
      if (readerLeft()) return;
      const { accession, name, release = '', status = '' } = sample;
      if (options.json) printJson(sample);
      else printLine([accession, name, release, status].map(oneCell).join('\t'));
    }
  });
}

const limitOption = () => new Option('--limit <number>', 'at most so many').default(20).argParser(readLimit);

/** Of an option that may be given several times. */
export const collect = (value: string, before: string[]): string[] => [...before, value];

/** Names of others must not break the table. */
export const oneCell = (text: string): string => text.replace(/[\t\r\n]+/g, ' ');

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 9999999.');
  return Number(text);
}
