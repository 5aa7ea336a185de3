/** A sheet that comes night after night, with a row that could not be registered at first. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it('a new row that was refused once is registered once, however often the sheet comes again', async () => {
  const base = await server.uploadAndSettle(plainSheet({ tag: 'base', rows: 1 }));
  const [known] = (await server.mapping(base.id)).sampleNameAccessionPairs;
  const sheet = [
    'Sample Identifier\tSample Name\tRelease Date\tComment[bsd_relationship:derived from]',
    `${known?.sampleAccession}\t${known?.sampleName}\t2024-01-01\t`,
    '\tlate\t2024-01-01\tSAMR6',
    '',
  ].join('\n');
  const created: number[] = [];
  for (let night = 0; night < 4; night++) {
    const { status } = await server.uploadAndSettle(sheet);
    created.push(status.counts.created);
    // What the row refers to is registered after the first night.
    if (night === 0) {
      expect(status.counts.rejected).toBe(1);
      await server.uploadAndSettle(plainSheet({ tag: 'parents', rows: 6 }));
    }
  }
  expect(created).toEqual([0, 1, 0, 0]);
  const found = (await server.get('/samples?filter=name:late')).json<{ _embedded: { samples: unknown[] } }>();
  expect(found._embedded.samples).toHaveLength(1);
});
