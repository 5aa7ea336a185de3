/** What may never happen to samples that are known by keys (docs/own-keys.md, docs/standing-sheets.md), looked for at the end of a run. */
import { formatAccession } from '../../../src/registry/accession.js';
import { runsOf } from '../../../src/submissions/reading/line-index.js';
import { keySpaceOf } from '../../../src/submissions/reading/row-keys.js';
import type { Submission } from '../../../src/submissions/submission.js';
import { exportLines, KEY_SPACE } from '../clients/client-exports.js';
import { IDENTIFIER_COLUMN } from '../clients/client-sheets.js';
import { type History, textsBySum } from '../history.js';
import { PREFIX } from '../processes.js';
import type { Seen } from '../watcher.js';
import type { Written } from './check-history.js';

/** What one submission with keys says of its samples. */
interface Said {
  submission: Submission;
  /** Key → note, of every line of the file. */
  file: Map<string, string>;
  /** Accession → key and note, of the lines that were registered. */
  registered: Map<string, { key: string; note: string }>;
  /** Accessions of samples that it found missing or withdrew, as often as it says so. */
  missing: string[];
  /** Keys of the lines that were refused. */
  refused: Set<string>;
  /** Of those of a plan: the version that it saw. */
  versions: Map<string, number>;
}

/** `submissions`: all, the newest first. */
export async function checkKeys(
  seen: Seen,
  submissions: readonly Submission[],
  history: History,
  written: readonly Written[],
): Promise<string[]> {
  const texts = textsBySum(history);
  const found: string[] = [];
  for (const account of new Set(submissions.map((one) => one.account))) {
    const own = inTurn(submissions.filter((one) => one.account === account).reverse());
    const said: Said[] = [];
    const plans: Said[] = [];
    for (const submission of own) {
      const { options, sha256 } = submission;
      const text = texts.get(sha256);
      if (keySpaceOf(options) !== KEY_SPACE || options.undoOf !== undefined || text === undefined) continue;
      const one = await saidBy(seen, submission, text);
      found.push(...checkCounts(one));
      if (options.dryRun) plans.push(one);
      else said.push(one);
    }
    const undone = own.some(({ options }) => options.undoOf !== undefined);
    found.push(...said.flatMap(checkAll), ...checkWithdrawn(said, plans, written));
    found.push(...checkVersions(said, written), ...(await checkKept(seen, said.at(-1))));
    if (undone) continue;
    found.push(...checkBindings(account, said, history), ...checkPresent(account, said, plans, history));
    if (history.entries.some(({ kind }) => kind === 'retry')) continue;
    found.push(
      ...checkLast(said, written),
      ...checkCarriedOut(said, plans, history),
      ...(await checkMissing(seen, said, history)),
    );
  }
  return found;
}

/** In the order in which exports are worked on: a plan's commit by itself right behind its plan. `arrived`: the oldest first. */
function inTurn(arrived: readonly Submission[]): Submission[] {
  const places = new Map(arrived.map(({ id }, at) => [id, at]));
  const placeOf = ({ id, options: { commitOf } }: Submission): number =>
    places.get(commitOf?.automatic ? commitOf.submissionId : id) ?? 0;
  return [...arrived].sort((one, other) => placeOf(one) - placeOf(other));
}

async function saidBy({ store }: Seen, submission: Submission, text: string): Promise<Said> {
  const lines = exportLines(text);
  const registered: Said['registered'] = new Map();
  const missing: string[] = [];
  const refused = new Set<string>();
  const versions = new Map<string, number>();
  for await (const chunk of store.ledger(submission.id)) {
    for (const { key = '' } of chunk.rejected) refused.add(key);
    for (const [line, accession] of samplesOf(chunk.missing ?? [])) {
      missing.push(accession);
      const seen = chunk.seen?.find(([first, , rows]) => line >= first && line < first + rows);
      if (seen) versions.set(accession, seen[1]);
    }
    for (const [line, accession] of samplesOf(runsOf(chunk))) {
      const said = lines.get(line);
      if (said) registered.set(accession, said);
    }
  }
  return {
    submission,
    file: new Map([...lines.values()].map(({ key, note }) => [key, note])),
    registered,
    missing,
    refused,
    versions,
  };
}

/** The line and the accession of each sample of the runs. */
function* samplesOf(runs: Iterable<readonly [line: number, id: number, count: number]>): Generator<[number, string]> {
  for (const [line, id, count] of runs) {
    for (let at = 0; at < count; at++) yield [line + at, formatAccession(PREFIX, id + at)];
  }
}

/** Each missing sample is listed once, and counted as often as it is listed. */
function checkCounts({ submission: { id, state, standing }, missing }: Said): string[] {
  const counted = standing?.missing ?? standing?.withdrawn;
  const twice = new Set(missing).size < missing.length;
  if (!twice && (counted === undefined || !state.startsWith('COMPLETED') || counted === missing.length)) return [];
  return [`I3: ${id} lists ${missing.length} missing samples (${missing}), and counts ${counted}.`];
}

/** What is all or nothing and refuses a row before it registers one withdraws nothing. */
function checkAll({ submission: { id, options, counts }, missing, refused }: Said): string[] {
  const isNothing = options.mode === 'atomic' && refused.size > 0 && counts.created + counts.updated === 0;
  return isNothing && missing.length > 0 ? [`I4: ${id} is atomic, registers nothing, and withdraws ${missing}.`] : [];
}

/** A commit withdraws a sample only as its plan saw it. */
function checkWithdrawn(said: readonly Said[], plans: readonly Said[], written: readonly Written[]): string[] {
  const byAccession = new Map(written.map((one) => [one.accession, one]));
  return said.flatMap(({ submission: { id, options }, missing }) => {
    const plan = plans.find((one) => one.submission.id === options.commitOf?.submissionId);
    return missing.flatMap((accession) => {
      const before = byAccession.get(accession)?.by.indexOf(id) ?? -1;
      const seen = plan?.versions.get(accession);
      if (before < 0 || seen === before) return [];
      return [`${id} withdrew ${accession} at version ${before}, and its plan had seen version ${seen}.`];
    });
  });
}

/** What is in an export is not withdrawn by it, though its row is refused. */
function checkPresent(account: string, said: readonly Said[], plans: readonly Said[], history: History): string[] {
  const keys = new Map(said.flatMap(({ registered }) => [...registered].map(([one, { key }]) => [one, key] as const)));
  for (const { account: by, rowKey, accession } of history.entries) {
    if (by === account && rowKey !== undefined && accession !== undefined) keys.set(accession, rowKey);
  }
  const has = ({ submission, file, refused }: Said, key: string): boolean =>
    // A plan may list a sample that got its key while it was made.
    submission.options.dryRun ? refused.has(key) : file.has(key);
  return [...said, ...plans].flatMap((one) => {
    const { submission, missing } = one;
    return missing
      .filter((accession) => has(one, keys.get(accession) ?? ''))
      .map((accession) => `${submission.id} has ${keys.get(accession)} and takes ${accession} for missing.`);
  });
}

/** Without any undo, a key is one sample for ever, whoever asks. */
function checkBindings(account: string, said: readonly Said[], history: History): string[] {
  const samples = new Map<string, Set<string>>();
  const bind = (key: string, accession: string): void => {
    samples.set(key, (samples.get(key) ?? new Set()).add(accession));
  };
  for (const { registered } of said) for (const [accession, { key }] of registered) bind(key, accession);
  for (const { account: by, rowKey, accession, outcome } of history.entries) {
    if (by === account && rowKey !== undefined && accession !== undefined && outcome === 'done')
      bind(rowKey, accession);
  }
  return [...samples].flatMap(([key, accessions]) =>
    accessions.size === 1 ? [] : [`I2: The key ${key} of ${account} is ${[...accessions].join(' and ')}.`],
  );
}

/** A version that an export wrote says what its line of the export says. */
function checkVersions(said: readonly Said[], written: readonly Written[]): string[] {
  const byId = new Map(said.map((one) => [one.submission.id, one]));
  return written.flatMap(({ accession, notes, by }) =>
    by.flatMap((writer, at) => {
      const line = writer === undefined ? undefined : byId.get(writer)?.registered.get(accession);
      if (line === undefined || line.note === notes[at]) return [];
      return [
        `${accession}: version ${at + 1} is of ${writer}, whose row ${line.key} says "${line.note}", and says "${notes[at]}".`,
      ];
    }),
  );
}

/** What an undo withdrew has no key any more, so that the next export registers it anew. */
async function checkKept({ store }: Seen, last: Said | undefined): Promise<string[]> {
  if (last === undefined) return [];
  const keyed = await store.keyedSamples(last.submission, undefined, 1000);
  const ids = keyed.map(({ sample }) => sample);
  const killed = (await store.sampleRecords(ids)).filter(({ sample }) => sample.adminStatus === 'KILLED');
  return killed.map(
    ({ sample }) => `${formatAccession(PREFIX, sample.id)} was withdrawn by an undo and has its key still.`,
  );
}

/** Exports are worked on in order of arrival: the last of them that has a sample says what it is. */
function checkLast(said: readonly Said[], written: readonly Written[]): string[] {
  const byId = new Map(said.map((one) => [one.submission.id, one]));
  return written.flatMap(({ accession, notes, by }) => {
    const last = said.findLast(({ registered }) => registered.has(accession));
    const at = by.findLastIndex((writer) => writer !== undefined && byId.get(writer)?.registered.has(accession));
    const note = last?.registered.get(accession)?.note;
    if (last === undefined || notes[at] === note) return [];
    return [`I1: ${accession} says "${notes[at]}", and ${last.submission.id}, the last export that has it, "${note}".`];
  });
}

/** Where nobody else writes, a plan that carries itself out is carried out as it was shown. */
function checkCarriedOut(said: readonly Said[], plans: readonly Said[], history: History): string[] {
  if (writesBeside(history)) return [];
  return said.flatMap(({ submission, refused }) => {
    const { commitOf } = submission.options;
    const plan = commitOf?.automatic && plans.find((one) => one.submission.id === commitOf.submissionId);
    if (!plan) return [];
    const others = [...refused].filter((key) => !plan.refused.has(key));
    return others.length === 0 ? [] : [`${submission.id} refuses ${others}, which its plan had not.`];
  });
}

/** Whether anybody wrote samples of exports otherwise than by exports: one at a time, by an edit, or by a sheet that names them. */
const writesBeside = (history: History): boolean =>
  history.entries.some(
    ({ kind, text }) =>
      ['putByKey', 'replace', 'edit', 'merge', 'withdraw', 'jsonFile'].includes(kind) ||
      text?.split('\n', 1)[0]?.includes(IDENTIFIER_COLUMN) === true,
  );

/** What the last whole export lacks is withdrawn, and what it has is not. */
async function checkMissing({ store }: Seen, said: readonly Said[], history: History): Promise<string[]> {
  const last = said.at(-1);
  if (writesBeside(history) || last === undefined || !last.submission.state.startsWith('COMPLETED')) return [];
  const { standing, options } = last.submission;
  if (options.standing === undefined || (standing?.left ?? 0) > 0) return [];
  const found: string[] = [];
  for (const { key, sample } of await store.keyedSamples(last.submission, undefined, 1000)) {
    const accession = formatAccession(PREFIX, sample);
    if (last.file.has(key) && !last.registered.has(accession)) continue;
    const isWithdrawn = (await store.unheldSamples([sample])).length === 0;
    if (isWithdrawn === last.file.has(key)) {
      found.push(
        `${accession} of the key ${key} is ${isWithdrawn ? '' : 'not '}withdrawn after ${last.submission.id}.`,
      );
    }
  }
  return found;
}
