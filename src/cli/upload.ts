import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { formOf, hasEnded, PART_ENDING, type SubmissionDocument } from '../client/documents.js';
import { RefusedError, UnavailableError } from '../client/failures.js';
import type { RegistryClient } from '../client/registry-client.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { type ExitCode, exitCodeOf, exitCodeOfFailure, worstOf } from './exit-codes.js';
import { addUploadOptions, asFlags, uploadOptionsOf } from './flags.js';
import { describeSubmission, printJson, printLine } from './print.js';
import { progressFor } from './progress.js';

interface UploadCommandOptions extends ConnectionOptions {
  wait?: boolean;
  idempotencyKey?: string;
  sheet?: string;
  result?: string;
  mapping?: string;
  errors?: string;
}

export function addUploadCommand(program: Command): void {
  const command = program
    .command('upload')
    .summary('register or update the samples of one or more files')
    .description(
      'Uploads tables of samples (TSV, CSV, XLSX). Small files are answered with their outcome; of large ones the submission id is printed unless --wait is given.',
    )
    .argument('<file...>', 'tables to upload, one after the other')
    .option('--wait', 'wait until every file is processed');
  addUploadOptions(command, true)
    .option('--idempotency-key <key>', 'key of this upload, for scripts that repeat it; only with one file')
    .option('--result <out>', 'save the result table (a folder when there are several files); waits')
    .option('--mapping <out>', 'save the mapping of names to accessions; waits')
    .option('--errors <out>', 'save the rejected rows with what is wrong with them; waits');
  addConnection(command).action(async (files: string[], options: UploadCommandOptions) => {
    process.exitCode = await uploadAll(files, options);
  });
}

async function uploadAll(files: string[], options: UploadCommandOptions): Promise<ExitCode> {
  if (options.idempotencyKey && files.length > 1) throw new Error('--idempotency-key can be used with one file only.');
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) {
      throw new Error(
        `${file} is a folder. Name the files in it, such as ${join(file, '*.tsv')}, or upload all that appear in it with: sample-registry watch ${file}`,
      );
    }
    if (!found?.isFile()) throw new Error(`${file}: there is no such file.`);
  }
  const client = await connect(options);
  const codes: ExitCode[] = [];
  for (const file of files) {
    const code = await uploadOne(client, file, options, files.length > 1 ? basename(file) : undefined);
    codes.push(code);
  }
  return worstOf(codes);
}

/** `savedAs`: how its parts begin in the folders that the options name; absent: these name the parts themselves. */
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
    const parts = (['result', 'mapping', 'errors'] as const).filter((part) => options[part] !== undefined);
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
      const out = options[part] as string;
      const place = savedAs === undefined ? out : join(out, `${savedAs}.${PART_ENDING[part](formOf(submission))}`);
      await client.savePart(submission.submissionId, part, place);
    }
    if (submission !== plan && !options.json) printLine(describeSubmission(plan, file));
    report(file, submission, uploaded.replayed, options);
    return exitCodeOf(submission);
  } catch (error) {
    progress.end();
    if (!(error instanceof RefusedError || error instanceof UnavailableError)) throw error;
    const studies = options.sheet === undefined ? studiesOf(error) : [];
    if (studies.length > 0) return uploadStudies(client, file, studies, options, savedAs);
    reportFailure(file, error, options);
    return exitCodeOfFailure(error);
  }
}

const STUDY_TABLE = /(?:^|\/)s_[^/]*\.txt$/i;

/** The study tables of an ISA-Tab archive that was refused because it has several: all of them are meant. */
function studiesOf({ problem }: RefusedError | UnavailableError): string[] {
  const tables = problem?.tables;
  return Array.isArray(tables) && tables.every((each) => STUDY_TABLE.test(String(each))) ? tables.map(String) : [];
}

/** One submission for each, one after the other. */
async function uploadStudies(
  client: RegistryClient,
  file: string,
  studies: readonly string[],
  options: UploadCommandOptions,
  savedAs?: string,
): Promise<ExitCode> {
  if (options.idempotencyKey)
    throw new Error(
      `${file} has ${studies.length} study tables, and --idempotency-key is of one upload: name one with --sheet.`,
    );
  const codes: ExitCode[] = [];
  for (const sheet of studies) {
    if (!options.json) printLine(`${file}: ${sheet}`);
    const study = basename(sheet, '.txt');
    codes.push(
      await uploadOne(client, file, { ...options, sheet }, savedAs === undefined ? study : `${savedAs}.${study}`),
    );
  }
  return worstOf(codes);
}

function report(file: string, submission: SubmissionDocument, replayed: boolean, options: ConnectionOptions): void {
  if (options.json) {
    printJson({ file, replayed, submission });
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

function reportFailure(file: string, error: RefusedError | UnavailableError, options: ConnectionOptions): void {
  if (options.json) printJson({ file, problem: error.problem ?? { detail: error.message } });
  else process.stderr.write(`${file}: ${asFlags(error.message)}\n`);
}
