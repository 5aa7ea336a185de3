/** What the checks between cells cost the bulk route: the same file read with them and without, in turns. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cost, ingestCost, inTurns } from './alternating.js';
import { type Figure, seconds, times } from './figures.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CALL = '...sense.inspect(batch)';
const LIMIT = 1.1;

export async function checkFigures(rows: number, pairs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-checks-'));
  try {
    const [withChecks, without] = [built(join(folder, 'with')), built(join(folder, 'without'))];
    leaveOut(without);
    const figures: Figure[] = [];
    for (const [what, places] of [
      ['', false],
      [', among them coordinates, a disease and an address', true],
    ] as const) {
      const file = join(folder, 'sheet.tsv');
      await writeSheet(file, { rows, places });
      const { first, second, ratio } = await inTurns(
        pairs,
        () => once(without, file),
        () => once(withChecks, file),
      );
      const columns = places ? 19 : 15;
      figures.push({
        what: `${rows.toLocaleString('en')} rows × ${columns} columns${what}: processors' time with the checks between cells (${seconds(second.cpu * 1000)}), of that without them (${seconds(first.cpu * 1000)})`,
        target: `≤ ${LIMIT.toFixed(2)} ×`,
        figure: `from 202 to COMPLETED ${seconds(second.wall * 1000)}, without ${seconds(first.wall * 1000)}, ${times(ratio.wall)}`,
        ratio: times(ratio.cpu),
        met: ratio.cpu <= LIMIT,
      });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function once(entry: string, file: string): Promise<Cost> {
  const service = await Service.start({}, undefined, entry);
  try {
    return await ingestCost(service, file);
  } finally {
    await service.stop();
  }
}

/** The built service once more, to be changed. Resolves to its program. */
function built(folder: string): string {
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'web', 'docs']) symlinkSync(join(ROOT, name), join(folder, name));
  return join(folder, 'dist', 'src', 'server.js');
}

/** Takes the one call of the checks out of what was built. @throws Error when it stands in no file, or in several */
function leaveOut(entry: string): void {
  const chunks = join(entry, '..', '..', 'chunks');
  const calling = readdirSync(chunks)
    .map((name) => join(chunks, name))
    .filter((path) => readFileSync(path, 'utf8').includes(CALL));
  const [path] = calling;
  if (path === undefined || calling.length > 1)
    throw new Error(`${CALL} stands in ${calling.length} files, not in one`);
  writeFileSync(path, readFileSync(path, 'utf8').replace(CALL, ''));
}
