/** Random damage to uploaded files, the audit log and the ledger: each is found, and named. The long form does many more. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditLog } from '../../src/audit/audit-log.js';
import { auditFiles } from '../../src/audit/files.js';
import { verifyAudit } from '../../src/audit/verify.js';
import { faultOfSource, openSource, originalOf } from '../../src/submissions/reading/stored-source.js';
import type { Submission } from '../../src/submissions/submission.js';
import { verifyStore } from '../../src/upkeep/verify.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';
import { newRows, SmallRegistry } from './small-registry.js';

const TIMES = PROOF ? 250 : 8;
const random = new Random(1311);
const below = (bound: number): number => random.below(bound);

let registry: SmallRegistry;
let submissions: Submission[];
beforeAll(async () => {
  registry = await new SmallRegistry().open();
  submissions = [];
  for (let n = 0; n < 4; n++) submissions.push(await registry.upload(newRows(20 + n, `T${n}`)));
});
afterAll(() => registry.close());

type Damage = 'flipped' | 'cut' | 'gone';
const DAMAGES: Damage[] = ['flipped', 'cut', 'gone'];

function damage(path: string, how: Damage): void {
  const bytes = readFileSync(path);
  const at = below(bytes.length);
  if (how === 'gone') rmSync(path);
  else if (how === 'cut') truncateSync(path, at);
  else {
    bytes[at] = (bytes[at] as number) ^ (1 << below(8));
    writeFileSync(path, bytes);
  }
}

describe('damage', () => {
  it('of an uploaded file is named by its submission, and the file is read to no end', async () => {
    for (let n = 0; n < TIMES; n++) {
      const submission = submissions[below(submissions.length)] as Submission;
      const path = registry.blobs.localPath?.(submission.blobKey) as string;
      const whole = readFileSync(path);
      const how = DAMAGES[n % 3] as Damage;
      damage(path, how);
      const { faults } = await verifyStore(registry.store, { blobs: registry.blobs, originals: true });
      expect(faults, how).toMatchObject([{ rule: 'original', place: `submission ${submission.id}` }]);
      const shallow = await faultOfSource(registry.blobs, originalOf(submission), false);
      if (how !== 'flipped') expect(shallow, 'without reading it').toBeDefined();
      const reading = (async () => {
        for await (const _ of openSource(registry.blobs, originalOf(submission)));
      })();
      await expect(reading, how).rejects.toMatchObject({ code: how === 'gone' ? 'not-found' : 'storage.damaged' });
      writeFileSync(path, whole);
    }
    expect((await verifyStore(registry.store, { blobs: registry.blobs, originals: true })).faults).toEqual([]);
  });

  it('of the audit log is named by its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'audit-faults-'));
    const good = join(folder, 'good');
    const began = Date.now();
    for (let process = 0; process < 3; process++) {
      // Files that were begun in one millisecond stand in any order.
      const log = new AuditLog(good, { now: () => began + process });
      for (let n = 0; n < 10; n++)
        log.record({ action: 'PUT /samples/:accession', outcome: 200, object: `/samples/${n}` });
      log.close();
    }
    // The newest file's own end is what nobody has mentioned yet.
    const names = auditFiles(good).slice(0, -1);
    for (let n = 0; n < TIMES; n++) {
      const copy = join(folder, String(n));
      cpSync(good, copy, { recursive: true });
      const name = names[below(names.length)] as string;
      damage(join(copy, name), DAMAGES[n % 3] as Damage);
      const { faults } = await verifyAudit(copy);
      expect(
        faults.map(({ file }) => file),
        DAMAGES[n % 3],
      ).toContain(name);
    }
    rmSync(folder, { recursive: true });
  });

  it('of the ledger is named by its submission, and hides no other fault', async () => {
    const [first, second] = submissions as [Submission, Submission];
    registry.damage(
      `update submission_chunk set outcomes = substr(outcomes, 1, length(outcomes) - 3) where submission = (select id from submission where uuid = '${first.id}')`,
    );
    rmSync(registry.blobs.localPath?.(second.blobKey) as string);
    const { faults } = await verifyStore(registry.store, { blobs: registry.blobs });
    const found = faults.map(({ rule, place }) => `${rule}, ${place}`);
    expect(found).toContain(`store, submission ${first.id}`);
    expect(found).toContain(`original, submission ${second.id}`);
  });
});
