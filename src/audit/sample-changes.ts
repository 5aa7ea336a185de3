import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openLine } from './entry.js';
import { auditFiles } from './files.js';

/** The first file that tells of a sample or a submission that was written; undefined when none does. */
export async function firstSampleChange(folder: string): Promise<string | undefined> {
  for (const file of auditFiles(folder)) {
    for await (const text of createInterface({ input: createReadStream(join(folder, file), 'utf8') })) {
      const event = openLine(text)?.event;
      if (event && 'action' in event && isSampleChange(event.action, event.outcome)) return file;
    }
  }
  return undefined;
}

/** Actions carry the names that operations have in the interface description, `:id` for an accession; older logs say `:accession`. */
const isSampleChange = (action: string, outcome: number): boolean =>
  outcome >= 200 && outcome < 300 && /^(POST|PUT) \/(samples|submissions)(\/accession|\/:\w+)?$/.test(action);
