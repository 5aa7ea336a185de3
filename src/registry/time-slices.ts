/** Long work on the thread that answers requests is done in slices; others are answered in between. */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 20;

/** To be awaited between small steps: others have their turn when the slice is used up. */
export function timeSlices(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}
