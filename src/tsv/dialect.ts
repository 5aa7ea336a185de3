/**
 * The whole TSV dialect in one place: delimiters, quotes, line ends, limits, how headers are compared. No other file
 * sets an option of csv-stringify. In words: docs/tsv-dialect.md.
 */
import type { Options as StringifyOptions } from 'csv-stringify/sync';

export type Delimiter = '\t' | ',' | ';' | '|';

/** Tried in this order; the others only when a header row has no Sample Name with the ones before. */
export const DELIMITERS: readonly Delimiter[] = ['\t', ',', ';', '|'];

/** As receipts and the page name them, several of them. */
export const DELIMITER_WORDS: Readonly<Record<Delimiter, string>> = {
  '\t': 'tabs',
  ',': 'commas',
  ';': 'semicolons',
  '|': 'vertical bars',
};

/** Characters of one cell; a longer one is an issue of its row. */
export const CELL_LIMIT = 100_000;

/** UTF-16 units of one row, and bytes without a line end; beyond it the file is refused, so that memory is bounded. */
export const ROW_LIMIT = 12 * 1024 * 1024;

/** As many bytes as the header row, and what stands before it, may take. */
export const HEADER_LIMIT = 1024 * 1024;

export const COLUMN_LIMIT = 16_384;

/** Rows from the top of a file among which its header is looked for: a megabyte of remarks would hold up everybody else. */
export const HEADER_ROWS = 10_000;

/** Cells of one row that are distinguished; what follows is read as one cell, which is an issue of the row anyway. */
export const CELLS_PER_ROW = 65_536;

/** Sample Name of the example row of our templates; a row that still has it is no sample. */
export const EXAMPLE_NAME = 'Example sample (replace this row)';

/** What a cell holds that takes its value away, unless the upload names another text; in any case (docs/decisions/0126-cells-that-clear.md). */
export const CLEAR_MARKER = '[clear]';

/** True of every text that holds such a cell: for a look at a whole row. */
export const MAY_HOLD_CLEAR_MARKER = new RegExp(CLEAR_MARKER.replaceAll(/[[\]]/g, '\\$&'), 'i');

export const isClearMarker = (cell: string, marker = CLEAR_MARKER): boolean =>
  cell.length === marker.length && cell.toLowerCase() === marker;

/** For rows that we write ourselves: a cell that a spreadsheet would calculate is led by an apostrophe. */
export const OUR_ROWS: StringifyOptions = {
  delimiter: '\t',
  record_delimiter: '\n',
  quote: '"',
  escape: '"',
  escape_formulas: true,
};

/** Characters of a text that is a name or a word: of a megabyte it takes a tenth of a second to take the blanks out. */
export const LONGEST_NAME = 1000;

/** What nobody sees: soft hyphens, marks of no width and of direction that pages and text programs leave. Joiners are letters to some languages. */
export const UNSEEN = '\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff';
const FOLDED = new RegExp(`[\\s_${UNSEEN}]+`, 'gu');

/**
 * Text for comparison: case, blanks, underscores and what nobody sees make no difference. Where there is nothing else, underscores are one and a mark is
 * itself, not an empty text. Of longer texts than any name has, case alone makes none.
 */
export function fold(text: string): string {
  if (text.length > LONGEST_NAME) return text.trim().toLowerCase();
  const folded = text.toLowerCase().replace(FOLDED, '');
  if (folded !== '') return folded;
  return text.includes('_') ? '_' : text.trim();
}

const TAB = 9;
const LF = 10;
const CR = 13;

export const isLineBreak = (code: number): boolean => code === LF || code === CR;

/** What `String.prototype.trim` takes away. */
export function isBlank(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= TAB && code <= CR);
  return code >= 160 && WIDE_BLANKS.has(code);
}

const WIDE_BLANKS = new Set([
  0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029,
  0x202f, 0x205f, 0x3000, 0xfeff,
]);

/** Line breaks in a piece of text: LF, CRLF and CR count one each. */
export function countLineBreaks(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) count++;
  }
  return count;
}

/** A, B, … Z, AA, … as spreadsheets letter their columns; `column` is 0-based. */
export function columnLetter(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** 0-based number of the column with these letters, A to XFD. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (let at = 0; at < letters.length; at++) number = number * 26 + letters.charCodeAt(at) - 64;
  return number - 1;
}
