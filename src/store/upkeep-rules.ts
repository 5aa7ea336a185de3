/** What both stores say when they forget what has ended. */
import { RegistryError } from '../registry/errors.js';
import type { StoreFault, VersionPlace } from '../upkeep/upkeep-store.js';
import type { SampleRow } from './rows/sample-row.js';
import { holding } from './sample-blocks.js';
import { type Checking, isIntact } from './sample-checksum.js';

/** Submissions forgotten in one transaction, so that ingest goes on meanwhile. */
const FORGET_AT_ONCE = 20;

/** SQL: rows that files have made here, ever: those of a mirror are of submissions of its source. */
export const COUNT_FROM_FILES = (via: number): string => {
  const made = `version = 1 and via = ${via} and submission is not null`;
  return `select (select count(*) from sample where ${made}) + (select count(*) from sample_version where ${made})
     + (select coalesce(sum(count), 0) from sample_block where ${made}) as n`;
};

/** Numbers that a restore passes over where nobody says which was the last that was given after the backup. */
export const PASSED_OVER = 1_000_000;
/** SQL: the accession counter is raised to one more than this number, or by those that are passed over; never lowered. */
export const CONTINUE_AFTER = (last: string): string =>
  `update counter set next = case when ${last} is null then next + ${PASSED_OVER} when next <= ${last} then ${last} + 1 else next end
   where name = 'accession' returning next`;

/** SQL: what processes agree on, by its name. */
export const SETTLED = (name: string): string => `select value from site where name = ${name}`;
export const SETTLE = (name: string, value: string): string =>
  `insert into site (name, value) values (${name}, ${value}) on conflict (name) do nothing`;
export const UNSETTLE = (name: string): string => `delete from site where name = ${name}`;

/** SQL: the table holds one row at most, the latest. */
export const RECORD_BACKUP = (at: string): string =>
  `insert into backup (id, at) values (1, ${at}) on conflict (id) do update set at = excluded.at where backup.at < excluded.at`;
export const LAST_BACKUP = 'select at from backup';

/** Faults of one kind that are listed; the first of them show what happened. */
const LISTED = 100;

/** SQL: samples whose earlier versions are not all there. */
export const HISTORY_GAPS = `select id, version, kept from (
    select s.id, s.version, (select count(*) from sample_version v where v.id = s.id)
      + (select count(*) from sample_block b where ${holding('s.id', 'b.')} and b.version < s.version) as kept
    from current_sample s where s.version > 1) k
  where kept <> version - 1 order by id limit ${LISTED}`;
/** SQL: versions, links, structured data and keys of samples that are not there. */
export const WITHOUT_SAMPLE = ['sample_version', 'curation_link', 'structured_data', 'sample_key'].map((table) => {
  const number = table === 'sample_version' ? 't.id' : 't.sample';
  return `select ${number} as id, '${table}' as place from ${table} t
    where not exists (select 1 from sample s where s.id = ${number})
      and not exists (select 1 from sample_block b where ${holding(number, 'b.')})
    order by 1 limit ${LISTED}`;
});

export interface GapRow {
  id: number;
  version: number;
  kept: number;
}

export interface OrphanRow {
  id: number;
  place: string;
}

export const gapFault = ({ id, version, kept }: GapRow): StoreFault => ({
  place: `sample ${id}`,
  message: `It is at version ${version}, and ${kept} earlier versions of it are there.`,
});
export const orphanFault = ({ id, place }: OrphanRow): StoreFault => ({
  place: `sample ${id}`,
  message: `It is gone, and ${place} still has rows of it.`,
});

/** SQL: rows of samples that carry no checksum; those of blocks do. */
export const COUNT_UNCHECKED =
  'select (select count(*) from sample where crc is null) + (select count(*) from sample_version where crc is null) as n';

/** Which of these rows, read in order, are not as they were written; `next` when there may be more. */
export function damagedAmong(
  rows: readonly SampleRow[],
  limit: number,
  checking: Checking,
): { damaged: VersionPlace[]; next?: VersionPlace } {
  const place = ({ id, version }: SampleRow): VersionPlace => ({ id, version });
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    damaged: rows.filter((row) => !isIntact(row, checking)).map(place),
    ...(last === undefined ? {} : { next: place(last) }),
  };
}

export interface EndedRow {
  id: number;
  uuid: string;
  blob_key: string;
}

export const originalOf = ({ uuid, blob_key }: EndedRow) => ({ submissionId: uuid, blobKey: blob_key });

interface OriginRow {
  id: number;
  version: number;
  line: number | null;
}

export const originOf = ({ id, version, line }: OriginRow, submissionId: string | null) => ({
  id,
  version,
  ...(submissionId === null ? {} : { submissionId }),
  ...(line === null ? {} : { line }),
});

const THERE_STILL =
  'The samples are there: find them by their names, on the page or with GET /samples?filter=name:NAME, and take them as a sheet with their identifiers.';

/** @throws RegistryError submission.outcomes-gone: who asks for outcomes that were removed must not hear that there were none */
export function requireKept(uuid: string, gone: number | null | undefined): void {
  if (gone == null) return;
  const day = new Date(gone).toISOString().slice(0, 10);
  throw new RegistryError(
    'submission.outcomes-gone',
    `The outcomes of submission ${uuid} were removed on ${day}, as the settings for keeping say, so which row became which sample is not known any more. ${THERE_STILL}`,
  );
}

/** Forgets the ledgers of what has ended, some at a time, until none is due; how many there were. */
export async function forgetLedgers(
  due: (limit: number) => readonly EndedRow[] | Promise<readonly EndedRow[]>,
  forget: (ids: number[]) => Promise<void>,
): Promise<number> {
  for (let forgotten = 0; ; ) {
    const rows = await due(FORGET_AT_ONCE);
    if (rows.length === 0) return forgotten;
    await forget(rows.map(({ id }) => id));
    forgotten += rows.length;
  }
}

/** Of submissions that ended before a time: their file is not one that another, which follows from it, has and still needs. */
export const ORIGINAL_DUE = (before: string): string =>
  `original_gone is null and not exists (select 1 from submission o where o.account = submission.account
   and o.sha256 = submission.sha256 and o.blob_key = submission.blob_key and (o.state = 'ACTIVE' or o.updated >= ${before}))`;
