/** What accounts attach to samples: curation links and structured data. */
import type { CurationLink } from '../../../registry/curations/curation.js';
import type { CurationUsage } from '../../../registry/curations/curation-limits.js';
import type { CurationReader, SampleRecord, SampleStore } from '../../../registry/samples/sample-store.js';
import type { StructuredDataTable } from '../../../registry/structured-data/structured-data.js';
import { CURATIONS_LOOKED_AT, choosePage, LINKS_LOOKED_AT } from '../../curation-pages.js';
import { storageIsDamaged } from '../../failures.js';
import {
  curationOf,
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
import type { SqliteDatabase } from '../database.js';
import { isAsWritten, isWhole, requireWhole } from '../row-checks.js';
import { headOf, VISIBILITY_OF } from './current-samples.js';
import type { Names } from './names.js';
import { noteAttached } from './sample-rows.js';

type OwnedLink = LinkRow & { account: number; whole: number };
type OwnedTable = TableRow & { account: number };

/** 1 when one of the curation's latest links is of a sample that the reader may read. */
const VISIBLE = `exists (select 1 from (select sample from curation_link where curation = @hash order by id desc limit @links) l
  where @admin or exists (select 1 from (${VISIBILITY_OF('l.sample')}) s
    where (s.admin_status is null and s.release <= @now) or s.account = @account))`;

/** Lengths are read from the head of each row: the lists themselves are not. */
const USAGE = `select count(*) as links, coalesce(sum(bytes), 0) as bytes,
    coalesce(sum(own), 0) as own_links, coalesce(sum(own * bytes), 0) as own_bytes
  from (select octet_length(c.lists) + coalesce(octet_length(l.domain), 0) as bytes, l.account = ?2 as own
    from curation_link l join curation c on c.hash = l.curation where l.sample = ?1)`;

type Methods =
  | 'addCurationLink'
  | 'declineCurationLink'
  | 'deleteCurationLink'
  | 'findCuration'
  | 'listCurations'
  | 'deleteStructuredData';

export interface Annotations extends Pick<SampleStore, Methods> {
  read(id: number): Pick<SampleRecord, 'curationLinks' | 'structuredData'>;
  readLinks(id: number): CurationLink[];
  readTables(id: number): StructuredDataTable[];
  /** Stored bytes of its structured data. */
  tableBytes(id: number): number;
  /** Inside a write. */
  replaceTables(id: number, account: string, tables: StructuredDataTable[], now: number): void;
}

const readCuration = (hash: string, row: { lists: string }) =>
  curationOf(hash, requireWhole(row, `Curation ${hash}`).lists);

export function sqliteAnnotations(database: SqliteDatabase, names: Names, now: () => number = Date.now): Annotations {
  const links = `select l.hash, l.curation, c.lists, l.account, l.domain, l.created, l.declined,
      ${isWhole(database, 'curation_link', 'l')} and ${isWhole(database, 'curation', 'c')} as whole
    from curation_link l join curation c on c.hash = l.curation`;
  const readLink = (row: OwnedLink): CurationLink => {
    if (row.whole !== 1) throw storageIsDamaged(`Curation ${row.hash}`);
    return linkOf(row, names.accountName(row.account));
  };
  const requireSample = (id: number): void => {
    if (headOf(database, id) === undefined) {
      throw noSample(id);
    }
  };
  const usage = (id: number, account: number): CurationUsage =>
    usageOf(database.sql<UsageRow>(USAGE).get({ 1: id, 2: account }) as UsageRow);
  const readLinks = (id: number): CurationLink[] =>
    database.sql<OwnedLink>(`${links} where l.sample = ? order by l.created, l.id`).all(id).map(readLink);
  const visibility = (reader: CurationReader, hash: string, links: keyof typeof LINKS_LOOKED_AT) => ({
    hash,
    links: LINKS_LOOKED_AT[links],
    admin: reader.admin ? 1 : 0,
    now: reader.now,
    account: reader.account === undefined ? null : (names.findAccount(reader.account) ?? null),
  });
  const readTables = (id: number): StructuredDataTable[] =>
    database
      .sql<OwnedTable>('select * from structured_data where sample = ? order by id')
      .all(id)
      .map((row) =>
        tableOf(requireWhole(row, `Structured data of sample ${names.accession(id)}`), names.accountName(row.account)),
      );
  return {
    readLinks,
    readTables,
    tableBytes: (id) =>
      database
        .sql<{ bytes: number }>(
          'select coalesce(sum(octet_length(content)), 0) as bytes from structured_data where sample = ?',
        )
        .get(id)?.bytes ?? 0,
    read: (id) => ({ curationLinks: readLinks(id), structuredData: readTables(id) }),

    addCurationLink: (id, link, admit) =>
      database.write(() => {
        requireSample(id);
        const find = database.sql<OwnedLink>(`${links} where l.sample = ? and l.hash = ?`);
        const known = find.get(id, link.hash);
        if (known) return { link: readLink(known), added: false };
        const account = names.account(link.account, link.created);
        const { hash, lists, bytes } = newCuration(link);
        admit?.(usage(id, account), bytes);
        database.sql('insert into curation (hash, lists) values (?, ?) on conflict (hash) do nothing').run(hash, lists);
        database
          .sql('insert into curation_link (sample, hash, curation, account, domain, created) values (?, ?, ?, ?, ?, ?)')
          .run(id, link.hash, hash, account, link.domain, link.created);
        noteAttached(database, account, id, 'curated', now());
        return { link: readLink(find.get(id, link.hash) as OwnedLink), added: true };
      }),

    declineCurationLink: (id, hash, declined) =>
      database.write(() => {
        const { changes } = database
          .sql(
            'update curation_link set declined = ?3 where sample = ?1 and hash = ?2 and (declined is null) <> (?3 is null)',
          )
          .run({ 1: id, 2: hash, 3: declined });
        if (changes > 0) noteAttached(database, null, id, 'curated', now());
        const row = database.sql<OwnedLink>(`${links} where l.sample = ? and l.hash = ?`).get(id, hash);
        return row && readLink(row);
      }),

    deleteCurationLink: (id, hash) =>
      database.write(() => {
        const gone = database
          .sql<{ curation: string }>('delete from curation_link where sample = ? and hash = ? returning curation')
          .get(id, hash);
        if (gone === undefined) return false;
        removeUnusedCuration(database, gone.curation);
        noteAttached(database, null, id, 'curated', now());
        return true;
      }),

    findCuration: async (hash, reader) =>
      database.read(() => {
        const row = database.sql<{ lists: string }>('select * from curation where hash = ?').get(hash);
        const seen = row && database.sql<{ n: number }>(`select ${VISIBLE} as n`).get(visibility(reader, hash, 'one'));
        return row && seen?.n === 1 ? readCuration(hash, row) : undefined;
      }),

    listCurations: async (reader, after, size) =>
      database.read(() => {
        const rows = database
          .sql<{ hash: string; bytes: number; visible: number }>(
            `select c.hash, c.bytes, ${VISIBLE.replace('@hash', 'c.hash')} as visible from
             (select hash, octet_length(lists) as bytes from curation where hash > @hash order by hash limit ${CURATIONS_LOOKED_AT}) c`,
          )
          .all(visibility(reader, after ?? '', 'list'));
        const { hashes, ...rest } = choosePage(
          rows.map((row) => ({ ...row, visible: row.visible === 1 })),
          size,
        );
        const lists = database.sql<{ lists: string }>('select * from curation where hash = ?');
        return { curations: hashes.map((hash) => readCuration(hash, lists.get(hash) as { lists: string })), ...rest };
      }),

    deleteStructuredData: (id, { account, type }, admit) =>
      database.write(() => {
        admit?.(readTables(id));
        const { changes } = database
          .sql(
            `delete from structured_data where sample = ?1 and (?2 is null or type = ?2)
             and (?3 is null or account = (select id from account where name = ?3))`,
          )
          .run({ 1: id, 2: type ?? null, 3: account ?? null });
        if (changes > 0) noteAttached(database, null, id, 'updated', now());
        return changes;
      }),

    replaceTables: (id, account, tables, at) => {
      requireSample(id);
      const number = names.account(account, at);
      const before = database
        .sql<TableRow>('select * from structured_data where sample = ? and account = ? order by id')
        .all(id, number);
      if (before.every(isAsWritten) && sayTables(before, tables)) return;
      const created = firstAttached(before);
      database.sql('delete from structured_data where sample = ? and account = ?').run(id, number);
      const insert = database.sql(`insert into structured_data (${NEW_TABLE}) values (?, ?, ?, ?, ?, ?, ?, ?)`);
      for (const table of tables) insert.run(...newTableValues(id, number, table, created, at));
      noteAttached(database, number, id, 'updated', now());
    },
  };
}

/** After a link to it was deleted. Inside a write. */
export function removeUnusedCuration(database: SqliteDatabase, hash: string): void {
  database.sql(UNUSED_CURATION('@hash')).run({ hash });
}
