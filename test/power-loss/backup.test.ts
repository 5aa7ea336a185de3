/** A backup by the command while a large upload is registered, a whole result saved by the command, tokens, and a purge. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { auditFiles } from '../../src/audit/files.js';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { settled, upload } from './changes.js';
import { proveScene } from './cuts.js';

const LARGE_ROWS = 400;

proveScene({
  name: 'a backup',
  disks: 3_000,
  of: /^sample-registry/,
  unmissed: [
    { sync: /backup.registry\.db-journal/, because: 'a copy without a manifest is no backup, and it is whole by then' },
    { sync: /backup.registry\.db-search/, because: 'the index of the copy is made again by whoever restores it' },
    {
      sync: /token create, fsync: data, names/,
      because:
        'SQLite syncs the folder of a log that it begins: the store’s is the service’s by then, the index is made anew',
      sometimes: true,
    },
    {
      sync: /audit-FILE, first bytes/,
      because: 'the end of a command syncs its whole file; that of a service is missed',
    },
  ],
  record: async (recorder) => {
    const { data, root } = recorder;
    const first = await recorder.serve();
    await upload(first.api, plainSheet({ tag: 'first', rows: 5 }));
    await first.stop();
    for (const name of auditFiles(join(data, 'audit'))) utimesSync(join(data, 'audit', name), 1, 1);

    recorder.begin();
    const { api, stop } = await recorder.serve();
    recorder.chapter('a backup during a large upload');
    const large = submissionIdOf(await api.upload(plainSheet({ tag: 'large', rows: LARGE_ROWS })));
    const settings = { DATA_DIR: data };
    await recorder.command(['backup', join(root, 'backup'), '--json'], settings, (line) => {
      const { created } = JSON.parse(line) as { created: string };
      recorder.promise({ kind: 'backup', created: Date.parse(created) });
    });
    recorder.promiseFile('backup/manifest.json');
    await settled(api, large);

    recorder.chapter('a token by the command');
    const words = ['token', 'create', '--account', 'lab', '--json'];
    // Their lines are not synced at once, and the command’s file mentions them.
    const refusing = setInterval(() => void api.send('POST', '/samples', {}), 50);
    await recorder.command(words, settings, (line) => {
      if (!line.startsWith('{')) return;
      const { token, id } = JSON.parse(line) as { token: string; id: string };
      recorder.promise({ kind: 'token', text: token });
      recorder.promise({ kind: 'audit', names: `token ${id} of lab` });
    });
    clearInterval(refusing);

    recorder.chapter('a whole result saved by the command');
    const client = { SAMPLE_REGISTRY_URL: api.url, SAMPLE_REGISTRY_TOKEN: api.adminToken };
    const saved = ['samples', 'export', '--keep', '--format', 'ndjson', '-o', join(root, 'all.ndjson')];
    await recorder.command(saved, client, (line) => {
      if (/is being made/.test(line)) recorder.promiseFile('all.ndjson.part.json', 'all.ndjson');
    });
    recorder.promiseFile('all.ndjson');

    recorder.chapter('a purge');
    await recorder.command(['purge'], { ...settings, RETENTION_AUDIT_DAYS: '1' });
    await stop();
  },
});
