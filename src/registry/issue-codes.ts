/** The catalogue of what can be said of a row. The codes are stable for ever; docs/errors.md is printed from it. Over 250 lines: one list. */

const coded =
  <Severity extends string>(severity: Severity) =>
  /** When it comes, and what to do. */
  (when: string, fix: string) => ({ severity, when, fix });

/** Rejects its row. */
const error = coded('error');
/** The row is registered as it stands. */
const warning = coded('warning');
/** Counted, and nothing that anybody has to look at. */
const note = coded('note');

export const ISSUES = {
  'name.missing': error('The row has cells but no Sample Name.', 'Fill it, or begin the row with `#`.'),
  'name.example': error(
    'The row is the example row of a template, as it came.',
    'Replace it by a sample of your own, or delete the row.',
  ),
  'name.repeated': error(
    'An earlier row has the same Sample Name, and not both carry an identifier of their own.',
    'Rename one, or keep one row of a sample that has several, such as one for each of its files; the message names the first line.',
  ),
  'name.used-before': warning(
    'You have a sample of this name already.',
    'If the row means that one, write its accession into the Sample Identifier.',
  ),
  'name.like-another': warning(
    'The Sample Name is that of a row above but for capitals, blanks, the form of its letters or marks that nobody sees.',
    'If both rows mean one sample, write its name once; otherwise nothing.',
  ),
  'name.changed': warning(
    'The row names a sample by its accession, and gives it another name than it had.',
    'Nothing, where the sample is renamed. Otherwise the accession is that of another row: undo the upload, and send each row with its own.',
  ),
  'relationship.open': warning(
    'The relationship names a sample that is still to come (`relationships=later`); the row is registered without it.',
    'Nothing, where an upload will bring the name: it completes the relationship. Otherwise correct the name.',
  ),
  'clear.unit-alone': warning(
    'With `update=merge`, the marker that clears a cell stands in a unit or term without a value beside it: nothing is taken away.',
    'Write the value again, which then has no unit, or put the marker into the value to take both away.',
  ),
  'release.missing': error(
    'The row of a new sample has no Release Date and the upload gave none.',
    'Fill it, or send the option `releaseDate`.',
  ),
  'release.invalid': error(
    'The Release Date is not an ISO 8601 date or date-time.',
    'Write `2024-11-21`; an unambiguous value is suggested.',
  ),
  'identifier.unknown': error(
    'There is no sample with this Sample Identifier here.',
    'Correct it, or leave it empty to register.',
  ),
  'identifier.not-yours': error('The sample belongs to another account.', 'Empty it to register, or ask its owner.'),
  'identifier.repeated': error('An earlier row updates the same sample.', 'Keep one of them.'),
  'key.missing': error(
    'The row has nothing in the column that identifies the rows across uploads (`key`), or a word for no value (`NULL`).',
    'Fill it; every row of such an upload has a key.',
  ),
  'key.too-long': error('The key of a row is longer than 500 characters.', 'Choose a column of short codes.'),
  'key.repeated': error(
    'An earlier row has the same key; the message names its line.',
    'Keep one of the two rows, or correct the key of one.',
  ),
  'key.like-another': warning(
    'The key is new, and like a known one but for capitals, zeros before a number or the form of its letters.',
    'If the row means that sample, write the key as the message shows it.',
  ),
  'key.of-another': error(
    'The key is that of another sample than the one that the row names; the message names both.',
    'Correct the key or the Sample Identifier.',
  ),
  'key.differs': error(
    'The sample that the row names has another key in this key space.',
    'Correct the key, or take that one away first (`DELETE /samples/by-key/{space}/{key}`).',
  ),
  'key.exists': error(
    'A sample has the key already, and the upload said `onlyCreate`.',
    'Take the row out, or upload without `onlyCreate`.',
  ),
  'key.unknown': error(
    'No sample has the key, and the upload said `onlyUpdate`.',
    'Correct the key, or upload without `onlyUpdate`.',
  ),
  'relationship.unknown': error(
    'The target is neither a Sample Name of this file nor an accession.',
    'Correct the name or add the row.',
  ),
  'relationship.ambiguous': error(
    'Several rows have the Sample Name that the target gives.',
    "Give the target's accession.",
  ),
  'relationship.target-rejected': error(
    'The row that the target names is rejected itself.',
    'Fix that row; this one follows.',
  ),
  'sample.damaged': error(
    'What is stored of the sample was damaged on the disk.',
    'Tell whoever runs the service; send the row again when it is restored.',
  ),
  'sample.erased': error(
    'The row means a sample that was erased, by its accession, its key or an earlier upload of the same bytes.',
    'Take the row out.',
  ),
  'row.other-table': error(
    'The row is the header over again, the header or the title of another table, or below one.',
    'Delete a header that comes again; upload another table as a file of its own.',
  ),
  'row.of-receipt': error(
    'The row is one of a receipt and no sample: its table was sorted with it, or it lost the lines around it.',
    'Delete the rows of the receipt.',
  ),
  'row.extra-cells': error('The row has cells beyond the last header.', 'Remove them, or add their headers.'),
  'row.cut-off': warning(
    'The file ends within the row: fewer cells than the header and every row above have, and no line end.',
    'Send the file whole if it was cut off; otherwise end its last line with a line break.',
  ),
  'row.changed-since': error(
    'The sample was changed since the dry run, or since the upload that is undone.',
    'Look at the sample; send the row again if you still want to.',
  ),
  'row.not-as-shown': error('The row would not become what the dry run showed.', 'Make a new dry run.'),
  'row.held-back': error(
    'The row is good, but another is bad and the upload asked for all or nothing.',
    'Fix the others.',
  ),
  'sheet.not-read': warning(
    'Several sheets of the workbook, or sections of the file, name samples, and one of them was read.',
    'Upload the workbook once more for each of the other sheets, naming it with the option `sheet`, and with `key` and `update=merge` where it says more of the same samples (docs/repairing-sheets.md); put what another section says into columns of the samples.',
  ),
  'sheet.rows-short': warning(
    'The rows of a file with commas, semicolons or vertical bars all have as many cells, and fewer than the header.',
    'Nothing, where the last columns are meant to be empty; else a value is missing further left: undo the upload, give each row all its cells, and upload the sheet anew.',
  ),
  'sheet.hidden-rows': warning(
    'Rows that are not shown in the workbook, filtered out or hidden, were read like the others.',
    'Nothing, where they are meant; else delete them in the workbook and upload it anew.',
  ),
  'sheet.struck-rows': warning(
    'Every cell of some rows is struck through in the workbook; they were read like the others.',
    'Nothing, where their samples are meant; else undo the upload, delete the rows in the workbook and upload it anew.',
  ),
  'sheet.links': warning(
    'Cells of a column link to addresses that they do not read as; the text of a cell is its value, and the address is not stored.',
    'Write the addresses into a column of their own, such as `Comment[external DB REF]`, where they matter.',
  ),
  'sheet.comments': warning(
    'Cells of a column have comments (notes); these are not stored.',
    'Write what they say into a column of its own where it matters, and look whether one speaks against its row.',
  ),
  'sheet.table-beside': warning(
    'Columns stand behind an empty one and have values in other rows than the samples, as a table or list beside theirs; they were read as values of the samples.',
    'Nothing, where they are; else undo the upload, delete them from the sheet and upload that anew.',
  ),
  'sheet.rows-passed-over': warning(
    'Rows of a form have their number, or beside it what all rows have, or boxes that are not ticked, and neither a name nor anything else: they count as blank. Or they begin with what a formula shows that failed (`#N/A`) and have no name: they count as remarks.',
    'Nothing; where one was meant, give it its name and upload the sheet anew.',
  ),
  'release.not-taken': warning(
    'A column speaks of becoming public and is not called Release Date, so the date is that of the option `releaseDate`.',
    'Call the column `Release Date`; of what is registered, write its dates into that column of the result and upload it.',
  ),
  'unit.astray': warning(
    'A Unit column stands second behind a characteristic, or beside values that are words.',
    'Move it right behind the column whose unit it says, and upload the result so.',
  ),
  'column.no-header': warning(
    'A column without a header has values; they are not stored.',
    'Give the column a header in the result, and upload that; or move cells that stand one column too far to the right.',
  ),
  'column.made-name': warning(
    'A column has a header that a program made, `Age.1` for a second `Age` or `Unnamed: 3` for none, and is stored as a characteristic of that name.',
    'Call columns of several values alike, `Characteristics[Age]`, or give the column a header, in the result, and upload that.',
  ),
  'column.misspelt': warning(
    'A header is nearly one of the dialect (`Charateristics[age]`, `Relationship[child of]`); its column is not stored, or as a characteristic of that name.',
    'Write the header that is suggested into the result, where that is meant, and upload it.',
  ),
  'sheet.nothing-stored': warning(
    'Nothing but names and dates is stored of the sheet.',
    'Add columns that describe the samples, or name those that are not stored `Characteristics[name]`.',
  ),
  'value.respelled': warning(
    'The row writes a value of its sample otherwise than it is stored, as spreadsheets write numbers and dates (`007` as `7`; among the first 200 rows that update samples).',
    'Write it as it was, in a column formatted as text; nothing, where it is meant.',
  ),
  'value.no-column': warning(
    'The sheet has no column for something that the sample has, or fewer than it has values of it, and the row takes it away (among the first 200 rows that update samples).',
    'Add the column, or upload with `update=merge`; nothing, where it is to go.',
  ),
  'value.other-name': warning(
    'The sheet has a characteristic of the sample under a name that differs in capitals, blanks or underscores alone: it is renamed, or with `update=merge` doubled (among the first 200 rows that update samples).',
    'Write the header as it was; nothing, where it is meant.',
  ),
  'sample.not-shown': warning(
    'The row updates a sample that was withdrawn, or whose status an administrator has set; that stays so (among the first 200 rows that update samples).',
    'Take the withdrawal back with `DELETE /samples/{accession}/withdrawal`, or on its page; nothing, where it is meant.',
  ),
  'cell.too-long': error(
    'A cell is longer than 100 000 characters.',
    'Shorten it, or refer to a file by an external reference.',
  ),
  'cell.control-character': error('A cell holds a NUL character.', 'Remove it.'),
  'cell.quote-swallows-rows': error(
    'A quoted cell runs over what look like whole rows, or over other cells of its row, as where two cells have a ditto mark (`"`).',
    'Close the quote, or double it inside a quoted cell; write the value in place of a ditto mark.',
  ),
  'item.not-json': error(
    'An item of a JSON file is no JSON object, or longer than a sample may be.',
    'Correct the line or the item; the message says what the parser met.',
  ),
  'item.invalid': error(
    'A member of an item of a JSON file breaks a rule; the column is its JSON pointer.',
    'Correct the member as the message says.',
  ),
  'item.not-stored': warning(
    'An item of a JSON file is an object of names and values beside `name`, and has no `characteristics`: the values are not stored.',
    'Put them into `characteristics`, or send the table as a sheet.',
  ),
  'edit.target-exists': error(
    'A batch edit renames a characteristic to one that the sample has already.',
    'Say with `existing` whether its values are replaced or added to, and send the line again.',
  ),
  'edit.not-submitted': error(
    'A batch edit names a sample that has an accession and was never submitted.',
    'Submit it first.',
  ),
  'edit.already': note('The sample of a batch edit has what it was to get.', 'Nothing.'),
  'edit.lacking': note(
    'The sample of a batch edit lacks the characteristic that was to be renamed or cleared.',
    'Nothing, or look at how the name is spelled.',
  ),
  'checklist.missing': error(
    'A characteristic or unit that the checklist requires is not there.',
    'Add the column or the value.',
  ),
  'checklist.value': error('The value is none of those allowed; the nearest is suggested.', 'Choose an allowed value.'),
  'checklist.form': error(
    'The value does not have the form that the checklist wants.',
    'Write it in the form that the message shows.',
  ),
  'checklist.unit': error('The unit is none of those allowed.', 'Choose an allowed unit.'),
  'checklist.term': error('The ontology term does not meet the checklist.', 'Give the term that it wants.'),
  'checklist.not-allowed': error('The checklist does not allow this characteristic.', 'Remove it.'),
  'checklist.rule': error('Another rule of the checklist is broken.', 'See the message.'),
  'checklist.unknown': error('The row names a checklist that is not here.', 'Choose one that the message names.'),
  'suspect.case': warning(
    'The value differs only in case from one that its column has more often.',
    'Use one spelling.',
  ),
  'suspect.date': warning(
    'The value looks as if a spreadsheet had made a date of it.',
    'Restore it; format the column as text.',
  ),
  'suspect.date-form': warning(
    'The date is written in another form than most of its column, as a spreadsheet leaves what does not fit its own order of day and month.',
    'Write it as the others, and look at these: their day and month may be swapped.',
  ),
  'suspect.serial-date': warning('A number stands where its column has dates.', 'Write the date.'),
  'suspect.scientific': warning('The number looks as if a spreadsheet had shortened it (`1.2E+10`).', 'Write it out.'),
  'suspect.leading-zeros': warning('The number seems to have lost the zeros that its column has.', 'Write them.'),
  'suspect.precision': warning(
    'The long number ends in zeros where a spreadsheet had no room for its digits.',
    'Restore it from the source.',
  ),
  'suspect.error-value': warning("The cell holds a formula's error such as `#N/A`.", 'Write the value, or nothing.'),
  'suspect.ditto': warning(
    'The value stands for the one above it: a ditto mark (`"`, `〃`), *same as above*.',
    'Write the value itself.',
  ),
  'suspect.unchosen': warning(
    'The value is what a drop-down list says before somebody has chosen from it: *please select*.',
    'Choose the value, or empty the cell.',
  ),
  'suspect.blanks-below': warning(
    'A column has a word in the first of several rows each time and nothing below it, as where an empty cell stands for the value above.',
    'Fill the values down and upload the sheet anew, where that is meant; else nothing.',
  ),
  'suspect.formula': warning(
    'The value is a formula in place of its result, or has the signs by which a program keeps a spreadsheet from changing a text (`="00042"`, `\'00042`).',
    'Write the value alone; it is suggested where it shows.',
  ),
  'suspect.encoding': warning(
    'The text looks as if it had been read in the wrong encoding.',
    'Save the file as UTF-8.',
  ),
  'suspect.blanks': warning(
    'The value holds a blank or invisible character of another kind than the space bar gives.',
    'Replace it; the clean value is suggested.',
  ),
  'suspect.quotes': warning(
    'The value holds typographic quotes, which spreadsheets and word processors put in place of plain ones.',
    'Write plain quotes where you meant them.',
  ),
  'suspect.organism': warning(
    'The name of an organism and its taxonomy id do not belong together.',
    'Correct one of the two; an id that is certain is suggested.',
  ),
  'suspect.place': warning(
    'Coordinates are swapped, none at all, or outside the country of their row.',
    'Correct them, or the country; what is certain is suggested.',
  ),
  'suspect.time': warning(
    'The day of collection is still to come, or after the release.',
    'Correct the day, or the Release Date.',
  ),
  'suspect.series': warning(
    'The value goes up by one from row to row where it should stay: a cell was filled down.',
    'Write the first value in every row; copy a cell instead of filling it down.',
  ),
  'suspect.name': warning(
    'The Sample Name reads like a note or a sum below the table, a heading between samples, an explanation of the columns above them, the header of a column or of another table, or is a word for no value (`NULL`, `n/a`).',
    'Give the sample its name; else delete the row, or begin its line with `#`; turn a table that has its samples in columns.',
  ),
  'suspect.repeated': warning(
    'The row has the values of an earlier row in every column but its name.',
    'Fill in what differs, or delete the row.',
  ),
};

export type IssueCode = keyof typeof ISSUES;

export type IssueSeverity = (typeof ISSUES)[IssueCode]['severity'];

type OfSeverity<Severity extends IssueSeverity> = {
  [Code in IssueCode]: (typeof ISSUES)[Code]['severity'] extends Severity ? Code : never;
}[IssueCode];

/** What a row or cell can have. */
export type RowIssueCode = OfSeverity<'error' | 'warning'>;
/** What a batch counts of its rows. */
export type NoteCode = OfSeverity<'note'>;
export type ChecklistCode = Extract<RowIssueCode, `checklist.${string}`>;
/** What makes a value doubtful: a spreadsheet's doing, or other cells. */
export type SuspectCode = Extract<RowIssueCode, `suspect.${string}`>;

/** Warnings of checks between cells, each of which a checklist may make an error. */
export const SENSE_CODES = [
  'suspect.organism',
  'suspect.place',
  'suspect.time',
  'suspect.series',
  'suspect.name',
  'suspect.repeated',
] as const satisfies readonly SuspectCode[];
export type SenseCode = (typeof SENSE_CODES)[number];

export const ISSUE_CODES = Object.keys(ISSUES) as [IssueCode, ...IssueCode[]];

const isOfRow = (code: IssueCode): code is RowIssueCode => ISSUES[code].severity !== 'note';
export const ROW_ISSUE_CODES = ISSUE_CODES.filter(isOfRow);
