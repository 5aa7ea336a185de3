/** What both stores say when they forget what has ended. */
import { RegistryError } from '../registry/errors.js';

/** Submissions forgotten in one transaction, so that ingest goes on meanwhile. */
const FORGET_AT_ONCE = 20;

/** SQL: rows that files have made, ever. */
export const COUNT_FROM_FILES = (via: number): string =>
  `select (select count(*) from sample where version = 1 and via = ${via})
     + (select count(*) from sample_version where version = 1 and via = ${via}) as n`;

/** SQL: the accession counter is raised, never lowered. */
export const CONTINUE_AT = (next: string): string =>
  `update counter set next = case when next < ${next} then ${next} else next end where name = 'accession' returning next`;

/** SQL: the table holds one row at most, the latest. */
export const RECORD_BACKUP = (at: string): string =>
  `insert into backup (id, at) values (1, ${at}) on conflict (id) do update set at = excluded.at where backup.at < excluded.at`;
export const LAST_BACKUP = 'select at from backup';

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

/** @throws RegistryError not-found: who asks for outcomes that were removed must not hear that there were none */
export function requireKept(uuid: string, gone: number | null | undefined): void {
  if (gone == null) return;
  const day = new Date(gone).toISOString().slice(0, 10);
  throw new RegistryError(
    'not-found',
    `The outcomes of submission ${uuid} were removed on ${day}, as the settings for keeping say.`,
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
