/** Whether a store that is already large takes rows as fast as an empty one, and answers as fast as a smaller one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, millis, quantile, times } from './figures.js';
import { firstAccession } from './ingest.js';
import { Service } from './service.js';
import { DONORS, writeSheet } from './sheet.js';

const PROBE_ROWS = 300_000;
const PROBES = 5;
const FILL_ROWS = 1_000_000;
/** Requests of each kind that are timed, one after the other. */
const REQUESTS = 1000;

export async function growthFigures(samples: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'));
  const file = (name: string) => join(folder, `${name}.tsv`);
  await writeSheet(file('probe'), { rows: PROBE_ROWS, tag: 'probe' });
  await writeSheet(file('first'), { rows: 300, tag: 'first' });
  const full = await Service.start();
  try {
    const query = '?duplicate=allow';
    let first: number | undefined;
    let small: Waits | undefined;
    for (let at = 0; at < samples / FILL_ROWS; at++) {
      await writeSheet(file('fill'), { rows: FILL_ROWS, tag: `fill${at}` });
      const { id } = await full.upload(file('fill'), query);
      await full.completed(id);
      await full.indexed();
      first ??= await firstAccession(full, id);
      small ??= await waits(full, { first, samples: FILL_ROWS });
    }
    const large = await waits(full, { first: first as number, samples });
    const ratios: number[] = [];
    // Pairs in turn, so that the machine's mood meets both alike.
    for (let probe = 0; probe < PROBES; probe++) {
      const empty = await Service.start();
      // Its worker is up once it has done something, as that of the other is.
      await empty.completed((await empty.upload(file('first'))).id);
      const alone = await processing(empty, file('probe'), query);
      await empty.stop();
      ratios.push(alone / (await processing(full, file('probe'), query)));
    }
    const ratio = median(ratios);
    return [
      {
        what: `rows/s into a store of ${samples.toLocaleString('en')} samples, of rows/s into an empty one`,
        target: '≥ 85 %',
        figure: `${(100 * ratio).toFixed(0)} %`,
        ratio: times(ratio),
        met: ratio >= 0.85,
      },
      ...answers(samples, small as Waits, large),
    ];
  } finally {
    await full.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function processing(service: Service, file: string, query: string): Promise<number> {
  const { id } = await service.upload(file, query);
  const begun = performance.now();
  await service.completed(id);
  return performance.now() - begun;
}

/** What is asked → the 99th percentile of waiting for its answer, milliseconds. */
type Waits = Record<string, number>;

/** Of samples with consecutive accessions, taken from all of them in an order that is the same each time. */
async function waits(service: Service, { first, samples }: { first: number; samples: number }): Promise<Waits> {
  const nth = (at: number): number => (at * 7_919 * 104_729) % samples;
  const asked: Record<string, (at: number) => string> = {
    '`GET /samples/{accession}`': (at) => `/samples/SAMR${first + nth(at)}`,
    'a search by name': (at) => `/samples?filter=name:fill${Math.floor(nth(at) / FILL_ROWS)}_${nth(at) % FILL_ROWS}`,
    'a search by value, its first page': (at) => `/samples?filter=attr:donor:donor_${nth(at) % DONORS}`,
  };
  const found: Waits = {};
  for (const [what, path] of Object.entries(asked)) {
    const each: number[] = [];
    for (let at = 0; at < REQUESTS; at++) {
      const begun = performance.now();
      await service.get(path(at));
      each.push(performance.now() - begun);
    }
    found[what] = quantile(each, 0.99);
  }
  return found;
}

const answers = (samples: number, small: Waits, large: Waits): Figure[] =>
  Object.entries(large).map(([what, wait]) => {
    const ratio = wait / (small[what] as number);
    return {
      what: `${what} in a store of ${samples.toLocaleString('en')} samples: p99 of ${REQUESTS}, beside ${FILL_ROWS.toLocaleString('en')} (${millis(small[what] as number)})`,
      target: '≤ 2 ×',
      figure: millis(wait),
      ratio: times(ratio),
      met: ratio <= 2,
    };
  });
