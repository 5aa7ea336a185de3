/** How a workbook was read: kept with the submission's options. */
export interface ReadAs {
  /** Name of the sheet. */
  sheet: string;
  /** Bytes of its text. */
  bytes: number;
}
