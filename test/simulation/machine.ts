/**
 * The machine under the programs, replaced for the processes of a world: timers, clocks and random numbers of Node are
 * the world's while one of its events happens, and Node's own otherwise. So the code of the service runs as it is, and
 * no clock in a corner of it is forgotten.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { sliceWork } from '../../src/registry/time-slices.js';
import type { Disk } from './disk.js';
import type { Cancellable, World } from './world.js';

const require = createRequire(import.meta.url);
const promised = require('node:timers/promises') as Record<string, unknown>;
const crypto = require('node:crypto') as Record<string, unknown>;
const files = require('node:fs/promises') as Record<string, unknown>;

/** What a world's setTimeout answers. */
class Timer {
  event: Cancellable | undefined;
  ended = false;
  ref = (): this => this;
  unref = (): this => this;
  hasRef = (): boolean => true;
  [Symbol.dispose] = (): void => stop(this);
}

const stop = (timer: Timer): void => {
  timer.ended = true;
  if (timer.event) timer.event.cancelled = true;
};

type Work = (...values: unknown[]) => void;

/** Puts the world under everything that runs in its events; the answer takes it away again. */
export function runOn(world: World, disk: Disk): () => void {
  const restored: (() => void)[] = [];
  /** `inWorld` where an event of the world is running. */
  const replace = (holder: Record<string, unknown>, name: string, inWorld: (...values: never[]) => unknown): void => {
    const real = holder[name] as (...values: unknown[]) => unknown;
    const own = Object.hasOwn(holder, name);
    holder[name] = Object.assign(function (this: unknown, ...values: unknown[]) {
      return world.current === undefined ? real.apply(this, values) : inWorld(...(values as never[]));
    }, real);
    restored.push(() => {
      if (own) holder[name] = real;
      else delete holder[name];
    });
  };
  const timer = (ms: number, again: boolean, work: () => void): Timer => {
    const life = world.current;
    const made = new Timer();
    const arm = (): void => {
      if (life === undefined || made.ended) return;
      made.event = world.after(Math.max(ms, 1) + world.random.next(), life, '', () => {
        if (again) arm();
        work();
      });
    };
    arm();
    return made;
  };
  const soon = (work: () => void): Timer => {
    const made = new Timer();
    if (world.current) made.event = world.after(world.random.next() * 0.2, world.current, '', work);
    return made;
  };
  sliceWork(false);
  restored.push(() => sliceWork(true));
  const globals = globalThis as unknown as Record<string, unknown>;
  replace(globals, 'setTimeout', (work: Work, ms = 1, ...values: unknown[]) => timer(ms, false, () => work(...values)));
  replace(globals, 'setInterval', (work: Work, ms = 1, ...values: unknown[]) => timer(ms, true, () => work(...values)));
  replace(globals, 'setImmediate', (work: Work, ...values: unknown[]) => soon(() => work(...values)));
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
    const real = globals[name] as (timer: unknown) => void;
    globals[name] = (one: unknown) => (one instanceof Timer ? stop(one) : real(one));
    restored.push(() => {
      globals[name] = real;
    });
  }
  replace(promised, 'setTimeout', (ms: number, value?: unknown, options?: { signal?: AbortSignal }) =>
    wait((done) => timer(ms, false, done), value, options?.signal),
  );
  replace(promised, 'setImmediate', (value?: unknown, options?: { signal?: AbortSignal }) =>
    wait(soon, value, options?.signal),
  );
  replace(Date as unknown as Record<string, unknown>, 'now', () => world.wallClock(world.current));
  replace(performance as unknown as Record<string, unknown>, 'now', () => world.now);
  const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => world.randomByte()));
  replace(crypto, 'randomBytes', (size: number) => bytes(size));
  replace(crypto, 'randomUUID', () => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  });
  for (const [name, work] of Object.entries(disk.functions))
    replace(files, name, work as (...values: never[]) => unknown);
  syncBuiltinESMExports();
  return () => {
    for (const restore of restored.reverse()) restore();
    syncBuiltinESMExports();
  };
}

function wait(begin: (done: () => void) => Timer, value: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const made = begin(() => resolve(value));
    signal?.addEventListener(
      'abort',
      () => {
        stop(made);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
