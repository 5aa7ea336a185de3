/**
 * Taking an upload back: samples that it updated get their former version again, samples that it created are withdrawn
 * (KILLED; the accession stays and is never given anew). What was changed since is left alone and listed. The rows go
 * through the same transactions as any upload's, so an undo may be killed and goes on where it stopped.
 */
import { formatAccession } from '../../registry/accession.js';
import { changedSince, erasedSample } from '../../registry/row-issue.js';
import { accessionPlace, ROW_PLACES } from '../../registry/row-places.js';
import { encodeContent } from '../../registry/samples/content-json.js';
import { emptyLayout } from '../../registry/samples/packed-sample.js';
import { ERASED, type StoredSample } from '../../registry/samples/sample.js';
import { HOLD, type Hold, type LaidOutBatch, type RejectedRow } from '../../registry/samples/sample-batch.js';
import {
  formerVersions,
  type LotStore,
  lastMeant,
  sampleLots,
  type VersionStore,
} from '../../registry/samples/sample-lots.js';
import type { LedgerChunk, LedgerRun, SubmissionStore } from '../submission-store.js';

export interface UndoDependencies {
  store: Pick<SubmissionStore, 'ledger'> & VersionStore & LotStore;
  prefix: string;
  batchRows: number;
}

/** One sample's way back. */
interface Step {
  line: number;
  id: number;
  /** The version that the upload wrote. */
  expected: number;
  name: string;
  /** Absent: withdraw. */
  former?: StoredSample;
  hold: Hold;
}

type Row = { line: number; id: number; created: boolean };

/** How far an undo has come is said in bytes of the file, like any reading: in proportion to the lines behind it. */
export interface UndoExtent {
  bytes: number;
  /** Last line of the submission that is undone. */
  lines: number;
  /** It gave its samples keys, which go with what it changed. */
  keyed: boolean;
}

/** Batches that undo the submission's lines behind `cursor`, in order. */
export async function* readUndo(
  deps: UndoDependencies,
  undone: string,
  cursor: number,
  { bytes, lines, keyed }: UndoExtent,
): AsyncGenerator<LaidOutBatch> {
  let fromLine = cursor + 1;
  for await (const chunk of deps.store.ledger(undone, fromLine)) {
    const rows = rowsOf(chunk).filter(({ line }) => line > cursor);
    const unchanged = keyed ? chunk.unchanged.flatMap(idsOf) : [];
    // Rows that changed nothing may have given their samples keys.
    for (let at = 0; at < rows.length || (at === 0 && unchanged.length > 0); at += deps.batchRows) {
      const part = rows.slice(at, at + deps.batchRows);
      const last = at + deps.batchRows >= rows.length;
      const toLine = last ? chunk.toLine : (part.at(-1) as Row).line;
      const batch: LaidOutBatch = { ...(await batchOf(deps, undone, part, fromLine, toLine)), undoes: undone };
      if (keyed) batch.keysOf = { submissionId: undone, unchanged: last ? unchanged : [] };
      batch.bytesRead = lines > 0 ? Math.min(bytes, Math.round((bytes * toLine) / lines)) : 0;
      yield batch;
      fromLine = toLine + 1;
    }
  }
}

const idsOf = ([, first, count]: LedgerRun): number[] => Array.from({ length: count }, (_, at) => first + at);

function rowsOf({ created, updated, missing = [], completed = [] }: LedgerChunk): Row[] {
  const spread = (runs: readonly LedgerRun[], fresh: boolean): Row[] =>
    runs.flatMap(([line, id, count]) =>
      Array.from({ length: count }, (_, i) => ({ line: line + i, id: id + i, created: fresh })),
    );
  return [
    ...spread(created, true),
    ...spread(updated, false),
    ...spread(missing, false),
    ...spread(completed, false),
  ].sort((a, b) => a.line - b.line);
}

async function batchOf(
  deps: UndoDependencies,
  undone: string,
  rows: readonly Row[],
  fromLine: number,
  toLine: number,
): Promise<LaidOutBatch> {
  const steps: Step[] = [];
  const rejected: RejectedRow[] = [];
  const ids = rows.map(({ id }) => id);
  let at = 0;
  for await (const lot of sampleLots(deps.store, ids)) {
    const part = rows.slice(at, at + lot.length);
    at += lot.length;
    const present = lot.map(({ id, record }) => {
      if (!record) throw new Error(`sample ${id} of submission ${undone} is gone`);
      return record.sample;
    });
    for (const step of await stepsOf(deps, undone, part, present)) {
      if ('issues' in step) rejected.push(step);
      else steps.push(step);
    }
  }
  return fill(steps, rejected, fromLine, toLine);
}

/** Of rows and their samples as they are now. */
async function stepsOf(
  { store, prefix }: UndoDependencies,
  undone: string,
  rows: readonly Row[],
  samples: readonly StoredSample[],
): Promise<(Step | RejectedRow)[]> {
  // The submission may have completed a relationship of the line's sample afterwards.
  const looked = await lastMeant(
    store,
    samples,
    ({ submissionId, line }, at) => submissionId !== undone || line === rows[at]?.line,
  );
  const written = looked.map((version) => (version?.submissionId === undone ? version : undefined));
  const formers = await formerVersions(
    store,
    rows.map(({ created }, at) => (created ? undefined : written[at])),
  );
  return rows.map(({ line, id, created }, at) => {
    const { version, name, adminStatus } = samples[at] as StoredSample;
    const accession = formatAccession(prefix, id);
    const place = accessionPlace(line, ROW_PLACES);
    if (adminStatus === ERASED) return { line, name, issues: [erasedSample(place, ROW_PLACES.form, accession)] };
    const former = formers[at];
    if (written[at] && (created || former))
      return {
        line,
        id,
        expected: version,
        name,
        hold: holdOf(samples[at] as StoredSample, former),
        ...(former ? { former } : {}),
      };
    return { line, name, issues: [changedSince(place, ROW_PLACES.form, accession, version)] };
  });
}

/** What a standing sheet did to the status is taken back with it. */
function holdOf(written: StoredSample, former: StoredSample | undefined): Hold {
  if (former === undefined) return HOLD.kill;
  const [is, was] = [written, former].map(({ adminStatus }) => adminStatus === 'MISSING');
  if (is === was) return HOLD.none;
  return was ? HOLD.missingAgain : HOLD.back;
}

function fill(steps: readonly Step[], rejected: RejectedRow[], fromLine: number, toLine: number): LaidOutBatch {
  const count = steps.length;
  const batch: LaidOutBatch = {
    layout: emptyLayout(),
    fromLine,
    toLine,
    bytesRead: 0,
    count,
    texts: [''],
    spans: new Uint32Array(count * 4),
    lines: Uint32Array.from(steps, ({ line }) => line),
    releases: Float64Array.from(steps, ({ former }) => former?.release ?? 0),
    ids: Float64Array.from(steps, ({ id }) => id),
    expected: Float64Array.from(steps, ({ expected }) => expected),
    holds: Uint8Array.from(steps, ({ hold }) => hold),
    documents: new Map(),
    rejected,
  };
  let at = 0;
  const names = steps.map(({ former, name }) => former?.name ?? name);
  steps.forEach(({ former }, row) => {
    const end = at + (names[row] as string).length;
    batch.spans.set([at, end, end, end], row * 4);
    batch.documents.set(row, former ? encodeContent(former.content) : '{}');
    at = end;
  });
  batch.texts = [names.join('')];
  return batch;
}
