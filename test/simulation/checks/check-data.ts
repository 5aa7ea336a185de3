/**
 * Structured data: the tables of an account on a sample are one register, which is written and read as a whole. Reads are
 * held to the order of what was answered: what a later write took the place of is not read any more.
 */
import { formatAccession } from '../../../src/registry/accession.js';
import type { Entry, History } from '../history.js';
import { PREFIX } from '../processes.js';
import type { Seen } from '../watcher.js';

type Read = Pick<Entry, 'start' | 'end'> & { found: readonly string[] };

export async function checkData({ store }: Seen, { entries }: History): Promise<string[]> {
  const ofRegister = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.kind !== 'attach' && entry.kind !== 'detach' && entry.kind !== 'readData') continue;
    const key = `${entry.accession} of ${entry.account}`;
    ofRegister.set(key, [...(ofRegister.get(key) ?? []), entry]);
  }
  if (ofRegister.size === 0) return [];
  const records = await store.sampleRecords(await store.sampleIds(0, 10_000));
  const stored = new Map(records.map((record) => [formatAccession(PREFIX, record.sample.id), record.structuredData]));
  return [...ofRegister].flatMap(([key, ofOne]) => {
    const writes = ofOne.filter(({ kind, outcome }) => kind !== 'readData' && outcome !== 'refused');
    const reads: Read[] = ofOne.flatMap(({ start, end, found }) =>
      found === undefined ? [] : [{ start, end, found }],
    );
    const left = stored.get(ofOne[0]?.accession ?? '');
    if (left) {
      const own = left.filter(({ account }) => account === ofOne[0]?.account);
      const found = own.map(({ content }) => Object.values(content[0] ?? {})[0]?.value ?? '');
      reads.push({ start: Number.MAX_SAFE_INTEGER, end: Number.POSITIVE_INFINITY, found });
    }
    return reads.flatMap((read) =>
      isExplained(read, writes)
        ? []
        : [`The tables of ${key} were read as [${read.found}], which no order of its writes explains.`],
    );
  });
}

function isExplained(read: Read, writes: readonly Entry[]): boolean {
  const overwritten = ({ end }: Pick<Entry, 'end'>): boolean =>
    writes.some((later) => later.outcome === 'done' && end < later.start && later.end < read.start);
  const mayBeLast = (write: Entry): boolean => write.start < read.end && !overwritten(write);
  const [value] = read.found;
  if (value === undefined) {
    const neverWritten = { end: Number.NEGATIVE_INFINITY };
    return !overwritten(neverWritten) || writes.some((write) => write.kind === 'detach' && mayBeLast(write));
  }
  const write = writes.find((one) => one.kind === 'attach' && one.value === value);
  return (
    write !== undefined &&
    read.found.length === write.times &&
    read.found.every((one) => one === value) &&
    mayBeLast(write)
  );
}
