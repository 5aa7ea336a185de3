/**
 * Whether what clients were answered is explained by some order of single steps. The versions that the store keeps of a
 * sample are that order: a sample is a register whose writes are numbered, so one pass over the entries is enough.
 */
import { formatAccession } from '../../../src/registry/accession.js';
import type { Store } from '../../../src/store/store.js';
import { isFinal } from '../../../src/submissions/submission.js';
import { SITE } from '../clients/client-edits.js';
import type { Entry, History } from '../history.js';

/** What wrote the versions of one sample, in order. */
export interface Written {
  accession: string;
  notes: string[];
  sites: string[];
  /** Submission of each version; undefined for a request's. */
  by: (string | undefined)[];
}

export async function writtenIn(store: Store, prefix: string): Promise<Written[]> {
  const all: Written[] = [];
  for (const { sample } of await store.sampleRecords(await store.sampleIds(0, 100_000))) {
    const notes: string[] = [];
    const sites: string[] = [];
    const by: (string | undefined)[] = [];
    for (let version = 1; version <= sample.version; version++) {
      const stored = version === sample.version ? sample : await store.readVersion(sample.id, version);
      notes.push(stored?.content.characteristics.note?.[0]?.text ?? '');
      sites.push(stored?.content.characteristics[SITE]?.[0]?.text ?? '');
      by.push(stored?.submissionId);
    }
    all.push({ accession: formatAccession(prefix, sample.id), notes, sites, by });
  }
  return all;
}

/** Submissions that follow others: undo → upload, commit → dry run. */
export interface FollowUps {
  undone: ReadonlyMap<string, string>;
  committed: ReadonlyMap<string, string>;
}

export function checkHistory(
  { entries }: History,
  written: readonly Written[],
  { undone, committed }: FollowUps,
): string[] {
  const byAccession = grouped(entries, ({ accession }) => accession);
  return [
    ...written.flatMap((one) => new SampleHistory(one, byAccession.get(one.accession) ?? []).check()),
    ...written.flatMap((one) => checkUndone(one, undone)),
    ...written.flatMap((one) => checkCommitted(one, committed, entries)),
    ...checkSubmissions(entries),
    ...checkRepeats(entries, { undone, committed }),
    ...checkLists(entries),
  ];
}

function grouped<Key>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return groups;
}

const inWords = ({ client, kind, start, end }: Entry): string => `${kind} of ${client} (events ${start} to ${end})`;

const WRITES = ['create', 'replace', 'putByKey'];

/** One sample as a register: what each answer says of its versions, in the order in which answers came. */
class SampleHistory {
  readonly #found: string[] = [];
  /** Of writes that took effect: which version they became. */
  readonly #placeOf = new Map<Entry, number>();
  /** Entity tag → version. */
  readonly #tags = new Map<string, number>();
  /** Versions that were answered, and when: whoever asks later sees them or later ones. */
  readonly #answered: { end: number; place: number }[] = [];

  constructor(
    private readonly written: Written,
    private readonly entries: readonly Entry[],
  ) {}

  check(): string[] {
    const writes = this.entries.filter(({ kind }) => WRITES.includes(kind));
    for (const entry of writes) this.#place(entry);
    for (const entry of [...this.entries].sort((a, b) => a.end - b.end))
      if (entry.outcome === 'done') this.#answer(entry);
    for (const entry of writes) if (entry.ifMatch !== undefined) this.#compare(entry, entry.ifMatch);
    for (const entry of this.entries) if (entry.kind === 'findNote' && entry.outcome === 'done') this.#search(entry);
    return this.#found;
  }

  #fault(entry: Entry, what: string): void {
    this.#found.push(`${this.written.accession}, ${inWords(entry)}: ${what}.`);
  }

  /** An undo may bring a content back later: the first version that has it is the write's. */
  #place(entry: Entry): void {
    const place = this.written.notes.indexOf(entry.asked ?? '');
    if (place >= 0) this.#placeOf.set(entry, place);
    if (entry.outcome === 'done' && place < 0) this.#fault(entry, 'it was answered, and no version has it');
    if (entry.outcome === 'refused' && place >= 0)
      this.#fault(entry, `it was refused, and version ${place + 1} has it`);
  }

  #answer(entry: Entry): void {
    if (entry.note === undefined) return;
    const { notes } = this.written;
    const before = this.#answered.filter(({ end }) => end < entry.start).map(({ place }) => place);
    const least = Math.max(0, ...before);
    const place = this.#placeOf.get(entry) ?? notes.indexOf(entry.note, least);
    if (place < least) {
      this.#fault(entry, `it answered "${entry.note}", and version ${least + 1} had been answered before`);
      return;
    }
    this.#answered.push({ end: entry.end, place });
    if (entry.tag === undefined) return;
    const other = this.#tags.get(entry.tag);
    if (other !== undefined && notes[other] !== notes[place]) this.#fault(entry, 'two contents have one entity tag');
    this.#tags.set(entry.tag, place);
  }

  /** A search for a value is answered by the sample as it was seen before, or as it became later. */
  #search(entry: Entry): void {
    const { notes, accession } = this.written;
    const before = this.#answered.filter(({ end }) => end < entry.start).map(({ place }) => place);
    const possible = notes.slice(Math.max(0, ...before));
    const isFound = entry.found?.includes(accession) === true;
    if (isFound && !possible.includes(entry.text ?? ''))
      this.#fault(entry, `it was found by "${entry.text}", and something else had been answered before`);
    if (!isFound && possible.every((note) => note === entry.text))
      this.#fault(entry, `it was not found by "${entry.text}", which had been answered before`);
  }

  /** A write under a condition is right behind the version that it demanded. */
  #compare(entry: Entry, ifMatch: string): void {
    const { notes } = this.written;
    const demanded = this.#tags.get(ifMatch);
    if (demanded === undefined) return;
    const place = this.#placeOf.get(entry);
    if (place !== undefined && notes[place - 1] !== notes[demanded]) {
      this.#fault(entry, `it overwrote version ${place} and demanded what version ${demanded + 1} has`);
    }
    // Curations and structured data are part of what is read, and of its entity tag.
    const isAnnotated = this.entries.some(({ kind }) => kind === 'curate' || kind === 'attach');
    if (entry.code === 'precondition.failed' && demanded === notes.length - 1 && !isAnnotated) {
      this.#fault(entry, `it was refused for a change, and version ${demanded + 1} is the last`);
    }
  }
}

/** An undo takes back what its upload wrote, and nothing that was written since. */
function checkUndone({ accession, by }: Written, undone: ReadonlyMap<string, string>): string[] {
  return by.flatMap((writer, at) => {
    const upload = writer === undefined ? undefined : undone.get(writer);
    if (upload === undefined || by[at - 1] === upload) return [];
    return [`${accession}: version ${at + 1} is of the undo of ${upload}, and version ${at} is not of that upload.`];
  });
}

/** A commit leaves alone what was written since its dry run had ended. */
function checkCommitted(
  { accession, notes, by }: Written,
  committed: ReadonlyMap<string, string>,
  entries: readonly Entry[],
): string[] {
  return by.flatMap((writer, at) => {
    const dryRun = writer === undefined ? undefined : committed.get(writer);
    if (dryRun === undefined) return [];
    const ended = entries.filter(({ outcome, submission }) => outcome === 'done' && submission?.id === dryRun);
    const end = Math.min(
      ...ended.filter(({ submission }) => submission && isFinal(submission.state)).map((entry) => entry.end),
    );
    const since = entries.find(
      (entry) => entry.start > end && entry.accession === accession && isBehind(notes.indexOf(entry.asked ?? ''), at),
    );
    if (since === undefined) return [];
    return [`${accession}: version ${at + 1} is of the commit of ${dryRun}, and ${inWords(since)} came in between.`];
  });
}

const isBehind = (place: number, at: number): boolean => place >= 0 && place < at;

/** Final states stay, and progress never goes back, unless somebody let it go on. */
function checkSubmissions(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const seen = entries.filter(({ outcome, submission }) => outcome === 'done' && submission !== undefined);
  for (const [id, own] of grouped(seen, ({ submission }) => submission?.id as string)) {
    for (const later of own) {
      for (const earlier of own) {
        if (earlier.end >= later.start || !earlier.submission || !later.submission) continue;
        const [was, is] = [earlier.submission, later.submission];
        if (is.rows < was.rows)
          found.push(`I5: Submission ${id} went back from ${was.rows} rows to ${is.rows}: ${inWords(later)}.`);
        if (isFinal(was.state) && was.state !== 'FAILED' && is.state !== was.state) {
          found.push(`I5: Submission ${id} went from ${was.state} to ${is.state}: ${inWords(later)}.`);
        }
      }
    }
  }
  return found;
}

/** What is asked again is answered by the first: the commit and the undo of a submission, and an upload with a key. */
function checkRepeats(entries: readonly Entry[], { undone, committed }: FollowUps): string[] {
  const takenBack = new Set(undone.values());
  const found: string[] = [];
  const groups = grouped(entries, ({ kind, of, key, client }) => {
    if (of !== undefined) return `${kind} of ${of}`;
    return key === undefined ? undefined : `key "${key}" of ${client}`;
  });
  for (const [what, group] of groups) {
    if (what === undefined) continue;
    const ids = new Set(
      group.flatMap(({ outcome, submission, kind, of }) => {
        if (outcome !== 'done' || !submission) return [];
        // Whose file another had registered is answered by that, as long as it stands.
        const ofAnother = kind === 'commit' && committed.get(submission.id) !== of;
        return ofAnother && takenBack.has(submission.id) ? [] : [submission.id];
      }),
    );
    if (ids.size > 1) found.push(`I2: The ${what} is ${ids.size} submissions: ${[...ids].join(', ')}.`);
  }
  return found;
}

/** What was answered before a list or a search began is in it. */
function checkLists(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.outcome !== 'done' || entry.found === undefined) continue;
    const before = entries.filter(
      ({ outcome, end, client }) => outcome === 'done' && end < entry.start && client === entry.client,
    );
    if (entry.kind === 'list') {
      const missing = before.find(({ submission }) => submission && !entry.found?.includes(submission.id));
      if (missing) found.push(`I1: ${inWords(entry)} lacks ${missing.submission?.id} of ${inWords(missing)}.`);
    } else if (entry.kind === 'find' && entry.accession !== undefined && !entry.found.includes(entry.accession)) {
      found.push(`I1: ${inWords(entry)} for "${entry.text}" does not find ${entry.accession}.`);
    }
  }
  return found;
}
