/** Makes a plan that goes wrong smaller: whatever can be left out while it still goes wrong is left out. */
import type { Plan } from './plan.js';

/** `goesWrong` is asked at most `tries` times. */
export async function shrink(plan: Plan, goesWrong: (plan: Plan) => Promise<boolean>, tries = 150): Promise<Plan> {
  let best = plan;
  let left = tries;
  for (let smaller = true; smaller; ) {
    smaller = false;
    for (const candidate of smallerThan(best)) {
      if (left-- <= 0) return best;
      if (!(await goesWrong(candidate))) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

/** The boldest first: all faults, a client, half of a client's steps, one fault, one step. */
function* smallerThan(plan: Plan): Generator<Plan> {
  const { clients, faults } = plan;
  if (faults.length > 1) yield { ...plan, faults: [] };
  for (const at of clients.keys()) {
    if ((clients[at] as unknown[]).length > 0) yield { ...plan, clients: clients.with(at, []) };
  }
  for (const [at, steps] of clients.entries()) {
    const half = steps.length >> 1;
    if (half > 0) yield { ...plan, clients: clients.with(at, steps.slice(0, half)) };
  }
  for (const at of faults.keys()) yield { ...plan, faults: faults.toSpliced(at, 1) };
  for (const [at, steps] of clients.entries()) {
    for (const step of [...steps.keys()].reverse()) {
      yield { ...plan, clients: clients.with(at, steps.toSpliced(step, 1)) };
    }
  }
}

export const sizeOf = ({ clients, faults }: Plan): number => faults.length + clients.flat().length;
