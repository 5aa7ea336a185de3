/**
 * Kept whole results, as both stores have them: every step is one statement, which runs alone, and the same SQL means
 * the same in SQLite and in PostgreSQL. An adapter brings what runs it.
 */
import type {
  KeptClaim,
  KeptExport,
  KeptExportState,
  KeptExportStore,
  KeptRequest,
} from '../../registry/search/kept-export-store.js';
import { leaseOver } from '../lease.js';

/** What an adapter brings; parameters are `$1`, `$2`, …. */
export interface KeptStatements {
  rows<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /** One at a time in the whole store; resolves to the rows that it returns. */
  write<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /** Makes the account when it is new. */
  ensureAccount(name: string, now: number): Promise<void>;
}

type Value = string | number | null;

interface KeptExportRow {
  id: string;
  account: string;
  admin: number;
  request: string;
  state: KeptExportState;
  attempts: number;
  handed_back: number;
  lease_until: number | null;
  created: number;
  expires: number;
  samples: number | null;
  bytes: number;
  sha256: string | null;
  problem: string | null;
}

const COLUMNS = `e.id, a.name as account, e.admin, e.request, e.state, e.attempts, e.handed_back, e.lease_until, e.created, e.expires,
  e.samples, e.bytes, e.sha256, e.problem`;
const FROM = 'from kept_export e join account a on a.id = e.account';
/** `$1` is the time. */
const PRESENT = 'e.removed = 0 and e.expires > $1';
const WAITS = `e.state = 'ACTIVE' and ${PRESENT} and ${leaseOver('e.', '$1')}`;
/** Of the claim `$1`, `$2`. */
const CLAIMED = `id = $1 and attempts = $2 and state = 'ACTIVE' and removed = 0`;
const TOUCHED = 'returning id';

export function keptExports({ rows, write, ensureAccount }: KeptStatements): KeptExportStore {
  const changed = async (sql: string, values: readonly Value[]): Promise<boolean> =>
    (await write(sql, values)).length > 0;
  const read = async (sql: string, values: readonly Value[]): Promise<KeptExport[]> =>
    (await rows<KeptExportRow>(sql, values)).map(keptExportOf);
  return {
    orderExport: async ({ id, account, admin, request, created, expires }, most) => {
      await ensureAccount(account, created);
      const ordered = await changed(
        `insert into kept_export (id, account, admin, request, state, created, updated, expires)
         select $1, a.id, $3, $4, 'ACTIVE', $5, $5, $6 from account a
         where a.name = $2
           and (select count(*) from kept_export o where o.account = a.id and o.removed = 0 and o.expires > $5) < $7
           and (select count(*) from kept_export) < $8 ${TOUCHED}`,
        [id, account, admin ? 1 : 0, JSON.stringify(request), created, expires, most.ofOne, most.inAll],
      );
      if (ordered) return 'ordered';
      const [all] = await rows<{ n: number }>('select count(*) as n from kept_export', []);
      return (all?.n ?? 0) >= most.inAll ? 'in all' : 'of one';
    },

    findExport: async (id, now) =>
      (await read(`select ${COLUMNS} ${FROM} where ${PRESENT} and e.id = $2`, [now, id]))[0],

    listExports: (account, now, limit) =>
      account === undefined
        ? read(`select ${COLUMNS} ${FROM} where ${PRESENT} order by e.created desc, e.id limit $2`, [now, limit])
        : read(`select ${COLUMNS} ${FROM} where ${PRESENT} and a.name = $2 order by e.created desc, e.id limit $3`, [
            now,
            account,
            limit,
          ]),

    waitingExports: (now, limit) =>
      read(
        `select ${COLUMNS} ${FROM} where ${WAITS}
           and not exists (select 1 from kept_export m where m.account = e.account and m.state = 'ACTIVE'
             and m.removed = 0 and not ${leaseOver('m.', '$1')})
           and not exists (select 1 from kept_export o where o.account = e.account and o.state = 'ACTIVE'
             and o.removed = 0 and o.expires > $1
             and (o.created < e.created or (o.created = e.created and o.id < e.id)))
         order by e.created, e.id limit $2`,
        [now, limit],
      ),

    claimExport: async (id, now, leaseMs) => {
      const taken = await changed(
        `update kept_export as e set attempts = attempts + 1, lease_until = $3, updated = $1
         where ${WAITS} and e.id = $2 ${TOUCHED}`,
        [now, id, now + leaseMs],
      );
      if (!taken) return undefined;
      return (await read(`select ${COLUMNS} ${FROM} where ${PRESENT} and e.id = $2`, [now, id]))[0];
    },

    extendExport: ({ id, attempts }, now, leaseMs) =>
      changed(`update kept_export set lease_until = $3, updated = $4 where ${CLAIMED} ${TOUCHED}`, [
        id,
        attempts,
        now + leaseMs,
        now,
      ]),

    returnExport: ({ id, attempts }, now, notBefore) =>
      changed(
        `update kept_export set lease_until = $3, handed_back = handed_back + 1, updated = $4 where ${CLAIMED} ${TOUCHED}`,
        [id, attempts, notBefore, now],
      ),

    completeExport: async ({ id, attempts }, { samples, bytes, sha256 }, room, { now, expires }) => {
      const completed = await changed(
        `update kept_export as e set state = 'COMPLETED', lease_until = null, samples = $3, bytes = $4, sha256 = $5,
           updated = $6, expires = $7
         where ${CLAIMED} and (select coalesce(sum(bytes), 0) from kept_export) + $4 <= $8
           and (select coalesce(sum(bytes), 0) from kept_export o where o.account = e.account) + $4 <= $9 ${TOUCHED}`,
        [id, attempts, samples, bytes, sha256, now, expires, room.inAll, room.ofOne],
      );
      if (completed) return 'completed';
      const [held] = await rows(`select 1 as held from kept_export where ${CLAIMED}`, [id, attempts]);
      return held === undefined ? 'lost' : 'no room';
    },

    failExport: ({ id, attempts }, problem, { now, expires }) =>
      changed(
        `update kept_export set state = 'FAILED', lease_until = null, problem = $3, updated = $4, expires = $5
         where ${CLAIMED} ${TOUCHED}`,
        [id, attempts, JSON.stringify(problem), now, expires],
      ),

    removeExport: (id, now) =>
      changed(`update kept_export as e set removed = 1 where ${PRESENT} and e.id = $2 ${TOUCHED}`, [now, id]),

    endedExports: (now, limit) =>
      rows<KeptClaim>(
        `select e.id, e.attempts from kept_export e where (e.removed = 1 or e.expires <= $1) and ${leaseOver('e.', '$1')}
         order by e.expires limit $2`,
        [now, limit],
      ),

    forgetExport: async (id) => {
      await write(`delete from kept_export where id = $1 ${TOUCHED}`, [id]);
    },

    keptBytes: async (account) => {
      const [kept] = await rows<{ mine: number; every: number }>(
        `select cast(coalesce(sum(case when a.name = $1 then e.bytes end), 0) as bigint) as mine,
           cast(coalesce(sum(e.bytes), 0) as bigint) as every ${FROM}`,
        [account],
      );
      return { ofAccount: kept?.mine ?? 0, inAll: kept?.every ?? 0 };
    },
  };
}

const keptExportOf = (row: KeptExportRow): KeptExport => ({
  id: row.id,
  account: row.account,
  admin: row.admin === 1,
  request: JSON.parse(row.request) as KeptRequest,
  state: row.state,
  attempts: row.attempts,
  handedBack: row.handed_back,
  ...(row.lease_until === null ? {} : { leaseUntil: row.lease_until }),
  created: row.created,
  expires: row.expires,
  ...(row.samples === null || row.sha256 === null
    ? {}
    : { file: { samples: row.samples, bytes: row.bytes, sha256: row.sha256 } }),
  ...(row.problem === null ? {} : { problem: JSON.parse(row.problem) as { code: string; message: string } }),
});
