/** Cells → a row of the TAB dialect, spelled so that it reads back the same. With its line end. */
export const printRow = (cells: readonly string[]): string => `${cells.map(printCell).join('\t')}\n`;

/** Quoted only when it would not read back the same. */
export const printCell = (cell: string): string =>
  cell.charCodeAt(0) === 34 || /[\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
