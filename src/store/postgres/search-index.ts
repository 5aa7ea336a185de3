/** Fills the index from the journal, and rebuilds it from the samples. */
import { formatAccession } from '../../registry/accession.js';
import { applyCurations } from '../../registry/curation-rules.js';
import type { SampleRecord } from '../../registry/sample-store.js';
import { searchTerms } from '../../registry/search-terms.js';
import type { PostgresDatabase, Session } from './database.js';
import type { Names } from './names.js';
import { readRecords } from './sample-record.js';
import { JoinedTexts, numberArray } from './text.js';

/** Advisory lock of the process that fills the index: two that index one sample might finish in the wrong order. */
const INDEXING = 7_263_403;
/** A tsvector holds a megabyte; what a sample has beyond this is not found by. */
const TERMS_LENGTH = 500_000;

const UPSERT = `insert into entry (id, account, release, updated, hidden, open, terms)
  select new.id, a.id, new.release, new.updated, hidden = 1, open = 1, array_to_tsvector(string_to_array(terms, ' '))
  from rows from (unnest($1::bigint[]), unnest(string_to_array($2, E'\\x1f')), unnest($3::bigint[]), unnest($4::bigint[]),
    unnest($5::int[]), unnest($6::int[]), unnest(string_to_array($7, E'\\x1f')))
    as new (id, owner, release, updated, hidden, open, terms) join account a on a.name = new.owner
  on conflict (id) do update set release = excluded.release, updated = excluded.updated, hidden = excluded.hidden,
    open = excluded.open, terms = excluded.terms`;

export interface IndexSettings {
  prefix: string;
  now: () => number;
}

export class SearchIndex {
  constructor(
    private readonly database: PostgresDatabase,
    private readonly names: Names,
    private readonly settings: IndexSettings,
  ) {}

  /** One step, in one transaction, so a kill repeats or loses nothing. */
  async indexNext(limit: number): Promise<{ indexed: number; lag: number }> {
    const indexed = await this.database.write(async (session) => {
      await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);
      const ids = await takeChanged(session, limit);
      if (ids.size < limit) await takeScanned(session, ids, limit - ids.size);
      const records = await readRecords(session, this.names, [...ids]);
      if (records.length > 0) await this.enter(session, records);
      await this.openDue(session, limit);
      return records.length;
    });
    return { indexed, lag: await this.lag() };
  }

  async lag(): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      `select (select coalesce(sum(count), 0) from change)::bigint
         + (select greatest(0, scan_end - scan_next + 1) from search_progress) as n`,
    );
    return row?.n ?? 0;
  }

  async rebuild(): Promise<void> {
    await this.database.write(
      async (session) => {
        await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);
        await session.run('truncate entry');
        await session.run(
          'update search_progress set scan_next = 1, scan_end = (select coalesce(max(id), 0) from sample)',
        );
      },
      { repeatable: true },
    );
  }

  private async enter(session: Session, records: readonly SampleRecord[]): Promise<void> {
    const now = this.settings.now();
    const samples = records.map(({ sample }) => sample);
    await session.run(UPSERT, [
      numberArray(samples.map(({ id }) => id)),
      new JoinedTexts(samples.map(({ account }) => account)),
      numberArray(samples.map(({ release }) => release)),
      numberArray(samples.map(({ updated }) => updated)),
      numberArray(samples.map(({ adminStatus }) => (adminStatus === undefined ? 0 : 1))),
      numberArray(samples.map(({ adminStatus, release }) => (adminStatus === undefined && release <= now ? 1 : 0))),
      new JoinedTexts(records.map((record) => this.termsOf(record))),
    ]);
  }

  private termsOf({ sample, curationLinks }: SampleRecord): string {
    const accession = formatAccession(this.settings.prefix, sample.id);
    const { content } = applyCurations(sample.content, curationLinks, accession);
    const terms = searchTerms(sample.name, accession, content).join(' ');
    if (Buffer.byteLength(terms) <= TERMS_LENGTH) return terms;
    const cut = Buffer.from(terms).subarray(0, TERMS_LENGTH).toString();
    return cut.slice(0, cut.lastIndexOf(' '));
  }

  /** Samples become public by the clock alone. */
  private async openDue(session: Session, limit: number): Promise<void> {
    await session.run(
      `update entry set open = true where id in
       (select id from entry where not open and not hidden and release <= $1 order by release limit $2)`,
      [this.settings.now(), limit],
    );
  }
}

/** Takes up to `limit` samples out of the journal; a run that is longer stays there with its rest. */
async function takeChanged(session: Session, limit: number): Promise<Set<number>> {
  const ids = new Set<number>();
  const rows = await session.rows<{ seq: number; first: number; count: number }>(
    'select seq, first, count from change order by seq limit $1',
    [limit],
  );
  const finished: number[] = [];
  for (const { seq, first, count } of rows) {
    const taken = Math.min(count, limit - ids.size);
    for (let at = 0; at < taken; at++) ids.add(first + at);
    if (taken < count) {
      await session.run('update change set first = first + $2, count = count - $2 where seq = $1', [seq, taken]);
      break;
    }
    finished.push(seq);
  }
  if (finished.length > 0)
    await session.run('delete from change where seq = any($1::bigint[])', [numberArray(finished)]);
  return ids;
}

/** What a rebuild has to visit. */
async function takeScanned(session: Session, ids: Set<number>, limit: number): Promise<void> {
  const rows = await session.rows<{ id: number }>(
    `select x.id from sample x, search_progress p where p.scan_next <= p.scan_end and x.id between p.scan_next and p.scan_end
     order by x.id limit $1`,
    [limit],
  );
  for (const { id } of rows) ids.add(id);
  await session.run(
    `update search_progress set scan_next = case when $1 then scan_end + 1 else $2 end where scan_next <= scan_end`,
    [rows.length < limit, (rows.at(-1)?.id ?? 0) + 1],
  );
}
