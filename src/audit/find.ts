/** Who did something: lines of the audit log by what they name. */
import { join } from 'node:path';
import type { AuditEvent } from './entry.js';
import { openLine } from './entry.js';
import { auditFiles } from './files.js';
import { linesOf } from './verify.js';

export interface AuditFinding extends AuditEvent {
  /** ISO 8601, UTC. */
  at: string;
}

/** The last `most` lines of which an account, an address, an action, a request or what was changed holds the text, oldest first. */
export async function findInAudit(folder: string, text: string, most: number): Promise<AuditFinding[]> {
  const wanted = text.toLowerCase();
  let found: AuditFinding[] = [];
  for (const file of auditFiles(folder)) {
    for await (const { text: line } of linesOf(join(folder, file))) {
      // Most lines are not meant: hashes are recomputed for those that are.
      if (!line.toLowerCase().includes(wanted)) continue;
      const read = openLine(line);
      if (read === undefined || 'heads' in read.event || !names(read.event, wanted)) continue;
      found.push({ at: read.at, ...read.event });
      // Files of several processes lie beside each other in time; however many lines there are, few are kept.
      if (found.length > 10 * most) found = lastOf(found, most);
    }
  }
  return lastOf(found, most);
}

const lastOf = (found: AuditFinding[], most: number): AuditFinding[] =>
  found.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).slice(-most);

const names = ({ account, address, action, object, requestId }: AuditEvent, wanted: string): boolean =>
  [account, address, action, object, requestId].some((value) => value?.toLowerCase().includes(wanted));
