/**
 * Names outside the database ↔ numbers inside it: accounts, layouts, samples. None is ever changed or deleted, but a failover to a standby
 * undoes those that it had not heard of, and another name may be given their numbers. So a remembered number is only read by, and for
 * seconds; what is written by one is held to its name in the same transaction (docs/decisions/0171).
 */
import type { SampleLayout } from '../../../registry/samples/packed-sample.js';
import { hashOf, KnownNames, type LayoutRow, readLayout } from '../../name-memory.js';
import type { Checking } from '../../sample-checksum.js';
import type { PostgresDatabase, Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import type { Reader } from '../submissions/submission-rows.js';

/** How long a number is read by that a failover has undone. Milliseconds. */
const REMEMBERED_MS = 5_000;

const ACCOUNT_NUMBER = preparedOnce('select id from account where name = $1');
const INSERT_ACCOUNT = 'insert into account (name, created) values ($1, $2) on conflict (name) do nothing';

/** Of the layout with this number, to be compared with `hashOfLayout` in the transaction that writes by it. */
export const LAYOUT_HASH = (id: string): string => `(select hash from sample_layout where id = ${id})`;

/** A remembered number is not that of its name any more; nothing was written. */
export class UndoneName extends Error {}

export class Names extends KnownNames implements Checking {
  /** Programs of the version before, which write no checksums, may be at work beside this one. */
  readonly uncheckedBelow = Number.POSITIVE_INFINITY;
  private rememberedSince = 0;

  constructor(
    private readonly database: PostgresDatabase,
    prefix: string,
  ) {
    super(prefix);
  }

  private forgetOld(): void {
    const now = performance.now();
    if (now - this.rememberedSince < REMEMBERED_MS) return;
    this.rememberedSince = now;
    this.forget();
  }

  /** For those who read by it. */
  async findAccount(name: string): Promise<number | undefined> {
    this.forgetOld();
    const known = this.accountNumbers.get(name);
    if (known !== undefined) return known;
    const row = await this.database.one<{ id: number }>(ACCOUNT_NUMBER, [name]);
    return row && this.accountNumbers.learn(name, row.id);
  }

  /** For those who write by it, asked within their transaction; not remembered, because that may be undone. */
  async findWithin(session: Session, name: string): Promise<number | undefined> {
    return (await session.one<{ id: number }>(ACCOUNT_NUMBER, [name]))?.id;
  }

  /** The same, made there when it is new. */
  async accountWithin(session: Session, name: string, now: number): Promise<number> {
    const there = await this.findWithin(session, name);
    if (there !== undefined) return there;
    await session.run(INSERT_ACCOUNT, [name, now]);
    return (await this.findWithin(session, name)) as number;
  }

  /** The layouts of these numbers; of one number always the same object while it is remembered. */
  async layoutsOf(reader: Reader, ids: Iterable<number | null>): Promise<Map<number, SampleLayout>> {
    this.forgetOld();
    const found = new Map<number, SampleLayout>();
    const missing = new Set<number>();
    for (const id of ids) {
      const known = id === null ? undefined : this.layouts.get(id);
      if (id !== null && known === undefined) missing.add(id);
      else if (id !== null && known !== undefined) found.set(id, known);
    }
    if (missing.size === 0) return found;
    const rows = await reader.rows<LayoutRow>('select id, hash, layout from sample_layout where id = any($1)', [
      [...missing],
    ]);
    for (const row of rows) found.set(row.id, this.layouts.learn(row.id, readLayout(row)));
    return found;
  }

  /** Undefined for one that is not stored. */
  async findLayout(reader: Reader, layout: SampleLayout): Promise<number | undefined> {
    this.forgetOld();
    const { text, number } = this.knownLayout(layout);
    return number ?? this.layoutOfHash(reader, text);
  }

  /** Stores the layout when it is new, in a transaction of its own: who writes by it makes sure that it is still there (`LAYOUT_HASH`). */
  async layoutNumber(layout: SampleLayout): Promise<number> {
    return (await this.findLayout(this.database, layout)) ?? (await this.makeLayout(layout));
  }

  private async makeLayout(layout: SampleLayout): Promise<number> {
    const { text } = this.knownLayout(layout);
    await this.database.run('insert into sample_layout (hash, layout) values ($1, $2) on conflict (hash) do nothing', [
      hashOf(text),
      text,
    ]);
    const id = await this.layoutOfHash(this.database, text);
    if (id === undefined) throw new Error('a layout was stored and is not there');
    return id;
  }

  private async layoutOfHash(reader: Reader, text: string): Promise<number | undefined> {
    const [row] = await reader.rows<{ id: number }>('select id from sample_layout where hash = $1', [hashOf(text)]);
    return row && this.layoutNumbers.learn(text, row.id);
  }
}
