/**
 * When blocks may be written (docs/decisions/0150). Programs that know nothing of blocks may be at work beside this one for a
 * while after the migration that made the table, and would not see what stands in one. A store that began with the
 * table has none of them; any other gets its first block an hour later. Before it does, the migration says that programs need
 * to know it, so that none of before is started any more.
 */
import { inBlocks } from '../../sample-blocks.js';
import type { PostgresDatabase } from '../database.js';

const MIGRATION = 25;
const WAIT = '1 hour';

const ALLOW = `update migration set needs = ${MIGRATION} where number = ${MIGRATION}
  and (applied = (select applied from migration where number = 1) or applied <= now() - interval '${WAIT}')`;

export class BlocksAllowed {
  private allowed = false;

  constructor(private readonly database: Pick<PostgresDatabase, 'runApart'>) {}

  /** `inBlocks` where blocks may be written by now, else none of them. */
  async among<Row extends Parameters<typeof inBlocks>[0][number]>(
    rows: readonly Row[],
    same: (one: Row, other: Row) => boolean,
  ): Promise<{ blocks: Row[][]; others: readonly Row[] }> {
    const found = inBlocks(rows, same);
    return found.blocks.length === 0 || (await this.mayBeWritten()) ? found : { blocks: [], others: rows };
  }

  /** Committed apart, before the first block can be. */
  private async mayBeWritten(): Promise<boolean> {
    this.allowed ||= (await this.database.runApart(ALLOW)) > 0;
    return this.allowed;
  }
}
