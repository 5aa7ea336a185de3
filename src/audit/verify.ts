import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type AuditHeads, type AuditLine, NO_HASH, openLine } from './entry.js';
import { auditFiles } from './files.js';

/** Something that is not as it was written: the file, the line (1 for the first) and what is wrong. */
export interface AuditFault {
  file: string;
  line: number;
  message: string;
}

export interface AuditReport {
  files: number;
  lines: number;
  faults: AuditFault[];
}

/**
 * Recomputes every hash of a folder's audit log. Finds changed, removed, added and exchanged lines, and files that were
 * cut or removed after another one was begun. The newest file could lose its last lines unnoticed; that is why each
 * file begins with the ends of all the others.
 */
export async function verifyAudit(folder: string): Promise<AuditReport> {
  const faults: AuditFault[] = [];
  const hashes = new Map<string, Map<number, string>>();
  const mentions: { by: string; heads: AuditHeads }[] = [];
  for (const file of auditFiles(folder)) {
    const found = new Map<number, string>();
    hashes.set(file, found);
    for await (const line of chained(join(folder, file), (number, message) =>
      faults.push({ file, line: number, message }),
    )) {
      found.set(line.seq, line.hash);
      if ('heads' in line.event) mentions.push({ by: file, heads: line.event });
    }
  }
  checkMentions(mentions, hashes, faults);
  return { files: hashes.size, lines: [...hashes.values()].reduce((sum, { size }) => sum + size, 0), faults };
}

function checkMentions(
  mentions: { by: string; heads: AuditHeads }[],
  hashes: Map<string, Map<number, string>>,
  faults: AuditFault[],
): void {
  const expired = new Set(mentions.flatMap(({ heads }) => heads.expired ?? []));
  for (const { by, heads } of mentions) {
    for (const { file, seq, hash } of heads.heads) {
      const present = hashes.get(file);
      if (!present && !expired.has(file))
        faults.push({ file, line: 1, message: `The file is gone; ${by} mentions it.` });
      if (present && present.get(seq) !== hash) {
        faults.push({ file, line: seq, message: `The line that ${by} mentions is missing or is another.` });
      }
    }
  }
}

/**
 * The lines of one file that are as they were written. What stands between them and does not follow is one fault; the
 * rest is checked from the next line on that is whole and later.
 */
async function* chained(path: string, fault: (line: number, message: string) => void): AsyncGenerator<AuditLine> {
  let number = 0;
  let last = { seq: 0, hash: NO_HASH };
  let astray = false;
  for await (const { text, whole } of linesOf(path)) {
    number++;
    const line = openLine(text);
    if (!whole) return fault(number, 'The last line has no end: it was cut, or its writer lost power or disk space.');
    if (!line) {
      if (!astray) fault(number, 'The line does not have the hash that it carries: it was changed.');
      astray = true;
      continue;
    }
    const follows = line.seq === last.seq + 1 && line.previous === last.hash;
    if (!follows && !astray) {
      fault(number, 'The line does not follow from the one before: lines were removed, added or moved.');
    }
    astray = !follows;
    if (!follows && line.seq <= last.seq) continue;
    last = line;
    yield line;
  }
  if (number === 0) fault(1, 'The file is empty.');
}

/** Lines end with LF and with nothing else. */
export async function* linesOf(path: string): AsyncGenerator<{ text: string; whole: boolean }> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { text, whole: true };
  }
  if (rest !== '') yield { text: rest, whole: false };
}
