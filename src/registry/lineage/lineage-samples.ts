/** What a lineage reads: samples that one caller may read, and what their documents say of the types that are followed. */
import { formatAccession, parseAccession } from '../accession.js';
import { applyCurations, foldType } from '../curations/curation-rules.js';
import { type Caller, mayRead } from '../permissions.js';
import type { FollowedTypes } from '../samples/relationship-types.js';
import type { SampleContent, StoredSample } from '../samples/sample.js';
import type { SampleRecord } from '../samples/sample-store.js';
import type { SearchStore } from '../search/search-store.js';
import { timeSlices } from '../time-slices.js';

/** Samples and bytes of their contents that are read at once. */
const READ_AT_ONCE = 200;
const READ_BYTES = 2_000_000;
/** Samples that one question to the index answers. */
const FOUND_AT_ONCE = 200;

/** A relationship with both its ends, one of which is the sample that says it. */
export interface Statement {
  source: string;
  type: string;
  target: string;
}

export interface LineageSample {
  accession: string;
  /** Absent: it is of another registry, and only what ours say of it is known. */
  sample?: StoredSample;
  content?: SampleContent;
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
  /** Statements that are kept in all. */
  statements: number;
}

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
    const statements = all.slice(0, Math.max(0, this.reading.statements - this.kept));
    this.kept += statements.length;
    const taken = { accession, sample, content, statements, partial: statements.length < all.length };
    this.known.set(accession, taken);
    return taken;
  }

  /** True when it was asked for, and there is none that the caller may read. */
  isOutside(accession: string): boolean {
    return this.known.has(accession) && this.known.get(accession) === undefined;
  }

  /** Those of these that the caller may read, some at a time. */
  async *read(accessions: readonly string[]): AsyncGenerator<LineageSample> {
    const unknown = [...new Set(accessions)].filter((accession) => !this.known.has(accession));
    for (const accession of accessions) {
      const sample = this.known.get(accession);
      if (sample) yield sample;
    }
    const { prefix, caller, now } = this.reading;
    let ids = unknown.flatMap((accession) => parseAccession(prefix, accession) ?? []);
    for (const accession of unknown) if (parseAccession(prefix, accession) === undefined) this.setOutside(accession);
    while (ids.length > 0) {
      const { records, read } = await this.store.readContents(ids.slice(0, READ_AT_ONCE), READ_BYTES);
      for (const id of ids.slice(0, read)) this.setOutside(formatAccession(prefix, id));
      ids = ids.slice(read);
      for (const record of records) {
        await this.nextSlice();
        if (mayRead(record.sample, caller, now)) yield this.take(record);
      }
    }
  }

  /** Readable samples that hold any of these terms, newest first. `before`: the last one of the page before. */
  async find(terms: string[], before: number | undefined): Promise<{ samples: LineageSample[]; next?: number }> {
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
    for await (const sample of this.read(ids.map((id) => formatAccession(prefix, id)))) samples.push(sample);
    return { samples, ...(next === undefined ? {} : { next }) };
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
