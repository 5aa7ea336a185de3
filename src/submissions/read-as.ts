/** How a workbook was read: kept with the submission's options. */
export interface ReadAs {
  /** Name of the sheet. */
  sheet: string;
  /** Bytes of its text. */
  bytes: number;
  /** Bytes of the compressed text as it is kept; absent where it is kept as it is, as older versions did. */
  packed?: number;
}

/** What is said of a file, with the sheet that was read when it is a workbook. */
export const ofSheet = (message: string, { readAs }: { readAs?: ReadAs }): string =>
  readAs ? `Sheet "${readAs.sheet.slice(0, 100)}" of the workbook: ${message}` : message;
