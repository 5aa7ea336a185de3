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
  {
    what: 'an upload that had failed before it registered anything went on when the same file had been registered with other options',
    seed: 21775,
    plan: {
      seed: 21775,
      clients: [
        [
          { kind: 'upload', pick: 518, pause: 28 },
          { kind: 'upload', pick: 250, pause: 12 },
          { kind: 'upload', pick: 866, pause: 1 },
        ],
        [{ kind: 'upload', pick: 142, pause: 5 }],
        [
          { kind: 'upload', pick: 683, pause: 11 },
          { kind: 'upload', pick: 414, pause: 4 },
        ],
      ],
      faults: [{ kind: 'diskLosesAnswer', before: 139, pick: 73, size: 0.8463643700815737 }],
    },
  },
  {
    what: 'two dry runs of one file, read in two ways, were both carried out, and registered its rows twice',
    seed: 7314,
    plan: {
      seed: 7314,
      clients: [
        [
          { kind: 'dryRun', pick: 673, pause: 10 },
          { kind: 'dryRun', pick: 161, pause: 10 },
          { kind: 'commit', pick: 390, pause: 6 },
          { kind: 'commit', pick: 797, pause: 5 },
        ],
        [],
        [],
      ],
      faults: [],
    },
  },
  {
    what: 'a relationship waited for a sample that was there: who brought it had looked for what waits before its last rows were stored, and who waited had looked for it before that, too',
    seed: 69,
    plan: {
      seed: 69,
      clients: [[{ kind: 'parents', pick: 0, pause: 5 }], [{ kind: 'children', pick: 0, pause: 3 }]],
      faults: [{ kind: 'freeze', before: 109, pick: 2, size: 0.3 }],
    },
  },
];
