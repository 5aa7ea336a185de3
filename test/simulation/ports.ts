/** Ports whose calls are events: each is made some time after it was asked for, and answered some time after it was made. */
import { RegistryError } from '../../src/registry/errors.js';
import type { Life, World } from './world.js';

/** Answered as they are: they only hand out what is called later. */
const AT_ONCE = new Set(['localPath', 'close', 'check']);
/** Whose answers are read step by step. */
const READ_IN_STEPS = new Set(['ledger']);

/** The same port for one process; `kind` names it in timelines and faults. */
export function scheduled<Port extends object>(world: World, life: Life, kind: string, port: Port): Port {
  const wrapped: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(port)) {
    if (typeof method !== 'function' || AT_ONCE.has(name)) wrapped[name] = method;
    else if (READ_IN_STEPS.has(name)) {
      wrapped[name] = (...values: unknown[]) => inSteps(world, life, `${kind}.${name}`, method(...values));
    } else {
      wrapped[name] = (...values: unknown[]) =>
        call(world, life, `${kind}.${name}`, () => method(...values) as Promise<unknown>, kind);
    }
  }
  return wrapped as Port;
}

async function* inSteps<T>(world: World, life: Life, what: string, source: AsyncIterable<T>): AsyncGenerator<T> {
  const steps = source[Symbol.asyncIterator]();
  for (;;) {
    const step = await call(world, life, what, () => steps.next(), what.split('.')[0] as string);
    if (step.done) return;
    yield step.value;
  }
}

/** One call: begun after a while, answered after a while, both unless the process ends; fails when it is to. */
export function call<T>(world: World, life: Life, what: string, work: () => Promise<T>, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    world.after(world.latency(life), life, `${what} …`, () => {
      const failure = failureOf(life, kind, 'before');
      if (failure) return reject(failure);
      work().then(
        (value) => {
          world.after(world.latency(), life, `${what} done`, () => {
            const late = failureOf(life, kind, 'after');
            if (late) reject(late);
            else resolve(value);
          });
        },
        (error: unknown) => {
          world.after(world.latency(), life, `${what}: ${(error as Error).message?.slice(0, 80)}`, () => reject(error));
        },
      );
    });
  });
}

/** Of the calls that are to fail, one fewer. */
function failureOf(life: Life, kind: string, when: 'before' | 'after'): Error | undefined {
  for (const [key, failure] of Object.entries(FAILURES)) {
    const name = `${kind} ${key}`;
    const left = life.failing.get(name) ?? 0;
    if (left === 0 || failure.when !== when) continue;
    life.failing.set(name, left - 1);
    return failure.make();
  }
  return undefined;
}

/** How a call of a port may fail: nothing was done, or all of it and the answer is lost. */
export const FAILURES = {
  'is away': {
    when: 'before',
    make: () => new RegistryError('service.unavailable', 'The store cannot be reached now; try again in a minute.'),
  },
  'is full': { when: 'before', make: () => new RegistryError('storage.full', 'The disk is full.') },
  'loses an answer': { when: 'after', make: () => new Error('the connection was lost before the answer came') },
} as const;
