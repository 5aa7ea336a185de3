/** The bulk route beside `sqlite3 .import` of the same file: registering, with relationships, updating, unchanged. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, seconds, times } from './figures.js';
import { hasCommand, SQLITE_IMPORT, SQLITE_UTILS, sqliteImport, sqliteUtils } from './peers.js';
import { Service } from './service.js';
import { writeSheet } from './sheet.js';

export interface Timed {
  /** From the first byte sent, milliseconds. */
  whole: number;
  /** From the 202. */
  processing: number;
  id: string;
}

export async function timedUpload(service: Service, file: string, query = ''): Promise<Timed> {
  const begun = performance.now();
  const { id } = await service.upload(file, query);
  const accepted = performance.now();
  await service.completed(id);
  const ended = performance.now();
  return { whole: ended - begun, processing: ended - accepted, id };
}

interface Round {
  floor: number;
  plain: Timed;
  related: Timed;
  updated: Timed;
  unchanged: Timed;
}

export async function ingestFigures(rows: number, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sheets-'));
  const file = (name: string) => join(folder, `${name}.tsv`);
  try {
    await writeSheet(file('plain'), { rows });
    await writeSheet(file('related'), { rows, related: true });
    const done: Round[] = [];
    for (let round = 0; round < rounds; round++) done.push(await oneRound(rows, file));
    return [...ratios(rows, done), ...(await againstSqliteUtils(folder, rows, rounds))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(rows: number, file: (name: string) => string): Promise<Round> {
  const floor = sqliteImport(file('plain'));
  const service = await Service.start();
  try {
    const plain = await timedUpload(service, file('plain'));
    const first = await firstAccession(service, plain.id);
    await writeSheet(file('changed'), { rows, note: 'second', firstAccession: first });
    const updated = await timedUpload(service, file('changed'));
    const unchanged = await timedUpload(service, file('changed'), '?unknownColumns=ignore');
    const related = await timedUpload(service, file('related'));
    const round = { floor, plain, related, updated, unchanged };
    console.log(
      `floor ${seconds(floor)}, registered ${seconds(plain.processing)}, updated ${seconds(updated.processing)}, ` +
        `unchanged ${seconds(unchanged.processing)}, related ${seconds(related.processing)}`,
    );
    return round;
  } finally {
    await service.stop();
  }
}

export async function firstAccession(service: Service, id: string): Promise<number> {
  const answer = await fetch(`${service.url}/submissions/${id}/mapping`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let head = '';
  let found: RegExpExecArray | null = null;
  while (!found) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`no accession in the mapping: ${head}`);
    head += Buffer.from(value).toString('utf8');
    found = /"sampleAccession":"SAMR(\d+)"/.exec(head);
  }
  await reader.cancel();
  return Number(found[1]);
}

function ratios(rows: number, rounds: Round[]): Figure[] {
  const floor = median(rounds.map((round) => round.floor));
  const row = (what: string, limit: number, pick: (round: Round) => number): Figure => {
    const ratio = median(rounds.map((round) => pick(round) / round.floor));
    const ms = median(rounds.map(pick));
    const rate = `${Math.round(rows / ms)} rows/ms`;
    return {
      what,
      target: `≤ ${limit} × \`.import\``,
      figure: `${seconds(ms)} (${rate})`,
      ratio: times(ratio),
      met: ratio <= limit,
    };
  };
  const count = rows.toLocaleString('en');
  return [
    {
      what: `\`${SQLITE_IMPORT}\`, ${count} rows × 15 columns`,
      target: 'the floor',
      figure: seconds(floor),
      met: true,
    },
    row(`${count} rows registered, from 202 to COMPLETED`, 0.8, (round) => round.plain.processing),
    row('the same, from the first byte sent', 1.1, (round) => round.plain.whole),
    row('with in-file relationships by name on every row', 1.5, (round) => round.related.processing),
    row('every row updated, old versions kept', 2, (round) => round.updated.processing),
    row('every row re-uploaded unchanged', 1.2, (round) => round.unchanged.processing),
  ];
}

async function againstSqliteUtils(folder: string, rows: number, rounds: number): Promise<Figure[]> {
  if (!hasCommand('sqlite-utils')) return [];
  const some = Math.min(rows, 100_000);
  const file = join(folder, 'utils.tsv');
  await writeSheet(file, { rows: some, tag: 'utils' });
  const peer = median(Array.from({ length: Math.min(rounds, 3) }, () => sqliteUtils(file)));
  const service = await Service.start();
  try {
    const { whole } = await timedUpload(service, file);
    return [
      {
        what: `\`${SQLITE_UTILS}\`, ${some.toLocaleString('en')} rows (${seconds(peer)}), against first byte to COMPLETED`,
        target: 'faster',
        figure: seconds(whole),
        ratio: times(whole / peer),
        met: whole < peer,
      },
    ];
  } finally {
    await service.stop();
  }
}
