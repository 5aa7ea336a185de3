import { expect, it } from 'vitest';
import type { IssueGroup } from '../../src/client/documents.js';
import { ISSUES, ROW_ISSUE_CODES } from '../../src/registry/issue-codes.js';
import {
  accessionPlace,
  foreignIdentifier,
  repeatedIdentifier,
  rowIssue,
  unknownIdentifier,
} from '../../src/registry/row-issue.js';
import type { Issue, RowNote } from '../../src/registry/sample-batch.js';
import type { CellIssue } from '../../web/src/api/contract.js';

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
});

it.each([
  ['sheet', 'Sample Identifier', 'leave the cell empty', 'The row on line 3'],
  ['item', '/accession', 'leave "accession" out', 'Item 3'],
  ['edit', '/accession', 'take the line out', 'Line 3'],
] as const)('an identifier is spoken of in the words of its file: %s', (form, column, leave, at) => {
  const place = accessionPlace(7, form);
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
