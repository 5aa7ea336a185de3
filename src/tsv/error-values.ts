/** What a spreadsheet shows in a cell whose formula has no result. */

/** In Excel, LibreOffice and Google Sheets. */
const ERROR_VALUE =
  /^(#(ERROR|REF|N\/A|VALUE|DIV\/0|NAME|NULL|NUM|SPILL|CALC|BUSY|FIELD|BLOCKED|CONNECT|GETTING_DATA|UNKNOWN!?)[!?]?|#{3,}|Err:\d{3})$/i;
/** In Google Sheets, until what a formula asks for is there, as by `IMPORTRANGE`. */
const AWAITED = /^loading(?:\.{3}|…)$/i;

export const isErrorValue = (text: string): boolean => ERROR_VALUE.test(text);

export const isAwaited = (text: string): boolean => AWAITED.test(text);
