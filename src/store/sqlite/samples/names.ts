/** Names outside the file ↔ numbers inside it: accounts, submissions, layouts, samples. */
import type { SampleLayout } from '../../../registry/samples/packed-sample.js';
import { hashOf, KnownNames, type LayoutRow, NameMemory, readLayout } from '../../name-memory.js';
import type { Checking } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import { requireWhole } from '../row-checks.js';

export class Names extends KnownNames implements Checking {
  private readonly accountNames = new NameMemory<number, string>();
  private readonly submissionNumbers = new NameMemory<string, number>();
  private readonly submissionIds = new NameMemory<number, string>();

  readonly uncheckedBelow: number;

  constructor(
    private readonly database: SqliteDatabase,
    prefix: string,
  ) {
    super(prefix);
    const row = database.sql<{ next: number }>("select next from counter where name = 'unchecked'").get();
    this.uncheckedBelow = row?.next ?? 0;
  }

  findAccount(name: string): number | undefined {
    return this.accountNumbers.get(name) ?? this.readAccount(name);
  }

  private readAccount(name: string): number | undefined {
    const row = this.database.sql<{ id: number }>('select id from account where name = ?').get(name);
    if (row === undefined) return undefined;
    this.database.onCommit(() => this.accountNumbers.learn(name, row.id));
    return row.id;
  }

  /** Makes the account when it is new. Only inside a write. */
  account(name: string, now: number): number {
    return this.findAccount(name) ?? this.makeAccount(name, now);
  }

  private makeAccount(name: string, now: number): number {
    const { lastInsertRowid } = this.database.sql('insert into account (name, created) values (?, ?)').run(name, now);
    const id = Number(lastInsertRowid);
    this.database.onCommit(() => this.accountNumbers.learn(name, id));
    return id;
  }

  accountName(id: number): string {
    const known = this.accountNames.get(id);
    if (known !== undefined) return known;
    const row = this.database.sql<{ name: string }>('select * from account where id = ?').get(id);
    if (row === undefined) throw new Error(`the store names account ${id}, which it does not have`);
    requireWhole(row, `Account ${row.name}`);
    this.database.onCommit(() => this.accountNames.learn(id, row.name));
    return row.name;
  }

  findSubmission(uuid: string): number | undefined {
    const known = this.submissionNumbers.get(uuid);
    if (known !== undefined) return known;
    const row = this.database.sql<{ id: number }>('select id from submission where uuid = ?').get(uuid);
    if (row === undefined) return undefined;
    this.database.onCommit(() => this.submissionNumbers.learn(uuid, row.id));
    return row.id;
  }

  submissionId(id: number): string {
    const known = this.submissionIds.get(id);
    if (known !== undefined) return known;
    const row = this.database.sql<{ uuid: string }>('select * from submission where id = ?').get(id);
    if (row === undefined) throw new Error(`the store names submission ${id}, which it does not have`);
    requireWhole(row, `Submission ${row.uuid}`);
    this.database.onCommit(() => this.submissionIds.learn(id, row.uuid));
    return row.uuid;
  }

  layout(id: number): SampleLayout {
    const known = this.layouts.get(id);
    if (known !== undefined) return known;
    const row = this.database.sql<LayoutRow>('select id, hash, layout from sample_layout where id = ?').get(id);
    if (row === undefined) throw new Error(`the store names layout ${id}, which it does not have`);
    const layout = readLayout(row);
    this.database.onCommit(() => this.layouts.learn(id, layout));
    return layout;
  }

  /** Undefined for one that is not stored. */
  findLayout(layout: SampleLayout): number | undefined {
    const { text, number } = this.knownLayout(layout);
    return number ?? this.layoutOfHash(text);
  }

  /** Stores the layout when it is new. Only inside a write. */
  layoutNumber(layout: SampleLayout): number {
    return this.findLayout(layout) ?? this.makeLayout(layout);
  }

  private makeLayout(layout: SampleLayout): number {
    const { text } = this.knownLayout(layout);
    this.database.sql('insert into sample_layout (hash, layout) values (?, ?)').run(hashOf(text), text);
    return this.layoutOfHash(text) as number;
  }

  private layoutOfHash(text: string): number | undefined {
    const row = this.database.sql<{ id: number }>('select id from sample_layout where hash = ?').get(hashOf(text));
    if (row) this.database.onCommit(() => this.layoutNumbers.learn(text, row.id));
    return row?.id;
  }
}
