/** Writes the measured part of docs/performance.md, between its two marks; what stands around them is written by people. */
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Figure, table } from './figures.js';

const REPORT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const BEGIN = '<!-- figures: begin -->';
const END = '<!-- figures: end -->';

export function writeReport(figures: Figure[]): void {
  const text = readFileSync(REPORT, 'utf8');
  const [before, rest] = text.split(BEGIN) as [string, string];
  const after = (rest as string).split(END)[1] as string;
  const machine =
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ` +
    `${platform()} ${release()} ${arch()}, Node ${process.version}`;
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(REPORT, `${before}${BEGIN}\n\nMeasured ${day} on ${machine}.\n\n${table(figures)}\n\n${END}${after}`);
}
