/** Erasing samples for good, in PostgreSQL. */
import type { LedgerChunk } from '../../submissions/submission-store.js';
import type { ErasedSample, ErasingStore } from '../../upkeep/erasing-store.js';
import { REWRITTEN_AT_ONCE, SAID, SAY, saidOf, saidValues } from '../erased-rows.js';
import { chunksQuery, type StoredChunk } from '../ledger-runs.js';
import type { SubmissionRow } from '../rows/submission-row.js';
import type { PostgresDatabase, Session } from './database.js';
import { eraseSample } from './samples/erase-sample.js';
import type { Names } from './samples/names.js';
import type { SearchIndex } from './search/search-index.js';
import { vacuumTables } from './vacuum.js';

/** What erasing writes to. */
const TABLES = [
  'sample',
  'sample_version',
  'sample_block',
  'sample_key',
  'curation',
  'curation_link',
  'structured_data',
  'open_relationship',
  'submission',
  'submission_chunk',
  'kept_export',
  'entry',
  'facet_block',
];

export function postgresErasingStore(
  database: PostgresDatabase,
  names: Names,
  index: Pick<SearchIndex, 'takeAnew'>,
  now: () => number,
): ErasingStore {
  return {
    eraseSamples: async (ids, author) => {
      const erased: (ErasedSample | undefined)[] = [];
      for (const id of ids)
        erased.push(
          await database.write((session) => eraseSample(session, names, id, author, now()), {
            repeatable: true,
            unhurried: true,
          }),
        );
      await index.takeAnew(ids);
      return erased;
    },

    keysOf: async (id) =>
      (
        await database.rows<{ key: string }>('select key from sample_key where sample = $1 order by space, key', [id])
      ).map(({ key }) => key),

    forgetKeysOf: async (id) => {
      await database.run('delete from sample_key where sample = $1', [id]);
    },

    rewriteOutcomes: async (submissionId, { chunk, submission }) => {
      const row = await database.one<SubmissionRow>(SAID('$1'), [submissionId]);
      if (row === undefined) return;
      for (let from: number | undefined = 0; from !== undefined; ) {
        const first: number = from;
        from = await database.write((session) => rewriteChunks(session, row.id, first, chunk), { repeatable: true });
      }
      await database.write(
        async (session) => {
          const said = await session.one<SubmissionRow>(`${SAID('$1')} for update`, [submissionId]);
          if (said) await session.run(SAY(['$1', '$2', '$3', '$4']), [...saidValues(submission(saidOf(said))), row.id]);
        },
        { repeatable: true },
      );
    },

    vacuum: () => vacuumTables(database, TABLES),
  };
}

/** Some chunks from a line on; the first line behind them, undefined behind the last. */
async function rewriteChunks(
  session: Session,
  submission: number,
  from: number,
  rewrite: (chunk: LedgerChunk) => LedgerChunk | undefined,
): Promise<number | undefined> {
  const page = await session.rows<StoredChunk>(chunksQuery('$1', '$2', '$3'), [submission, from, REWRITTEN_AT_ONCE]);
  for (const { from_line, outcomes } of page) {
    const rewritten = rewrite(JSON.parse(outcomes) as LedgerChunk);
    if (rewritten === undefined) continue;
    await session.run('update submission_chunk set outcomes = $1 where submission = $2 and from_line = $3', [
      JSON.stringify(rewritten),
      submission,
      from_line,
    ]);
  }
  return page.length < REWRITTEN_AT_ONCE ? undefined : (page.at(-1)?.to_line as number) + 1;
}
