/** A sheet that comes night after night, with a row that could not be registered at first. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../http/service.js';
import { plainSheet } from '../support/plain-sheet.js';

let server: Service;
beforeAll(async () => {
  server = await startService();
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

it('of uploads of one sheet that each refused what another registered, all say together which samples its rows mean', async () => {
  const base = await server.uploadAndSettle(plainSheet({ tag: 'known', rows: 1 }));
  const [known] = (await server.mapping(base.id)).sampleNameAccessionPairs;
  const parents = await server.uploadAndSettle(plainSheet({ tag: 'first parents', rows: 1 }));
  const [parent] = (await server.mapping(parents.id)).sampleNameAccessionPairs;
  // Not given yet: one of the next six samples gets it (the sheet itself reserves three numbers).
  const next = `SAMR${Number(parent?.sampleAccession.slice(4)) + 6}`;
  const sheet = [
    'Sample Identifier\tSample Name\tRelease Date\tCharacteristics[organism]\tComment[bsd_relationship:derived from]',
    `${known?.sampleAccession}\t${known?.sampleName}\t2024-01-01\tMus musculus\t`,
    '\twithout organism\t2024-01-01\t\t',
    `\tbefore its parent\t2024-01-01\tMus musculus\t${next}`,
    '',
  ].join('\n');
  const upload = async (options = {}) => (await server.uploadAndSettle(sheet, { options })).status.counts;
  expect(await upload()).toMatchObject({ created: 1, rejected: 1 });
  await server.uploadAndSettle(plainSheet({ tag: 'second parents', rows: 6 }));
  expect(await upload({ checklist: 'minimal' })).toMatchObject({ created: 1, rejected: 1 });
  expect(await upload({ dryRun: true })).toMatchObject({ created: 0, rejected: 0 });
  for (let night = 0; night < 2; night++) expect(await upload()).toMatchObject({ created: 0, rejected: 0 });
  for (const name of ['without organism', 'before its parent']) {
    const found = (await server.get(`/samples?filter=${encodeURIComponent(`name:${name}`)}`)).json<{
      _embedded: { samples: unknown[] };
    }>();
    expect(found._embedded.samples, name).toHaveLength(1);
  }
});
