/** The audit log that a power cut left: what was answered is in it, and its chain holds up to there. */
import { join } from 'node:path';
import { openLine } from '../../src/audit/entry.js';
import { auditFiles } from '../../src/audit/files.js';
import { linesOf, verifyAudit } from '../../src/audit/verify.js';
import type { Promised } from './promises.js';

/** Behind the last line that was answered may be pieces of lines that were being written. */
export async function auditFaults(folder: string, promised: readonly Promised[]): Promise<string[]> {
  const wanted = new Set(promised.flatMap((what) => (what.kind === 'audit' ? [what.names] : [])));
  const begun = new Set(promised.flatMap((what) => (what.kind === 'begun' ? [what.file] : [])));
  const answered = new Map<string, number>();
  for (const file of auditFiles(folder)) {
    let number = 0;
    for await (const { text } of linesOf(join(folder, file))) {
      number++;
      const event = openLine(text)?.event;
      if (number === 1 && event !== undefined) begun.delete(file);
      if (event === undefined || 'heads' in event) continue;
      for (const name of [event.requestId, event.object]) {
        if (name !== undefined && wanted.delete(name)) answered.set(file, number);
      }
    }
  }
  const { faults } = await verifyAudit(folder);
  return [
    ...[...wanted].map((name) => `the audit log lacks ${name}`),
    ...[...begun].map((file) => `${file} lacks its first line`),
    ...faults
      .filter(({ file, line, message }) => line <= (answered.get(file) ?? 0) || /is gone|is missing/.test(message))
      .map(({ file, line, message }) => `${file}:${line}: ${message}`),
  ];
}
