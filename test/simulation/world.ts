/**
 * The world of a run: one clock, one seeded list of events, and the processes to which they happen. Nothing happens
 * between two events; whatever a process does in one, up to where it waits, is one step that nothing interrupts.
 */
import { Random } from '../support/random.js';

/** One process from its start to its end. What it waits for when it ends never comes. */
export class Life {
  alive = true;
  /** Time until which the process is frozen. */
  frozenUntil = 0;
  /** What its wall clock is ahead of the world's, milliseconds. */
  ahead = 0;
  /** So many further calls take long. */
  slowCalls = 0;
  /** Calls of its ports that are still to fail: what is called → how many. */
  readonly failing = new Map<string, number>();
  readonly atEnd: (() => void)[] = [];

  /** @param watches it only looks, when all is over: none of its calls takes time or fails */
  constructor(
    readonly name: string,
    readonly watches = false,
  ) {}
}

/** What happens to no process, and ends with none. */
export const HEAVEN = new Life('');

interface Event {
  at: number;
  /** Of events of the same moment, the one drawn lower comes first. */
  lot: number;
  life: Life;
  what: string;
  work: () => void;
  cancelled: boolean;
}

export interface Cancellable {
  cancelled: boolean;
}

/** 2026-01-01; times of the world are milliseconds since. */
const BEGINNING = Date.UTC(2026, 0, 1);
const LOG_LINES = 20_000;

const realImmediate = setImmediate;
/**
 * Does the work and all that follows from it at once, until only timers and messages could go on. Node makes two
 * immediates that are asked for together one after the other, and between them what promises and ticks wait for, but
 * nothing else of the process: no timer, no message of whoever else has something to do in it.
 */
const doWhole = (begin: () => void, end: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    realImmediate(() => {
      try {
        begin();
      } catch (error) {
        reject(error);
      }
    });
    realImmediate(() => {
      end();
      resolve();
    });
  });

export class World {
  /** Milliseconds since the beginning; never goes back. */
  now = 0;
  /** The wall clock of every process is ahead by this; may be set back. */
  ahead = 0;
  /** Events that have happened. */
  happened = 0;
  /** The process that runs now; undefined between events. */
  current: Life | undefined;
  readonly random: Random;
  readonly lines: string[] = [];
  /** Called before each event, for what is to strike at a certain one. */
  beforeEvent: () => void = () => undefined;
  #heap: Event[] = [];
  #ids: Random;

  constructor(readonly seed: number) {
    this.random = new Random(seed);
    this.#ids = new Random(seed ^ 0x5bd1e995);
  }

  wallClock(life: Life | undefined): number {
    return BEGINNING + Math.floor(this.now) + this.ahead + (life?.ahead ?? 0);
  }

  randomByte(): number {
    return this.#ids.below(256);
  }

  note(who: string, what: string): void {
    if (this.lines.length < LOG_LINES) this.lines.push(`${this.now.toFixed(1).padStart(9)} ${who.padEnd(10)} ${what}`);
  }

  /** Lets `work` happen to the process, unless it ends before. `what`: as the timeline says it; empty for what it leaves out. */
  after(ms: number, life: Life, what: string, work: () => void): Cancellable {
    const event = { at: this.now + ms, lot: this.random.next(), life, what, work, cancelled: false };
    push(this.#heap, event);
    return event;
  }

  /** How long a call takes: mostly next to nothing, now and then a while; not as long as a lease. */
  latency(life?: Life): number {
    const lot = this.random.next();
    if (life && life.slowCalls > 0) {
      life.slowCalls--;
      return 200 + lot * 600;
    }
    if (lot < 0.9) return lot * 2;
    return lot < 0.99 ? this.random.next() * 40 : this.random.next() * 600;
  }

  /** Runs until `done`, or until nothing is left to happen. True when done. */
  async run(done: () => boolean, maxEvents: number): Promise<boolean> {
    const until = this.happened + maxEvents;
    while (!done()) {
      const event = pop(this.#heap);
      if (event === undefined || this.happened >= until) return false;
      if (event.cancelled || !event.life.alive) continue;
      if (event.life.frozenUntil > event.at) {
        push(this.#heap, Object.assign(event, { at: event.life.frozenUntil }));
        continue;
      }
      this.now = Math.max(this.now, event.at);
      this.happened++;
      this.beforeEvent();
      if (!event.life.alive || event.life.frozenUntil > this.now) {
        if (event.life.alive) push(this.#heap, Object.assign(event, { at: event.life.frozenUntil }));
        continue;
      }
      if (event.what !== '') this.note(event.life.name, event.what);
      await doWhole(
        () => {
          this.current = event.life;
          event.work();
        },
        () => {
          this.current = undefined;
        },
      );
    }
    return true;
  }

  /** Ends the process: nothing of it goes on. */
  end(life: Life): void {
    if (!life.alive) return;
    life.alive = false;
    for (const work of life.atEnd) work();
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.lot < b.lot);

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(event, heap[above] as Event)) break;
    heap[at] = heap[above] as Event;
    at = above;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || first === last) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1] as Event, heap[below] as Event)) below++;
    if (!isBefore(heap[below] as Event, last)) break;
    heap[at] = heap[below] as Event;
    at = below;
  }
  heap[at] = last;
  return first;
}
