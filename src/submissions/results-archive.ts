/** The results of several submissions in one zip, printed as it is read: nothing is held but the row at hand. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { RegistryError } from '../registry/errors.js';
import { timeSlices } from '../registry/time-slices.js';
import { printOurs } from '../tsv/print/write.js';
import { formOf, RESULT_ENDING } from './result-form.js';
import type { Results } from './results.js';
import type { Submission } from './submission.js';

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
const PIECE = 64 * 1024;

/** `overview.tsv`, then the result of each submission that has rows, in the order given. */
export async function* archiveResults(
  results: Pick<Results, 'result'>,
  submissions: readonly Submission[],
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  const names = entryNames(submissions);
  zip.addBuffer(Buffer.from(overview(submissions, names)), OVERVIEW);
  for (const submission of submissions) {
    const name = names.get(submission.id);
    if (name === undefined) continue;
    zip.addReadStreamLazy(name, { mtime: new Date(submission.updated) }, (done) => {
      const source = Readable.from(printed(results, submission), { objectMode: false });
      source.once('error', (error) => out.destroy(error));
      // Whoever stops reading the archive stops the file at hand too.
      out.once('close', () => source.destroy());
      done(null, source);
    });
  }
  zip.end();
  try {
    yield* out as AsyncIterable<Buffer>;
  } finally {
    if (!out.destroyed) {
      out.destroy();
      await once(out, 'close');
    }
  }
}

/** In pieces worth compressing. What cannot be printed any more says so in its own file, and the others follow. */
async function* printed(results: Pick<Results, 'result'>, submission: Submission): AsyncGenerator<Buffer> {
  let piece = '';
  const nextSlice = timeSlices();
  try {
    for await (const text of results.result(submission)) {
      piece += text;
      await nextSlice();
      if (piece.length < PIECE) continue;
      yield Buffer.from(piece);
      piece = '';
    }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    piece += `${error.message}\n`;
  }
  yield Buffer.from(piece);
}

/** Submission → name of its file in the archive, none twice. */
function entryNames(submissions: readonly Submission[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set([OVERVIEW]);
  for (const submission of submissions) {
    const { id, fileName, counts, options } = submission;
    if (counts.rows === 0) continue;
    const base = safeName(fileName);
    const what = options.dryRun ? 'checked' : 'result';
    const extension = RESULT_ENDING[formOf(submission)];
    let name = `${base}.${what}.${extension}`;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base} (${n}).${what}.${extension}`;
    taken.add(name.toLowerCase());
    names.set(id, name);
  }
  return names;
}

/** Without its extension, and without anything that a file system or an unpacking program takes for more than a name. */
const safeName = (fileName: string): string =>
  (fileName.split(/[/\\]/).pop() ?? '')
    .replace(/\.[^.]{1,6}$/, '')
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .replace(/^\.+/, '')
    .trim()
    .slice(0, 120) || 'sheet';

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
