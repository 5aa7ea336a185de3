/**
 * Long work on the thread that answers requests is done in slices; others are answered in between. However much of it
 * goes on at once, what begins in one turn of the event loop has one slice together, and of what waits one goes on in
 * each turn: a hundred downloads hold up others no longer than one, however short each of them is.
 */

const SLICE_MS = 20;

let isSliced = true;

/** Where several processes are simulated in one, and a turn takes no time, no slice is ever used up. */
export function sliceWork(is: boolean): void {
  isSliced = is;
}

/** Work whose slice is used up, in the order in which it came. */
const waiting: (() => void)[] = [];

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

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) planTurn();
  });
}

/** What goes on has its slice to itself: it ends before requests that arrived meanwhile begin theirs. */
function planTurn(): void {
  setImmediate(giveTurn);
  setImmediate(endSlice);
}

function giveTurn(): void {
  sliceBegan = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) planTurn();
}

/**
 * To be awaited before each small step, and after the last where more follows: others have their turn when the slice is
 * used up. `sliceMs`: for tests.
 */
export function timeSlices(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  if (isSliced) sliceOfTurn();
  return () => (isSliced && performance.now() - sliceOfTurn() >= sliceMs ? nextTurn() : undefined);
}
