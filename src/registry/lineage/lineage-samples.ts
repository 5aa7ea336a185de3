/** What a lineage reads: samples that one caller may read, and what their documents say of the types that are followed. */
import { formatAccession, parseAccession } from '../accession.js';
import { applyCurations, foldType } from '../curations/curation-rules.js';
import { type Caller, mayRead } from '../permissions.js';
import type { FollowedTypes } from '../samples/relationship-types.js';
import type { SampleContent, SampleStatus, StoredSample } from '../samples/sample.js';
import type { SampleRecord } from '../samples/sample-store.js';
import type { SearchStore } from '../search/search-store.js';
import { timeSlices } from '../time-slices.js';

/** Samples and bytes of their contents that are read at once. */
const READ_AT_ONCE = 200;
const READ_BYTES = 250_000;
/** Samples that one question to the index answers. */
const FOUND_AT_ONCE = 200;

/** A relationship with both its ends, one of which is the sample that says it. */
export interface Statement {
  source: string;
  type: string;
  target: string;
}

/** What a graph shows of a sample: it is kept while the graph is worked out, and the content, which may be of megabytes, is not. */
export interface LineageFacts {
  name: string;
  organism?: string;
  taxId?: number;
  status: SampleStatus;
}

export interface LineageSample {
  accession: string;
  /** Absent: nobody asks, or it is of another registry, and only what ours say of it is known. */
  facts?: LineageFacts;
  statements: readonly Statement[];
  /** It says more than was kept. */
  partial: boolean;
}

export type LineageStore = Pick<SearchStore, 'findSamples' | 'readContents'>;

export interface LineageReading {
  prefix: string;
  caller: Caller | undefined;
  /** Milliseconds since 1970. */
  now: number;
  types: FollowedTypes;
  /** Statements that are kept in all; a long one counts as several. */
  statements: number;
  /** What is kept of each sample beside what it states; absent: nothing. */
  facts?: (sample: StoredSample, content: SampleContent) => LineageFacts;
}

/** Characters of a statement that count as one: what it names may be an address of a megabyte. */
const STATEMENT_LENGTH = 250;

const roomOf = ({ source, type, target }: Statement): number =>
  Math.max(1, Math.ceil((source.length + type.length + target.length) / STATEMENT_LENGTH));

export class LineageSamples {
  /** Changes that the index does not know yet, at most. */
  missing = 0;
  /** Every accession that was asked for; undefined: there is none that the caller may read. */
  private readonly known = new Map<string, LineageSample | undefined>();
  private kept = 0;
  private readonly nextSlice = timeSlices();

  constructor(
    private readonly store: LineageStore,
    private readonly reading: LineageReading,
  ) {}

  /** A sample that was read before. */
  take({ sample, curationLinks }: Pick<SampleRecord, 'sample' | 'curationLinks'>): LineageSample {
    const accession = formatAccession(this.reading.prefix, sample.id);
    const { content } = applyCurations(sample.content, curationLinks, accession);
    const all = this.statementsOf(content, accession);
    const statements: Statement[] = [];
    for (const statement of all) {
      const room = roomOf(statement);
      if (this.kept + room > this.reading.statements) break;
      this.kept += room;
      statements.push(statement);
    }
    const facts = this.reading.facts?.(sample, content);
    const taken = { accession, statements, partial: statements.length < all.length, ...(facts ? { facts } : {}) };
    this.known.set(accession, taken);
    return taken;
  }

  /** True when it was asked for, and there is none that the caller may read. */
  isOutside(accession: string): boolean {
    return this.known.has(accession) && this.known.get(accession) === undefined;
  }

  get prefix(): string {
    return this.reading.prefix;
  }

  /** Whether more may be read than is asked for: of what is kept for that, others shall not miss the room. */
  get hasRoom(): boolean {
    return this.kept * 2 < this.reading.statements;
  }

  /**
   * Those of these that the caller may read, some at a time, until it is too late (`performance.now()`). `ahead`: what may be read with
   * them, if any of them has to be.
   */
  async *read(
    accessions: readonly string[],
    until: number,
    ahead: readonly string[] = [],
  ): AsyncGenerator<LineageSample> {
    const unknown = [...new Set(accessions)].filter((accession) => !this.known.has(accession));
    for (const accession of accessions) {
      const sample = this.known.get(accession);
      if (sample) yield sample;
    }
    for (const accession of unknown)
      if (parseAccession(this.prefix, accession) === undefined) this.setOutside(accession);
    const ids = this.numbersOf(unknown);
    let beside = this.numbersOf(
      ahead.filter((accession) => !this.known.has(accession) && !unknown.includes(accession)),
    );
    for (let at = 0; at < ids.length; ) {
      const wanted = ids.slice(at, at + READ_AT_ONCE);
      const { records, read } = await this.store.readContents([...wanted, ...beside], READ_BYTES);
      for (const record of records) {
        await this.nextSlice();
        if (performance.now() > until) return;
        if (!mayRead(record.sample, this.reading.caller, this.reading.now)) continue;
        const sample = this.take(record);
        if (!beside.includes(record.sample.id)) yield sample;
      }
      this.setOthersOutside(wanted.slice(0, read));
      at += Math.min(read, wanted.length);
      beside = [];
    }
  }

  /** Readable samples that hold any of these terms, newest first. `before`: the last one of the page before. */
  async find(
    terms: string[],
    before: number | undefined,
    until: number,
  ): Promise<{ samples: LineageSample[]; next?: number }> {
    const { caller, now, prefix } = this.reading;
    const { ids, next, missing } = await this.store.findSamples(
      {
        terms: [terms],
        withdrawn: 'too',
        ...(caller === undefined ? {} : { reader: { account: caller.account, admin: caller.admin } }),
        now,
        size: FOUND_AT_ONCE,
      },
      before === undefined ? {} : { before },
    );
    this.missing = Math.max(this.missing, missing);
    const samples: LineageSample[] = [];
    const found = ids.map((id) => formatAccession(prefix, id));
    for await (const sample of this.read(found, until)) samples.push(sample);
    return { samples, ...(next === undefined ? {} : { next }) };
  }

  private numbersOf(accessions: readonly string[]): number[] {
    return accessions.flatMap((accession) => parseAccession(this.prefix, accession) ?? []);
  }

  private setOthersOutside(read: readonly number[]): void {
    for (const id of read) {
      const accession = formatAccession(this.prefix, id);
      if (!this.known.has(accession)) this.setOutside(accession);
    }
  }

  private setOutside(accession: string): void {
    this.known.set(accession, undefined);
  }

  /** What is said of other samples than the one that says it is no link of that one's, and passed over. */
  private statementsOf(content: SampleContent, accession: string): Statement[] {
    const statements = new Map<string, Statement>();
    for (const { source: given, type, target } of content.relationships) {
      const source = given || accession;
      const folded = foldType(type);
      if (source === target || !this.reading.types.has(folded)) continue;
      if (source === accession || target === accession) {
        statements.set(`${source}\0${folded}\0${target}`, { source, type, target });
      }
    }
    return [...statements.values()];
  }
}
