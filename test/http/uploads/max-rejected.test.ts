/** The ceiling of refused rows: above it an upload ends with what was found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

interface Status {
  submissionStatus: string;
  counts: { rows: number; created: number; rejected: number };
  problem?: { code: string; message: string; line: number; retryable: boolean };
}

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service.stop());

/** Rows from `from` on are wrong, `wrong` of them. */
const sheet = (tag: string, rows: number, from: number, wrong: number): string => {
  const day = (row: number) => (row >= from && row < from + wrong ? 'yesterday' : '2020-01-01');
  return [
    'Sample Name\tRelease Date',
    ...Array.from({ length: rows }, (_, row) => `${tag} ${row}\t${day(row)}`),
    '',
  ].join('\n');
};

async function upload(text: string, options: Record<string, string>): Promise<Status & { id: string }> {
  const answer = await service.upload(text, { token, options });
  const id = answer.status === 422 ? answer.json<{ submissionId: string }>().submissionId : submissionIdOf(answer);
  const read = async () => (await service.get(`/submissions/${id}`, { token })).json<Status>();
  await expect.poll(async () => (await read()).submissionStatus).not.toBe('ACTIVE');
  return { ...(await read()), id };
}
const found = async (name: string): Promise<boolean> =>
  '_embedded' in (await service.get(`/samples?filter=name:${encodeURIComponent(name)}`, { token })).json<object>();

describe('POST /submissions?maxRejected=CEILING', () => {
  it.each(['2', '20%'])(
    'ends a small file with %s at its third refused row, and registers none of it',
    async (ceiling) => {
      const tag = `small${ceiling.length}`;
      const status = await upload(sheet(tag, 10, 0, 3), { maxRejected: ceiling });
      expect(status).toMatchObject({
        submissionStatus: 'FAILED',
        counts: { rows: 10, created: 0, rejected: 10 },
        problem: { code: 'file.too-many-rejected', line: 11, retryable: false },
      });
      expect(status.problem?.message).toContain(
        `3 of the 10 rows so far are refused, and maxRejected=${ceiling} allows 2.`,
      );
      const errors = (await service.get(`/submissions/${status.id}/errors`, { token })).text;
      expect(errors.match(/yesterday/g)?.length).toBeGreaterThanOrEqual(3);
      expect(await found(`${tag} 9`)).toBe(false);
    },
  );

  it.each(['3', '30%'])('lets one with %s and three refused rows pass', async (ceiling) => {
    const status = await upload(sheet(`passes${ceiling.length}`, 10, 4, 3), { maxRejected: ceiling });
    expect(status).toMatchObject({ submissionStatus: 'COMPLETED_WITH_ERRORS', counts: { created: 7, rejected: 3 } });
  });

  it('ends a large file where too many rows are refused: batches before are registered, nothing behind', async () => {
    const status = await upload(sheet('large', 12_000, 6_000, 900), { maxRejected: '5%' });
    expect(status.submissionStatus).toBe('FAILED');
    expect(status.counts.created).toBeGreaterThan(0);
    expect(status.counts.created).toBeLessThanOrEqual(6_000);
    expect(status.counts.rows).toBeLessThan(12_000);
    expect(status.problem?.message).toContain(`${status.counts.created} rows before them are registered`);
    // So many at once may be left out of a list until they are indexed.
    await expect.poll(() => found('large 0')).toBe(true);
    expect(await found('large 11999')).toBe(false);
  });

  it('ends a dry run alike, which says that nothing more was looked at', async () => {
    const status = await upload(sheet('dry', 10, 0, 1), { maxRejected: '0', dryRun: 'true' });
    expect(status.problem?.message).toContain('The rest was not looked at.');
  });

  it.each([
    ['maxRejected', '101%', 400],
    ['maxRejected', '100.001%', 400],
    ['maxRejected', '100%', 201],
    ['maxMissing', '200%', 400],
    ['maxChanges', '200%', 201],
  ])('%s=%s is answered with %i', async (name, ceiling, expected) => {
    const standing = name === 'maxRejected' ? {} : { key: 'Sample Name', standing: `share-${name}` };
    const options = { [name]: ceiling, ...standing };
    const answer = await service.upload(sheet(`share ${name} ${ceiling}`, 1, 0, 0), { token, options });
    expect(answer.status).toBe(expected);
    if (expected === 400) expect(answer.text).toContain('a share of more than all; write 100% or less');
  });

  it.each(['', '-1', '5 %', '1e3', '2.5', '1000%', 'all'])(
    'refuses "%s" as a ceiling unless it is empty',
    async (ceiling) => {
      const answer = await service.upload(sheet('form', 1, 0, 0), { token, options: { maxRejected: ceiling } });
      expect(answer.status).toBe(ceiling === '' ? 201 : 400);
      if (ceiling !== '')
        expect(answer.text).toContain('is no ceiling; write a number of rows such as 50, or a share such as 5%');
    },
  );
});
