/** Erasing samples for good, in SQLite. */
import type { LedgerChunk } from '../../submissions/submission-store.js';
import type { ErasedSample, ErasingStore } from '../../upkeep/erasing-store.js';
import { REWRITTEN_AT_ONCE, SAID, SAY, saidOf, saidValues } from '../erased-rows.js';
import { chunksQuery, type StoredChunk } from '../ledger-runs.js';
import type { SubmissionRow } from '../rows/submission-row.js';
import type { SqliteDatabase } from './database.js';
import { eraseSample } from './samples/erase-sample.js';
import type { Names } from './samples/names.js';
import { sqliteRecordReader } from './samples/sample-record.js';
import type { SearchFile } from './search/search-file.js';
import type { SearchIndex } from './search/search-index.js';

export function sqliteErasingStore(
  database: SqliteDatabase,
  names: Names,
  { file, filler }: { file: Pick<SearchFile, 'database'>; filler: Pick<SearchIndex, 'takeAnew' | 'guarded'> },
  now: () => number,
): ErasingStore {
  const readRecord = sqliteRecordReader(database, names);
  const eraseEach = async (ids: readonly number[], author: string): Promise<(ErasedSample | undefined)[]> => {
    const erased: (ErasedSample | undefined)[] = [];
    for (const id of ids)
      erased.push(await database.write(() => eraseSample(database, names, readRecord(id), author, now()), 'bulk'));
    return erased;
  };
  /** Some chunks from a line on; the first line behind them, undefined behind the last. */
  const rewriteChunks = (submission: number, from: number, chunk: (chunk: LedgerChunk) => LedgerChunk | undefined) => {
    const page = database
      .sql<StoredChunk>(chunksQuery('?1', '?2', '?3'))
      .all({ 1: submission, 2: from, 3: REWRITTEN_AT_ONCE });
    for (const { from_line, outcomes } of page) {
      const rewritten = chunk(JSON.parse(outcomes) as LedgerChunk);
      if (rewritten === undefined) continue;
      database
        .sql('update submission_chunk set outcomes = ? where submission = ? and from_line = ?')
        .run(JSON.stringify(rewritten), submission, from_line);
    }
    return page.length < REWRITTEN_AT_ONCE ? undefined : (page.at(-1)?.to_line as number) + 1;
  };
  return {
    eraseSamples: async (ids, author) => {
      const erased = await database.removed.overwritten(() => eraseEach(ids, author));
      await filler.takeAnew(ids);
      return erased;
    },

    keysOf: async (id) =>
      database
        .sql<{ key: string }>('select key from sample_key where sample = ? order by space, key')
        .all(id)
        .map(({ key }) => key),

    forgetKeysOf: (id) =>
      database.removed.overwritten(async () => {
        await database.write(() => database.sql('delete from sample_key where sample = ?').run(id));
      }),

    rewriteOutcomes: (submissionId, { chunk, submission }) =>
      database.removed.overwritten(async () => {
        const row = database.sql<SubmissionRow>(SAID('?')).get(submissionId);
        if (row === undefined) return;
        for (let from: number | undefined = 0; from !== undefined; ) {
          const first: number = from;
          from = await database.write(() => rewriteChunks(row.id, first, chunk), 'bulk');
        }
        await database.write(() => {
          const said = database.sql<SubmissionRow>(SAID('?')).get(submissionId);
          if (said) database.sql(SAY(['?', '?', '?', '?'])).run(...saidValues(submission(saidOf(said))), row.id);
        });
      }),

    vacuum: async () => {
      await database.removed.vacuum();
      await filler.guarded(() => file.database.removed.vacuum());
    },
  };
}
