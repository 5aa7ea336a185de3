import { type Command, Option } from 'commander';
import { hasEnded } from '../client/documents.js';
import type { PartFormat, SubmissionPart } from '../client/registry-client.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { describeSubmission, printJson, printLine } from './print.js';
import { withProgress } from './progress.js';
import { printStream } from './streams.js';

/** `status`, `cancel`, and the parts of a submission as files. */
export function addSubmissionCommands(program: Command): void {
  const status = program
    .command('status')
    .description('Shows what became of a submission.')
    .argument('<submission>', 'submission id')
    .option('--wait', 'wait until it has ended');
  addConnection(status).action(async (id: string, options: ConnectionOptions & { wait?: boolean }) => {
    const client = await connect(options);
    const submission = options.wait
      ? await withProgress(id, options.json === true, ({ processing }) => client.wait(id, processing))
      : await client.status(id);
    if (options.json) printJson(submission);
    else printLine(describeSubmission(submission));
    process.exitCode = exitCodeOf(submission);
  });

  const cancel = program
    .command('cancel')
    .description('Stops a submission; samples that it has registered stay.')
    .argument('<submission>', 'submission id');
  addConnection(cancel).action(async (id: string, options: ConnectionOptions) => {
    const client = await connect(options);
    await client.cancel(id);
    const submission = await client.wait(id);
    if (options.json) printJson(submission);
    else printLine(describeSubmission(submission));
    process.exitCode = submission.submissionStatus === 'CANCELLED' ? EXIT.done : EXIT.refused;
  });

  addFollowUpCommand(
    program,
    'commit',
    'Carries out a dry run as it was shown; rows whose sample changed since are left alone.',
  );
  addFollowUpCommand(
    program,
    'undo',
    'Takes back what a submission did: new samples are withdrawn, updated ones as before.',
  );

  addPartCommand(program, 'result', 'Fetches the uploaded table with accessions filled in and the receipt below.', [
    'tsv',
    'xlsx',
  ]);
  addPartCommand(program, 'mapping', 'Fetches the JSON file that maps sample names to accessions.');
  addPartCommand(program, 'errors', 'Fetches the rejected rows with what is wrong with each.', ['tsv', 'json', 'xlsx']);
  addPartCommand(program, 'missing', 'Fetches the list of samples that a standing sheet has no more.');
  addPartCommand(
    program,
    'open-relationships',
    'Fetches the list of relationships that wait for samples still to come.',
  );
  addPartCommand(program, 'original', 'Fetches the file as it was uploaded.');
  addPartCommand(program, 'ro-crate', 'Fetches a zip of all that, described as an RO-Crate.');
}

function addFollowUpCommand(program: Command, step: 'commit' | 'undo', description: string): void {
  const command = program
    .command(step)
    .description(description)
    .argument('<submission>', 'submission id')
    .option('--wait', 'wait until it has ended');
  addConnection(command).action(async (id: string, options: ConnectionOptions & { wait?: boolean }) => {
    const client = await connect(options);
    let submission = await client.followUp(id, step);
    if (options.wait && !hasEnded(submission.submissionStatus)) submission = await client.wait(submission.submissionId);
    if (options.json) printJson(submission);
    else printLine(describeSubmission(submission));
    process.exitCode = exitCodeOf(submission);
  });
}

/** `formats`: what the part can be fetched as; the first is what it is without being asked. */
function addPartCommand(
  program: Command,
  part: SubmissionPart,
  description: string,
  formats: readonly PartFormat[] = [],
): void {
  const command = program
    .command(part)
    .description(description)
    .argument('<submission>', 'submission id')
    .option('--wait', 'wait until the submission has ended')
    .option('-o, --output <file>', 'save it there instead of printing it');
  if (formats.length > 0) {
    command.addOption(new Option('--format <format>', 'as text or as a workbook of text cells').choices(formats));
  }
  type Options = ConnectionOptions & { wait?: boolean; output?: string; format?: PartFormat };
  addConnection(command).action(async (id: string, options: Options) => {
    const client = await connect(options);
    if (options.wait && !hasEnded((await client.status(id)).submissionStatus)) await client.wait(id);
    if (options.output) await client.savePart(id, part, options.output, options.format);
    else await printStream(await client.part(id, part, options.format), options.url);
  });
}
