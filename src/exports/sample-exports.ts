/**
 * Whole results for callers. Each is made by itself, as fast as the store can be read, and sent as fast as its client reads;
 * what the client leaves waits in a file: no slow client holds a snapshot of the store.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSheet } from '../formats/names.js';
import { Places } from '../limits/places.js';
import { isAnotherAlive } from '../processes.js';
import { RegistryError } from '../registry/errors.js';
import type { LineageStore } from '../registry/lineage/lineage-samples.js';
import type { Caller } from '../registry/permissions.js';
import { IndexBehind, onceIndexed } from '../registry/samples/whole-result.js';
import { searchQuery } from '../registry/search/sample-search.js';
import { requireRoom } from '../submissions/uploads/disk-room.js';
import { GrowingFile } from './growing-file.js';
import { PieceMemory } from './piece-memory.js';
import type { ExportOrder } from './production.js';

export interface ExportRequest {
  text?: string | undefined;
  /** As sent, e.g. `attr:organism:Homo sapiens`. */
  filters: readonly string[];
  format: ExportOrder['format'];
  curated: boolean;
  /** Address of the registry. */
  registry: string;
  /** Of this account's samples alone. */
  of?: string;
}

/** PORT: who makes the files, in a thread of its own. */
export interface Production {
  /** Rejects with what stopped it. */
  done: Promise<void>;
  stop(): Promise<void>;
}

export interface ProductionEvents {
  counted(count: number): void;
  /** The next bytes of a part, for which there was room in memory; they are the receiver's. */
  handed(part: number, piece: Uint8Array<ArrayBuffer>): void;
  /** So many further bytes of the part are in its file. */
  written(part: number, bytes: number): void;
  /** The part has all its bytes. */
  partEnded(part: number): void;
}

export type StartProduction = (
  order: ExportOrder,
  target: { path: string; memory: PieceMemory },
  events: ProductionEvents,
) => Production;

export interface SampleExportDependencies {
  start: StartProduction;
  /** Tells which samples filters of descent stand for. */
  store: LineageStore;
  folder: string;
  prefix: string;
  now: () => number;
  /** Hears of the bytes that were taken, of all results. */
  sent?: (bytes: number) => void;
}

export interface SampleExport {
  /** Samples of the result; those that a sheet leaves out count. */
  count: number;
  file: Pick<GrowingFile, 'read' | 'size'>;
  /** Ends the making where it goes on, and takes the file away. */
  end(): Promise<void>;
}

/** Whole results that are made at once, and made or sent: in all, and for one account or, without a token, one network. */
const MADE_IN_ALL = 4;
const EXPORTS_IN_ALL = 100;
export const EXPORTS_OF_ONE = 2;

/** Gives back what a whole result holds: `made` what its making does, which no client can hold by reading slowly. Each once. */
export type ExportPlace = (() => void) & { made: () => void };

const RETRY_AFTER_S = 10;
const REMOVE_AGAIN_MS = 1_000;
/** Bytes that are waited for before an answer begins: what is smaller is sent with its length. */
const WHOLE_BYTES = 1024 * 1024;

export class SampleExports {
  readonly #places = new Places({ ofOne: EXPORTS_OF_ONE, inAll: EXPORTS_IN_ALL });
  readonly #making = new Places({ ofOne: EXPORTS_OF_ONE, inAll: MADE_IN_ALL });

  constructor(private readonly deps: SampleExportDependencies) {
    mkdirSync(deps.folder, { recursive: true });
    this.#remove((file) => !isAnotherAlive(Number.parseInt(file, 10)));
  }

  /** `who`: whose exports are counted. @throws RegistryError request.invalid, rate.limited, service.unavailable */
  async count(request: ExportRequest, caller: Caller | undefined, who: string): Promise<number> {
    const started = await this.#start(request, caller, this.#enter(who), true);
    await started.end();
    return started.count;
  }

  /**
   * Resolves when nothing more can be refused and the first bytes are there; to be ended by the caller in any case.
   * @throws RegistryError request.invalid, rate.limited, service.unavailable, storage.full
   */
  begin(request: ExportRequest, caller: Caller | undefined, who: string): Promise<SampleExport> {
    return this.#start(request, caller, this.#enter(who), false);
  }

  /** A place for one that nobody waits for: what it answers gives it back. Undefined while none is left. */
  place(who: string): ExportPlace | undefined {
    const place = this.#take(who);
    return typeof place === 'function' ? place : undefined;
  }

  /** The same as `begin` in a place that is taken; its end gives it back. */
  beginAt(leave: ExportPlace, request: ExportRequest, caller: Caller | undefined): Promise<SampleExport> {
    return this.#start(request, caller, leave, false);
  }

  async #start(request: ExportRequest, caller: Caller | undefined, leave: ExportPlace, countOnly: boolean) {
    const name = `${process.pid}-${randomUUID()}`;
    const path = join(this.deps.folder, name);
    const memory = new PieceMemory();
    const file = new GrowingFile(path, memory);
    let production: Production | undefined;
    const end = async (): Promise<void> => {
      try {
        await production?.stop();
      } finally {
        this.#removeOf(name);
        leave();
      }
    };
    try {
      const order = await this.#order(request, caller, countOnly);
      await requireRoom(this.deps.folder);
      let count = 0;
      const events: ProductionEvents = {
        counted: (found) => {
          count = found;
        },
        handed: (part, piece) => file.handed(part, piece),
        written: (part, bytes) => file.grown(part, bytes),
        partEnded: (part) => file.partEnded(part),
      };
      production = this.deps.start(order, { path, memory }, events);
      production.done.then(
        () => file.end(),
        (error: unknown) => file.end({ error }),
      );
      production.done.then(leave.made, leave.made);
      await file.atLeast(WHOLE_BYTES);
      return { count, file: { size: file.size, read: () => endedBeforeLast(file.read(), end, this.deps.sent) }, end };
    } catch (error) {
      await end();
      throw error;
    }
  }

  async #order(
    { text, filters, format, curated, registry, of }: ExportRequest,
    caller: Caller | undefined,
    countOnly: boolean,
  ): Promise<ExportOrder> {
    const { store, prefix, now } = this.deps;
    const query = await onceIndexed(async () => {
      const asked = await searchQuery(store, { prefix, now: now() }, { text, filters }, caller);
      if (asked.missing > 0) throw new IndexBehind(asked.missing);
      return asked.query;
    });
    return {
      format,
      query: {
        ...query,
        ...(of === undefined ? {} : onlyOf(of, query.accounts)),
        annotations: format !== 'accessions' && !isSheet(format),
      },
      account: caller?.account,
      curated,
      registry,
      countOnly,
    };
  }

  #remove(isMeant: (file: string) => boolean): void {
    const { folder } = this.deps;
    for (const file of readdirSync(folder).filter(isMeant)) rmSync(join(folder, file), { force: true });
  }

  /** Where it cannot, as on a machine that has no file left to open, it is tried again: nobody waits for that, nor loses a place by it. */
  #removeOf(name: string): void {
    try {
      this.#remove((file) => file.startsWith(name));
    } catch {
      setTimeout(() => this.#removeOf(name), REMOVE_AGAIN_MS).unref();
    }
  }

  #take(who: string): ExportPlace | 'of one' | 'made' | 'in all' {
    const leave = this.#places.enter(who);
    if (typeof leave === 'string') return leave;
    const made = this.#making.enter(who);
    if (typeof made !== 'string') {
      const end = (): void => {
        made();
        leave();
      };
      return Object.assign(end, { made });
    }
    leave();
    return 'made';
  }

  #enter(who: string): ExportPlace {
    const place = this.#take(who);
    if (typeof place === 'function') return place;
    const message = {
      'of one': `${EXPORTS_OF_ONE} whole results are being made or sent for you; take them first, or`,
      made: `${MADE_IN_ALL} whole results are being made, which is as many as there may be;`,
      'in all': `${EXPORTS_IN_ALL} whole results are being made or sent, which is as many as there may be;`,
    }[place];
    throw new RegistryError('rate.limited', `${message} try again in ${RETRY_AFTER_S} s.`, {
      extra: { retryAfter: RETRY_AFTER_S },
    });
  }
}

/**
 * The pieces; before the last is handed on, `end` has been awaited: who has the whole file can ask for the next one at
 * once, and who leaves its last piece untaken keeps neither a place nor a file.
 */
async function* endedBeforeLast(
  pieces: AsyncIterable<Buffer>,
  end: () => Promise<void>,
  sent: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const piece of pieces) {
    if (held) {
      yield held;
      sent(held.length);
    }
    held = piece;
  }
  await end();
  if (held) yield held;
}

/** A search for others' samples finds none of the account's. */
const onlyOf = (account: string, asked: readonly string[] | undefined) => ({
  accounts: [account],
  ...(asked === undefined || asked.includes(account) ? {} : { ids: [] }),
});
