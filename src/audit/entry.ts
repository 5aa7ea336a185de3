/**
 * The audit log: who changed what, from where. One JSON object a line, appended only; each line carries the hash of
 * the line before it, so a line that is changed, removed or put in between is found by whoever recomputes the hashes.
 */
import { createHash } from 'node:crypto';

/** What happened. No names, passwords, tokens or values of samples. */
export interface AuditEvent {
  /** `POST /submissions` and the like, or the operator's command. */
  action: string;
  /** Absent when nobody could be recognized. */
  account?: string;
  /** Network address of the client; absent for operators' commands. */
  address?: string;
  requestId?: string;
  /** HTTP status, or the exit code of a command. */
  outcome: number;
  /** What was changed or made: an address below the service, an account, a token's id. */
  object?: string;
}

/** Written at the beginning of each file: what the other files' last lines were at that time. */
export interface AuditHeads {
  heads: { file: string; seq: number; hash: string }[];
  /** Files that were removed because their time to be kept was over. */
  expired?: string[];
}

export interface AuditLine {
  seq: number;
  /** ISO 8601, UTC. */
  at: string;
  event: AuditEvent | AuditHeads;
  /** Hash of the line before; of the first line: 64 zeros. */
  previous: string;
  /** SHA-256, hex, of the other members as they stand in the line. */
  hash: string;
}

export const NO_HASH = '0'.repeat(64);

/** The line's text without its end of line. */
export function sealLine(line: Omit<AuditLine, 'hash'>): { text: string; hash: string } {
  const body = JSON.stringify({ seq: line.seq, at: line.at, event: line.event, previous: line.previous });
  const hash = createHash('sha256').update(body).digest('hex');
  return { text: `${body.slice(0, -1)},"hash":"${hash}"}`, hash };
}

const SEAL = /,"hash":"([0-9a-f]{64})"\}$/;

/** The line as written, or undefined when its text is not one or does not have the hash it carries. */
export function openLine(text: string): AuditLine | undefined {
  const hash = SEAL.exec(text)?.[1];
  if (hash === undefined) return undefined;
  const body = text.replace(SEAL, '}');
  if (createHash('sha256').update(body).digest('hex') !== hash) return undefined;
  try {
    return { ...(JSON.parse(body) as Omit<AuditLine, 'hash'>), hash };
  } catch {
    return undefined;
  }
}
