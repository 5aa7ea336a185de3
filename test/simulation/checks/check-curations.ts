/** Curations: what was answered is seen and found, what was taken back is neither, whatever else is written to the sample. */
import { formatAccession } from '../../../src/registry/accession.js';
import { searchQuery } from '../../../src/registry/search/sample-search.js';
import type { Entry, History } from '../history.js';
import { PREFIX } from '../processes.js';
import type { Seen } from '../watcher.js';

/** The characteristic that curations of clients add, each with a value of its own. */
export const SEEN_BY = 'seen by';

/** Of one value: who added it, and who took it back or declined it. */
interface Curated {
  added: Entry;
  ends: Entry[];
}

export async function checkCurations(seen: Seen, { entries }: History): Promise<string[]> {
  const byValue = new Map<string, Curated>();
  for (const entry of entries)
    if (entry.kind === 'curate') byValue.set(entry.value as string, { added: entry, ends: [] });
  for (const entry of entries)
    if (entry.kind === 'uncurate' || entry.kind === 'decline') byValue.get(entry.value as string)?.ends.push(entry);
  if (byValue.size === 0) return [];
  return [
    ...entries.filter(({ outcome }) => outcome === 'done').flatMap((entry) => checkAnswer(entry, byValue)),
    ...(await checkStored(seen, byValue)),
  ];
}

const isAnsweredBefore = ({ outcome, end }: Entry, { start }: Entry): boolean => outcome === 'done' && end < start;
const mayHaveHappened = ({ outcome, start }: Entry, { end }: Entry): boolean => outcome !== 'refused' && start < end;

/** A read or a search. */
function checkAnswer(entry: Entry, byValue: ReadonlyMap<string, Curated>): string[] {
  const { kind, curated, found, accession, value } = entry;
  const looked = kind === 'findCurated' ? [value as string] : curated === undefined ? [] : [...byValue.keys()];
  return looked.flatMap((one) => {
    const { added, ends } = byValue.get(one) as Curated;
    if (added.accession !== accession) return [];
    const isThere = (kind === 'findCurated' ? found?.includes(accession as string) : curated?.includes(one)) === true;
    const place = `${accession}, ${kind} of ${entry.client} (events ${entry.start} to ${entry.end})`;
    if (!isThere && isAnsweredBefore(added, entry) && !ends.some((end) => mayHaveHappened(end, entry)))
      return [`${place}: it lacks the curation "${one}", which had been answered.`];
    if (isThere && ends.some((end) => isAnsweredBefore(end, entry)))
      return [`${place}: it has the curation "${one}", which had been taken back.`];
    return [];
  });
}

async function checkStored({ store, now }: Seen, byValue: ReadonlyMap<string, Curated>): Promise<string[]> {
  const admin = { account: 'admin', admin: true, scopes: [] };
  const faults: string[] = [];
  const present = new Map<string, boolean>();
  for (const { curationLinks } of await store.sampleRecords(await store.sampleIds(0, 10_000))) {
    for (const { curation, declined } of curationLinks)
      present.set(curation.attributesPost[0]?.value as string, declined === undefined);
  }
  for (const [value, { added, ends }] of byValue) {
    const isThere = present.get(value) === true;
    const taken = ends.some(({ outcome }) => outcome === 'done');
    const maybe = added.outcome !== 'done' || ends.some(({ outcome }) => outcome === 'lost' || outcome === 'waiting');
    if (taken ? isThere : !maybe && !isThere)
      faults.push(
        `${added.accession} has the curation "${value}": ${isThere}, which was ${taken ? 'taken back' : 'answered'}.`,
      );
    const asked = { filters: [`attr:${SEEN_BY}:${value}`, 'status:any'] };
    const { query } = await searchQuery(store, { prefix: PREFIX, now: now() }, asked, admin);
    const ids = (await store.findSamples({ ...query, size: 100 }, {})).ids.map((id) => formatAccession(PREFIX, id));
    if (ids.includes(added.accession as string) !== isThere)
      faults.push(`The index finds ${added.accession} by the curation "${value}": ${!isThere}.`);
  }
  return faults;
}
