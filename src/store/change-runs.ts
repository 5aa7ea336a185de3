/** Changes of samples as rows of the log, neighbours as one, and the releases that the clock will bring. The same in every store. */
import type { ChangeRun, OwnedVisibility } from '../registry/changes/change-store.js';
import {
  CHANGE_TYPES,
  type Change,
  type ChangeType,
  changeBetween,
  creation,
  type Visibility,
} from '../registry/changes/sample-change.js';
import { RegistryError } from '../registry/errors.js';
import { ERASED, type HeldStatus } from '../registry/samples/sample.js';

/** A row of `feed` without its number. */
export interface FeedRow {
  first: number;
  count: number;
  kind: number;
  public: 0 | 1;
}

/** Samples `first` to `first + count - 1` become public at `release` unless they are changed before. */
export interface DueRow {
  release: number;
  first: number;
  count: number;
}

/** Rows of the log that one step numbers, and samples that it releases. */
export const ADVANCED_AT_ONCE = 2_000;

/** What one transaction does to samples, in the order in which it does it. */
export class ChangeRuns {
  readonly rows: FeedRow[] = [];
  readonly due: DueRow[] = [];

  constructor(private readonly now: number) {}

  created(id: number, after: Visibility): this {
    return this.add(id, creation(after, this.now));
  }

  changed(id: number, before: Visibility, after: Visibility): this {
    return this.add(id, changeBetween(before, after, this.now));
  }

  add(id: number, { type, public: open, due }: Change): this {
    const kind = CHANGE_TYPES.indexOf(type);
    const last = this.rows.at(-1);
    const seen = open ? 1 : 0;
    if (last && last.kind === kind && last.public === seen && last.first + last.count === id) last.count++;
    else this.rows.push({ first: id, count: 1, kind, public: seen });
    if (due !== undefined) this.addDue(id, due);
    return this;
  }

  private addDue(id: number, release: number): void {
    const last = this.due.at(-1);
    if (last && last.release === release && last.first + last.count === id) last.count++;
    else this.due.push({ release, first: id, count: 1 });
  }
}

/** What one step releases: its runs are to be taken out of the schedule, and samples of theirs that are still due given. */
export class ReleaseStep {
  readonly taken: DueRow[] = [];
  private rest: DueRow | undefined;

  /** `rows`: the first `ADVANCED_AT_ONCE` whose date has passed. */
  constructor(
    private readonly now: number,
    rows: readonly DueRow[],
  ) {
    let samples = 0;
    for (const row of rows) {
      const count = Math.min(row.count, ADVANCED_AT_ONCE - samples);
      if (count === 0) break;
      this.taken.push({ ...row, count });
      samples += count;
      if (count < row.count) this.rest = { ...row, first: row.first + count, count: row.count - count };
    }
    this.more = samples === ADVANCED_AT_ONCE;
  }

  readonly more: boolean;

  /** The releases of these samples, and what is left of the last run. */
  changes(samples: readonly { id: number }[]): ChangeRuns {
    const changes = new ChangeRuns(this.now);
    for (const { id } of samples) changes.add(id, { type: 'released', public: true });
    if (this.rest !== undefined) changes.due.push(this.rest);
    return changes;
  }
}

/** SQL: keeps a date out of the schedule that stands there already. `n` is the new row; the rows of a date never overlap. */
export const NOT_YET_DUE = `coalesce((select d.first + d.count from release_due d
  where d.release = n.release and d.first <= n.first order by d.first desc limit 1), 0) <= n.first`;

export interface StoredRun {
  number: number;
  at: number;
  first: number;
  count: number;
  kind: number;
  public: number;
}

export const changeRunOf = ({ kind, public: open, ...run }: StoredRun): ChangeRun => ({
  ...run,
  type: CHANGE_TYPES[kind] ?? 'updated',
  public: open === 1,
});

export interface VisibilityRow {
  id: number;
  account: string;
  release: number;
  admin_status: string | null;
}

export const visibilitiesOf = (rows: readonly VisibilityRow[]): Map<number, OwnedVisibility> =>
  new Map(
    rows.map(({ id, account, release, admin_status: status }) => [
      id,
      { account, release, ...(status === null ? {} : { adminStatus: status as HeldStatus }) },
    ]),
  );

/** A change of what is attached to a sample that stays as it is. @throws RegistryError sample.erased: nothing is attached to it any more */
export function attachedChange(
  type: ChangeType,
  row: Pick<VisibilityRow, 'release' | 'admin_status'> | undefined,
  now: number,
): Change {
  if (row?.admin_status === ERASED)
    throw new RegistryError('sample.erased', 'The sample was erased meanwhile; nothing is attached to it any more.');
  return { type, public: row?.admin_status === null && row.release <= now };
}
