/** Fills the index from the journal, and rebuilds it from the samples. */
import { randomUUID } from 'node:crypto';
import {
  CAREFUL_SAMPLES,
  FAILED_ATTEMPTS,
  type IndexedSample,
  indexedSample,
  OPENED_AT_ONCE,
  SAMPLE_BYTES,
} from '../../../registry/search/indexed-sample.js';
import type { JournalRow } from '../../../registry/search/pending-samples.js';
import type { IndexState, IndexStep, NameOnly } from '../../../registry/search/search-store.js';
import { textsOf } from '../../../registry/search/term-keys.js';
import { inTurns, samplesOfEach, takeStep } from '../../index-turns.js';
import type { PostgresDatabase, Session } from '../database.js';
import type { Names } from '../samples/names.js';
import { GREATEST_NUMBER } from '../samples/present-samples.js';
import { JoinedTexts, numberArray } from '../text.js';
import { columnsAreKept, emptyColumns, refillColumns, writeColumns } from './search-columns.js';
import { leftOf, nextScanned, removeTaken, waitingChanges } from './search-journal.js';
import { contentReader, type HeadRow, readHeads } from './search-record.js';

/** Advisory lock of the process that fills the index: two that index one sample might finish in the wrong order. */
const INDEXING = 7_263_403;
/** A tsvector holds a megabyte; what a sample has beyond this is not found by. */
const TERMS_LENGTH = 500_000;

const UPSERT = `insert into entry (id, account, release, updated, hidden, open, terms)
  select id, account, release, updated, hidden = 1, open = 1, array_to_tsvector(string_to_array(terms, ' '))
  from unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], string_to_array($7, E'\\x1f'))
    as new (id, account, release, updated, hidden, open, terms)
  on conflict (id) do update set release = excluded.release, updated = excluded.updated, hidden = excluded.hidden,
    open = excluded.open, terms = excluded.terms
  where (entry.release, entry.updated, entry.hidden, entry.open, entry.terms) is distinct from
    (excluded.release, excluded.updated, excluded.hidden, excluded.open, excluded.terms)`;

export interface IndexSettings {
  prefix: string;
  now: () => number;
}

export class SearchIndex {
  /** An unended step of ours is no death: we live. */
  private readonly me = randomUUID();
  /** Rows were written whose terms PostgreSQL may keep in a list beside the index. */
  private unmerged = false;

  constructor(
    private readonly database: PostgresDatabase,
    private readonly names: Names,
    private readonly settings: IndexSettings,
  ) {}

  /** One step, in one transaction, so a kill repeats or loses nothing. */
  async indexNext(limit: number): Promise<IndexStep> {
    await this.refill();
    const step = await this.database.write(async (session) => {
      await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);
      const opened = await this.openDue(session);
      const taken = await this.take(session, limit);
      return { ...taken, more: taken.more || opened > 0 };
    });
    if (step.more) this.unmerged = true;
    else if (this.unmerged) await this.merge();
    return step;
  }

  /**
   * Terms of new rows wait in a list that each search goes through, up to 4 MB of it, and for which PostgreSQL leaves the index aside:
   * a small upload into 5 000 samples took 70 ms more, until the next vacuum. Merged in bulk, where nothing more comes.
   */
  private async merge(): Promise<void> {
    this.unmerged = false;
    await this.database.runApart(`select gin_clean_pending_list('entry_terms')`);
  }

  /** By itself: a step's transaction must not hold the progress, which `take` writes apart. */
  private async refill(): Promise<void> {
    if (await columnsAreKept(this.database)) return;
    await this.database.write(
      async (session) => {
        await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);
        if (!(await columnsAreKept(session))) await refillColumns(session);
      },
      { repeatable: true },
    );
  }

  async state(): Promise<IndexState> {
    const names = await this.database.one<{ n: number }>('select count(*) as n from name_only');
    const { lag, moved, since } = await leftOf(this.database);
    return { lag, moved, nameOnly: names?.n ?? 0, ...(since === undefined ? {} : { since }) };
  }

  async rebuild(): Promise<void> {
    await this.database.write(
      async (session) => {
        await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);
        await session.run('truncate entry, name_only');
        await emptyColumns(session);
        await session.run(
          `update search_progress set scan_next = 1, scan_end = coalesce(${GREATEST_NUMBER}, 0), refilling = false, moved = $1, columns_moved = $1`,
          [this.settings.now()],
        );
      },
      { repeatable: true },
    );
  }

  /**
   * Takes in samples until the step's bounds are reached; one at a time after a death, to find the one to blame: the
   * account that is tried is kept before, so that the next attempt tries the same.
   */
  private async take(session: Session, limit: number): Promise<IndexStep> {
    const before = await session.one<{ begun: number; worker: string | null; careful: number; turn: number }>(
      'select begun, worker, careful, turn from search_progress',
    );
    const { begun = 0, worker = null, turn = 0 } = before ?? {};
    const failures = worker === this.me ? 0 : begun;
    const careful = failures > 0 ? CAREFUL_SAMPLES : (before?.careful ?? 0);
    const { done, heads, ids } = await this.choose(session, turn, careful > 0 ? 1 : limit);
    const [first] = done;
    if (first === undefined) return { indexed: 0, more: false, nameOnly: [] };
    const tried = careful > 0 && 'account' in first ? first.account - 1 : turn;
    await this.database.runApart('update search_progress set begun = $1, worker = $2, turn = $3', [
      failures + 1,
      this.me,
      tried,
    ]);
    await removeTaken(session, done);
    const samples = ids.flatMap((id) => heads.get(id) ?? []);
    const nameOnly = await this.enter(session, samples, failures >= FAILED_ATTEMPTS);
    await session.run(
      'update search_progress set begun = 0, careful = $1, moved = $2, columns_moved = $2, refilling = refilling and scan_next <= scan_end',
      [Math.max(0, careful - 1), this.settings.now()],
    );
    return { indexed: samples.length, more: true, nameOnly };
  }

  /** What comes next within a step's bounds, and the samples in it, of which those that exist have a head. */
  private async choose(session: Session, turn: number, limit: number) {
    const waiting = await waitingChanges(session, turn);
    const scanned = await nextScanned(session, limit);
    const changed = waiting.flatMap(({ rows }) => firstSamples(rows, samplesOfEach(limit, waiting.length)));
    const known = new Set([...changed, ...scanned.map(({ id }) => id)]);
    const heads = await readHeads(session, [...known]);
    const ids: number[] = [];
    const samples = function* () {
      yield* inTurns(waiting);
      yield* scanned;
      return undefined;
    };
    const done = takeStep(samples(), {
      limit,
      bytesOf: (id) => (known.has(id) ? (heads.get(id)?.bytes ?? 0) : undefined),
      take: (id) => ids.push(id),
      isOver: () => false,
    });
    return { done, heads, ids };
  }

  private async enter(session: Session, heads: readonly HeadRow[], failed: boolean): Promise<NameOnly[]> {
    if (heads.length === 0) return [];
    const now = this.settings.now();
    const readable = heads.filter(({ bytes }) => bytes <= SAMPLE_BYTES && !failed).map(({ id }) => id);
    const read = await contentReader(session, this.names, readable);
    const entries = heads.map((head) => indexedSample(this.settings.prefix, head, failed, () => read(head.id)));
    await session.run(UPSERT, [
      numberArray(heads.map(({ id }) => id)),
      numberArray(heads.map(({ account }) => account)),
      numberArray(heads.map(({ release }) => release)),
      numberArray(heads.map(({ updated }) => updated)),
      numberArray(heads.map(({ hidden }) => (hidden ? 1 : 0))),
      numberArray(heads.map(({ hidden, release }) => (!hidden && release <= now ? 1 : 0))),
      new JoinedTexts(entries.map(({ terms }) => shortened(textsOf(terms)))),
    ]);
    await writeColumns(
      session,
      heads.map((head, at) => {
        const { characteristics, more } = (entries[at] as IndexedSample).facets;
        return { ...head, counted: [...characteristics], more };
      }),
    );
    const nameOnly = heads.flatMap(({ id }, at) => {
      const reason = entries[at]?.nameOnly;
      return reason === undefined ? [] : [{ id, reason }];
    });
    await session.run('delete from name_only where id = any($1::bigint[])', [numberArray(heads.map(({ id }) => id))]);
    for (const { id, reason } of nameOnly) {
      await session.run('insert into name_only (id, reason, at) values ($1, $2, $3)', [id, reason, now]);
    }
    return nameOnly;
  }

  /** Takes these samples in at once. What they said before, PostgreSQL removes as it removes all that was overwritten. */
  async takeAnew(ids: readonly number[]): Promise<void> {
    await this.database.write(
      async (session) => {
        await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);
        await this.enter(session, [...(await readHeads(session, ids)).values()], false);
      },
      { repeatable: true, unhurried: true },
    );
    await this.merge();
  }

  /** Samples become public by the clock alone; searches look at the clock themselves, so this may be late. */
  private openDue(session: Session): Promise<number> {
    return session.run(
      `update entry set open = true where id in
       (select id from entry where not open and not hidden and release <= $1 order by release limit $2)`,
      [this.settings.now(), OPENED_AT_ONCE],
    );
  }
}

/** Of these rows, up to so many numbers. */
function firstSamples(rows: readonly JournalRow[], limit: number): number[] {
  const ids: number[] = [];
  for (const { first, count } of rows) {
    for (let at = 0; at < count && ids.length < limit; at++) ids.push(first + at);
  }
  return ids;
}

function shortened(terms: readonly string[]): string {
  const text = terms.join(' ');
  if (Buffer.byteLength(text) <= TERMS_LENGTH) return text;
  const cut = Buffer.from(text).subarray(0, TERMS_LENGTH).toString();
  return cut.slice(0, cut.lastIndexOf(' '));
}
