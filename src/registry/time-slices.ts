/**
 * Long work on the thread that answers requests is done in slices; others are answered in between. However much of it
 * goes on at once, one slice is done in each turn of the event loop: a hundred downloads hold up others no longer than one.
 */

const SLICE_MS = 20;

/** Work whose slice is used up, in the order in which it came. */
const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/** To be awaited between small steps: others have their turn when the slice is used up. `sliceMs`: for tests. */
export function timeSlices(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return undefined;
    return nextTurn().then(() => {
      began = performance.now();
    });
  };
}
