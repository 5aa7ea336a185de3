/** The results of several submissions in one zip, printed as it is read: nothing is held but the row at hand. */
import { Readable } from 'node:stream';
import { RegistryError } from '../../registry/errors.js';
import { printOurs } from '../../tsv/print/write.js';
import type { Submission } from '../submission.js';
import { safeBase } from './archive-names.js';
import { formOf, RESULT_ENDING } from './result-form.js';
import type { Results } from './results.js';
import { type ZipEntry, zipStream } from './zip-stream.js';

const OVERVIEW = 'overview.tsv';
const HEADER = [
  'File',
  'Status',
  'Rows',
  'Created',
  'Updated',
  'Unchanged',
  'Rejected',
  'Submission ID',
  'Result',
  'Problem',
];

/** `overview.tsv`, then the result of each submission that has rows, in the order given. */
export function archiveResults(
  results: Pick<Results, 'result'>,
  submissions: readonly Submission[],
): AsyncGenerator<Buffer> {
  const names = entryNames(submissions);
  const files = submissions.flatMap((submission): ZipEntry[] => {
    const name = names.get(submission.id);
    if (name === undefined) return [];
    return [{ name, modified: submission.updated, content: () => printed(results, submission) }];
  });
  const first = { name: OVERVIEW, modified: Date.now(), content: () => Readable.from([overview(submissions, names)]) };
  return zipStream([first, ...files]);
}

/** What cannot be printed any more says so in its own file, and the others follow. */
async function* printed(results: Pick<Results, 'result'>, submission: Submission): AsyncGenerator<string> {
  try {
    yield* results.result(submission);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    yield `${error.message}\n`;
  }
}

/** Submission → name of its file in the archive, none twice. */
function entryNames(submissions: readonly Submission[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const submission of submissions) {
    const { id, fileName, counts, options } = submission;
    if (counts.rows === 0) continue;
    const base = safeBase(fileName);
    const what = options.dryRun ? 'checked' : 'result';
    const extension = RESULT_ENDING[formOf(submission)];
    let name = `${base}.${what}.${extension}`;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base} (${n}).${what}.${extension}`;
    taken.add(name.toLowerCase());
    names.set(id, name);
  }
  return names;
}

function overview(submissions: readonly Submission[], names: ReadonlyMap<string, string>): string {
  const rows = submissions.map(({ id, fileName, state, counts, problem }) => [
    fileName,
    state,
    ...[counts.rows, counts.created, counts.updated, counts.unchanged, counts.rejected].map(String),
    id,
    names.get(id) ?? '',
    problem?.message ?? '',
  ]);
  return printOurs([HEADER, ...rows]);
}
