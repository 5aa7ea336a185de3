/** The watch folder: files that lie in it, files that others write while it is watched, and one that says that it is complete. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WatchEvent } from '../../src/cli/watch/process-file.js';
import { plainSheet } from '../support/plain-sheet.js';
import { proveScene } from './cuts.js';
import { sha256Of } from './promises.js';
import type { Recorder } from './recorder.js';

/** As a program would that leaves it to the operating system when the bytes reach the disk, and one that does not. */
const WRITE = 'const [path, text] = process.argv.slice(1); require("node:fs").writeFileSync(path, text)';
const SYNC = `${WRITE}; for (const name of [path, require("node:path").dirname(path)]) fs.fsyncSync(fs.openSync(name))`;

const SHEETS: Record<string, string> = {
  'one.tsv': plainSheet({ tag: 'one', rows: 20, badEvery: 6 }),
  'two.tsv': plainSheet({ tag: 'two', rows: 5 }),
};

proveScene({
  name: 'the watch folder',
  disks: 4_000,
  of: /^sample-registry watch/,
  oneGoesOnOf: 12,
  unmissed: [
    { sync: /journal\.db-journal/, because: 'SQLite makes the journal: there is nothing in it yet' },
    { sync: /reserve-FILE/, because: 'a full disk is found out by it, not a power cut' },
  ],
  record: async (recorder) => {
    const root = join(recorder.root, 'watched');
    const inbox = join(root, 'inbox');
    const first = await recorder.serve();
    await first.stop();

    recorder.begin();
    const { api, stop } = await recorder.serve();
    const client = { SAMPLE_REGISTRY_URL: api.url, SAMPLE_REGISTRY_TOKEN: api.adminToken };
    const watch = ['watch', root, '--json', '--once', '--poll', '0.02', '--stable', '0.05'];
    const watched = () => recorder.command(watch, client, (line) => promiseOf(recorder, line));
    const put = (code: string, name: string, text: string) =>
      recorder.run('a program', ['-e', code, join(inbox, name), text], {});
    recorder.chapter('a new watch folder');
    await watched();
    recorder.chapter('a file in the watch folder');
    await put(SYNC, 'one.tsv', SHEETS['one.tsv'] as string);
    await put(SYNC, 'one.tsv.ready', '');
    await watched();
    recorder.chapter('another file in the watch folder');
    await put(WRITE, 'two.tsv', SHEETS['two.tsv'] as string);
    await watched();
    await stop();
  },
});

/** What the watch folder says of a file, and from then on promises. */
function promiseOf(recorder: Recorder, line: string): void {
  const { event, file: name, key, place } = JSON.parse(line) as WatchEvent;
  if (event === 'taken') recorder.promise({ kind: 'taken', name, sha256: sha256Of(SHEETS[name] as string) });
  if (event !== 'settled') return;
  recorder.promise({ kind: 'settled', name, key: key as string });
  for (const file of readdirSync(join(recorder.root, 'watched', 'done'))) {
    if (file.startsWith(place as string)) recorder.promiseFile(join('watched', 'done', file));
  }
}
