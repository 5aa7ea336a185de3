/** Following a registry: what happened to samples since a place in the log, as far as the caller may see it. */
import { formatAccession } from '../accession.js';
import { formatDateTime } from '../date-time.js';
import { RegistryError } from '../errors.js';
import { type Caller, isPublic, mayRead, owns } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import { type LotStore, type LotsFor, readLot } from '../samples/sample-lots.js';
import type { SampleRecord } from '../samples/sample-store.js';
import { timeSlices } from '../time-slices.js';
import { type ChangeCursor, cursorOf, readCursor, START, writeCursor } from './change-cursor.js';
import { type SampleRecordDocument, sampleRecordDocument } from './change-record.js';
import type { ChangeRun, ChangeStore, OwnedVisibility } from './change-store.js';
import type { ChangeType } from './sample-change.js';

/** Samples that one page looks at, whoever may see them. */
const LOOKED_AT = 5_000;
const RUNS_AT_ONCE = 500;
/** Of those, how many are read at once: SQLite reads on the thread that answers all requests. */
const SEEN_AT_ONCE = 200;
/** A page with records ends when it has as many characters. */
const PAGE_CHARACTERS = 1_000_000;

/** One line of the feed. */
export interface ChangeDocument {
  /** The feed goes on after this change with `after=`. */
  cursor: string;
  type: ChangeType;
  accession: string;
  /** When it was written. */
  time: string;
  /** Whether the sample is public now; absent where the caller may not read it (any more). */
  public?: boolean;
  /** The sample as it is now, on demand. */
  sample?: SampleRecordDocument;
}

export interface ChangePage {
  changes: ChangeDocument[];
  /** To go on after; behind the last change that was looked at. */
  cursor: string;
  /** Whether there is more to be had at once. */
  more: boolean;
}

export interface ChangeRequest {
  /** Cursor of a change or of a page; `latest` for what happens from now on; absent: from the beginning. */
  after?: string | undefined;
  size: number;
  records: boolean;
  /** Of a caller without a token, for its turn among others. */
  network?: string;
}

interface Item {
  id: number;
  run: ChangeRun;
  /** Behind it. */
  place: ChangeCursor;
}

/** What is known of the sample of a change. */
interface Seen {
  sample: OwnedVisibility;
  /** Where it is asked for. */
  record?: SampleRecord;
}

const seenAs = (sample: OwnedVisibility | undefined): Seen | undefined => sample && { sample };

type FeedStore = ChangeStore & LotStore;

export class SampleFeed {
  constructor(
    private readonly store: FeedStore,
    private readonly options: Pick<RegistryOptions, 'prefix' | 'now'>,
    private readonly lotsFor: LotsFor = () => store,
  ) {}

  /** @throws RegistryError request.invalid; changes.gone when the cursor is of a log that is no longer there */
  async page(request: ChangeRequest, caller: Caller | undefined): Promise<ChangePage> {
    const arriving = await this.advance();
    if (request.after === 'latest') {
      const last = await this.store.lastChange();
      return { changes: [], cursor: writeCursor(last === undefined ? START : cursorOf(last, last.count)), more: false };
    }
    const { size, records } = request;
    const start = request.after === undefined ? START : readCursor(request.after);
    const { items, end, more } = await this.itemsAfter(start, caller, records ? Math.min(LOOKED_AT, size) : LOOKED_AT);
    const changes: ChangeDocument[] = [];
    let characters = 0;
    for await (const [change, item] of this.visible(
      items,
      caller,
      records ? this.lotsFor(caller, request.network) : undefined,
    )) {
      changes.push(change);
      characters += change.sample === undefined ? 0 : JSON.stringify(change.sample).length;
      if (changes.length >= size || characters > PAGE_CHARACTERS) {
        return { changes, cursor: change.cursor, more: more || arriving || item !== items.at(-1) };
      }
    }
    return { changes, cursor: writeCursor(end), more: more || arriving };
  }

  /** What the caller may see of these changes, each with what it is made of. */
  private async *visible(
    items: readonly Item[],
    caller: Caller | undefined,
    lots: LotStore | undefined,
  ): AsyncGenerator<[ChangeDocument, Item]> {
    const nextSlice = timeSlices();
    let lot: ReadonlyMap<number, Seen | undefined> = new Map();
    for (const [at, item] of items.entries()) {
      await nextSlice();
      if (!lot.has(item.id)) lot = await this.lotFrom(items.slice(at, at + SEEN_AT_ONCE), lots);
      const { sample, record } = lot.get(item.id) ?? {};
      const change = this.shown(item, sample, caller);
      if (change === undefined) continue;
      const shown = record !== undefined && change.public !== undefined;
      yield [shown ? { ...change, sample: sampleRecordDocument(record, change.accession, caller) } : change, item];
    }
  }

  /** A disk that is full keeps new changes out of the log, not readers from what is there. */
  private async advance(): Promise<boolean> {
    try {
      return await this.store.advanceChanges();
    } catch (error) {
      if (error instanceof RegistryError) return false;
      throw error;
    }
  }

  /** Samples of the changes after a place, at most `most`; what only owners hear of is passed over for nobody. */
  private async itemsAfter(start: ChangeCursor, caller: Caller | undefined, most: number) {
    const items: Item[] = [];
    const runs = await this.store.readChanges(Math.max(1, start.number), RUNS_AT_ONCE);
    if (start.number > 0 && (runs[0]?.number !== start.number || runs[0].at !== start.at)) throw gone();
    let end = start;
    for (const run of runs) {
      const from = run.number === start.number ? start.part : 0;
      if (run.public || caller !== undefined) {
        const to = Math.min(run.count, from + most - items.length);
        for (let part = from; part < to; part++) {
          items.push({ id: run.first + part, run, place: cursorOf(run, part + 1) });
        }
        end = cursorOf(run, to);
        if (to < run.count) return { items, end, more: true };
      } else end = cursorOf(run, run.count);
    }
    return { items, end, more: runs.length === RUNS_AT_ONCE };
  }

  /** By number the samples of the first of these changes and of as many of the next ones as are read at once, with their records from `lots`; undefined for one that there is not. */
  private async lotFrom(items: readonly Item[], lots: LotStore | undefined): Promise<Map<number, Seen | undefined>> {
    const asked = [...new Set(items.map(({ id }) => id))];
    if (lots === undefined) {
      const seen = await this.store.readVisibility(asked);
      return new Map(asked.map((id) => [id, seenAs(seen.get(id))]));
    }
    const { records, read } = await readLot(lots, asked);
    const found = new Map<number, Seen | undefined>(asked.slice(0, read).map((id) => [id, undefined]));
    for (const record of records) found.set(record.sample.id, { sample: record.sample, record });
    return found;
  }

  /** What the caller may see of a change, or nothing. */
  private shown(
    { id, run, place }: Item,
    sample: OwnedVisibility | undefined,
    caller: Caller | undefined,
  ): ChangeDocument | undefined {
    if (sample === undefined) return undefined;
    const now = this.options.now();
    const { type, at } = run;
    const change = {
      cursor: writeCursor(place),
      type,
      accession: formatAccession(this.options.prefix, id),
      time: formatDateTime(at),
    };
    if (!owns(sample.account, caller)) {
      if (!run.public) return undefined;
      // That it was public once, everybody could know. Other changes of what is withdrawn since are followed by that.
      if (type === 'withdrawn') return change;
      if (!mayRead(sample, caller, now)) return undefined;
    }
    return { ...change, public: isPublic(sample, now) };
  }
}

const gone = (): RegistryError =>
  new RegistryError(
    'changes.gone',
    'This cursor is of a log of changes that is no longer here: the registry was set back to an earlier state. Begin anew without "after", and compare what you have.',
  );
