/** Cells → a row of the TAB dialect, spelled so that it reads back the same. With its line end. */
export const printRow = (cells: readonly string[]): string => `${cells.map(printCell).join('\t')}\n`;

/** Line breaks, and quotes at the beginning of a cell: in one cell, or in several with TABs between them. */
export const NEEDS_QUOTES = /[\n\r]|(?:^|\t)"/;

/** Quoted only when it would not read back the same. */
export const printCell = (cell: string): string =>
  cell.includes('\t') || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** The same with commas, for programs that want them (RFC 4180 but for the line end). With its line end. */
export const printCommaRow = (cells: readonly string[]): string => `${cells.map(commaCell).join(',')}\n`;

const commaCell = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
