/**
 * Long work on the thread that answers requests is done in slices; others are answered in between. However much of it
 * goes on at once, what begins in one turn of the event loop has one slice together, and what waits has one in each turn:
 * a hundred downloads hold up others no longer than one, however short each of them is. Whoever has used the processor least
 * since others began to wait goes on first, so that nobody waits for all that one caller asks for.
 */

const SLICE_MS = 20;
/** Whose work it is where nobody is named. */
const SERVICE = 'service';
/** Steps of one that wait; beyond that none is taken of whoever could be refused. */
const MOST_OF_ONE = 1000;
const MOST_REMEMBERED = 1000;
const MOST_LOOKING_MS = 100;

let isSliced = true;

/** Where several processes are simulated in one, and a turn takes no time, no slice is ever used up. */
export function sliceWork(is: boolean): void {
  isSliced = is;
}

interface Step {
  go: () => void;
  /** Others go on behind it in the same turn while no more time is used. */
  sliceMs: number;
  /** True once nobody waits for it any more; it takes no turn then. */
  isGone?: (() => boolean) | undefined;
}

interface Waiting {
  /** Milliseconds, and those of whoever went on last where that was more when it began to wait. */
  used: number;
  steps: Step[];
}

/** By whose they are. Who waits for nothing is remembered as long as anybody waits. */
const waiting = new Map<string, Waiting>();
let usedLast = 0;
let isPlanned = false;
/** New connections are taken one in a turn of the event loop; who else asks is known only then. */
let isAwaited = false;
let lookUntil = 0;

/** When long work was first done in this turn of the event loop; undefined when none was. */
let sliceBegan: number | undefined;

function sliceOfTurn(): number {
  if (sliceBegan === undefined) {
    sliceBegan = performance.now();
    setImmediate(endSlice);
  }
  return sliceBegan;
}

function endSlice(): void {
  sliceBegan = undefined;
}

function wait(who: string, step: Step): void {
  const own = waiting.get(who);
  if (own === undefined) {
    if (waiting.size >= MOST_REMEMBERED) forgetWhoWaitsForNothing();
    waiting.set(who, { used: usedLast, steps: [step] });
  } else {
    if (own.steps.length === 0) own.used = Math.max(own.used, usedLast);
    own.steps.push(step);
  }
  if (!isPlanned) planTurn();
}

/** What goes on has its slice to itself: it ends before requests that arrived meanwhile begin theirs. */
function planTurn(): void {
  isPlanned = true;
  setImmediate(giveTurn);
  setImmediate(endSlice);
}

function giveTurn(): void {
  const now = performance.now();
  if (isAwaited && now < lookUntil) {
    isAwaited = false;
    planTurn();
    return;
  }
  sliceBegan = now;
  goOn();
}

/** One on which a request will come: before the next turn is given, others that wait to be taken are. */
export function connectionCame(): void {
  isAwaited = true;
}

function goOn(): void {
  const next = leastUsed();
  if (next === undefined) {
    isPlanned = false;
    usedLast = 0;
    waiting.clear();
    return;
  }
  const began = performance.now();
  usedLast = next.used;
  next.step.go();
  // Once it has done all that it can do without waiting.
  queueMicrotask(() =>
    process.nextTick(() => {
      const now = performance.now();
      next.own.used += now - began;
      const took = now - (sliceBegan ?? now);
      if (took < next.step.sliceMs) {
        goOn();
        return;
      }
      lookUntil = now + Math.min(took, MOST_LOOKING_MS);
      planTurn();
    }),
  );
}

function leastUsed(): { own: Waiting; step: Step; used: number } | undefined {
  let least: Waiting | undefined;
  for (const own of waiting.values()) {
    while (own.steps[0]?.isGone?.()) own.steps.shift()?.go();
    if (own.steps.length > 0 && (least === undefined || own.used < least.used)) least = own;
  }
  const step = least?.steps.shift();
  return least && step && { own: least, step, used: least.used };
}

function forgetWhoWaitsForNothing(): void {
  for (const [who, { steps }] of waiting) if (steps.length === 0) waiting.delete(who);
}

/**
 * To be awaited before each small step, and after the last where more follows: others have their turn when the slice is
 * used up. `sliceMs`: for tests.
 */
export function timeSlices(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  if (isSliced) sliceOfTurn();
  return () =>
    isSliced && performance.now() - sliceOfTurn() >= sliceMs
      ? new Promise((go) => wait(SERVICE, { go, sliceMs }))
      : undefined;
}

/**
 * True where a request has to wait before it goes on: others do, or the slice of this turn is used up. One that came later and
 * did not wait had a slice beside theirs in each turn.
 */
export const othersGoFirst = (): boolean => isSliced && (isPlanned || performance.now() - sliceOfTurn() >= SLICE_MS);

/** Resolves to true when it may go on; to false at once where as much of the same caller waits as may. */
export async function goOnInTurn(who: string, isGone: () => boolean): Promise<boolean> {
  if ((waiting.get(who)?.steps.length ?? 0) >= MOST_OF_ONE) return false;
  await new Promise<void>((go) => wait(who, { go, sliceMs: SLICE_MS, isGone }));
  return true;
}
