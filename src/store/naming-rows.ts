/** Rows of a batch that name samples, decided by the rule of registry/samples/decide.ts: the same in every store. Pure. */

import { formatAccession } from '../registry/accession.js';
import type { CurationLink } from '../registry/curations/curation.js';
import { changedName, damagedSample } from '../registry/row-issue.js';
import { accessionPlace, placesOf, type RowPlaces } from '../registry/row-places.js';
import { refusedKey } from '../registry/samples/batch-keys.js';
import {
  type CurrentForm,
  decideRow,
  type NamingRow,
  type RowDecision,
  type RowWriter,
  type SampleForm,
} from '../registry/samples/decide.js';
import type { SampleLayout } from '../registry/samples/packed-sample.js';
import type { PlacedRelationship } from '../registry/samples/placed-relationships.js';
import {
  batchCells,
  batchName,
  HOLD,
  type Hold,
  type Issue,
  type LaidOutBatch,
  type RejectedRow,
} from '../registry/samples/sample-batch.js';
import { OutdatedBatch } from '../submissions/processing/unapplied-batch.js';
import { joinedWarnings } from '../submissions/reading/joined-warnings.js';
import type { Submission } from '../submissions/submission.js';
import type { LedgerChunk } from '../submissions/submission-store.js';
import type { ChangeRuns } from './change-runs.js';
import { addCompleted, addDecision, addVersion, decideMissing } from './ledger-runs.js';
import { Overwriting, type OverwrittenSample } from './rows/sample-row.js';
import type { SharedValues } from './sample-checksum.js';

/** Positions of the rows that name a sample. */
export function namingRows({ count, ids }: LaidOutBatch): number[] {
  const rows: number[] = [];
  for (let at = 0; at < count; at++) if ((ids[at] as number) > 0) rows.push(at);
  return rows;
}

export interface NamingContext {
  submission: Submission;
  batch: LaidOutBatch;
  /** The batch's, as the store has it: rows of the same sheet then compare by identity. */
  layout: SampleLayout;
  prefix: string;
  /** Submissions that may have written the sample last, where only they may. */
  writers: ReadonlySet<number> | undefined;
  now: number;
  changes: ChangeRuns;
  /** By number of the sample: relationships that waited and come now. A sample that cannot be written is taken out. */
  added?: Map<number, PlacedRelationship[]> | undefined;
}

type Updated = Extract<RowDecision, { kind: 'updated' }>;

type Present = [
  form: CurrentForm | 'damaged',
  /** What it has in common with samples that were written with it; absent of a block that cannot be read. */
  shared: SharedValues | undefined,
  /** Where rows may be what a read showed. */
  links: readonly CurationLink[] | undefined,
];

const NO_LINKS: readonly CurationLink[] = [];

/** The samples that a batch names, as the store has them. */
export interface PresentSamples {
  find(id: number): Present | undefined;
  /** What is being written, for a later row of the batch that names the sample again. */
  put(sample: OverwrittenSample): void;
}

/** Samples of a file that get another name, as many as are listed. */
const MOST_RENAMED = 20_000;

/** Decides the rows of one batch one after the other, and keeps what becomes of them. */
export class NamedRows {
  readonly rejected: RejectedRow[] = [];
  private readonly renamed: RejectedRow[] = [];
  private readonly writer: RowWriter;
  private readonly places: RowPlaces;

  constructor(
    private readonly context: NamingContext,
    private readonly chunk: LedgerChunk,
  ) {
    const { account, admin, options } = context.submission;
    this.places = placesOf(context.batch);
    const merge = options.update === 'merge';
    const standing = options.standing !== undefined && options.undoOf === undefined;
    this.writer = { account, admin, merge, standing, releaseDate: context.batch.releaseDate, now: context.now };
  }

  /**
   * Decides the rows one after the other. Answers what is to be written, in turns: a sample that the batch names twice is in two
   * of them.
   */
  *overwrites(
    rows: readonly number[],
    present: PresentSamples,
    written: { layout: number | null; author: number; submission: number },
  ): Generator<OverwrittenSample[]> {
    const { batch, now } = this.context;
    const overwriting = new Overwriting(written, now);
    let turn: OverwrittenSample[] = [];
    let taken = new Set<number>();
    for (const at of rows) {
      const id = batch.ids[at] as number;
      if (taken.has(id)) {
        for (const sample of turn) present.put(sample);
        yield turn;
        turn = [];
        taken = new Set();
      }
      const found = present.find(id);
      const updated = this.decide(at, found);
      if (updated === undefined) continue;
      taken.add(id);
      turn.push(overwriting.sample(id, found?.[1] as SharedValues, updated, batch.lines[at] as number));
    }
    if (this.renamed.length > 0)
      this.chunk.warnings = joinedWarnings([...(this.chunk.warnings ?? []), ...this.renamed]);
    if (turn.length > 0) yield turn;
  }

  /** Answers what is to be written, if anything is. */
  private decide(at: number, present: Present | undefined): Updated | undefined {
    const { batch, prefix, writers, submission } = this.context;
    const current = present?.[0];
    const links = present?.[2] ?? NO_LINKS;
    const id = batch.ids[at] as number;
    const line = batch.lines[at] as number;
    const form = this.formOf(at);
    const row = {
      line,
      places: this.places,
      accession: formatAccession(prefix, id),
      form,
      expected: batch.expected?.[at],
      hold: batch.holds?.[at] as Hold | undefined,
      cleared: batch.cleared?.get(at),
      added: this.context.added?.get(id),
      gone: batch.completes?.get(at)?.gone,
      rewritten: writers !== undefined && !writers.has(present?.[1]?.submission ?? 0),
    };
    const decision: RowDecision =
      current === 'damaged'
        ? { kind: 'rejected', issue: this.damaged(line, row.accession) }
        : decideRow(row, current && links.length > 0 ? { ...current, curationLinks: links } : current, this.writer);
    if (!this.enter(at, row, current, decision)) return undefined;
    if (submission.options.dryRun) addVersion(this.chunk, line, (current as CurrentForm).version);
    const written = decision.kind === 'updated' && !submission.options.dryRun ? decision : undefined;
    if (written) this.logChange(id, current as CurrentForm, written);
    return written;
  }

  /** Enters what was decided in the chunk. False where that is all: of a refused row, and of a sample beside the rows that stays as it is. */
  private enter(at: number, row: NamingRow, current: Present[0] | undefined, decision: RowDecision): boolean {
    const { batch, added } = this.context;
    const { line, hold, form } = row;
    const id = batch.ids[at] as number;
    const isUpdated = decision.kind === 'updated';
    if (hold === HOLD.missing) return decideMissing(this.chunk, line, id, decision.kind) && isUpdated;
    if (hold === HOLD.complete) {
      if (decision.kind === 'rejected') added?.delete(id);
      if (isUpdated) addCompleted(this.chunk, line, id, batch.completes?.get(at)?.own === true);
      return isUpdated;
    }
    if (decision.kind === 'rejected') {
      if (batch.mayBeReadAgain && decision.issue.code === 'row.changed-since') throw new OutdatedBatch();
      this.rejected.push({ line, name: form.name, ...refusedKey(batch, at), issues: [decision.issue] });
      return false;
    }
    addDecision(this.chunk, line, id, decision);
    if (decision.kind === 'updated') this.noteName(row, current as CurrentForm, decision.form.name);
    return true;
  }

  /** A row that names its sample by its accession alone may have that of another row; a key, an undo and a second reading mean what they name. */
  private noteName({ line, accession }: NamingRow, before: CurrentForm, name: string): void {
    const { batch, submission } = this.context;
    const { undoOf, rereadOf } = submission.options;
    if (before.name === name || before.placeholder || batch.keys || undoOf !== undefined || rereadOf !== undefined)
      return;
    const known = submission.issues.find(({ code }) => code === 'name.changed')?.count ?? 0;
    if (known + this.renamed.length >= MOST_RENAMED) return;
    const was = before.account === submission.account ? before.name : undefined;
    this.renamed.push({ line, name, issues: [changedName(line, this.places, accession, was, name)] });
  }

  private damaged(line: number, accession: string): Issue {
    return damagedSample(accessionPlace(line, this.places), this.places.form, accession);
  }

  private logChange(id: number, before: CurrentForm, { form, status }: Updated): void {
    const adminStatus = status === undefined ? before.adminStatus : (status ?? undefined);
    this.context.changes.changed(id, before, {
      release: form.release,
      ...(adminStatus === undefined ? {} : { adminStatus }),
    });
  }

  private formOf(at: number): SampleForm {
    const { batch, layout } = this.context;
    const document = batch.documents.get(at);
    return {
      name: batchName(batch, at),
      release: batch.releases[at] as number,
      layout: document === undefined ? layout : undefined,
      doc: document ?? batchCells(batch, at),
    };
  }
}
