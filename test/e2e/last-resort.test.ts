/** @module-tag slow */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer } from '../support/server.js';

it('an error that nobody caught is written down, and the process ends in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'last-resort-'));
  const plant = join(folder, 'plant.mjs');
  // Thrown in the service alone, outside of any request, when a file appears.
  writeFileSync(
    plant,
    `import { existsSync } from 'node:fs';
     if (process.argv[1].endsWith('server.js')) setInterval(() => {
       if (existsSync(${JSON.stringify(join(folder, 'now'))})) throw new Error('planted');
     }, 50).unref();`,
  );
  const server = await startServer({ env: { NODE_OPTIONS: `--import=${plant}` } });
  const { id } = await server.uploadAndSettle(plainSheet({ tag: 'kept', rows: 3 }));
  writeFileSync(join(folder, 'now'), '');
  expect(await server.ended()).toBe(1);
  const fatal = server
    .output()
    .split('\n')
    .find((line) => line.includes('"level":60'));
  expect(JSON.parse(fatal ?? '{}')).toMatchObject({ msg: 'an error that nobody caught', err: { message: 'planted' } });
  const again = await startServer({ dataDir: server.dataDir, env: { ADMIN_TOKEN: server.adminToken } });
  expect((await again.status(id)).submissionStatus).toBe('COMPLETED');
  await again.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});
