/** How long one user waits: small uploads and reads, idle and while a large job runs; and how many are served at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Figure, median, millis, quantile, times } from './figures.js';
import { Service } from './service.js';
import { rowText, writeSheet } from './sheet.js';

export async function latencyFigures(short: boolean): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-latency-'));
  const service = await Service.start();
  try {
    const large = join(folder, 'large.tsv');
    await writeSheet(large, { rows: short ? 100_000 : 1_000_000, tag: 'large' });
    const accession = await oneSample(service);
    return [
      ...(await idleUploads(service, short ? 50 : 400)),
      ...(await reads(service, accession, short ? 2 : 10)),
      ...(await manyClients(service, short ? 4 : 20)),
      ...(await rowByRow(service, short)),
      ...(await whileRunning(service, large, accession)),
    ];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let made = 0;
/** A file of the size that a technician brings: under both thresholds. */
function smallSheet(): string {
  const tag = `small${made++}`;
  let text = 'Sample Name\tRelease Date\tCharacteristics[organism]\tCharacteristics[age]\n';
  for (let row = 0; row < 150; row++)
    text += `${tag}_${row}\t2024-01-15\tHomo sapiens\t${row % 90} years, as reported by the donor\n`;
  return text;
}

async function uploadSmall(service: Service): Promise<number> {
  const body = smallSheet();
  const begun = performance.now();
  const answer = await fetch(`${service.url}/submissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'text/tab-separated-values' },
    body,
  });
  await answer.text();
  if (answer.status !== 201) throw new Error(`small upload answered ${answer.status}`);
  return performance.now() - begun;
}

async function oneSample(service: Service): Promise<string> {
  const answer = await fetch(`${service.url}/submissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'text/tab-separated-values' },
    body: 'Sample Name\tRelease Date\tCharacteristics[organism]\none\t2024-01-01\tHomo sapiens\n',
  });
  return /SAMR\d+/.exec(await answer.text())?.[0] as string;
}

async function idleUploads(service: Service, count: number): Promise<Figure[]> {
  for (let warm = 0; warm < 20; warm++) await uploadSmall(service);
  const waits: number[] = [];
  for (let at = 0; at < count; at++) waits.push(await uploadSmall(service));
  const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
  return [
    {
      what: 'small upload (150 rows), idle: p50 / p99',
      target: '≤ 8 ms / 25 ms',
      figure: `${millis(p50)} / ${millis(p99)}`,
      met: p50 <= 8 && p99 <= 25,
    },
  ];
}

async function reads(service: Service, accession: string, duration: number): Promise<Figure[]> {
  const url = `${service.url}/samples/${accession}`;
  const etag = (await fetch(url, { headers: { accept: 'application/json' } })).headers.get('etag') as string;
  const rate = async (headers: Record<string, string>) => {
    await autocannon({ url, connections: 32, duration: 1, headers });
    return (await autocannon({ url, connections: 32, duration, headers })).requests.average;
  };
  const whole = await rate({ accept: 'application/json' });
  const unchanged = await rate({ accept: 'application/json', 'if-none-match': etag });
  const row = (what: string, limit: number, figure: number): Figure => ({
    what,
    target: `≥ ${limit} requests/s`,
    figure: `${Math.round(figure)} requests/s`,
    met: figure >= limit,
  });
  return [
    row('`autocannon -c 32 GET /samples/{accession}`, one process, idle', 8490, whole),
    row('the same with `If-None-Match` (304)', 10_742, unchanged),
  ];
}

async function manyClients(service: Service, each: number): Promise<Figure[]> {
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let at = 0; at < each; at++) await uploadSmall(service);
    }),
  );
  const rate = (50 * each) / ((performance.now() - begun) / 1000);
  return [
    {
      what: '50 clients uploading 150-row files: accepted and finished',
      target: '≥ 60 uploads/s',
      figure: `${rate.toFixed(0)} uploads/s`,
      met: rate >= 60,
    },
  ];
}

/** What a LIMS does today: one `POST /samples` per row over 8 keep-alive connections. */
async function rowByRow(service: Service, short: boolean): Promise<Figure[]> {
  const rows = short ? 1_000 : 5_000;
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let row = next++; row < rows; row = next++) await postRow(service, row);
    }),
  );
  const single = (performance.now() - begun) / rows;
  const folder = mkdtempSync(join(tmpdir(), 'bench-rows-'));
  try {
    const bulkRows = short ? 50_000 : 200_000;
    const file = join(folder, 'bulk.tsv');
    await writeSheet(file, { rows: bulkRows, tag: `bulk${made++}` });
    const started = performance.now();
    await service.completed((await service.upload(file)).id);
    const bulk = (performance.now() - started) / bulkRows;
    return [
      {
        what: `one \`POST /samples\` per row over 8 connections (${(1000 * single).toFixed(0)} µs a row) against bulk, per row`,
        target: '≥ 25 × faster',
        figure: `${(1000 * bulk).toFixed(1)} µs a row`,
        ratio: times(single / bulk),
        met: single / bulk >= 25,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function postRow(service: Service, row: number): Promise<void> {
  const cells = rowText(row, { rows: 1, tag: 'single' }).trimEnd().split('\t');
  const characteristics = Object.fromEntries(cells.slice(2, 14).map((text, at) => [`attribute ${at}`, [{ text }]]));
  const answer = await fetch(`${service.url}/samples`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: cells[0], release: cells[1], characteristics }),
  });
  if (answer.status !== 201) throw new Error(`POST /samples answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function whileRunning(service: Service, large: string, accession: string): Promise<Figure[]> {
  const { id } = await service.upload(large);
  const uploads: number[] = [];
  const gets: number[] = [];
  let running = true;
  const done = service.completed(id).finally(() => {
    running = false;
  });
  const get = async () => {
    const begun = performance.now();
    await (await fetch(`${service.url}/samples/${accession}`)).arrayBuffer();
    gets.push(performance.now() - begun);
  };
  await Promise.all([
    (async () => {
      while (running) uploads.push(await uploadSmall(service));
    })(),
    (async () => {
      while (running) {
        await get();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })(),
    done,
  ]);
  const [upload, read] = [quantile(uploads, 0.99), quantile(gets, 0.99)];
  return [
    {
      what: `small upload while a large job runs: p99 of ${uploads.length} (median ${millis(median(uploads))})`,
      target: '≤ 100 ms',
      figure: millis(upload),
      met: upload <= 100,
    },
    {
      what: `\`GET /samples/{accession}\` while that job runs: p99 of ${gets.length} (median ${millis(median(gets))})`,
      target: '≤ 10 ms',
      figure: millis(read),
      met: read <= 10,
    },
  ];
}
