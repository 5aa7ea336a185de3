/** Rejected rows that refer to registered ones name them by accession, however many rows are held at a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobs } from '../../../src/blobs/open.js';
import { planOfSubmission, readRejected } from '../../../src/submissions/results/outcomes.js';
import type { Submission } from '../../../src/submissions/submission.js';
import { Random } from '../../support/random.js';
import { type Service, startService } from '../service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('rejected rows', () => {
  it('name registered samples by accession, in windows of any size alike', async () => {
    const random = new Random(7);
    const header =
      'Sample Name\tRelease Date\tComment[bsd_relationship:derived from]\tComment[bsd_relationship:child of]';
    const lines = Array.from({ length: 400 }, (_, at) => {
      const bad = random.chance(0.4);
      const target = () => (random.chance(0.7) ? `row ${random.below(400)}` : '');
      return `row ${at}\t${bad ? 'never' : '2024-01-01'}\t${target()}\t${target()}`;
    });
    const { id } = await service.uploadAndSettle(`${header}\n${lines.join('\n')}\n`);
    const { sampleNameAccessionPairs: pairs } = await service.mapping(id);
    const accessionOf = new Map(pairs.map(({ sampleName, sampleAccession }) => [sampleName, sampleAccession]));
    const submission = (await service.store.find(id)) as Submission;
    const deps = { store: service.store, blobs: await openBlobs(service.config.BLOB_URL), prefix: 'SAMR' };
    const plan = await planOfSubmission(deps, submission);
    const readWith = async (windowCharacters?: number) => {
      const read: string[][] = [];
      for await (const rows of readRejected(deps, submission, plan, windowCharacters))
        for (const { row } of rows) read.push(row.cells);
      return read;
    };
    const whole = await readWith();
    expect(whole.length).toBe(400 - pairs.length);
    expect(whole.flat().some((cell) => /^SAMR\d/.test(cell))).toBe(true);
    for (const [name = '', , ...targets] of whole) {
      const written = (lines[Number(name.slice(4))] as string).split('\t').slice(2);
      expect(targets).toEqual(written.map((target) => accessionOf.get(target) ?? target));
    }
    for (const size of [1, 500, 5_000]) expect(await readWith(size)).toEqual(whole);
  });

  it('are looked at where they are filled, and held by what they take', async () => {
    const header = `Sample Name\tRelease Date${'\tComment[bsd_relationship:derived from]'.repeat(100)}`;
    const rows = Array.from({ length: 3_000 }, () => 's\t2024-01-01\tx').join('\n');
    const { id } = await service.uploadAndSettle(`${header}\nx\t2024-01-01\ns\t2024-01-01\n${rows}\n`);
    const submission = (await service.store.find(id)) as Submission;
    let passes = 0;
    const store = {
      ledger: (...of: Parameters<typeof service.store.ledger>) => {
        passes++;
        return service.store.ledger(...of);
      },
    };
    const deps = { store, blobs: await openBlobs(service.config.BLOB_URL), prefix: 'SAMR' };
    const plan = await planOfSubmission(deps, submission);
    let looks = 0;
    const columns = plan.relationshipColumns.map(({ column, cell }) => ({
      cell,
      get column() {
        looks++;
        return column;
      },
    }));
    let named = 0;
    for await (const read of readRejected(deps, submission, { ...plan, relationshipColumns: columns }, 100_000))
      for (const { row } of read) if (/^SAMR\d/.test(row.cells[2] ?? '')) named++;
    expect(named).toBe(3_000);
    expect(looks).toBeLessThan(20_000);
    // One to read the rows, and one for each window of those.
    expect(passes).toBeGreaterThan(3);
  });
});
