/** Curations by their hash and in a list, as far as a reader may see a sample that has them, in PostgreSQL. */

import type { CurationReader, SampleStore } from '../../../registry/samples/sample-store.js';
import { CURATIONS_LOOKED_AT, choosePage, LINKS_LOOKED_AT, type LookedAt } from '../../curation-pages.js';
import { curationOf } from '../../rows/annotation-row.js';
import type { PostgresDatabase } from '../database.js';
import { oneSampleOf } from './present-samples.js';

/** Whether one of the latest links of curation c is of a sample that the reader may read. */
const VISIBLE = `exists (select 1 from (select sample from curation_link where curation = c.hash order by id desc limit $2) l
  cross join lateral ${oneSampleOf('l.sample')} s
  where $3::boolean or (s.admin_status is null and s.release <= $4) or s.account = (select id from account where name = $5))`;

const visibility = (reader: CurationReader, links: keyof typeof LINKS_LOOKED_AT): unknown[] => [
  LINKS_LOOKED_AT[links],
  reader.admin,
  reader.now,
  reader.account ?? null,
];

export function postgresVisibleCurations(
  database: PostgresDatabase,
): Pick<SampleStore, 'findCuration' | 'listCurations'> {
  return {
    findCuration: async (hash, reader) => {
      const row = await database.one<{ lists: string }>(
        `select c.lists from curation c where c.hash = $1 and ${VISIBLE}`,
        [hash, ...visibility(reader, 'one')],
      );
      return row && curationOf(hash, row.lists);
    },

    listCurations: (reader, after, size) =>
      database.read(async (session) => {
        const rows = await session.rows<LookedAt>(
          `select c.hash, c.bytes, ${VISIBLE} as visible from
           (select hash, octet_length(lists) as bytes from curation where hash > $1 order by hash limit ${CURATIONS_LOOKED_AT}) c
           order by c.hash`,
          [after ?? '', ...visibility(reader, 'list')],
        );
        const { hashes, ...rest } = choosePage(rows, size);
        const found = await session.rows<{ hash: string; lists: string }>(
          'select hash, lists from curation where hash = any($1::text[]) order by hash',
          [hashes],
        );
        return { curations: found.map(({ hash, lists }) => curationOf(hash, lists)), ...rest };
      }),
  };
}
