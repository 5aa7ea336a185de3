/** What the form holds, and the service's options that it means. */
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
};

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
  if (choices.key.trim() !== '') options.key = choices.key.trim();
  if (choices.sheet.trim() !== '') options.sheet = choices.sheet.trim();
  return options;
}
