/** What the index keeps of the samples of a step. */
import { indexedParts } from '../../../registry/search/indexed-sample.js';
import type { NameOnly } from '../../../registry/search/search-store.js';
import type { Staged } from '../../columns/staged.js';
import type { SqliteDatabase } from '../database.js';
import { stagedColumns, writeColumns } from './search-columns.js';
import type { HeadRow, SearchRecords } from './search-record.js';
import { StagedPostings } from './search-segments.js';

interface Entering {
  prefix: string;
  now: () => number;
  records: SearchRecords;
}

/** Made of each sample at once, so that nothing else of it is kept until the step is written. */
export class EnteringSamples {
  readonly #postings = new StagedPostings();
  readonly #columns: Staged;
  readonly #ids: number[] = [];
  readonly #nameOnly: NameOnly[] = [];

  constructor(
    private readonly index: SqliteDatabase,
    private readonly entering: Entering,
  ) {
    this.#columns = stagedColumns(index);
  }

  /** Of each sample once. `failed`: it is known by its name only. */
  add(head: HeadRow, failed: boolean): void {
    const { prefix, records } = this.entering;
    const { id, account, release, updated, hidden } = head;
    const read = () => records.sheetRow(id) ?? records.content(id);
    const { parts, more, nameOnly } = indexedParts(prefix, head, failed, read);
    this.#postings.add(head, parts);
    const counted = parts.map((part) => part.counted);
    this.#columns.add({ id, account, release, updated, hidden: hidden === 1, counted, more });
    this.#ids.push(id);
    if (nameOnly !== undefined) this.#nameOnly.push({ id, reason: nameOnly });
  }

  /** Inside a write of the index. */
  write(): { indexed: number; nameOnly: NameOnly[] } {
    this.#postings.write(this.index);
    writeColumns(this.index, this.#columns);
    // Mostly there are none.
    if (this.index.sql('select 1 from name_only limit 1').get() !== undefined) {
      for (const id of this.#ids) this.index.sql('delete from name_only where id = ?').run(id);
    }
    for (const { id, reason } of this.#nameOnly) {
      this.index.sql('insert into name_only (id, reason, at) values (?, ?, ?)').run(id, reason, this.entering.now());
    }
    return { indexed: this.#ids.length, nameOnly: this.#nameOnly };
  }
}
