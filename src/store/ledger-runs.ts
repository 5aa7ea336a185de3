/** Ledger chunks as they are made and looked up again. */
import type { RowDecision } from '../registry/samples/decide.js';
import { type LaidOutBatch, newRelease } from '../registry/samples/sample-batch.js';
import { statusOf } from '../registry/samples/status.js';
import { timeSlices } from '../registry/time-slices.js';
import type { Counts } from '../submissions/submission.js';
import type { LedgerChunk, LedgerRun, LineRun, VersionRun } from '../submissions/submission-store.js';

/** Adds a row to the last run when it continues it. Number 0 (a dry run's new row) is continued by 0. */
export function addToRuns(runs: LedgerRun[], line: number, id: number): void {
  const last = runs.at(-1);
  if (last && last[0] + last[2] === line && (id === 0 ? last[1] === 0 : last[1] !== 0 && last[1] + last[2] === id)) {
    last[2]++;
  } else {
    runs.push([line, id, 1]);
  }
}

/** Adds the version that a row's sample has to the runs of a dry run. */
export function addVersion(chunk: LedgerChunk, line: number, version: number): void {
  chunk.seen ??= [];
  const last = chunk.seen.at(-1);
  if (last && last[0] + last[2] === line && last[1] === version) last[2]++;
  else chunk.seen.push([line, version, 1]);
}

function clipLines([line, count]: LineRun, fromLine: number, toLine: number): LineRun[] {
  const first = Math.max(line, fromLine);
  const last = Math.min(line + count - 1, toLine);
  return first > last ? [] : [[first, last - first + 1]];
}

function clipVersions([line, version, count]: VersionRun, fromLine: number, toLine: number): VersionRun[] {
  const first = Math.max(line, fromLine);
  const last = Math.min(line + count - 1, toLine);
  return first > last ? [] : [[first, version, last - first + 1]];
}

const rowsIn = (runs: readonly LedgerRun[]): number => runs.reduce((sum, [, , count]) => sum + count, 0);

type Publicity = 'becomePublic' | 'createdPublic';

function addLine(chunk: LedgerChunk, kind: Publicity, line: number): void {
  chunk[kind] ??= [];
  const last = chunk[kind].at(-1);
  if (last && last[0] + last[1] === line) last[1]++;
  else chunk[kind].push([line, 1]);
}

/** Records which of the rows that register samples make them public at this moment. */
export function addCreatedPublic(chunk: LedgerChunk, batch: LaidOutBatch, rows: readonly number[], now: number): void {
  for (const row of rows) {
    if (statusOf({ release: newRelease(batch, row) }, now) === 'PUBLIC')
      addLine(chunk, 'createdPublic', batch.lines[row] as number);
  }
}

export const countLines = (runs: readonly LineRun[] = []): number => runs.reduce((sum, [, count]) => sum + count, 0);

/** Records what became of a row that names a sample. */
export function addDecision(
  chunk: LedgerChunk,
  line: number,
  id: number,
  decision: Exclude<RowDecision, { kind: 'rejected' }>,
): void {
  addToRuns(chunk[decision.kind], line, id);
  if (decision.kind === 'updated' && decision.becomesPublic) addLine(chunk, 'becomePublic', line);
}

/** Records what became of a sample that its standing sheet has no more; it is no row of the file. True where it is missing. */
export function decideMissing(chunk: LedgerChunk, line: number, id: number, kind: RowDecision['kind']): boolean {
  if (kind === 'rejected') chunk.left = (chunk.left ?? 0) + 1;
  if (kind !== 'updated') return false;
  chunk.missing ??= [];
  addToRuns(chunk.missing, line, id);
  return true;
}

/** Records a sample whose waiting relationships were completed; it is no row of the file. */
export function addCompleted(chunk: LedgerChunk, line: number, id: number, own: boolean): void {
  const kind = own ? 'completedOwn' : 'completed';
  chunk[kind] ??= [];
  addToRuns(chunk[kind], line, id);
}

/** What a chunk adds to the counts. */
export function countChunk(chunk: LedgerChunk): Counts {
  const created = rowsIn(chunk.created);
  const updated = rowsIn(chunk.updated);
  const unchanged = rowsIn(chunk.unchanged);
  const rejected = chunk.rejected.length;
  return { rows: created + updated + unchanged + rejected, created, updated, unchanged, rejected };
}

export function emptyChunk(fromLine: number, toLine: number): LedgerChunk {
  return { fromLine, toLine, created: [], updated: [], unchanged: [], rejected: [] };
}

function clipRuns(chunk: LedgerChunk, clipped: LedgerChunk): void {
  const { fromLine, toLine } = clipped;
  for (const kind of ['created', 'updated', 'unchanged'] as const) {
    for (const run of chunk[kind]) clipped[kind].push(...clipRun(run, fromLine, toLine));
  }
  for (const kind of ['missing', 'completed', 'completedOwn'] as const) {
    for (const run of chunk[kind] ?? []) clipped[kind] = [...(clipped[kind] ?? []), ...clipRun(run, fromLine, toLine)];
  }
  for (const run of chunk.seen ?? []) clipped.seen = [...(clipped.seen ?? []), ...clipVersions(run, fromLine, toLine)];
}

/** Adds the public lines of a chunk that lie within the clipped one. */
function clipPublic(chunk: LedgerChunk, clipped: LedgerChunk): void {
  for (const kind of ['becomePublic', 'createdPublic'] as const) {
    const lines = (chunk[kind] ?? []).flatMap((run) => clipLines(run, clipped.fromLine, clipped.toLine));
    if (lines.length > 0) clipped[kind] = [...(clipped[kind] ?? []), ...lines];
  }
}

function clipNotes({ notes = [] }: LedgerChunk, clipped: LedgerChunk): void {
  for (const { lines, ...note } of notes) {
    const kept = lines.flatMap((run) => clipLines(run, clipped.fromLine, clipped.toLine));
    if (kept.length > 0) clipped.notes = [...(clipped.notes ?? []), { ...note, lines: kept }];
  }
}

/** The outcomes of the lines `fromLine` to `toLine`, from recorded chunks in order of lines. */
export function clipChunks(chunks: readonly LedgerChunk[], fromLine: number, toLine: number): LedgerChunk {
  const clipped = emptyChunk(fromLine, toLine);
  const within = ({ line }: { line: number }): boolean => line >= fromLine && line <= toLine;
  for (const chunk of chunks) {
    clipRuns(chunk, clipped);
    if (chunk.left !== undefined) clipped.left = (clipped.left ?? 0) + chunk.left;
    clipped.rejected.push(...chunk.rejected.filter(within));
    clipPublic(chunk, clipped);
    clipNotes(chunk, clipped);
    const warnings = chunk.warnings?.filter(within) ?? [];
    if (warnings.length > 0) clipped.warnings = [...(clipped.warnings ?? []), ...warnings];
  }
  return clipped;
}

function clipRun([line, id, count]: LedgerRun, fromLine: number, toLine: number): LedgerRun[] {
  const first = Math.max(line, fromLine);
  const last = Math.min(line + count - 1, toLine);
  return first > last ? [] : [[first, id === 0 ? 0 : id + first - line, last - first + 1]];
}

/** A chunk as it is stored; its outcomes are a `LedgerChunk` as JSON. */
export interface StoredChunk {
  from_line: number;
  to_line: number;
  outcomes: string;
}

/** Chunks read at a time. */
const PAGE = 16;

/** Chunks in order, from the one that holds line `first` on, or begins behind it. The three are parameters. */
export const chunksQuery = (submission: string, first: string, limit: string): string =>
  `select * from submission_chunk where submission = ${submission} and to_line >= ${first}
     and from_line >= coalesce((select max(from_line) from submission_chunk
       where submission = ${submission} and from_line <= ${first}), 0)
   order by from_line limit ${limit}`;

/** The chunks from a line on, read page by page; one may have a megabyte of errors, and whoever wants none of them passes over all. */
export async function* ledgerFrom(
  fromLine: number,
  read: (fromLine: number, limit: number) => StoredChunk[] | Promise<StoredChunk[]>,
): AsyncGenerator<LedgerChunk> {
  const nextSlice = timeSlices();
  for (let next = fromLine; ; ) {
    const page = await read(next, PAGE);
    for (const { outcomes } of page) {
      await nextSlice();
      yield JSON.parse(outcomes) as LedgerChunk;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    next = last.to_line + 1;
  }
}
