import { expect, it } from 'vitest';
import type { IssueGroup } from '../../src/client/documents.js';
import { RegistryError } from '../../src/registry/errors.js';
import { ISSUES, ROW_ISSUE_CODES } from '../../src/registry/issue-codes.js';
import {
  changedSince,
  damagedSample,
  erasedSample,
  foreignIdentifier,
  howToName,
  invalidMember,
  missingRelease,
  repeatedIdentifier,
  repeatedName,
  rowIssue,
  shorten,
  unknownIdentifier,
  unreadableItem,
} from '../../src/registry/row-issue.js';
import { accessionPlace, EDIT_PLACES, ITEM_PLACES, ROW_PLACES } from '../../src/registry/row-places.js';
import type { Issue, RowNote } from '../../src/registry/samples/sample-batch.js';
import type { CellIssue } from '../../web/src/api/contract.js';
import { usedHeap } from '../support/used-heap.js';

it('a code that the catalogue lacks is refused where it is written: by the service, its client and the page', () => {
  const codes: [Issue['code'], RowNote['code'], IssueGroup['code'], CellIssue['code']] = [
    // @ts-expect-error
    'name.unheard-of',
    // @ts-expect-error it is no note
    'name.missing',
    // @ts-expect-error
    'suspect.unheard-of',
    // @ts-expect-error
    'checklist.unheard-of',
  ];
  expect(codes.filter((code) => ROW_ISSUE_CODES.includes(code as Issue['code']))).toEqual(['name.missing']);
});

it('of a long value an issue keeps the beginning and not the value', () => {
  const before = usedHeap();
  const issues = Array.from({ length: 100 }, (_, at) =>
    rowIssue('release.invalid', { line: at }, { value: `no date ${at} ${'x '.repeat(200_000)}`, message: 'x' }),
  );
  expect((usedHeap() - before) / (1024 * 1024), 'MiB').toBeLessThan(5);
  expect(issues[7]?.value).toBe(`no date 7 ${'x '.repeat(45)}`);
});

it('marks that turn the text behind them are named wherever a message repeats them, and no other is', () => {
  const marks = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069].map((code) =>
    String.fromCharCode(code),
  );
  const text = `evil${marks.join('')}fdp.exe`;
  const shown = 'evil<U+202A><U+202B><U+202C><U+202D><U+202E><U+2066><U+2067><U+2068><U+2069>fdp.exe';
  const place = { line: 2, column: text, columnLetter: 'B' };
  expect(rowIssue('name.repeated', place, { value: text, message: `${text} is wrong.`, suggestion: 'evil' })).toEqual({
    line: 2,
    column: shown,
    columnLetter: 'B',
    code: 'name.repeated',
    value: shown,
    message: `${shown} is wrong.`,
    suggestion: 'evil',
    severity: 'error',
  });
  expect(new RegistryError('file.header', `Found: ${text}.`).message).toBe(`Found: ${shown}.`);
  const hebrew = 'שלום\u200f (1)\u200e';
  expect(rowIssue('name.repeated', { line: 2 }, { value: hebrew, message: hebrew })).toMatchObject({
    value: hebrew,
    message: hebrew,
  });
});

it.each(ROW_ISSUE_CODES)('%s is as severe as the catalogue says', (code) => {
  expect(rowIssue(code, { line: 2 }, { message: 'm' })).toEqual({
    line: 2,
    code,
    message: 'm',
    severity: ISSUES[code].severity,
  });
});

it('values are cut at 100 characters, none in two', () => {
  const value = `${'a'.repeat(99)}😀`;
  expect(rowIssue('item.invalid', { line: 1 }, { value, message: 'm' }).value).toBe('a'.repeat(99));
  expect(shorten('a'.repeat(100))).toBe('a'.repeat(100));
  expect(shorten('a'.repeat(101))).toBe('a'.repeat(100));
  expect(shorten(`${'a'.repeat(98)}😀b`)).toBe(`${'a'.repeat(98)}😀`);
  expect(shorten('abcdef', 3)).toBe('abc');
  for (const pair of ['\u{10000}', '\u{10ffff}']) expect(shorten(`a${pair}b`, 2)).toBe('a');
  // The character behind the last one of the pairs.
  for (const whole of ['\ud7ff', '\ue000']) expect(shorten(`a${whole}b`, 2)).toBe(`a${whole}`);
});

it('an issue has its place, and nothing that is empty', () => {
  const place = { line: 3, column: 'Age', columnLetter: 'C' };
  const said = { value: 'x', message: 'm', suggestion: 'y' };
  expect(rowIssue('suspect.case', place, said)).toEqual({
    ...place,
    ...said,
    code: 'suspect.case',
    severity: 'warning',
  });
  const bare = rowIssue('item.invalid', { line: 3, column: '', columnLetter: '' }, { value: '', message: 'm' });
  expect(bare).toEqual({ line: 3, code: 'item.invalid', message: 'm', severity: 'error' });
});

it.each([
  [ROW_PLACES, 'Sample Identifier', 'leave the cell empty', 'The row on line 3'],
  [ITEM_PLACES, '/accession', 'leave "accession" out', 'Item 3'],
  [EDIT_PLACES, '/accession', 'take the line out', 'Line 3'],
] as const)('an identifier is spoken of in the words of its file: $form', (places, column, leave, at) => {
  const { form } = places;
  const place = accessionPlace(7, places);
  const said = [
    unknownIdentifier(place, form, 'SAMEA1'),
    foreignIdentifier(place, form, 'SAMEA1'),
    repeatedIdentifier(place, form, 'SAMEA1', 3),
  ];
  for (const issue of said) expect(issue).toMatchObject({ line: 7, column, value: 'SAMEA1', severity: 'error' });
  const [unknown, foreign, repeated] = said.map(({ message }) => message);
  expect(unknown).toMatch(/^There is no sample SAMEA1 here; correct the accession, or /);
  expect(foreign).toMatch(/^Sample SAMEA1 belongs to another account; ask its owner to change it, or /);
  for (const message of [unknown, foreign]) expect(message).toContain(leave);
  expect(repeated).toBe(`${at} names SAMEA1 already. Keep one of the two.`);
});

it.each([
  [
    'sheet',
    'The row on line 3 has this Sample Name already. Give each sample a name of its own, or, to update two samples of one name, fill the Sample Identifier of both rows. If another column is different in each row, name it with the option nameColumn, or join several that are so together by an import profile; if the rows are files or lanes of one sample, keep one of them, with what the others say in further columns.',
    'The row has no Release Date. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.',
  ],
  [
    'item',
    'Item 3 has this name already. Give each sample a name of its own, or, to update two samples of one name, give both items their accession.',
    'The item has no Release Date. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.',
  ],
  [
    'edit',
    'Line 3 has this name already. Give each sample a name of its own, or, to update two samples of one name, give both lines their accession.',
    'The line has no Release Date. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.',
  ],
] as const)('so are a repeated name and a missing release: %s', (form, repeated, missing) => {
  const place = { line: 7, column: 'c' };
  expect(repeatedName(place, form, 'n', 3)).toEqual({
    ...place,
    code: 'name.repeated',
    value: 'n',
    message: repeated,
    severity: 'error',
  });
  expect(missingRelease(place, form, 'Release Date')).toEqual({
    ...place,
    code: 'release.missing',
    message: missing,
    severity: 'error',
  });
});

it('an accession that is written nearly so is suggested', () => {
  expect(unknownIdentifier({ line: 7 }, 'sheet', 'samr1', 'SAMR1')).toMatchObject({
    value: 'samr1',
    suggestion: 'SAMR1',
    message:
      'There is no sample samr1 here; write SAMR1 if that is meant, or leave the cell empty to register a new sample.',
  });
});

it('what keeps a stored sample from being changed names it and what to do', () => {
  const place = { line: 7, column: 'Sample Identifier', value: 'SAMR1', severity: 'error' };
  expect(damagedSample({ line: 7, column: 'Sample Identifier' }, 'sheet', 'SAMR1')).toEqual({
    ...place,
    code: 'sample.damaged',
    message:
      'What is stored of sample SAMR1 was damaged on the disk; it was left as it is. Tell whoever runs this service, and send the row again when it is restored.',
  });
  expect(erasedSample({ line: 7, column: 'Sample Identifier' }, 'edit', 'SAMR1')).toEqual({
    ...place,
    code: 'sample.erased',
    message: 'Sample SAMR1 was erased: nothing of it is kept, and its accession is not given again. Take the line out.',
  });
  expect(changedSince({ line: 7, column: 'Sample Identifier' }, 'sheet', 'SAMR1', 4)).toEqual({
    ...place,
    code: 'row.changed-since',
    message:
      'Sample SAMR1 was changed meanwhile (it is at version 4 now) and was left as it is. Look at it, and send the row again if you still want to.',
  });
});

it('an item that breaks a rule shows its text or number, and nothing of lists and objects', () => {
  expect(unreadableItem(2, '{x', 'm')).toEqual({
    line: 2,
    code: 'item.not-json',
    value: '{x',
    message: 'm',
    severity: 'error',
  });
  const shownOf = (value: unknown) => invalidMember(2, '/a', value, 'm');
  expect(shownOf('t')).toEqual({
    line: 2,
    column: '/a',
    code: 'item.invalid',
    value: 't',
    message: 'm',
    severity: 'error',
  });
  expect(shownOf(5).value).toBe('5');
  for (const other of [['t'], { t: 1 }, true, null, undefined]) expect(shownOf(other)).not.toHaveProperty('value');
});

it.each([
  [{ form: 'sheet', accession: { column: 'biosample', columnLetter: 'B' } } as const, 'write SAMR1 in its biosample'],
  [{ form: 'sheet' } as const, 'add a column Sample Identifier and write SAMR1 in it'],
  [ITEM_PLACES, 'give the item "accession": "SAMR1"'],
  [EDIT_PLACES, 'give the line "accession": "SAMR1"'],
])('how a row is made to mean a sample, by its file: %o', (places, said) => {
  expect(howToName(places, 'SAMR1')).toBe(said);
});
