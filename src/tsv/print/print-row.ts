/** Cells → a row of the TAB dialect, spelled so that it reads back the same. With its line end. */
export const printRow = (cells: readonly string[]): string => `${cells.map(printCell).join('\t')}\n`;

/** Quoted only when it would not read back the same. */
export const printCell = (cell: string): string =>
  cell.charCodeAt(0) === 34 || /[\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** The same with commas, for programs that want them (RFC 4180 but for the line end). With its line end. */
export const printCommaRow = (cells: readonly string[]): string => `${cells.map(commaCell).join(',')}\n`;

const commaCell = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
