/** What is found out about a row only when the store is asked names the place as its file does, whatever form the file has. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import { Intake, sheetOf } from './intake.js';

const D = '2020-01-01';
let intake: Intake;
/** Of ada: names known to the account, the first with a key; and one of another account. */
let theirs: string;
beforeAll(async () => {
  intake = await Intake.open();
  const header = ['Sample Name', 'Release Date', 'lab'];
  const ours = await intake.send(sheetOf(header, ['known', D, 'A'], ['other', D, 'B']), { key: 'lab' });
  expect(ours.counts.created).toBe(2);
  await intake.send(sheetOf(header.slice(0, 2), ['theirs', D]), {}, { account: 'eve' });
  theirs = 'SAMR3';
});
afterAll(() => intake.close());

async function issuesOf(file: string, options: Partial<UploadOptions> = {}): Promise<Issue[]> {
  const { id } = await intake.send(file, { dryRun: true, duplicate: 'allow', ...options }, { fileName: 'samples' });
  const found: Issue[] = [];
  for await (const { rejected, warnings = [] } of intake.store.ledger(id))
    found.push(...[...rejected, ...warnings].flatMap(({ issues }) => issues));
  return found;
}

const itemOf = (name: string, accession: string) => ({ name, release: D, ...(accession && { accession }) });

const of = (accession: string, name = 'new') => ({
  ours: sheetOf(['Sample Name', 'Release Date', 'tissue', 'Sample Identifier'], [name, D, 'liver', accession]),
  'of other headers': sheetOf(
    ['tissue', 'sample', ' sample identifier', 'Release Date'],
    ['liver', name, accession, D],
  ),
  'without a column of accessions': sheetOf(['sample', 'Release Date', 'tissue'], [name, D, 'liver']),
  'JSON lines': `${JSON.stringify(itemOf(name, accession))}\n`,
  'a JSON array': JSON.stringify([itemOf(name, accession)]),
});
type Form = keyof ReturnType<typeof of>;
const optionsOf = (form: Form): Partial<UploadOptions> =>
  form === 'of other headers' || form === 'without a column of accessions' ? { nameColumn: 'sample' } : {};

it.each([
  ['ours', 2, 'Sample Identifier', 'D'],
  ['of other headers', 2, 'sample identifier', 'C'],
  ['JSON lines', 1, '/accession', undefined],
  ['a JSON array', 1, '/accession', undefined],
] as const)('the accession of another account, in a file: %s', async (form, line, column, columnLetter) => {
  const [issue, ...more] = await issuesOf(of(theirs)[form], optionsOf(form));
  expect(more).toEqual([]);
  expect(issue).toMatchObject({ line, column, code: 'identifier.not-yours', value: theirs });
  expect(issue?.columnLetter).toBe(columnLetter);
});

it.each([
  ['ours', 'Sample Name', 'If this row means that one, write SAMR2 in its Sample Identifier.'],
  ['of other headers', 'sample', 'If this row means that one, write SAMR2 in its sample identifier.'],
  [
    'without a column of accessions',
    'sample',
    'If this row means that one, add a column Sample Identifier and write SAMR2 in it.',
  ],
  ['JSON lines', '/name', 'If this item means that one, give the item "accession": "SAMR2".'],
  ['a JSON array', '/name', 'If this item means that one, give the item "accession": "SAMR2".'],
] as const)('a name that the account has given before: %s', async (form, column, said) => {
  const [issue] = await issuesOf(of('', 'other')[form], optionsOf(form));
  expect(issue).toMatchObject({ column, code: 'name.used-before', value: 'other' });
  expect(issue?.message).toContain(said);
});

it('what the warning of a sheet without accessions says can be done, and updates that sample', async () => {
  const sheet = sheetOf(['sample', 'Release Date', 'tissue', 'Sample Identifier'], ['other', D, 'liver', 'SAMR2']);
  const { counts } = await intake.send(sheet, { dryRun: true, nameColumn: 'sample' });
  expect(counts).toMatchObject({ updated: 1, created: 0, rejected: 0 });
});

const KEYED = ['LAB', 'sample', 'collected', 'Comment[bsd_relationship:derived from]'];
it.each([
  ['read row by row', KEYED.slice(0, 3), ['new key', 'x', 'y']],
  ['surveyed first', KEYED, ['new key', 'x', 'y', '']],
])('keys are spoken of by the header that the sheet gives them: %s', async (_, header, row) => {
  const more = header.length === 4 ? [['second', 'x2', 'y', 'x']] : [];
  const issues = await issuesOf(sheetOf(header, row, ...more), { key: 'lab', nameColumn: 'sample' });
  expect(issues[0]).toMatchObject({ line: 2, column: 'sample', columnLetter: 'B', code: 'release.missing' });
  const only = await issuesOf(sheetOf(header, row, ...more), {
    key: 'lab',
    nameColumn: 'sample',
    onlyUpdate: true,
    releaseDate: 0,
  });
  expect(only[0]).toMatchObject({ line: 2, column: 'LAB', columnLetter: 'A', code: 'key.unknown' });
});
