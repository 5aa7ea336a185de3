/** Which operations, by the names that the audit log gives them, tell that samples were written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AuditLog } from '../../src/audit/audit-log.js';
import { firstSampleChange } from '../../src/audit/sample-changes.js';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { nameOf } from '../../src/http/operation-match.js';

const WRITING = ['POST /samples', 'POST /samples/accession', 'PUT /samples/{accession}', 'POST /submissions'];

async function tells(action: string, outcome: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'sample-changes-'));
  const log = new AuditLog(folder);
  try {
    log.record({ account: 'lab', address: '127.0.0.1', action, outcome, requestId: 'r' });
    return (await firstSampleChange(folder)) !== undefined;
  } finally {
    log.close();
    rmSync(folder, { recursive: true });
  }
}

it('the audit log tells of samples by the operations that write them, under the names it gives them', async () => {
  const described = OPERATIONS.filter(({ method }) => method !== 'get').map((operation) => ({
    operation: `${operation.method.toUpperCase()} ${operation.path}`,
    action: `${operation.method.toUpperCase()} ${nameOf(operation)}`,
  }));
  const found = [];
  for (const { operation, action } of described) if (await tells(action, 201)) found.push(operation);
  expect(found.sort()).toEqual([...WRITING].sort());
});

it('what was refused wrote nothing', async () => {
  expect(await tells('POST /samples', 422)).toBe(false);
});
