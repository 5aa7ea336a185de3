/** Warnings about a sheet as a whole: others of its workbook and sections that were not read, rows that are shorter than the header, what stands beside its cells, dates of release that were not taken, headers that are misspelt, values without one, units behind other columns than theirs. */
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { Issue, LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { columnLetter } from '../../tsv/dialect.js';
import { type MadeHeader, madeHeaders } from '../../tsv/forms/made-headers.js';
import { tablesBeside } from '../../tsv/header/beside-table.js';
import { cellPlace } from '../../tsv/header/cell-place.js';
import type { ColumnBlock, SheetPlan } from '../../tsv/header/columns.js';
import { type ColumnKind, columnKind, isSingle } from '../../tsv/header/header-name.js';
import { type MeantHeader, meantHeaders, meantRelease } from '../../tsv/header/meant-header.js';
import type { UploadOptions } from '../submission.js';
import { listedSheets } from '../uploads/read-as.js';
import { besideCells } from './beside-cells.js';
import { blanksBelow } from './blanks-below.js';
import { unitsAstray } from './units-astray.js';

/** The first batch of the file carries them; whoever goes on behind a worker that was lost gives none of its own. */
export async function* warnOfSheet(
  batches: AsyncIterable<LaidOutBatch>,
  plan: SheetPlan,
  options: Pick<UploadOptions, 'readAs' | 'releaseDate'>,
  cursor: number,
): AsyncGenerator<LaidOutBatch> {
  let first = cursor === 0;
  for await (const batch of batches) {
    const issues = first
      ? [...sheetIssues(plan, options), ...unitsAstray(plan, batch), ...blanksBelow(plan, batch)]
      : [];
    if (issues.length > 0) batch.warnings = [{ line: plan.headerLine, name: '', issues }, ...(batch.warnings ?? [])];
    first = false;
    yield batch;
  }
}

function sheetIssues(plan: SheetPlan, { readAs, releaseDate }: Pick<UploadOptions, 'readAs' | 'releaseDate'>): Issue[] {
  const others = readAs?.notRead && notRead(plan.headerLine, readAs.sheet, readAs.notRead);
  const release = releaseDate === undefined ? undefined : releaseNotTaken(plan, releaseDate);
  return [
    others,
    plan.sections && otherSections(plan, plan.sections),
    plan.shortRows === undefined ? undefined : shortRows(plan, plan.shortRows),
    ...besideCells(plan, readAs?.beside),
    release,
    ...(plan.headless ?? []).map((each) => noHeader(plan, each)),
    ...madeHeaders(plan).map((each) => madeHeader(plan, each)),
    ...misspeltHeaders(plan).map((each) => misspeltHeader(plan, each)),
    ...tablesBeside(plan.blocks ?? [], plan.nameColumn).map((each) => besideTable(plan, each)),
  ].filter((issue) => issue !== undefined);
}

function noHeader(plan: SheetPlan, { column, value }: NonNullable<SheetPlan['headless']>[number]): Issue {
  return rowIssue('column.no-header', cellPlace(plan, plan.headerLine, column), {
    value,
    message: `Column ${columnLetter(column)} has no header and is not stored; rows have values in it, such as "${shorten(value)}". Give it a header in the result and upload that, or delete it. Where cells stand one column too far to the right, the columns before it have values of others, too.`,
  });
}

function madeHeader(plan: SheetPlan, { column, repeats }: MadeHeader): Issue {
  const header = shorten(plan.header[column] as string);
  const named = repeats === undefined ? '' : shorten(repeats);
  const [what, todo] =
    repeats === undefined
      ? ['what a program calls a column without a header', 'Give it a header of its own, or delete it']
      : [
          `how a program numbers a second "${named}"`,
          `Where it is a further value of "${named}", call both columns Characteristics[${named}]`,
        ];
  return rowIssue('column.made-name', cellPlace(plan, plan.headerLine, column), {
    value: header,
    message: `Column ${columnLetter(column)} is called "${header}", which is ${what}; it was stored as a characteristic of that name. ${todo} in the result and upload that.`,
  });
}

/** As many are said; the page names the others once these are put right. */
const MOST_MISSPELT = 100;
const NOT_STORED: ColumnKind['kind'][] = ['owner', 'ignored column', 'broken'];

/**
 * Headers whose columns would be stored, or stored as something else, if they were written as they were probably meant. Of those that a sheet has once,
 * this is said otherwise, or asked before anything is registered.
 */
function misspeltHeaders({ header, profile }: SheetPlan): MeantHeader[] {
  if (profile && profile.rank !== 'shipped') return [];
  const isSaid = (kind: ColumnKind['kind']): boolean => !isSingle(kind) && !NOT_STORED.includes(kind);
  return meantHeaders(header)
    .filter(({ meant }) => isSaid(columnKind(meant).kind))
    .slice(0, MOST_MISSPELT);
}

function misspeltHeader(plan: SheetPlan, { column, meant }: MeantHeader): Issue {
  const header = shorten(plan.header[column] as string);
  const became = plan.keptColumns.includes(column)
    ? 'and was stored as a characteristic of that name'
    : 'and is not stored';
  return rowIssue('column.misspelt', cellPlace(plan, plan.headerLine, column), {
    value: header,
    message: `Column ${columnLetter(column)} is called "${header}", which the dialect does not know, ${became}. If ${shorten(meant)} is meant, call it so in the result and upload that.`,
    suggestion: meant,
  });
}

function besideTable(plan: SheetPlan, { from, to, rows }: ColumnBlock): Issue {
  const columns = from === to ? `Column ${columnLetter(from)}` : `Columns ${columnLetter(from)} to ${columnLetter(to)}`;
  const [stand, them, have] = from === to ? ['stands', 'it', 'has'] : ['stand', 'them', 'have'];
  return rowIssue('sheet.table-beside', cellPlace(plan, plan.headerLine, from), {
    message: `${columns} ${stand} apart from the samples, behind or before an empty column, and ${have} values in ${rows} rows, which are not the rows of the samples. What stands in a row was taken for its sample; if ${from === to ? 'it is a list' : 'they are a table'} of ${them === 'it' ? 'its' : 'their'} own, undo the upload, delete ${them} from the sheet and upload that anew.`,
  });
}

/** As many are named. */
const MOST_SECTIONS = 5;

function otherSections({ headerLine }: SheetPlan, sections: NonNullable<SheetPlan['sections']>): Issue {
  const named = sections.slice(0, MOST_SECTIONS).map(({ title, line }) => `${shorten(title)} (line ${line})`);
  const one = sections.length === 1;
  const [names, was, says] = one ? ['names', 'was', 'what it says is'] : ['name', 'were', 'what they say is'];
  return rowIssue(
    'sheet.not-read',
    { line: headerLine },
    {
      message: `Behind the section that was read ${named.join(', ')} ${names} samples, too, and ${was} not read: ${says} neither stored nor in the result. If it is to be kept, put it into columns of the samples in the result, and upload that.`,
    },
  );
}

function shortRows(plan: SheetPlan, cells: number): Issue {
  const { header, headerLine } = plan;
  const named = header.findLastIndex((text) => text.trim() !== '') + 1;
  const lacking = named - cells;
  const last = lacking === 1 ? 'the last column is' : `the last ${lacking} columns are`;
  return rowIssue('sheet.rows-short', cellPlace(plan, headerLine, cells), {
    message: `The header has ${named} cells and each row ${cells}, so that ${last} empty. If nothing is meant to stand there, all is well; if a value is missing further left, those behind it stand under the header of another: undo the upload, give each row all its cells, and upload the sheet anew.`,
  });
}

/** Whoever keeps a profile has said what the column is. */
function releaseNotTaken(plan: SheetPlan, releaseDate: number): Issue | undefined {
  const { releaseColumn, profile, header, headerLine } = plan;
  if (releaseColumn !== undefined || (profile && profile.rank !== 'shipped')) return undefined;
  const column = meantRelease(header);
  if (column === undefined) return undefined;
  const date = new Date(releaseDate).toISOString();
  return rowIssue('release.not-taken', cellPlace(plan, headerLine, column), {
    value: header[column] as string,
    message: `"${shorten(header[column] as string)}" is no header for dates of release: new samples become public on ${date}, as the option releaseDate says. If the column says when, write its dates into the column Release Date of the result and upload that.`,
  });
}

function notRead(line: number, sheet: string, others: readonly string[]): Issue {
  const one = others.length === 1;
  return rowIssue(
    'sheet.not-read',
    { line },
    {
      message: `Of the workbook the sheet "${shorten(sheet)}" was read alone; ${listedSheets(others)}. If ${one ? 'these are' : 'those are'} to be registered, upload the workbook once more${one ? '' : ' for each of them'}, naming the sheet with the option sheet. If ${one ? 'it says' : 'they say'} more of the samples that were read, send the workbook first with the option key, the header of the column that names them, and then with sheet, the same key and update=merge: without a key, each row is one more sample.`,
    },
  );
}
