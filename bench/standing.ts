/** Standing sheets beside the same file with keys: what finding out costs that little has changed and nothing is missing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, seconds, times } from './figures.js';
import { timedUpload } from './ingest.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

const KEY = '?key=Sample%20Name';
const CHANGED = 1_000;

/** Milliseconds: all rows sent again as they are, and the plan of those of which some changed. */
interface Round {
  unchanged: number;
  plan: number;
}

export async function standingFigures(rows: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-standing-'));
  const [export_, changed] = [join(folder, 'export.tsv'), join(folder, 'changed.tsv')];
  try {
    await writeSheet(export_, { rows });
    await writeSheet(changed, { rows, otherEvery: rows / CHANGED });
    const done: Round[] = [];
    for (let round = 0; round < rounds; round++) done.push(await oneRound(export_, changed));
    const ratio = median(done.map(({ plan, unchanged }) => plan / unchanged));
    const again = seconds(median(done.map(({ unchanged }) => unchanged)));
    return [
      {
        what: `the plan of a standing sheet of ${rows.toLocaleString('en')} rows, 1,000 of them changed, beside all sent again unchanged (${again})`,
        target: '≤ 1.5 × the latter',
        figure: seconds(median(done.map(({ plan }) => plan))),
        ratio: times(ratio),
        met: ratio <= 1.5,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(sheet: string, changed: string): Promise<Round> {
  const service = await Service.start();
  try {
    await timedUpload(service, sheet, `${KEY}&keySpace=nightly`);
    const again = await timedUpload(service, sheet, `${KEY}&keySpace=nightly`);
    const plan = await timedUpload(service, changed, `${KEY}&standing=nightly`);
    const { counts } = await service.completed(plan.id);
    if (counts.updated !== CHANGED) throw new Error(`planned: ${JSON.stringify(counts)}`);
    console.log(`unchanged ${seconds(again.processing)}, planned ${seconds(plan.processing)}`);
    return { unchanged: again.processing, plan: plan.processing };
  } finally {
    await service.stop();
  }
}
