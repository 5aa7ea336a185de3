import { basename } from 'node:path';
import type { Command } from 'commander';
import { formOf, hasEnded, PART_ENDING, type SubmissionDocument } from '../client/documents.js';
import { RefusedError, UnavailableError } from '../client/failures.js';
import type { RegistryClient } from '../client/registry-client.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { type ExitCode, exitCodeOf, exitCodeOfFailure, worstOf } from './exit-codes.js';
import { addUploadOptions, asFlags, uploadOptionsOf } from './flags.js';
import { describeSubmission, printJson, printLine } from './print.js';
import { progressFor } from './progress.js';
import { namesApart, savedNames, tablesNamed, tablesOf } from './several-tables.js';
import { checkPlaces, checkReadable, PARTS, type Places, placeOf } from './upload-places.js';

interface UploadCommandOptions extends ConnectionOptions, Places {
  wait?: boolean;
  idempotencyKey?: string;
  sheet?: string;
  standing?: string;
  everyTable?: boolean;
}

export function addUploadCommand(program: Command): void {
  const command = program
    .command('upload')
    .summary('register or update the samples of one or more files')
    .description(
      'Uploads tables of samples (TSV, CSV, XLSX). Small files are answered with their outcome; of large ones the submission id is printed unless --wait is given. Of an archive with several tables of samples each is uploaded, as a submission of its own.',
    )
    .argument('<file...>', 'tables to upload, one after the other')
    .option('--wait', 'wait until every file is processed')
    .option('--every-table', 'upload each sheet of a workbook that names samples, not the first alone');
  addUploadOptions(command, true)
    .option('--idempotency-key <key>', 'key of this upload, for scripts that repeat it; only with one file')
    .option('--result <out>', 'save the result table (into a folder when there are several files); waits')
    .option('--mapping <out>', 'save the mapping of names to accessions; waits')
    .option('--errors <out>', 'save the rejected rows with what is wrong with them; waits');
  addConnection(command).action(async (files: string[], options: UploadCommandOptions) => {
    process.exitCode = await uploadAll(files, options);
  });
}

async function uploadAll(files: string[], options: UploadCommandOptions): Promise<ExitCode> {
  if (options.everyTable && options.sheet !== undefined)
    throw new Error('--sheet names one table, and --every-table means all of them: use one of the two.');
  if (options.idempotencyKey && files.length > 1) throw new Error('--idempotency-key can be used with one file only.');
  for (const file of files) await checkReadable(file);
  await checkPlaces(options, files.length > 1);
  const client = await connect(options);
  const codes: ExitCode[] = [];
  const names = namesApart(files.map((file) => basename(file)));
  for (const [at, file] of files.entries()) {
    const savedAs = files.length > 1 ? names[at] : undefined;
    codes.push(await (options.everyTable ? uploadEvery : uploadOne)(client, file, options, savedAs));
  }
  return worstOf(codes);
}

async function uploadEvery(...[client, file, options, savedAs]: Parameters<typeof uploadOne>): Promise<ExitCode> {
  let tables: readonly string[];
  try {
    tables = await tablesOf(client, file);
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof UnavailableError)) throw error;
    reportFailure(file, error, options);
    return exitCodeOfFailure(error);
  }
  return tables.length > 0
    ? uploadTables(client, file, tables, options, savedAs)
    : uploadOne(client, file, options, savedAs);
}

/** `savedAs`: how its parts begin in the folders that the options name; absent: these name the parts themselves, or folders for them. */
async function uploadOne(
  client: RegistryClient,
  file: string,
  options: UploadCommandOptions,
  savedAs?: string,
): Promise<ExitCode> {
  const progress = progressFor(basename(file), options.json === true);
  try {
    const uploaded = await client.upload({
      path: file,
      options: uploadOptionsOf({ ...options }),
      onBytes: progress.sending,
      ...(options.idempotencyKey ? { idempotencyKey: options.idempotencyKey } : {}),
    });
    const parts = PARTS.filter((part) => options[part] !== undefined);
    const standing = uploaded.submission.options?.standing !== undefined;
    const wanted = options.wait === true || parts.length > 0 || standing;
    let { submission } = uploaded;
    if (wanted && !hasEnded(submission.submissionStatus)) {
      submission = await client.wait(submission.submissionId, progress.processing);
    }
    const plan = submission;
    if (standing) submission = await client.carriedOut(plan, progress.processing);
    progress.end();
    for (const part of parts) {
      const ending = PART_ENDING[part](formOf(submission));
      const place = await placeOf(
        options[part] as string,
        `${basename(file)}.${ending}`,
        savedAs && `${savedAs}.${ending}`,
      );
      await client.savePart(submission.submissionId, part, place);
    }
    if (submission !== plan && !options.json) printLine(describeSubmission(plan, file));
    report(file, submission, uploaded.replayed, options);
    return exitCodeOf(submission);
  } catch (error) {
    progress.end();
    if (!(error instanceof RefusedError || error instanceof UnavailableError)) throw error;
    const tables = options.sheet === undefined ? tablesNamed(error) : [];
    if (tables.length > 0) return uploadTables(client, file, tables, options, savedAs);
    reportFailure(file, error, options);
    return exitCodeOfFailure(error);
  }
}

/** One submission for each, one after the other; a table that is refused keeps none of the others back. */
async function uploadTables(
  client: RegistryClient,
  file: string,
  tables: readonly string[],
  options: UploadCommandOptions,
  savedAs?: string,
): Promise<ExitCode> {
  const { everyTable: _, ...each } = options;
  for (const [given, flag] of [
    [options.idempotencyKey, '--idempotency-key is of one upload'],
    [each.standing, '--standing is of one table, which is the whole export'],
  ] as const)
    if (given !== undefined)
      throw new Error(`${file} has ${tables.length} tables of samples, and ${flag}: name one with --sheet.`);
  await checkPlaces(each, true);
  if (!options.json)
    printLine(`${file}: ${tables.length} tables of samples, each a submission of its own: ${tables.join(', ')}`);
  const codes: ExitCode[] = [];
  const names = savedNames(tables);
  for (const [at, sheet] of tables.entries()) {
    if (!options.json) printLine(`${file}: ${sheet}`);
    const name = names[at] as string;
    codes.push(await uploadOne(client, file, { ...each, sheet }, savedAs === undefined ? name : `${savedAs}.${name}`));
  }
  return worstOf(codes);
}

function report(file: string, submission: SubmissionDocument, replayed: boolean, options: UploadCommandOptions): void {
  if (options.json) {
    printJson({ file, ...(options.sheet === undefined ? {} : { sheet: options.sheet }), replayed, submission });
    return;
  }
  printLine(describeSubmission(submission, file));
  if (replayed) printLine('  This file was uploaded before; this is what became of it then.');
  if (submission.options?.dryRun && submission.submissionStatus !== 'FAILED' && hasEnded(submission.submissionStatus)) {
    printLine(`  Carry it out with: sample-registry commit ${submission.submissionId}`);
  }
  if (!hasEnded(submission.submissionStatus)) {
    printLine(`  Accepted. Follow it with: sample-registry status ${submission.submissionId} --wait`);
  }
}

function reportFailure(file: string, error: RefusedError | UnavailableError, options: UploadCommandOptions): void {
  const { sheet } = options;
  if (options.json)
    printJson({
      file,
      ...(sheet === undefined ? {} : { sheet }),
      problem: error.problem ?? { detail: error.message },
    });
  else {
    process.stderr.write(`${file}: ${sheet === undefined ? '' : `${sheet}: `}${asFlags(error.message)}\n`);
    const { problem } = error;
    // Of no column it is known that it names the samples.
    if (problem?.code === 'file.header' && problem.column === 'Sample Name')
      process.stderr.write(`  Have its columns proposed with: sample-registry profile guess ${file}\n`);
  }
}
