/** What a batch edit does to each of its samples: changes in order, of one characteristic or of the release each. Pure. */

import { z } from 'zod';
import { anyList, filledText, Problems } from '../body.js';
import { parseDateTime } from '../date-time.js';
import type { MemberProblem } from '../errors.js';
import { isObject } from '../json-form.js';
import { sameJson } from '../samples/canonical.js';
import type { Characteristic, Characteristics, SampleContent } from '../samples/sample.js';
import { readEntry } from '../samples/sample-body.js';
import { characteristicSchema, dateTimeSchema } from '../samples/sample-schema.js';

/** Changes of one edit. */
export const MAX_CHANGES = 50;

const VALUES = z
  .array(characteristicSchema)
  .min(1, { error: 'is empty; to take the characteristic away, send {"clear": its name}' })
  .describe('All values that the characteristic is to have, as in a sample.');

/** By the member that says what is done; each with the characteristic that it is done to. */
const KINDS = {
  set: z
    .strictObject({
      set: filledText.describe('Name of a characteristic, spelled as in the samples.'),
      values: VALUES,
      existing: z
        .enum(['replace', 'keep', 'append'])
        .optional()
        .describe(
          'Samples that have it: `replace` its values (the default), `keep` them as they are, `append` what they lack.',
        ),
    })
    .describe('Gives a characteristic.'),
  rename: z
    .strictObject({
      rename: filledText,
      to: filledText.describe('Its new name.'),
      existing: z
        .enum(['refuse', 'replace', 'append'])
        .optional()
        .describe(
          'Samples that have one of the new name already: `refuse` them (the default), `replace` its values, `append` to them.',
        ),
    })
    .describe('Calls a characteristic otherwise; values, units and terms stay.'),
  clear: z.strictObject({ clear: filledText }).describe('Takes a characteristic away, with all its values.'),
  release: z.strictObject({ release: dateTimeSchema }).describe('Gives another release date.'),
};

export const SAMPLE_CHANGES = z
  .array(z.union([KINDS.set, KINDS.rename, KINDS.clear, KINDS.release]))
  .min(1)
  .max(MAX_CHANGES)
  .describe('Carried out in this order.');

export type SampleChange =
  | { set: string; values: Characteristic[]; existing?: 'replace' | 'keep' | 'append' | undefined }
  | { rename: string; to: string; existing?: 'refuse' | 'replace' | 'append' | undefined }
  | { clear: string }
  /** ISO 8601, UTC, with milliseconds. */
  | { release: string };

/** Every change of the list, or everything wrong with it by JSON pointer; `path` is where the list stands. */
export function readChanges(value: unknown, path: string): { changes: SampleChange[]; problems: MemberProblem[] } {
  const problems = new Problems();
  const changes: SampleChange[] = [];
  const list = problems.read(anyList, value, [path]) ?? [];
  if (Array.isArray(value) && (list.length < 1 || list.length > MAX_CHANGES)) {
    problems.add([path], `holds ${list.length} changes; send 1 to ${MAX_CHANGES}`);
    return { changes, problems: problems.found };
  }
  const subjects = new Set<string>();
  for (const [at, item] of list.entries()) {
    const change = readChange(item, [path, at], problems);
    if (change === undefined) continue;
    const subject = columnOf(change);
    if (subjects.has(subject)) problems.add([path, at], `changes ${subject}, which another change does already`);
    subjects.add(subject);
    changes.push(change);
  }
  return { changes, problems: problems.found };
}

function readChange(item: unknown, path: readonly PropertyKey[], problems: Problems): SampleChange | undefined {
  const members = isObject(item) ? item : {};
  const kinds = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter((kind) => Object.hasOwn(members, kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    problems.add(
      path,
      'must be one of {"set": …, "values": […]}, {"rename": …, "to": …}, {"clear": …}, {"release": …}',
    );
    return undefined;
  }
  if (kind === 'set') {
    const set = problems.read(KINDS.set, item, path);
    const values = set?.values.map(readEntry) ?? [];
    const empty = values.findIndex((entry) => Object.keys(entry).length === 0);
    if (empty >= 0) problems.add([...path, 'values', empty], 'says nothing; give it a text');
    return set && { ...set, values };
  }
  if (kind === 'rename') {
    const rename = problems.read(KINDS.rename, item, path);
    if (rename && rename.rename === rename.to) problems.add([...path, 'to'], 'is the name that it has already');
    return rename;
  }
  if (kind === 'clear') return problems.read(KINDS.clear, item, path);
  const dated = problems.read(KINDS.release, item, path);
  const time = dated && parseDateTime(dated.release);
  return typeof time === 'number' ? { release: new Date(time).toISOString() } : undefined;
}

/** What a change changes, as a sheet would head its column. */
export function columnOf(change: SampleChange): string {
  if ('release' in change) return 'Release Date';
  return headerOf('set' in change ? change.set : 'rename' in change ? change.rename : change.clear);
}

const headerOf = (name: string): string => `Characteristics[${name}]`;

/** `already`: it has that value; `lacking`: it has no such characteristic. */
export type ChangeOutcome = 'changed' | 'already' | 'lacking';

export interface EditedSample {
  /** Milliseconds since 1970. */
  release: number;
  content: SampleContent;
  /** Of each change; absent for one that the sample refuses. */
  outcomes: (ChangeOutcome | undefined)[];
  refusals: { column: string; message: string }[];
}

/** The sample after the changes; what it was given stays as it is. */
export function editSample(
  { release, content }: { release: number; content: SampleContent },
  changes: readonly SampleChange[],
): EditedSample {
  const edited: EditedSample = { release, content, outcomes: [], refusals: [] };
  for (const change of changes) edited.outcomes.push(carryOut(edited, change));
  return edited;
}

function carryOut(edited: EditedSample, change: SampleChange): ChangeOutcome | undefined {
  if ('release' in change) {
    const release = Date.parse(change.release);
    if (release === edited.release) return 'already';
    edited.release = release;
    return 'changed';
  }
  const { characteristics } = edited.content;
  const put = (next: Characteristics): ChangeOutcome => {
    edited.content = { ...edited.content, characteristics: next };
    return 'changed';
  };
  if ('clear' in change) {
    if (!Object.hasOwn(characteristics, change.clear)) return 'lacking';
    return put(rebuilt(characteristics, (name, values) => (name === change.clear ? [] : [[name, values]])));
  }
  if ('set' in change) {
    const present = Object.hasOwn(characteristics, change.set) ? characteristics[change.set] : undefined;
    const values = valuesAfter(present, change);
    if (present !== undefined && sameJson(present, values)) return 'already';
    return put(with_(characteristics, change.set, values));
  }
  return rename(edited, change, put);
}

function rename(
  edited: EditedSample,
  { rename: from, to, existing = 'refuse' }: Extract<SampleChange, { rename: string }>,
  put: (next: Characteristics) => ChangeOutcome,
): ChangeOutcome | undefined {
  const { characteristics } = edited.content;
  if (!Object.hasOwn(characteristics, from)) return 'lacking';
  const moved = characteristics[from] as Characteristic[];
  const present = Object.hasOwn(characteristics, to) ? characteristics[to] : undefined;
  if (present === undefined)
    return put(rebuilt(characteristics, (name, values) => [[name === from ? to : name, values]]));
  if (existing === 'refuse') {
    const message = `The sample has ${headerOf(to)} already, and was left as it is. Say what is to become of it: its values replaced, or these added to them.`;
    edited.refusals.push({ column: headerOf(to), message });
    return undefined;
  }
  const values = existing === 'replace' ? moved : appended(present, moved);
  return put(rebuilt(characteristics, (name, kept) => (name === from ? [] : [[name, name === to ? values : kept]])));
}

function valuesAfter(
  present: Characteristic[] | undefined,
  { values, existing = 'replace' }: Extract<SampleChange, { set: string }>,
): Characteristic[] {
  if (present === undefined || existing === 'replace') return values;
  return existing === 'keep' ? present : appended(present, values);
}

const appended = (present: readonly Characteristic[], more: readonly Characteristic[]): Characteristic[] => [
  ...present,
  ...more.filter((value) => !present.some((one) => sameJson(one, value))),
];

const with_ = (characteristics: Characteristics, name: string, values: Characteristic[]): Characteristics => {
  const next = rebuilt(characteristics, (each, kept) => [[each, kept]]);
  next[name] = values;
  return next;
};

/** Names are users' data: the copy has no prototype either. */
function rebuilt(
  characteristics: Characteristics,
  entriesOf: (name: string, values: Characteristic[]) => [string, Characteristic[]][],
): Characteristics {
  const next = Object.create(null) as Characteristics;
  for (const name of Object.keys(characteristics)) {
    for (const [kept, values] of entriesOf(name, characteristics[name] as Characteristic[])) next[kept] = values;
  }
  return next;
}
