/** Issues of rows: where they lie, and the words of those that more than one part of the registry finds. */
import { ISSUES, type RowIssueCode } from './issue-codes.js';
import { ownText } from './own-text.js';
import { type IssuePlace, ROW_PLACES, type RowForm, type RowPlaces, type SheetPlace } from './row-places.js';
import type { Issue } from './samples/sample-batch.js';
import { showMarks } from './search/shown-marks.js';

/** An issue but for its line. */
export type IssueProto = Omit<Issue, 'line'>;

interface Said {
  /** Whole; cut at 100 characters. */
  value?: string | undefined;
  /** What is wrong, and what to do. */
  message: string;
  suggestion?: string | undefined;
}

/** The first 100 characters, none of them cut in two, without the others in memory. */
export function shorten(text: string, limit = 100): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return ownText(text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit));
}

export const issueProto = (
  code: RowIssueCode,
  { column, columnLetter }: Partial<SheetPlace>,
  { value, message, suggestion }: Said,
): IssueProto => ({
  ...(column && { column: showMarks(column) }),
  ...(columnLetter && { columnLetter }),
  code,
  ...(value && { value: showMarks(shorten(value)) }),
  message: showMarks(message),
  ...(suggestion !== undefined && { suggestion }),
  severity: ISSUES[code].severity,
});

export const rowIssue = (code: RowIssueCode, { line, ...place }: IssuePlace, said: Said): Issue => ({
  line,
  ...issueProto(code, place, said),
});

/** What one line of a file is called, what it has instead of an accession, and what to do with several lines of one sample, by form. */
const WORDS: Record<
  RowForm,
  { row: string; at: (line: number) => string; name: string; leave: string; give: string; keep?: string }
> = {
  sheet: {
    row: 'row',
    at: (line) => `The row on line ${line}`,
    name: 'Sample Name',
    leave: 'leave the cell empty to register a new sample',
    give: 'fill the Sample Identifier of both rows',
    keep: ' If another column is different in each row, name it with the option nameColumn, or join several that are so together by an import profile; if the rows are files or lanes of one sample, keep one of them, with what the others say in further columns.',
  },
  item: {
    row: 'item',
    at: (line) => `Item ${line}`,
    name: 'name',
    leave: 'leave "accession" out to register a new sample',
    give: 'give both items their accession',
  },
  edit: {
    row: 'line',
    at: (line) => `Line ${line}`,
    name: 'name',
    leave: 'take the line out',
    give: 'give both lines their accession',
  },
};

/** What messages call a row. */
export const rowWord = (form: RowForm): string => WORDS[form].row;

/** How a row is made to mean the sample of this accession. */
export function howToName({ form, accession: place }: RowPlaces, accession: string): string {
  if (form !== 'sheet') return `give the ${WORDS[form].row} "accession": "${accession}"`;
  return place
    ? `write ${accession} in its ${place.column}`
    : `add a column ${ROW_PLACES.accession.column} and write ${accession} in it`;
}

/** `before`: the name that the sample had; undefined for a sample of another account, which the upload's own may not read. */
export function changedName(
  line: number,
  places: RowPlaces,
  accession: string,
  before: string | undefined,
  name: string,
): Issue {
  const was = before === undefined ? ' of another account, which had another' : `, which was "${shorten(before)}"`;
  const message = `The ${rowWord(places.form)} gives ${accession}${was}, the name "${shorten(name)}" with all else that it says. If it means another sample, as where one column was sorted alone or accessions were filled down, give it the accession of that one; an upload that was carried out can be undone.`;
  return rowIssue('name.changed', { line, ...places.name }, { value: name, message });
}

/** `meant`: an accession that is written nearly so. */
export const unknownIdentifier = (place: IssuePlace, form: RowForm, accession: string, meant?: string): Issue =>
  rowIssue('identifier.unknown', place, {
    value: accession,
    message: `There is no sample ${shorten(accession)} here; ${meant === undefined ? 'correct the accession' : `write ${meant} if that is meant`}, or ${WORDS[form].leave}.`,
    suggestion: meant,
  });

/** Of a cell that has nothing of an accession of this registry. `column`: its header. */
export const noIdentifier = (place: IssuePlace, text: string, column: string): Issue =>
  rowIssue('identifier.unknown', place, {
    value: text,
    message: `There is no sample ${shorten(text)} here, and accessions of this registry look otherwise; correct it, or ${WORDS.sheet.leave}. If the column has identifiers of your own, call it Characteristics[${shorten(column)}], and they are kept.`,
  });

export const foreignIdentifier = (place: IssuePlace, form: RowForm, accession: string): Issue =>
  rowIssue('identifier.not-yours', place, {
    value: accession,
    message: `Sample ${shorten(accession)} belongs to another account; ask its owner to change it, or ${WORDS[form].leave}.`,
  });

export const repeatedIdentifier = (place: IssuePlace, form: RowForm, accession: string, first: number): Issue =>
  rowIssue('identifier.repeated', place, {
    value: accession,
    message: `${WORDS[form].at(first)} names ${shorten(accession)} already. Keep one of the two.`,
  });

export const repeatedName = (place: IssuePlace, form: RowForm, name: string, first: number): Issue =>
  rowIssue('name.repeated', place, {
    value: name,
    message: `${WORDS[form].at(first)} has this ${WORDS[form].name} already. Give each sample a name of its own, or, to update two samples of one name, ${WORDS[form].give}.${WORDS[form].keep ?? ''}`,
  });

/** `title`: what the file calls the release. */
export const missingRelease = (place: IssuePlace, form: RowForm, title: string): Issue =>
  rowIssue('release.missing', place, {
    message: `The ${WORDS[form].row} has no ${title}. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.`,
  });

/** What is stored of the sample cannot be trusted, so no row is compared with it or laid over it. */
export const damagedSample = (place: IssuePlace, form: RowForm, accession: string): Issue =>
  rowIssue('sample.damaged', place, {
    value: accession,
    message: `What is stored of sample ${accession} was damaged on the disk; it was left as it is. Tell whoever runs this service, and send the ${WORDS[form].row} again when it is restored.`,
  });

/** Nobody writes what was erased again under its accession. */
export const erasedSample = (place: IssuePlace, form: RowForm, accession: string): Issue =>
  rowIssue('sample.erased', place, {
    value: accession,
    message: `Sample ${accession} was erased: nothing of it is kept, and its accession is not given again. Take the ${WORDS[form].row} out.`,
  });

/** The row was meant for another version than the sample has now. */
export const changedSince = (place: IssuePlace, form: RowForm, accession: string, version: number): Issue =>
  rowIssue('row.changed-since', place, {
    value: accession,
    message: `Sample ${accession} was changed meanwhile (it is at version ${version} now) and was left as it is. Look at it, and send the ${WORDS[form].row} again if you still want to.`,
  });

/** An item of a JSON file that is none; `message` says what it should be. */
export const unreadableItem = (line: number, text: string | undefined, message: string): Issue =>
  rowIssue('item.not-json', { line }, { value: text, message });

/** A member that breaks a rule; its value is shown when it is a text or a number. */
export const invalidMember = (line: number, pointer: string, value: unknown, message: string): Issue =>
  rowIssue(
    'item.invalid',
    { line, column: pointer },
    {
      value: typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
      message,
    },
  );
