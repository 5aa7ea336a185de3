/** Uploads, single samples and what hangs on them, tokens, an undo and a whole result, from the first start of a service on. */
import { expect } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { jsonWrites, keptExport, settled, upload } from './changes.js';
import { proveScene } from './cuts.js';

const LARGE_ROWS = 300;

proveScene({
  name: 'changes',
  disks: 10_000,
  unmissed: [
    { sync: /registry\.db(-search)?-journal/, because: 'SQLite makes a file: there is nothing in it yet' },
    { sync: /: data, names/, because: 'folders that are made beside sync them again; that of a later start is missed' },
    { sync: /reserve-FILE/, because: 'a full disk is found out by it, not a power cut' },
  ],
  record: async (recorder) => {
    recorder.begin();
    recorder.chapter('the first start');
    const { api, stop } = await recorder.serve();
    recorder.chapter('a small upload');
    const small = await upload(api, plainSheet({ tag: 'small', rows: 5 }));
    recorder.chapter('JSON writes');
    await jsonWrites(api);
    recorder.chapter('a token');
    api.promise({ kind: 'token', text: await api.token('ada') });
    recorder.chapter('a large upload');
    await upload(api, plainSheet({ tag: 'large', rows: LARGE_ROWS }));
    recorder.chapter('a whole result that is kept');
    await keptExport(api);
    recorder.chapter('an undo');
    await settled(api, submissionIdOf(await api.call(`/submissions/${small}/undo`, { method: 'POST' })));
    recorder.chapter('the stop');
    const refused = await api.send('POST', '/samples', {});
    expect(refused.status).toBe(422);
    await stop();
    recorder.promise({ kind: 'audit', names: refused.headers.get('x-request-id') as string });
  },
});
