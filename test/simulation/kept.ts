/** Runs that have shown a bug, kept since it was fixed: by their seed, or by the plan where plans are made otherwise by now. */
import type { Plan } from './plan.js';

export interface KeptRun {
  what: string;
  seed: number;
  plan?: Plan;
}

export const KEPT: KeptRun[] = [
  {
    what: 'the file of an upload was deleted when the answer to its submission was lost behind the commit',
    seed: 21,
    plan: {
      seed: 21,
      clients: [[{ kind: 'upload', pick: 1, pause: 0 }]],
      faults: [{ kind: 'storeLosesAnswer', before: 20, pick: 0, size: 0.3 }],
    },
  },
];
