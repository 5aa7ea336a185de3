/** What accounts attach to samples: curation links and structured data. */
import type { CurationLink } from '../../../registry/curations/curation.js';
import type { AdmitTables, SampleStore } from '../../../registry/samples/sample-store.js';
import type { StructuredDataTable } from '../../../registry/structured-data/structured-data.js';
import {
  firstAttached,
  type LinkRow,
  linkOf,
  NEW_TABLE,
  newCuration,
  newTableValues,
  noSample,
  sayTables,
  type TableRow,
  tableOf,
  UNUSED_CURATION,
  type UsageRow,
  usageOf,
} from '../../rows/annotation-row.js';
import type { PostgresDatabase, Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import type { Reader } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';
import { lockSamples } from './lock-samples.js';
import type { Names } from './names.js';
import { noteAttached } from './sample-rows.js';
import { postgresVisibleCurations } from './visible-curations.js';

/** With the sample that it is attached to, and the name of its account, joined in. */
type Joined = { sample: number; account_name: string };
type JoinedLink = LinkRow & Joined;
type JoinedTable = TableRow & Joined;

const LINKS = `select l.sample, l.hash, l.curation, c.lists, a.name as account_name, l.domain, l.created, l.declined
  from curation_link l join curation c on c.hash = l.curation join account a on a.id = l.account`;
const LINK = preparedOnce(`${LINKS} where l.sample = $1 and l.hash = $2`);
const LINKS_OF = preparedOnce(`${LINKS} where l.sample = any($1::bigint[]) order by l.created, l.id`);
const TABLES = 'select d.*, a.name as account_name from structured_data d join account a on a.id = d.account';
const TABLES_OF_ONE = preparedOnce(`${TABLES} where d.sample = $1 order by d.id`);
const TABLES_OF = preparedOnce(`${TABLES} where d.sample = any($1::bigint[]) order by d.id`);
const TABLE_BYTES = preparedOnce(
  `select sample, sum(octet_length(content))::bigint as bytes from structured_data
   where sample = any($1::bigint[]) group by sample`,
);

type AnnotationMethods = Pick<
  SampleStore,
  | 'addCurationLink'
  | 'declineCurationLink'
  | 'deleteCurationLink'
  | 'findCuration'
  | 'listCurations'
  | 'deleteStructuredData'
>;

export function postgresAnnotations(database: PostgresDatabase, names: Names, now: () => number): AnnotationMethods {
  return {
    addCurationLink: (id, link, admit) =>
      database.write(
        async (session) => {
          const account = await names.accountWithin(session, link.account, link.created);
          return addLink(session, id, link, account, admit, now());
        },
        { repeatable: true },
      ),

    declineCurationLink: (id, hash, declined) =>
      database.write(
        async (session) => {
          const changed = await session.run(
            `update curation_link set declined = $3::bigint
             where sample = $1 and hash = $2 and (declined is null) <> ($3::bigint is null)`,
            [id, hash, declined],
          );
          if (changed > 0) await noteAttached(session, null, id, 'curated', now());
          const row = await session.one<JoinedLink>(LINK, [id, hash]);
          return row && readLink(row);
        },
        { repeatable: true },
      ),

    deleteStructuredData: (id, { account, type }, admit) =>
      database.write(async (session) => {
        if (admit) {
          await lockSample(session, id);
          await admitted(session, id, admit);
        }
        const gone = await session.run(
          `delete from structured_data where sample = $1 and ($2::text is null or type = $2)
           and ($3::text is null or account = (select id from account where name = $3))`,
          [id, type ?? null, account ?? null],
        );
        if (gone > 0) await noteAttached(session, null, id, 'updated', now());
        return gone;
      }),

    deleteCurationLink: (id, hash) =>
      database.write(async (session) => {
        const gone = await session.one<{ curation: string }>(
          'delete from curation_link where sample = $1 and hash = $2 returning curation',
          [id, hash],
        );
        if (gone === undefined) return false;
        await removeUnusedCuration(session, gone.curation);
        await noteAttached(session, null, id, 'curated', now());
        return true;
      }),

    ...postgresVisibleCurations(database),
  };
}

/** After a link to it was deleted: whoever adds another now holds its row, or finds it gone and makes it again. */
export async function removeUnusedCuration(session: Session, hash: string): Promise<void> {
  await session.run('select 1 from curation where hash = $1 for update', [hash]);
  await session.run(UNUSED_CURATION('$1'), [hash]);
}

/** Of these samples, each in order of creation. */
export async function readLinks(reader: Reader, ids: string): Promise<Map<number, CurationLink[]>> {
  return bySample(await reader.rows<JoinedLink>(LINKS_OF, [ids]), readLink);
}

export async function readTables(reader: Reader, ids: readonly number[]): Promise<Map<number, StructuredDataTable[]>> {
  const [one, ...others] = ids;
  if (one === undefined) return new Map();
  const rows =
    others.length === 0
      ? await reader.rows<JoinedTable>(TABLES_OF_ONE, [one])
      : await reader.rows<JoinedTable>(TABLES_OF, [numberArray(ids)]);
  return bySample(rows, readTable);
}

/** Stored bytes of the structured data of those of these samples that have some. */
export async function tableBytes(reader: Reader, ids: string): Promise<Map<number, number>> {
  const rows = await reader.rows<{ sample: number; bytes: number }>(TABLE_BYTES, [ids]);
  return new Map(rows.map(({ sample, bytes }) => [sample, bytes]));
}

function bySample<Row extends { sample: number }, T>(rows: readonly Row[], read: (row: Row) => T): Map<number, T[]> {
  const grouped = new Map<number, T[]>();
  for (const row of rows) {
    const group = grouped.get(row.sample);
    if (group) group.push(read(row));
    else grouped.set(row.sample, [read(row)]);
  }
  return grouped;
}

/** Locks the sample: what is attached to one sample changes one transaction after the other. */
async function lockSample(session: Session, id: number): Promise<void> {
  if (!(await lockSamples(session, numberArray([id])))) throw noSample(id);
}

const USAGE = `select count(*) as links, coalesce(sum(bytes), 0)::bigint as bytes,
    count(*) filter (where own) as own_links, coalesce(sum(bytes) filter (where own), 0)::bigint as own_bytes
  from (select octet_length(c.lists) + coalesce(octet_length(l.domain), 0) as bytes, l.account = $2 as own
    from curation_link l join curation c on c.hash = l.curation where l.sample = $1) u`;

async function addLink(
  session: Session,
  id: number,
  link: CurationLink,
  account: number,
  admit: Parameters<AnnotationMethods['addCurationLink']>[2],
  now: number,
) {
  await lockSample(session, id);
  const find = () => session.one<JoinedLink>(LINK, [id, link.hash]);
  const known = await find();
  if (known) return { link: readLink(known), added: false };
  const { hash, lists, bytes } = newCuration(link);
  if (admit) admit(usageOf((await session.one<UsageRow>(USAGE, [id, account])) as UsageRow), bytes);
  // Doing something on conflict locks the row, so that a deletion of its last other link waits or comes first.
  await session.run(
    'insert into curation (hash, lists) values ($1, $2) on conflict (hash) do update set lists = curation.lists',
    [hash, lists],
  );
  await session.run(
    'insert into curation_link (sample, hash, curation, account, domain, created) values ($1, $2, $3, $4, $5, $6)',
    [id, link.hash, hash, account, link.domain, link.created],
  );
  await noteAttached(session, account, id, 'curated', now);
  return { link: readLink((await find()) as JoinedLink), added: true };
}

/** Of a sample that is locked: what `admit` is asked about stays until the transaction ends. */
async function admitted(session: Session, id: number, admit: AdmitTables | undefined): Promise<void> {
  if (admit) admit((await readTables(session, [id])).get(id) ?? []);
}

export async function replaceTables(
  session: Session,
  id: number,
  account: number,
  tables: StructuredDataTable[],
  at: number,
  now: number,
  admit?: AdmitTables,
): Promise<void> {
  await lockSample(session, id);
  await admitted(session, id, admit);
  const before = await session.rows<TableRow>(
    'select * from structured_data where sample = $1 and account = $2 order by id',
    [id, account],
  );
  if (sayTables(before, tables)) return;
  const created = firstAttached(before);
  await session.run('delete from structured_data where sample = $1 and account = $2', [id, account]);
  for (const table of tables) {
    await session.run(
      `insert into structured_data (${NEW_TABLE}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      newTableValues(id, account, table, created, at),
    );
  }
  await noteAttached(session, account, id, 'updated', now);
}

const readLink = (row: JoinedLink): CurationLink => linkOf(row, row.account_name);

const readTable = (row: JoinedTable): StructuredDataTable => tableOf(row, row.account_name);
