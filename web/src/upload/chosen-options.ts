/** What the form holds, and the service's options that it means. */
import { CEILING_FORM, CEILING_WORDS } from '../../../src/submissions/ceiling.js';
import type { UploadOptions } from '../api/upload.js';
import { dateField } from '../show/words.js';

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

/** What is wrong with a ceiling as it was typed. */
export const ceilingProblem = (ceiling: string): string | undefined =>
  ceiling.trim() === '' || CEILING_FORM.test(ceiling.trim()) ? undefined : `Say ${CEILING_WORDS}.`;

/** What is missing from a standing sheet. */
export const standingProblem = ({ standing, key }: Choices): string | undefined =>
  standing.trim() !== '' && key.trim() === '' ? 'Say above which column identifies the rows.' : undefined;

/** Why these choices cannot be sent. */
export const choicesProblem = (choices: Choices): string | undefined =>
  standingProblem(choices) ??
  ceilingProblem(choices.maxRejected) ??
  (choices.standing.trim() === ''
    ? undefined
    : (ceilingProblem(choices.maxMissing) ?? ceilingProblem(choices.maxChanges)));

/** The service's options; what it does by itself is not sent. */
export function optionsOf(choices: Choices): UploadOptions {
  const options: UploadOptions = {};
  if (choices.checklist) options.checklist = choices.checklist;
  if (choices.release === 'today') options.releaseDate = dateField(new Date());
  if (choices.release === 'date' && choices.date !== '') options.releaseDate = choices.date;
  if (choices.mode !== 'partial') options.mode = choices.mode;
  if (choices.update !== 'replace') options.update = choices.update;
  options.unknownColumns = choices.unknownColumns;
  if (choices.encoding) options.encoding = choices.encoding;
  if (choices.profile) options.profile = choices.profile;
  const text = (name: 'key' | 'sheet' | 'maxRejected' | 'clearMarker' | 'standing' | 'maxMissing' | 'maxChanges') => {
    if (choices[name].trim() !== '') options[name] = choices[name].trim();
  };
  text('key');
  text('sheet');
  text('maxRejected');
  if (choices.update === 'merge') text('clearMarker');
  if (choices.relationships !== 'now') options.relationships = choices.relationships;
  if (choices.standing.trim() === '') return options;
  text('standing');
  text('maxMissing');
  text('maxChanges');
  if (choices.missing !== 'report') options.missing = choices.missing;
  if (choices.commit !== 'hand') options.commit = choices.commit;
  return options;
}
