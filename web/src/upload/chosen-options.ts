/** What the form holds, and the service's options that it means. */
import { KEY_SPACE_FORM, KEY_SPACE_WORDS } from '../../../src/registry/samples/row-key.js';
import { CEILING_WORDS, type CeilingName, ceilingFault } from '../../../src/submissions/uploads/ceiling.js';
import { dayOfUpload } from '../../../src/tsv/header/profile-release.js';
import { serverNow } from '../api/server-clock.js';
import type { UploadOptions } from '../api/upload.js';
import { typedDayProblem } from '../show/typed-day.js';

export interface Choices {
  checklist: string | null;
  release: 'sheet' | 'today' | 'date';
  date: string;
  mode: 'partial' | 'atomic';
  update: 'replace' | 'merge';
  unknownColumns: 'ignore' | 'characteristics' | 'reject';
  encoding: string | null;
  /** Name of an import profile, or none; null for the one whose columns a sheet has. */
  profile: string | null;
  /** Header of the column that identifies the rows across uploads; empty for none. */
  key: string;
  /** Where the keys hold; empty for the account's own space. */
  keySpace: string;
  /** Which rows are taken: those with known keys, those with unknown ones, or both. */
  known: 'both' | 'onlyUpdate' | 'onlyCreate';
  /** Name of a workbook's sheet; empty for the first that fits. */
  sheet: string;
  /** Cell that takes a value away when merging; empty for [clear]. */
  clearMarker: string;
  relationships: 'now' | 'later';
  /** Name of the standing sheet that the file is the whole export of; empty for none. */
  standing: string;
  missing: 'report' | 'withdraw';
  commit: 'hand' | 'auto';
  /** Ceilings as the service takes them, such as 50 or 5%; empty for its own. */
  maxMissing: string;
  maxChanges: string;
  maxRejected: string;
}

export const FIRST_CHOICES: Choices = {
  checklist: null,
  release: 'sheet',
  date: '',
  mode: 'partial',
  update: 'replace',
  unknownColumns: 'characteristics',
  encoding: null,
  profile: null,
  key: '',
  keySpace: '',
  known: 'both',
  sheet: '',
  clearMarker: '',
  relationships: 'now',
  standing: '',
  missing: 'report',
  commit: 'hand',
  maxMissing: '',
  maxChanges: '',
  maxRejected: '',
};

/** Those that the form shows without being asked for more. */
const IN_SIGHT: readonly (keyof Choices)[] = ['checklist', 'release', 'date', 'mode', 'unknownColumns'];

/** Something is chosen under *More choices*. */
export const saysMore = (choices: Choices): boolean =>
  (Object.keys(FIRST_CHOICES) as (keyof Choices)[]).some(
    (name) => !IN_SIGHT.includes(name) && choices[name] !== FIRST_CHOICES[name],
  );

const CEILING_FAULTS = {
  'no ceiling': `Say ${CEILING_WORDS}.`,
  'above all': 'A share of more than all allows everything: say 100% or less.',
};

/** What is wrong with a ceiling as it was typed. */
export function ceilingProblem(name: CeilingName, choices: Choices): string | undefined {
  const ceiling = choices[name].trim();
  const fault = ceiling === '' ? undefined : ceilingFault(name, ceiling);
  return fault && CEILING_FAULTS[fault];
}

const isNamed = (text: string): boolean => text.trim() !== '';

const spaceProblem = (name: string): string | undefined =>
  name.trim() === '' || KEY_SPACE_FORM.test(name.trim()) ? undefined : `Say ${KEY_SPACE_WORDS}.`;

/** A standing sheet is its own key space. */
export const hasKeySpace = ({ key, standing }: Choices): boolean => isNamed(key) && !isNamed(standing);

export const keySpaceProblem = (choices: Choices): string | undefined =>
  hasKeySpace(choices) ? spaceProblem(choices.keySpace) : undefined;

/** What is wrong with the name of a standing sheet, or missing from it. */
export const standingProblem = ({ standing, key }: Choices): string | undefined =>
  isNamed(standing) && !isNamed(key) ? 'Say above which column identifies the rows.' : spaceProblem(standing);

/** What is wrong with the release date as it was typed. */
export const releaseDayProblem = ({ release, date }: Choices): string | undefined =>
  release === 'date' ? typedDayProblem(date) : undefined;

/** Why these choices cannot be sent. */
export const choicesProblem = (choices: Choices): string | undefined =>
  releaseDayProblem(choices) ??
  standingProblem(choices) ??
  keySpaceProblem(choices) ??
  ceilingProblem('maxRejected', choices) ??
  (isNamed(choices.standing)
    ? (ceilingProblem('maxMissing', choices) ?? ceilingProblem('maxChanges', choices))
    : undefined);

/** The service's options; what it does by itself is not sent. */
export function optionsOf(choices: Choices): UploadOptions {
  const options: UploadOptions = {};
  if (choices.checklist) options.checklist = choices.checklist;
  if (choices.release === 'today') options.releaseDate = new Date(dayOfUpload(serverNow())).toISOString().slice(0, 10);
  if (choices.release === 'date' && choices.date !== '') options.releaseDate = choices.date;
  if (choices.mode !== 'partial') options.mode = choices.mode;
  if (choices.update !== 'replace') options.update = choices.update;
  options.unknownColumns = choices.unknownColumns;
  if (choices.encoding) options.encoding = choices.encoding;
  if (choices.profile) options.profile = choices.profile;
  const text = (
    name: 'key' | 'keySpace' | 'sheet' | 'maxRejected' | 'clearMarker' | 'standing' | 'maxMissing' | 'maxChanges',
  ) => {
    if (isNamed(choices[name])) options[name] = choices[name].trim();
  };
  text('key');
  if (hasKeySpace(choices)) text('keySpace');
  if (isNamed(choices.key) && choices.known !== 'both') options[choices.known] = true;
  text('sheet');
  text('maxRejected');
  if (choices.update === 'merge') text('clearMarker');
  if (choices.relationships !== 'now') options.relationships = choices.relationships;
  if (!isNamed(choices.standing)) return options;
  text('standing');
  text('maxMissing');
  text('maxChanges');
  if (choices.missing !== 'report') options.missing = choices.missing;
  if (choices.commit !== 'hand') options.commit = choices.commit;
  return options;
}
