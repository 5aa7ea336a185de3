/** Pages of several segments of one span as a page of the segment that takes their place. Pure. */
import { firstKeyOf, type PageEntries, type Slots, writePage } from './page.js';
import { hasSlot, MASK_WORDS, runsOf, type Words } from './slots.js';

export interface MergedPage {
  page: PageEntries;
  /** Slots of which this segment's postings count: those of others are in a newer segment. */
  live: Uint32Array;
  /** Where the slots are that it has postings of: a step's are next to each other, and a mask as a whole has thirty times as many words. */
  held: Words;
}

/** Without a bit between two keys. */
const all = new Uint32Array(MASK_WORDS);
const one = new Uint32Array(MASK_WORDS);

/** Page `page` of `2 ** bits`, empty where no key on it has a slot left. */
export function mergePages(
  sources: readonly MergedPage[],
  page: number,
  bits: number,
): { data: Buffer; terms: number } {
  // What broke off left them as they were.
  all.fill(0);
  one.fill(0);
  const found = entriesOf(sources, firstKeyOf(page, bits), firstKeyOf(page + 1, bits));
  const keys: number[] = [];
  const slots: Slots[] = [];
  for (let first = 0; first < found.length; ) {
    const { key } = found[first] as Entry;
    let end = first + 1;
    while (found[end]?.key === key) end++;
    const own = slotsOf(sources, found, first, end);
    first = end;
    if (own === undefined) continue;
    keys.push(key);
    slots.push(own);
  }
  return { data: writePage(page, bits, keys, slots), terms: keys.length };
}

interface Entry {
  key: number;
  /** Number of the source, and of the entry on its page. */
  source: number;
  entry: number;
}

/** By their keys. */
function entriesOf(sources: readonly MergedPage[], from: number, to: number): Entry[] {
  const found: Entry[] = [];
  for (const [source, { page }] of sources.entries()) {
    for (let entry = page.lowerBound(from); entry < page.keys.length; entry++) {
      const key = page.keys[entry] as number;
      if (key >= to) break;
      found.push({ key, source, entry });
    }
  }
  return found.sort((a, b) => a.key - b.key);
}

/** The slots of one key: of the entries from `first` on and before `end`. */
function slotsOf(
  sources: readonly MergedPage[],
  found: readonly Entry[],
  first: number,
  end: number,
): Slots | undefined {
  if (end === first + 1) {
    const { source, entry } = found[first] as Entry;
    const { page, live } = sources[source] as MergedPage;
    const slot = page.singleAt(entry);
    if (slot >= 0) return hasSlot(live, slot) ? slot : undefined;
  }
  let [from, to] = [MASK_WORDS, 0];
  for (let at = first; at < end; at++) {
    const { source, entry } = found[at] as Entry;
    const { page, live, held } = sources[source] as MergedPage;
    page.addTo(one, entry);
    for (let word = held.from; word < held.to; word++) {
      all[word] = (all[word] as number) | ((one[word] as number) & (live[word] as number));
      one[word] = 0;
    }
    from = Math.min(from, held.from);
    to = Math.max(to, held.to);
  }
  const runs = runsOf(all, { from, to });
  all.fill(0, from, to);
  if (runs.length === 0) return undefined;
  return runs.length === 2 && runs[0] === runs[1] ? (runs[0] as number) : runs;
}
