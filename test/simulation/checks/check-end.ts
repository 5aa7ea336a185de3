/** What may never happen (docs/architecture.md), looked for when a site has come to rest. */
import { formatAccession } from '../../../src/registry/accession.js';
import type { StoredSample } from '../../../src/registry/samples/sample.js';
import { searchQuery } from '../../../src/registry/search/sample-search.js';
import { Results } from '../../../src/submissions/results/results.js';
import type { Submission } from '../../../src/submissions/submission.js';
import { verifyStore } from '../../../src/upkeep/verify.js';
import { resultRows } from '../../support/invariants.js';
import { type History, textsBySum } from '../history.js';
import { PREFIX } from '../processes.js';
import { allSubmissions, type Seen } from '../watcher.js';

export async function checkEnd(seen: Seen, history: History): Promise<string[]> {
  const { faults } = await verifyStore(seen.store, { blobs: seen.blobs, originals: true });
  const found = faults.map(({ rule, place, message }) => `${rule} at ${place}: ${message}`);
  const submissions = await allSubmissions(seen.store);
  const byId = new Map(submissions.map((one) => [one.id, one]));
  const texts = textsBySum(history);
  for (const { kind, outcome, submission, text } of history.entries) {
    if (outcome !== 'done' || submission === undefined) continue;
    const one = byId.get(submission.id);
    if (one === undefined) found.push(`I1: Submission ${submission.id} was answered to ${kind} and is not there.`);
    else if (text !== undefined) found.push(...checkRows(one, rowsIn(text)));
  }
  for (const one of submissions)
    found.push(
      ...checkCounts(one, history),
      ...(await checkAll(seen, one)),
      ...(await checkPrinted(seen, one, texts.get(one.sha256) ?? '')),
    );
  found.push(...(await checkNames(seen, submissions, history)));
  found.push(...(await checkTargets(seen, submissions, history)));
  found.push(...(await checkFound(seen)));
  return [...new Set(found)];
}

/** A file of samples as JSON alone has no header. */
const rowsIn = (file: string): number =>
  file.trimEnd().split('\n').length - (/^\{"(name|accession)/.test(file) ? 0 : 1);

function checkRows({ id, state, counts }: Submission, rows: number): string[] {
  if (!state.startsWith('COMPLETED') || counts.rows === rows) return [];
  return [`I1: Submission ${id} is ${state} with ${counts.rows} rows of ${rows}.`];
}

/** A key that a single request gives while a file of several batches is written refuses the row of that key, and that row alone (docs/own-keys.md). */
const givesKeys = ({ entries }: History): boolean => entries.some(({ kind }) => kind === 'putByKey');

function checkCounts({ id, counts, options }: Submission, history: History): string[] {
  const { rows, created, updated, unchanged, rejected } = counts;
  const found: string[] = [];
  if (created + updated + unchanged + rejected !== rows) {
    found.push(`I1: Submission ${id} counts ${rows} rows, and ${JSON.stringify(counts)} of them.`);
  }
  if (
    options.mode === 'atomic' &&
    !options.dryRun &&
    options.undoOf === undefined &&
    !(options.key !== undefined && givesKeys(history)) &&
    rejected > 0 &&
    created + updated > 0
  ) {
    found.push(`I4: Submission ${id} is atomic and wrote ${created + updated} rows beside ${rejected} rejected ones.`);
  }
  return found;
}

/** Whatever others write: of what is all or nothing, no batch registers the first row beside or behind a refused one. */
async function checkAll({ store }: Seen, { id, options }: Submission): Promise<string[]> {
  if (options.mode !== 'atomic' || options.dryRun || options.undoOf !== undefined) return [];
  let refused = 0;
  for await (const { rejected, created, updated, toLine } of store.ledger(id)) {
    refused += rejected.length;
    if (created.length + updated.length === 0) continue;
    return refused === 0
      ? []
      : [`I4: ${id} is atomic and registers rows up to line ${toLine} beside ${refused} refused ones.`];
  }
  return [];
}

/** Result and mapping are of the same accessions. */
async function checkPrinted({ store, blobs }: Seen, one: Submission, text: string): Promise<string[]> {
  if (one.counts.rows === 0 || one.options.undoOf !== undefined || one.options.dryRun) return [];
  const results = new Results({ store, blobs, prefix: PREFIX });
  const printed = async (pieces: AsyncIterable<string>): Promise<string> => {
    const all: string[] = [];
    for await (const piece of pieces) all.push(piece);
    return all.join('');
  };
  const accessions = accessionsIn(await printed(results.result(one)));
  const mapping = JSON.parse(await printed(results.mapping(one))) as {
    sampleNameAccessionPairs: { sampleAccession: string }[];
  };
  const inResult = accessions.filter((accession) => accession !== '');
  const inMapping = mapping.sampleNameAccessionPairs.map(({ sampleAccession }) => sampleAccession);
  const { created, updated, unchanged } = one.counts;
  const found: string[] = [];
  const mapped = new Set(inMapping);
  // A row that was rejected, or that its upload has not come to, keeps the identifier that it came with.
  const keepsSome = one.counts.rejected > 0 || !one.state.startsWith('COMPLETED');
  const isKept = (accession: string): boolean => keepsSome && !mapped.has(accession) && text.includes(accession);
  const registered = inResult.filter((accession) => !isKept(accession));
  if (registered.join() !== inMapping.join()) {
    found.push(`I3: Result and mapping of ${one.id} differ: ${inResult} and ${inMapping}.`);
  }
  if (new Set(inResult).size !== inResult.length) found.push(`I2: An accession is twice in the result of ${one.id}.`);
  if (inMapping.length !== created + updated + unchanged) {
    found.push(`I3: ${one.id} maps ${inMapping.length} rows, and its status says ${created + updated + unchanged}.`);
  }
  return found;
}

/** Blank for refused rows of a sheet; a file of JSON lacks them. */
function accessionsIn(result: string): string[] {
  if (!result.startsWith('{')) return resultRows(result).accessions;
  const lines = result.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { accession?: string }).accession ?? '');
}

/** A row of a sheet that was sent any number of times is one sample, but for one more for each time it was taken back. */
async function checkNames({ store }: Seen, submissions: readonly Submission[], history: History): Promise<string[]> {
  const undone = new Set(submissions.flatMap(({ options }) => options.undoOf ?? []));
  const again = new Map<string, number>();
  for (const { id, sha256 } of submissions) if (undone.has(id)) again.set(sha256, (again.get(sha256) ?? 0) + 1);
  const most = 1 + Math.max(0, ...again.values());
  const named = new Map<string, number[]>();
  for (const { sample } of await store.sampleRecords(await store.sampleIds(0, 10_000))) {
    named.set(sample.name, [...(named.get(sample.name) ?? []), sample.id]);
  }
  const found: string[] = [];
  for (const [name, ids] of named) {
    // A request that registers a sample is sent once, or with a key; a sample that loses its key with an undo is registered anew by any export.
    const allowed = name.startsWith('j') ? 1 : name.startsWith('k') ? 1 + undone.size : most;
    if (ids.length > allowed) found.push(`I2: ${name} is registered ${ids.length} times: ${ids}.`);
  }
  for (const { kind, outcome, accession } of history.entries) {
    if (kind !== 'create' || outcome !== 'done') continue;
    if (![...named.values()].some((ids) => ids.some((id) => formatAccession(PREFIX, id) === accession))) {
      found.push(`I1: ${accession} was answered and is not there.`);
    }
  }
  return found;
}

/**
 * No relationship names a sample that there is not; but for rows whose key a single request gave behind the batch that names them,
 * and for rows that an upload had not come to when it was given up: it may go on.
 */
async function checkTargets({ store }: Seen, submissions: readonly Submission[], history: History): Promise<string[]> {
  const records = await store.sampleRecords(await store.sampleIds(0, 10_000));
  const there = new Set(records.map(({ sample }) => formatAccession(PREFIX, sample.id)));
  const exports = givesKeys(history);
  const givenUp = new Set(submissions.filter(({ problem }) => problem?.retryable).map(({ id }) => id));
  const found: string[] = [];
  for (const { sample } of records) {
    for (const { target } of sample.content.relationships) {
      if (there.has(target) || (exports && sample.name.startsWith('k'))) continue;
      if (givenUp.has((await firstToName(store, sample, target)).submissionId ?? '')) continue;
      found.push(`I3: ${formatAccession(PREFIX, sample.id)} (${sample.name}) names ${target}, which is not there.`);
    }
  }
  return found;
}

/** The version of the sample since which it names the target. */
async function firstToName(store: Seen['store'], sample: StoredSample, target: string): Promise<StoredSample> {
  const earlier = sample.version > 1 ? await store.readVersion(sample.id, sample.version - 1) : undefined;
  if (!earlier?.content.relationships.some((one) => one.target === target)) return sample;
  return firstToName(store, earlier, target);
}

/** The index has what the store has: every sample is found by its name, as it is now. */
async function checkFound({ store, now }: Seen): Promise<string[]> {
  const found: string[] = [];
  const admin = { account: 'admin', admin: true, scopes: [] };
  const ids = await store.sampleIds(0, 100_000);
  for (const { sample } of await store.sampleRecords(ids)) {
    const note = sample.content.characteristics.note?.[0]?.text ?? '';
    const asked = { filters: [`name:${sample.name}`, `attr:note:${note}`, 'status:any'] };
    const { query } = await searchQuery(store, { prefix: PREFIX, now: now() }, asked, admin);
    const page = await store.findSamples({ ...query, size: 100 }, {});
    if (!page.ids.includes(sample.id)) found.push(`The index does not find ${sample.name} with "${note}".`);
  }
  return found;
}
