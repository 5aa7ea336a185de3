/** Standing sheets over HTTP: options, the plan, what is missing, and the commit. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

type Standing = { decision: string; message?: string; samples: number; missing: number; commit?: string };
type Status = {
  submissionStatus: string;
  standing?: Standing;
  counts: { created: number; updated: number };
  _links: Record<string, { href: string }>;
};

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service.stop());

const sheet = (numbers: readonly number[]): string =>
  ['Sample Name\tBarcode\tRelease Date', ...numbers.map((n) => `tube ${n}\tB-${n}\t2020-01-01`), ''].join('\n');
const send = (numbers: readonly number[], options: Record<string, string>) =>
  service.upload(sheet(numbers), { token, options: { key: 'Barcode', ...options } });
const status = async (id: string): Promise<Status> =>
  (await service.get(`/submissions/${id}`, { token, headers: { accept: 'application/json' } })).json<Status>();
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Sends and waits for the commit, where it carries itself out. */
async function night(
  numbers: readonly number[],
  options: Record<string, string>,
): Promise<{ id: string; plan: Status }> {
  const sent = await send(numbers, options);
  const id = submissionIdOf(sent);
  const plan = await status(id);
  const commit = plan.standing?.commit;
  if (commit !== undefined) await expect.poll(async () => (await status(commit)).submissionStatus).toBe('COMPLETED');
  return { id, plan };
}

describe('POST /submissions?standing=NAME', () => {
  it('plans, withdraws what the export dropped, takes that back, and stops at a ceiling', async () => {
    const options = { standing: 'lims', missing: 'withdraw', commit: 'auto', maxMissing: '2' };
    const first = await night(upTo(10), options);
    expect(first.plan).toMatchObject({ counts: { created: 10 }, standing: { decision: 'COMMITTED', samples: 0 } });
    const { id, plan } = await night(upTo(8), options);
    expect(plan.standing).toMatchObject({ decision: 'COMMITTED', samples: 10, missing: 2 });
    const missing = (await service.get(`/submissions/${id}/missing`, { token })).json<{
      missing: { accession: string; key: string; name: string }[];
    }>().missing;
    expect(missing.map(({ key, name }) => [key, name])).toEqual([
      ['B-8', 'tube 8'],
      ['B-9', 'tube 9'],
    ]);
    const gone = missing[0]?.accession as string;
    const seen = async () => (await service.get(`/samples/${gone}`, { token: null })).status;
    expect(await seen()).toBe(403);
    expect((await service.get(`/submissions/${id}/missing?size=1`, { token })).json()).toMatchObject({
      missing: [{ accession: gone }],
    });
    const commit = plan.standing?.commit as string;
    expect(await status(commit)).toMatchObject({ standing: { withdrawn: 2, left: 0 }, counts: { updated: 0 } });
    expect((await status(commit))._links).toHaveProperty('undo');
    const receipt = (await service.get(`/submissions/${id}/result`, { token })).text;
    expect(receipt).toMatch(/Standing sheet\tlims/);
    expect(receipt).toMatch(/Missing\t2\tof 10 samples/);
    await night(upTo(9), options);
    expect(await seen()).toBe(200);
    const half = await night(upTo(4), options);
    expect(half.plan.standing).toMatchObject({ decision: 'STOPPED', samples: 9, missing: 5 });
    expect(half.plan.standing?.message).toContain('maxMissing=2 allows 2 of 9 samples');
    expect(await seen()).toBe(200);
    expect(half.plan._links.commit?.href).toContain(half.id);
  });

  it('takes a withdrawal back though the sample was sent as it was read meanwhile, which changes nothing', async () => {
    const options = { standing: 'read', missing: 'withdraw', commit: 'auto', maxMissing: '1' };
    await night(upTo(2), options);
    const { id } = await night(upTo(1), options);
    const [gone] = (await service.get(`/submissions/${id}/missing`, { token })).json<{
      missing: { accession: string }[];
    }>().missing;
    const path = `/samples/${gone?.accession}`;
    const read = await service.get(path, { token });
    expect(read.json()).toMatchObject({ status: 'WITHDRAWN' });
    const headers = { 'content-type': 'application/json' };
    const sent = await service.call(path, { method: 'PUT', token, headers, body: read.text });
    expect([sent.status, sent.json()], sent.text).toEqual([200, read.json()]);
    await night(upTo(2), options);
    expect((await service.get(path, { token: null })).json()).toMatchObject({ status: 'PUBLIC' });
  });

  it('waits for a commit by hand without commit=auto', async () => {
    const { id, plan } = await night(upTo(3), { standing: 'by-hand' });
    expect(plan.standing).toMatchObject({ decision: 'WAITING', missing: 0 });
    const done = await service.call(`/submissions/${id}/commit`, { method: 'POST', token });
    expect(done.json()).toMatchObject({ submissionStatus: 'COMPLETED', counts: { created: 3 } });
  });

  it.each([
    [{ standing: 'no space' }, 'standing'],
    [{ standing: 'a', key: '' }, 'standing'],
    [{ standing: 'a', keySpace: 'b' }, 'keySpace'],
    [{ missing: 'withdraw' }, 'missing'],
    [{ commit: 'auto' }, 'commit'],
    [{ standing: 'a', maxMissing: 'few' }, 'maxMissing'],
    [{ standing: 'a', maxChanges: '5 %' }, 'maxChanges'],
  ] as [Record<string, string>, string][])('refuses %o', async (options, option) => {
    const refused = await send([1], options);
    expect(refused.status, refused.text).toBe(400);
    expect(refused.json<{ errors: { dataPath: string }[] }>().errors.map(({ dataPath }) => dataPath)).toContain(
      `/${option}`,
    );
  });

  it('does not say what a plan without an end lacks', async () => {
    const rows = 'Sample Name\tBarcode\tRelease Date\nx\tB-x\tsoon\n';
    const options = { key: 'Barcode', standing: 'ended', maxRejected: '0' };
    const ended = await service.upload(rows, { token, options });
    const { submissionId } = ended.json<{ submissionId: string }>();
    const refused = await service.get(`/submissions/${submissionId}/missing`, { token });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('did not reach its end')]);
  });

  it('has nothing missing from any other file', async () => {
    const plain = submissionIdOf(await send([77], { keySpace: 'other' }));
    expect((await service.get(`/submissions/${plain}/missing`, { token })).status).toBe(404);
  });
});
