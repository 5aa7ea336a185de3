/** Makes the file of a whole result, of one moment: alone, or in halves with another. */

import { printResult, printSecondHalf } from './print-result.js';
import type { ExportOrder, ExportOutput, ProduceDependencies } from './production.js';
import type { LeftOut } from './sheet-lines.js';

/** Samples from which on a result is printed in halves: another thread takes a third of a second to begin. */
const DIVIDED_FROM = 100_000;
/** How often two that read the store are tried to be brought to the same moment, between the writes of others. */
const ATTEMPTS = 20;

/** @throws RegistryError request.invalid where the format cannot hold the result, service.unavailable, storage.damaged */
export async function produceExport(deps: ProduceDependencies, order: ExportOrder, out: ExportOutput): Promise<void> {
  const divided = await deps.store.wholeResult(order.query, async (result) => {
    if (mayBeDivided(deps, order) && result.division && result.count >= DIVIDED_FROM) return true;
    await printResult(deps, order, result, out);
    return false;
  });
  if (divided && !(await produceInHalves(deps, order, out))) {
    await deps.store.wholeResult(order.query, (result) => printResult(deps, order, result, out));
  }
}

const mayBeDivided = ({ otherHalf }: ProduceDependencies, { format, countOnly }: ExportOrder): boolean =>
  otherHalf !== undefined && !countOnly && (format === 'tsv' || format === 'csv' || format === 'ndjson');

/** Resolves to whether it was produced. */
async function produceInHalves(deps: ProduceDependencies, order: ExportOrder, out: ExportOutput): Promise<boolean> {
  const other = await deps.otherHalf?.();
  if (other === undefined) return false;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const done = await deps.store.wholeResult(order.query, async (result) => {
        const { division } = result;
        if (division === undefined || !(await other.begins(division.moment))) return false;
        await printResult(deps, order, result, out, { other, middle: division.middle() });
        return true;
      });
      if (done) return true;
    }
    return false;
  } finally {
    other.end();
  }
}

/** The second half for another that prints the first; `begun` gives where it begins. Resolves to false where the store is at another moment. */
export const produceSecondHalf = (
  deps: ProduceDependencies,
  order: ExportOrder,
  { moment, begun }: { moment: number; begun: () => Promise<number> },
  out: Pick<ExportOutput, 'write'>,
): Promise<LeftOut | false> =>
  deps.store.wholeResult(order.query, async (result) => {
    if (result.division?.moment !== moment) return false;
    return printSecondHalf(deps, order, result, out, await begun());
  });
