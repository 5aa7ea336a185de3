/** The watch folder that a power cut left, and that it goes on to its end. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFolder } from '../../src/cli/watch/daemon.js';
import { Journal } from '../../src/cli/watch/journal.js';
import { RegistryClient } from '../../src/client/registry-client.js';
import { type Promised, sha256Of } from './promises.js';
import { TOKEN } from './recorder.js';

/** Each file that was taken is whole and in one place, and one that has its place is nowhere else. */
export function watchFaults(folder: string, promised: readonly Promised[]): string[] {
  if (!existsSync(join(folder, 'inbox'))) return [];
  const journal = join(folder, '.journal', 'journal.db');
  const papers = existsSync(journal) ? paperFaults(folder, journal) : [];
  const others = promised.flatMap((what) => {
    if (what.kind === 'taken') return takenFaults(folder, what.name, what.sha256);
    return what.kind === 'settled' ? settledFaults(folder, what.name, what.key) : [];
  });
  return [...papers, ...others];
}

/** A file whose end the journal knows has its papers, in either place. */
function paperFaults(folder: string, path: string): string[] {
  const journal = new Journal(path);
  const settling = journal.unsettled().filter(({ stage }) => stage === 'settling');
  journal.close();
  return settling.flatMap(({ key, name, end, place }) =>
    ['receipt.json', 'result.tsv', 'mapping.json'].flatMap((paper) => {
      const places = [join('working', key, `${name}.${paper}`), join(end?.outcome as string, `${place}.${paper}`)];
      return places.some((one) => existsSync(join(folder, one))) ? [] : [`${name} has no ${paper}`];
    }),
  );
}

function takenFaults(folder: string, name: string, sha256: string): string[] {
  const places = placesOf(folder, name);
  if (places.length !== 1) return [`${name} was taken and is in ${places.length} places: ${places}`];
  return sha256Of(readFileSync(places[0] as string)) === sha256 ? [] : [`${name} was taken and is damaged`];
}

function settledFaults(folder: string, name: string, key: string): string[] {
  const left = [join('inbox', name), join('inbox', `${name}.ready`), join('working', key)];
  return [
    ...left.filter((path) => existsSync(join(folder, path))).map((path) => `${name} has ended and ${path} is there`),
    ...(existsSync(join(folder, 'done', name)) ? [] : [`${name} has ended and is not in done`]),
  ];
}

const placesOf = (folder: string, name: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === name)
    .map((entry) => join(entry.parentPath, entry.name));

/** The service is there: until the inbox is empty and every file has its end. */
export async function finishWatching(folder: string, url: string): Promise<void> {
  await watchFolder({
    directory: folder,
    client: new RegistryClient({
      baseUrl: url,
      token: TOKEN,
      retry: { firstPauseMs: 10, longestPauseMs: 100, giveUpAfterMs: 10 * 60_000 },
    }),
    upload: {},
    stableMs: 0,
    pollMs: 5,
    concurrency: 4,
    retryPauseMs: 50,
    once: true,
    signal: AbortSignal.timeout(10 * 60_000),
    report: () => undefined,
  });
}

/** At the end each has its place with its papers, and no row is registered twice. */
export function endFaults(folder: string, created: number): string[] {
  const receipts = readdirSync(join(folder, 'done')).filter((name) => name.endsWith('.receipt.json'));
  const submissions = receipts.map(
    (name) => (JSON.parse(readFileSync(join(folder, 'done', name), 'utf8')) as { submission: Counted }).submission,
  );
  const reported = new Map(submissions.map(({ submissionId, counts }) => [submissionId, counts.created]));
  const alone = receipts
    .map((name) => name.replace('.receipt.json', ''))
    .filter((name) => !existsSync(join(folder, 'done', name)));
  const sum = [...reported.values()].reduce((all, one) => all + one, 0);
  const waiting = ['inbox', 'working'].flatMap((name) =>
    readdirSync(join(folder, name)).map((one) => `${name}/${one}`),
  );
  return [
    ...waiting.map((path) => `${path} is there at the end`),
    ...alone.map((name) => `${name} has a receipt and is not there`),
    ...(sum === created ? [] : [`the receipts tell of ${sum} samples, the store has ${created}`]),
  ];
}

interface Counted {
  submissionId: string;
  counts: { created: number };
}
