/**
 * PORT: everything that a search finds, as of one moment, read in blocks. Adapters keep these promises; the suite
 * test/contract/whole-result.ts checks each of them on every adapter.
 */
import type { CurationLink } from '../curations/curation.js';
import { RegistryError } from '../errors.js';
import type { SearchQuery } from '../search/search-store.js';
import type { StructuredDataTable } from '../structured-data/structured-data.js';
import type { SampleLayout } from './packed-sample.js';
import type { HeldStatus, SubmittedVia } from './sample.js';

export interface ResultQuery extends Omit<SearchQuery, 'size'> {
  /** Whether what accounts have attached to the samples is read with them. */
  annotations: boolean;
}

/** UTF-8 of a row's name, from `name` on, and of its content, from `doc` to `end`. */
export interface RowBytes {
  bytes: Uint8Array;
  name: number;
  doc: number;
  end: number;
}

/** A sample as it is stored: its content is not unpacked. To be read member by member: a store may make texts when they are asked for. */
export interface ResultRow {
  id: number;
  account: string;
  name: string;
  release: number;
  via: SubmittedVia;
  created: number;
  updated: number;
  submitted: number | undefined;
  adminStatus: HeldStatus | undefined;
  /** The same object for all samples of one layout, as long as it is remembered. Absent: `doc` is a JSON document. */
  layout: SampleLayout | undefined;
  doc: string;
  /** Where the store reads rows so. They are not written to. */
  bytes?: RowBytes;
  /** Absent where there are none, or they were not asked for. */
  curationLinks?: CurationLink[];
  structuredData?: StructuredDataTable[];
}

/** What the contents of the samples look like: whoever prints a table needs all of it before the first row. */
export interface ResultShapes {
  layouts: SampleLayout[];
  /** Stored as JSON documents. */
  documents: string[];
}

/** Samples whose numbers are greater than `after`, and at most `upTo`. */
export interface IdRange {
  after: number;
  upTo: number;
}

export interface WholeResult {
  /** Of the samples: exact. */
  count: number;
  shapes(): AsyncIterable<ResultShapes>;
  /** In the order of their accessions, some megabytes at a time at most; those of a range where one is given. */
  rows(among?: IdRange): AsyncIterable<ResultRow[]>;
}

/**
 * How readers in several threads, each with connections of its own, see one moment. The first one is asked whether a
 * result of so many samples is shared; then its `share` is called with what names the moment, and the moment can be
 * joined until that resolves, which has to be soon: others wait to write meanwhile. The other ones `join` what it names
 * and say when they have. A result that needs the index is not shared.
 */
export type Moment = FirstOfMoment | { join: string; joined(): void };

export interface FirstOfMoment {
  isShared(count: number): Promise<boolean>;
  share(moment: string): Promise<void>;
}

export interface WholeResultStore {
  /**
   * Runs `work` on all samples that a search finds and its reader may read at one moment, that of the call: what is
   * written while `work` runs is not in it, everything that was acknowledged before is. `work` runs once, and what it
   * was given ends with it. It must go on by itself, not wait for whoever takes the result: while it runs, the store
   * keeps what others overwrite.
   * @throws RegistryError service.unavailable when words or filters are asked for and the index is too far behind, or
   * when it takes longer than `RESULT_MS`, or when the moment is no longer there to be joined
   */
  wholeResult<T>(query: ResultQuery, work: (result: WholeResult) => Promise<T>, moment?: Moment): Promise<T>;
  /** In which all samples are that are stored now; undefined while there are none. */
  idSpan(): Promise<IdRange | undefined>;
}

/** A result is read no longer than this, milliseconds: 20 000 000 samples on the machine of docs/performance.md. */
export const RESULT_MS = 15 * 60_000;
/** Samples in a block, and bytes of their contents, at which it ends. */
export const BLOCK_SAMPLES = 250;
export const BLOCK_BYTES = 1_000_000;
/** How long the index is waited for, and how often it is looked at, milliseconds. */
const INDEX_PATIENCE_MS = 10_000;
const INDEX_LOOK_MS = 200;

/** To be called between blocks. @throws RegistryError service.unavailable */
export function withinTime(ms = RESULT_MS): () => void {
  const until = performance.now() + ms;
  return () => {
    if (performance.now() > until) {
      throw new RegistryError(
        'service.unavailable',
        `This result was not read within ${ms / 60_000} minutes; ask for it in parts, for example by "dt:update:from=…until=…" or by account.`,
      );
    }
  };
}

/** Whether only the index can tell which samples are meant. */
export const needsIndex = ({ terms, ranges }: Pick<ResultQuery, 'terms' | 'ranges'>): boolean =>
  terms.length > 0 || ranges !== undefined;

/** The index lacks changes that the result may need. */
export class IndexBehind extends Error {
  constructor(readonly missing: number) {
    super(`${missing} changes are not indexed`);
  }
}

/** Repeats an attempt that found the index behind, in a new snapshot each time. @throws RegistryError service.unavailable */
export async function onceIndexed<T>(attempt: () => Promise<T>, patienceMs = INDEX_PATIENCE_MS): Promise<T> {
  for (const begun = performance.now(); ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof IndexBehind)) throw error;
      if (performance.now() - begun > patienceMs) throw behind(error.missing);
      await new Promise((resolve) => setTimeout(resolve, INDEX_LOOK_MS));
    }
  }
}

const behind = (missing: number): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `The search index is ${missing} changes behind, and a whole result would miss them; ask again in a minute, or without words and without name:, attr: and rel:.`,
    { extra: { retryAfter: 60 } },
  );
