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
  /** Of the study whose table it is, as the archive says. */
  title?: string;
  /** The date for rows without one is that of the archive. */
  dated?: true;
}

type Read = { readAs?: ReadAs };

/** Whether the text that is read is that of a workbook's sheet: ours, in UTF-8, a line for each row. */
export const isOfWorkbook = ({ readAs }: Read): boolean => readAs !== undefined && !readAs.archived && !readAs.isa;

/** What is said of a file, with the sheet of a workbook or the file of an archive that was read. */
export function ofSheet(message: string, { readAs }: Read): string {
  if (!readAs || readAs.isa) return message;
  const name = readAs.sheet.slice(0, 100);
  return `${readAs.archived ? `File "${name}" of the archive` : `Sheet "${name}" of the workbook`}: ${message}`;
}
