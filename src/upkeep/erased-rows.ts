/** Which rows of a submission mean samples that are erased, and its outcomes without what is said of them. */
import { RegistryError } from '../registry/errors.js';
import type { Issue, RejectedRow } from '../registry/samples/sample-batch.js';
import type { Blobs } from '../submissions/blobs.js';
import { openSource, sourceOf } from '../submissions/reading/stored-source.js';
import type { Submission } from '../submissions/submission.js';
import type { LedgerChunk, SubmissionStore } from '../submissions/submission-store.js';
import type { Rewriting } from './erasing-store.js';
import type { UpkeepStore } from './upkeep-store.js';

/** The samples that are erased. */
export interface Sought {
  /** Their numbers. */
  ids: ReadonlySet<number>;
  /** Whose they are. */
  accounts: Set<string>;
  /** Their accessions, their keys and the names of all their versions. */
  words: Set<string>;
}

export interface NamedRows {
  lines: ReadonlySet<number>;
  /** No other rows were recorded. */
  alone: boolean;
}

interface Reading {
  store: Pick<SubmissionStore, 'ledger'> & Pick<UpkeepStore, 'ledgerGone'>;
  blobs: Pick<Blobs, 'open' | 'blocks' | 'delete'>;
}

/**
 * Undefined where no row means them. Of an upload that was processed to its end the ledger has every row; the file of
 * another, of an account that may write the samples, is read.
 *
 * `kept`: the file is there.
 */
export async function namedIn(
  { store, blobs }: Reading,
  submission: Submission,
  sought: Sought,
  kept: boolean,
): Promise<NamedRows | undefined> {
  const hasLedger = !(await store.ledgerGone(submission.id));
  const mayWrite = submission.admin || sought.accounts.has(submission.account);
  const lines = hasLedger ? await linesIn(store.ledger(submission.id), sought, mayWrite) : new Set<number>();
  if (lines.size > 0) return { lines, alone: lines.size === submission.counts.rows };
  const isWhole = hasLedger && (submission.state === 'COMPLETED' || submission.state === 'COMPLETED_WITH_ERRORS');
  if (isWhole || !mayWrite || !kept) return undefined;
  return (await mayHold(blobs, submission, sought)) ? { lines, alone: true } : undefined;
}

/** `byWords`: also refused rows that say one of the words. What others call by the same name is theirs. */
async function linesIn(ledger: AsyncIterable<LedgerChunk>, sought: Sought, byWords: boolean): Promise<Set<number>> {
  const lines = new Set<number>();
  for await (const chunk of ledger) {
    for (const line of writtenIn(chunk, sought)) lines.add(line);
    for (const row of byWords ? chunk.rejected : []) if (means(row, sought)) lines.add(row.line);
  }
  return lines;
}

const RUNS = ['created', 'updated', 'unchanged', 'missing', 'completed', 'completedOwn'] as const;

function* writtenIn(chunk: LedgerChunk, sought: Sought): Generator<number> {
  for (const kind of RUNS) {
    for (const [line, first, count] of chunk[kind] ?? []) {
      // Number 0 is a sample that a dry run would register.
      if (first === 0) continue;
      for (const id of sought.ids) if (id >= first && id < first + count) yield line + id - first;
    }
  }
}

const means = ({ name, key, issues }: RejectedRow, { words }: Sought): boolean =>
  words.has(name) ||
  (key !== undefined && words.has(key)) ||
  issues.some(({ value }) => value !== undefined && words.has(value));

/** What stands around a cell, in any of the forms that files have. */
const AROUND = new Set(Buffer.from('\t\n\r,;|"\''));
const LINE_END = Buffer.from('\n');

/** Whether a cell of the file is one of the words, or that cannot be said. */
async function mayHold(blobs: Reading['blobs'], submission: Submission, { words }: Sought): Promise<boolean> {
  const asked = [...words].map((word) => Buffer.from(word));
  // So much of the block before that a word which began there is seen with what stands around it.
  const kept = Math.max(...asked.map(({ length }) => length)) + 2;
  let text = LINE_END;
  try {
    for await (const block of openSource(blobs, sourceOf(submission))) {
      // No text of a table has it: a workbook or an archive that was not read.
      if (block.includes(0)) return true;
      text = Buffer.concat([text.subarray(-kept), block]);
      if (holdsCell(text, asked)) return true;
    }
    return holdsCell(Buffer.concat([text.subarray(-kept), LINE_END]), asked);
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'not-found') return false;
    if (error instanceof RegistryError && error.code === 'storage.damaged') return true;
    throw error;
  }
}

function holdsCell(text: Buffer, words: readonly Buffer[]): boolean {
  const isEnd = (at: number): boolean => AROUND.has(text[at] as number);
  return words.some((word) => {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
      if (isEnd(at - 1) && isEnd(at + word.length)) return true;
    return false;
  });
}

const NOT_KEPT = 'The sample was erased, and nothing of what was said of it is kept.';

/** The outcomes of a submission without what is said of these rows: which line became which sample stays, so that no upload of the same bytes registers it anew. */
export function withoutWords({ lines, alone }: NamedRows, { words }: Sought): Rewriting {
  const isErased = (row: RejectedRow): boolean => lines.has(row.line);
  const blank = (row: RejectedRow): RejectedRow =>
    isErased(row)
      ? { line: row.line, name: '', ...(row.key === undefined ? {} : { key: '' }), issues: row.issues.map(blankIssue) }
      : row;
  return {
    chunk: (chunk) => {
      const { rejected, warnings = [] } = chunk;
      if (![...rejected, ...warnings].some(isErased)) return undefined;
      const rewritten: LedgerChunk = { ...chunk, rejected: rejected.map(blank) };
      if (chunk.warnings) rewritten.warnings = warnings.map(blank);
      return rewritten;
    },
    submission: ({ issues, problem, options }) => ({
      issues: issues.map((group) =>
        group.lines.some((line) => lines.has(line)) ? { ...group, message: NOT_KEPT } : group,
      ),
      ...(problem && {
        problem: [...words].some((word) => problem.message.includes(word))
          ? { ...problem, message: NOT_KEPT }
          : problem,
      }),
      // What a batch edit set on several samples is no more of this one than of the others.
      options: alone && options.edit ? { ...options, edit: { ...options.edit, changes: [], select: {} } } : options,
    }),
  };
}

const blankIssue = ({ value: _, suggestion: __, ...issue }: Issue): Issue => ({ ...issue, message: NOT_KEPT });
