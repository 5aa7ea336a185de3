/**
 * The package of the commit before, without its page, and then this one, in one folder and on its data.
 *
 * @module-tag slow
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCaller, submissionIdOf } from '../support/api-caller.js';
import { resultRows } from '../support/invariants.js';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { EmptyFolder, pack, ran } from './packed.js';

const ROWS = 2_000;

/** What the service answers of an upload and of samples of it: what is added by a later version does not matter. */
async function whatIsKept(api: ApiCaller, id: string): Promise<object> {
  const read = async (path: string): Promise<string> => {
    const { status, text } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    return text.replaceAll(api.url, '');
  };
  const { sampleNameAccessionPairs: mapping } = await api.mapping(id);
  const samples = mapping.filter((_pair, at) => at % 50 === 0);
  return {
    status: JSON.parse(await read(`/submissions/${id}`)),
    mapping,
    rows: resultRows(await api.result(id)),
    errors: await read(`/submissions/${id}/errors`),
    original: await read(`/submissions/${id}/original`),
    samples: await Promise.all(
      samples.map(async ({ sampleAccession }) => JSON.parse(await read(`/samples/${sampleAccession}`)) as object),
    ),
  };
}

/** Not in a clone of one commit alone, or in an unpacked archive. */
const hasBefore = spawnSync('git', ['rev-parse', '--quiet', '--verify', 'HEAD^'], { cwd: ROOT }).status === 0;

describe.skipIf(!hasBefore)('an upgrade from the package of the commit before', () => {
  let folder: EmptyFolder;
  let clone: string;
  beforeAll(() => {
    folder = new EmptyFolder();
    clone = mkdtempSync(join(tmpdir(), 'commit-before-'));
    ran('sh', ['-c', `git archive HEAD^ | tar -x -C '${clone}'`], ROOT);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    ran('npm', ['run', '--silent', 'build:server'], clone);
  });
  afterAll(() => {
    folder?.remove();
    if (clone) rmSync(clone, { recursive: true, force: true });
  });

  const install = (root: string): void => folder.link(pack(root, folder.path), root);

  it('loses nothing: uploads with their files and outcomes, samples, tokens, and what was under way', async () => {
    install(clone);
    const before = await folder.serve();
    const small = await before.api.uploadAndSettle(plainSheet({ tag: 'small', rows: 20, badEvery: 5 }));
    const large = await before.api.uploadAndSettle(plainSheet({ tag: 'large', rows: ROWS, badEvery: 100 }));
    const token = await before.api.token('ada');
    const kept = [await whatIsKept(before.api, small.id), await whatIsKept(before.api, large.id)];
    // Accepted, and perhaps not finished when the older one is stopped.
    const open = submissionIdOf(await before.api.upload(plainSheet({ tag: 'open', rows: ROWS })));
    expect(await before.stop()).toBe(0);

    install(ROOT);
    const after = await folder.serve();
    expect((await after.api.settled(open)).counts).toMatchObject({ created: ROWS, rejected: 0 });
    expect([await whatIsKept(after.api, small.id), await whatIsKept(after.api, large.id)]).toMatchObject(kept);
    expect((await after.api.get('/me', { token })).json()).toMatchObject({ account: 'ada' });
    const again = await after.api.uploadAndSettle(small.answer.text);
    expect(again.status.counts).toMatchObject({ created: 0, updated: 0 });
    expect(resultRows(again.answer.text).accessions).toEqual(resultRows(small.answer.text).accessions);
    expect(await after.stop()).toBe(0);
    const settings = { ...process.env, DATA_DIR: folder.data };
    expect(ran(process.execPath, [folder.command, 'verify', '--originals'], folder.path, settings)).toContain(
      '0 faults',
    );
  });
});
