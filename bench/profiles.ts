/** What an import profile costs the bulk route: the same rows under headers of another kind, read by one, beside our own headers. */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Compared, ingestCost, inTurns } from './alternating.js';
import { type Figure, seconds, times } from './figures.js';
import { Service } from './service.js';
import { HEADER, writeSheet } from './sheet.js';

/** What the columns of the bench's sheet are called elsewhere, each with what it is. */
const COLUMNS: ({ header: string } & Record<string, unknown>)[] = [
  { header: 'Tube', as: 'name' },
  { header: 'Public from', as: 'release' },
  { header: 'Species', as: 'characteristic', name: 'organism' },
  { header: 'Ontology', as: 'ignored' },
  { header: 'Species id', as: 'term', of: 'Species' },
  { header: 'Part', as: 'characteristic', name: 'tissue' },
  { header: 'Alter', as: 'characteristic', name: 'age' },
  { header: 'Alter in', as: 'unit', of: 'Alter' },
  { header: 'Gender', as: 'characteristic', name: 'sex' },
  { header: 'Taken', as: 'characteristic', name: 'collection date' },
  { header: 'Place', as: 'characteristic', name: 'geographic location' },
  { header: 'Remark', as: 'characteristic', name: 'description' },
  { header: 'Plate', as: 'characteristic', name: 'batch' },
  { header: 'Person', as: 'characteristic', name: 'donor' },
  { header: 'Link', as: 'reference' },
];
const LOOKED_UP: Record<string, Record<string, string>> = {
  Gender: { male: 'M', female: 'F' },
  Part: { 'liver biopsy': 'liver' },
};

export async function profileFigures(rows: number, pairs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-profiles-'));
  const [ours, theirs] = [join(folder, 'ours.tsv'), join(folder, 'theirs.tsv')];
  try {
    await writeSheet(ours, { rows });
    await underOtherHeaders(ours, theirs);
    const figures: Figure[] = [];
    for (const [what, limit, values] of [
      ['no cell changed', 1.3, {}],
      ['two values of every row looked up', 2, LOOKED_UP],
    ] as const) {
      const columns = COLUMNS.map((column) => ({
        ...column,
        ...(column.header in values ? { values: (values as typeof LOOKED_UP)[column.header] } : {}),
      }));
      const compared = await inTurns(
        pairs,
        () => once(ours),
        () => once(theirs, { profile: 1, title: 'Of the bench', columns }),
      );
      figures.push(figureOf(`${rows.toLocaleString('en')} rows read by an import profile, ${what}`, limit, compared));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const figureOf = (what: string, limit: number, { first, second, ratio }: Compared): Figure => ({
  what: `${what}: processors' time (${seconds(second.cpu * 1000)}), of that under our own headers (${seconds(first.cpu * 1000)})`,
  target: `≤ ${limit} ×`,
  figure: `from 202 to COMPLETED ${seconds(second.wall * 1000)}, beside ${seconds(first.wall * 1000)}, ${times(ratio.wall)}`,
  ratio: times(ratio.cpu),
  met: ratio.cpu <= limit,
});

async function once(file: string, profile?: unknown) {
  const service = await Service.start();
  try {
    if (profile) await keep(service, profile);
    return await ingestCost(service, file);
  } finally {
    await service.stop();
  }
}

async function keep({ url, token }: Service, profile: unknown): Promise<void> {
  const answer = await fetch(`${url}/profiles/bench`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(profile),
  });
  if (!answer.ok) throw new Error(`PUT /profiles/bench answered ${answer.status}: ${await answer.text()}`);
}

async function underOtherHeaders(from: string, to: string): Promise<void> {
  const out = createWriteStream(to);
  out.write(`${COLUMNS.map(({ header }) => header).join('\t')}\n`);
  await pipeline(createReadStream(from, { start: Buffer.byteLength(`${HEADER.join('\t')}\n`) }), out);
}
