import type { BesideCells } from '../../tsv/beside-cells.js';

/** How a workbook, an archive or an ISA-JSON document was read: kept with the submission's options. */
export interface ReadAs {
  /** Name of the sheet, or of the file in the archive. */
  sheet: string;
  /** Bytes of its text. */
  bytes: number;
  /** Bytes of the compressed text as it is kept; absent where it is kept as it is, as older versions did. */
  packed?: number;
  /** It is a file of an archive, of any encoding and with line numbers of its own. */
  archived?: true;
  /** It is an ISA-JSON document, of which the text has a source or sample on each line. */
  isa?: true;
  /** Sheets of the workbook that name samples, too, where nobody said which one to read. */
  notRead?: string[];
  /** What the sheet has beside the values of its cells, which is not read. */
  beside?: BesideCells;
  /** Of the study whose table it is, as the archive says. */
  title?: string;
  /** The date for rows without one is that of the archive. */
  dated?: true;
}

type Read = { readAs?: ReadAs };

/** Whether the text that is read is that of a workbook's sheet: ours, in UTF-8, a line for each row. */
export const isOfWorkbook = ({ readAs }: Read): boolean => readAs !== undefined && !readAs.archived && !readAs.isa;

/** What is wrong with a file, with the sheet of a workbook or the file of an archive that was read, and those that could be meant instead. */
export function ofSheet(message: string, { readAs }: Read): string {
  if (!readAs || readAs.isa) return message;
  const name = readAs.sheet.slice(0, 100);
  return `${readAs.archived ? `File "${name}" of the archive` : `Sheet "${name}" of the workbook`}: ${message}${meantInstead(readAs.notRead)}`;
}

/** Of long lists. */
const MOST_NAMED = 10;

/** Sheets in quotes, and whether they name samples or one names them. */
export function listedSheets(names: readonly string[]): string {
  const listed = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  return `${listed.join(', ')}${names.length > listed.length ? ' …' : ''} ${names.length === 1 ? 'names' : 'name'} samples, too`;
}

const meantInstead = (names: readonly string[] = []): string =>
  names.length === 0
    ? ''
    : ` ${listedSheets(names)}: if ${names.length === 1 ? 'that sheet is' : 'one of these sheets is'} meant, name it with the option sheet.`;
