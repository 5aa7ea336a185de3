/** Tables → .xlsx, as a stream: rows are taken as they come and never held. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { COLUMN_LIMIT, columnLetter } from '../tsv/dialect.js';
import { type CellComment, commentsPart, drawingPart, MAX_COMMENTS } from './comments.js';
import {
  type CellStyle,
  contentTypes,
  DECLARATION,
  MAIN,
  RELATIONS,
  ROOT_RELATIONS,
  relationships,
  STYLE,
  STYLES,
  xmlText,
} from './ooxml.js';

export interface WrittenCell {
  text: string;
  style?: CellStyle;
  /** Shown when the pointer rests on the cell. */
  comment?: string;
}

export interface DropDown {
  /** Column of the sheet, from 0. */
  column: number;
  /** Allowed values; they are written to a hidden sheet. Other values are warned of, not refused. */
  values: readonly string[];
}

export interface WrittenSheet {
  name: string;
  rows: Iterable<readonly WrittenCell[]> | AsyncIterable<readonly WrittenCell[]>;
  /** Widths in characters. */
  widths?: readonly number[];
  /** Rows that stay in view. */
  frozenRows?: number;
  dropDowns?: readonly DropDown[];
  /** Its cells may have comments. */
  commented?: boolean;
}

/** Rows of a template that get drop-down lists. */
const DROP_DOWN_ROWS = 10_000;
const LISTS = 'Lists';
/** The earliest that a zip can say: the same table makes the same bytes. */
const MTIME = new Date(1980, 0, 1, 12);
const PIECE = 64 * 1024;

/** An error of a row source destroys the stream. */
export function writeWorkbook(sheets: readonly WrittenSheet[], author: string): Readable {
  const zip = new ZipFile();
  const lists = sheets.flatMap((sheet) => sheet.dropDowns ?? []).map(({ values }) => values);
  const names = [...sheets.map(({ name }) => name), ...(lists.length > 0 ? [LISTS] : [])];
  const fail = (error: Error): void => void (zip.outputStream as Readable).destroy(error);
  const add = (path: string, content: string): void => zip.addBuffer(Buffer.from(content), path, { mtime: MTIME });
  const stream = (path: string, content: () => AsyncIterable<string>): void =>
    zip.addReadStreamLazy(path, { mtime: MTIME }, (done) => {
      const source = Readable.from(pieces(content()), { objectMode: false });
      source.once('error', fail);
      done(null, source);
    });

  add('_rels/.rels', ROOT_RELATIONS);
  add('xl/workbook.xml', workbookPart(names, lists.length > 0 ? names.length - 1 : undefined));
  add('xl/_rels/workbook.xml.rels', workbookRelations(names.length));
  add('xl/styles.xml', STYLES);
  let firstList = 0;
  const all = sheets.map((sheet, i) => {
    const comments: CellComment[] = [];
    const list = firstList;
    firstList += sheet.dropDowns?.length ?? 0;
    stream(`xl/worksheets/sheet${i + 1}.xml`, () => sheetPart(sheet, comments, list));
    return comments;
  });
  if (lists.length > 0) add(`xl/worksheets/sheet${names.length}.xml`, listsPart(lists));
  const commented = sheets.flatMap(({ commented }, i) => (commented ? [i] : []));
  for (const i of commented) {
    const comments = all[i] as CellComment[];
    // The texts are known when the rows have been written, which comes first.
    stream(`xl/comments${i + 1}.xml`, () => once(() => commentsPart(comments, author)));
    stream(`xl/drawings/vmlDrawing${i + 1}.vml`, () => once(() => drawingPart(comments)));
    add(
      `xl/worksheets/_rels/sheet${i + 1}.xml.rels`,
      relationships([
        { type: 'comments', target: `../comments${i + 1}.xml` },
        { type: 'vmlDrawing', target: `../drawings/vmlDrawing${i + 1}.vml` },
      ]),
    );
  }
  add(
    '[Content_Types].xml',
    contentTypes(
      names.length,
      commented.map((i) => i + 1),
    ),
  );
  zip.end();
  return zip.outputStream as Readable;
}

async function* once(content: () => string): AsyncGenerator<string> {
  yield content();
}

async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

function workbookPart(names: readonly string[], hidden: number | undefined): string {
  const sheets = names.map(
    (name, i) =>
      `<sheet name="${xmlText(name)}" sheetId="${i + 1}"${i === hidden ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
  );
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`;
}

const workbookRelations = (sheets: number): string =>
  relationships([
    ...Array.from({ length: sheets }, (_, i) => ({ type: 'worksheet', target: `worksheets/sheet${i + 1}.xml` })),
    { type: 'styles', target: 'styles.xml' },
  ]);

async function* sheetPart(sheet: WrittenSheet, comments: CellComment[], firstList: number): AsyncGenerator<string> {
  yield `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">${views(sheet.frozenRows ?? 0)}${columns(sheet.widths ?? [])}<sheetData>`;
  let row = 0;
  for await (const cells of sheet.rows) {
    row++;
    cells.forEach(({ comment }, column) => {
      if (comment !== undefined && comments.length < MAX_COMMENTS) comments.push({ row, column, text: comment });
    });
    yield `<row r="${row}">${cells.map((cell, column) => cellPart(cell, row, column)).join('')}</row>`;
  }
  yield `</sheetData>${validations(sheet.dropDowns ?? [], firstList)}${sheet.commented ? '<legacyDrawing r:id="rId2"/>' : ''}</worksheet>`;
}

function cellPart({ text, style = 'plain' }: WrittenCell, row: number, column: number): string {
  const at = `r="${columnLetter(column)}${row}" s="${STYLE[style]}"`;
  if (text === '') return style === 'plain' ? '' : `<c ${at}/>`;
  return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

const views = (frozen: number): string =>
  frozen === 0
    ? ''
    : `<sheetViews><sheetView workbookViewId="0"><pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;

/** The rest of the sheet's columns are text as well: someone will add one. */
function columns(widths: readonly number[]): string {
  const own = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" style="${STYLE.plain}" customWidth="1"/>`,
  );
  const rest =
    widths.length < COLUMN_LIMIT
      ? `<col min="${widths.length + 1}" max="${COLUMN_LIMIT}" width="14" style="${STYLE.plain}"/>`
      : '';
  return `<cols>${own.join('')}${rest}</cols>`;
}

function validations(dropDowns: readonly DropDown[], firstList: number): string {
  if (dropDowns.length === 0) return '';
  const all = dropDowns.map(({ column, values }, i) => {
    const letter = columnLetter(column);
    const list = columnLetter(firstList + i);
    return `<dataValidation type="list" errorStyle="warning" allowBlank="1" showErrorMessage="1" errorTitle="Not in the list" error="The checklist allows only the values of the list." sqref="${letter}2:${letter}${DROP_DOWN_ROWS}"><formula1>${LISTS}!$${list}$1:$${list}$${values.length}</formula1></dataValidation>`;
  });
  return `<dataValidations count="${all.length}">${all.join('')}</dataValidations>`;
}

function listsPart(lists: readonly (readonly string[])[]): string {
  const height = Math.max(...lists.map((list) => list.length));
  const rows = Array.from({ length: height }, (_, i) => {
    const cells = lists.map((list, column) => cellPart({ text: list[i] ?? '' }, i + 1, column));
    return `<row r="${i + 1}">${cells.join('')}</row>`;
  });
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
}
