/**
 * Whether what clients were answered over HTTP is explained by some order of single steps. Samples are registers whose
 * versions are in the order of their last change; a submission goes forward and ends once. Nothing is asked of the service.
 */
import { isFinal } from '../../src/submissions/submission.js';
import type { LoggedCall, SeenSample } from './call-log.js';

/** What cannot be, in words. */
export function checkCalls(calls: readonly LoggedCall[]): string[] {
  return [...grouped(calls, ({ store }) => store).values()].flatMap((own) => [
    ...groupsOf(own, ({ sample }) => sample?.accession).flatMap((group) => checkSample(group as SampleCall[])),
    ...groupsOf(own, ({ submission }) => submission?.id).flatMap((group) => checkSubmission(group as SubmissionCall[])),
    ...groupsOf(own, ({ repeats, token }) => repeats && `${repeats} of ${token}`).flatMap(checkRepeats),
    ...groupsOf(own, ({ token }) => token).flatMap(checkLists),
  ]);
}

type SampleCall = LoggedCall & { sample: SeenSample };
type SubmissionCall = LoggedCall & Required<Pick<LoggedCall, 'submission'>>;

function grouped<Key>(calls: readonly LoggedCall[], keyOf: (call: LoggedCall) => Key): Map<Key, LoggedCall[]> {
  const groups = new Map<Key, LoggedCall[]>();
  for (const call of calls) {
    const group = groups.get(keyOf(call));
    if (group) group.push(call);
    else groups.set(keyOf(call), [call]);
  }
  return groups;
}

const groupsOf = (calls: readonly LoggedCall[], keyOf: (call: LoggedCall) => string | undefined): LoggedCall[][] =>
  [...grouped(calls, keyOf)].flatMap(([key, group]) => (key === undefined ? [] : [group]));

const inWords = ({ asked, start, end }: LoggedCall): string => `${asked} (${start.toFixed(0)} to ${end.toFixed(0)} ms)`;

/** Every call, after all that had been answered before it was asked. */
function inOrder<Call extends LoggedCall>(
  calls: readonly Call[],
  learn: (earlier: Call) => void,
  look: (later: Call) => void,
): void {
  const ended = [...calls].sort((a, b) => a.end - b.end);
  let next = 0;
  for (const call of [...calls].sort((a, b) => a.start - b.start)) {
    for (let one = ended[next]; one !== undefined && one.end < call.start; one = ended[++next]) learn(one);
    look(call);
  }
}

function checkSample(calls: readonly SampleCall[]): string[] {
  const found: string[] = [];
  let latest: SampleCall | undefined;
  inOrder(
    calls,
    (earlier) => {
      if (latest === undefined || earlier.sample.update > latest.sample.update) latest = earlier;
    },
    (later) => {
      if (latest === undefined || later.sample.update >= latest.sample.update) return;
      found.push(`${inWords(later)} answered what ${later.sample.accession} was before ${inWords(latest)}.`);
    },
  );
  return [...found, ...checkTags(calls), ...calls.flatMap((call) => checkCondition(call, calls))];
}

/** Equal entity tags are equal answers. */
function checkTags(calls: readonly SampleCall[]): string[] {
  const first = new Map<string, SampleCall>();
  return calls.flatMap((call) => {
    const { tag, digest, accession } = call.sample;
    const other = first.get(tag);
    if (other === undefined) first.set(tag, call);
    if (tag === '' || other === undefined || other.sample.digest === digest) return [];
    return [`${inWords(call)} and ${inWords(other)} answered two contents of ${accession} under one entity tag.`];
  });
}

/** What is written under a condition is right behind the version that it demanded. */
function checkCondition(write: SampleCall, calls: readonly SampleCall[]): string[] {
  if (write.ifMatch === undefined || !write.asked.startsWith('PUT')) return [];
  const demanded = calls.find(({ sample }) => sample.tag === write.ifMatch);
  if (demanded === undefined || write.sample.tag === demanded.sample.tag) return [];
  const between = calls.find(
    ({ sample }) =>
      sample.tag !== write.sample.tag && sample.update > demanded.sample.update && sample.update < write.sample.update,
  );
  if (between === undefined) return [];
  return [`${inWords(write)} demanded what ${inWords(demanded)} showed and overwrote what ${inWords(between)} shows.`];
}

/** A final state stays, unless it is tried again; progress never goes back. */
function checkSubmission(calls: readonly SubmissionCall[]): string[] {
  const found: string[] = [];
  let rows = 0;
  let ended: SubmissionCall | undefined;
  inOrder(
    calls,
    (earlier) => {
      rows = Math.max(rows, earlier.submission.rows);
      const { state } = earlier.submission;
      if (isFinal(state) && state !== 'FAILED') ended = earlier;
    },
    (later) => {
      const { id, state } = later.submission;
      if (later.submission.rows < rows)
        found.push(`${inWords(later)}: ${id} went back from ${rows} rows to ${later.submission.rows}.`);
      if (ended && state !== ended.submission.state)
        found.push(`${inWords(later)}: ${id} was ${ended.submission.state} and is ${state}.`);
    },
  );
  return found;
}

/** What is asked for again is answered by the first. */
function checkRepeats(calls: readonly LoggedCall[]): string[] {
  const ids = new Set(calls.flatMap(({ submissionId }) => submissionId ?? []));
  if (ids.size < 2) return [];
  return [`${inWords(calls[0] as LoggedCall)} was answered by ${ids.size} submissions: ${[...ids].join(', ')}.`];
}

/** What was answered before a list began is in it; what was answered is found under its own address. */
function checkLists(calls: readonly LoggedCall[]): string[] {
  const found: string[] = [];
  const known = new Map<string, LoggedCall>();
  inOrder(
    calls,
    (earlier) => {
      if (earlier.submissionId !== undefined) known.set(earlier.submissionId, earlier);
    },
    (later) => {
      const lacking = later.listed && [...known.keys()].find((id) => !later.listed?.includes(id));
      if (lacking) found.push(`${inWords(later)} lacks ${lacking} of ${inWords(known.get(lacking) as LoggedCall)}.`);
      const [, asked] = /^GET \/submissions\/([^/?]+)$/.exec(later.asked) ?? [];
      const before = asked === undefined ? undefined : known.get(asked);
      if (later.status === 404 && before) found.push(`${inWords(later)} is not there and was by ${inWords(before)}.`);
    },
  );
  return found;
}
