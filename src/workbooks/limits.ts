/** How much of a workbook is read. Excel's own limits where it has one; the rest keep the reading process under 300 MB and 15 s of harm. */
const MiB = 1024 * 1024;

export const LIMITS = {
  /** Parts in the package. An honest workbook has some tens; one with a picture per row some thousands. */
  entries: 20_000,
  /** Excel's. */
  rows: 1_048_576,
  columns: 16_384,
  /** Cell positions up to the last filled one of each row, filled or not. */
  cells: 60_000_000,
  /** Cells that are merged over several rows. */
  merged: 100_000,
  /** Unzipped bytes of the sheet that is read. */
  sheetBytes: 4096 * MiB,
  /** Unzipped bytes of all texts of the workbook. */
  textBytes: 512 * MiB,
  /** What the texts take once read. */
  textsKept: 96 * MiB,
  /** Unzipped bytes of styles, relations, and the list of sheets, each. */
  partBytes: 16 * MiB,
  /** Unzipped bytes per zipped one, looked at behind the first `ratioFrom` bytes. Sheets of equal rows reach about 100. */
  ratio: 300,
  ratioFrom: 64 * MiB,
  /** XML without a tag, a text or a comment that ends. */
  token: 4 * MiB,
  /** Characters of one cell; Excel holds 32 767. */
  cellText: 1_000_000,
  /** Bytes of table text that one piece of the sheet becomes: they are in memory until it is read. Texts used over and over take little in it. */
  pieceBytes: 64 * MiB,
  /** Bytes of table text that are made. */
  outputBytes: 4096 * MiB,
  /** Formats and sheets of a binary workbook; Excel writes some thousands at most. */
  binaryParts: 65_536,
  /** Rows looked at in each sheet for a header that is known. */
  headerRows: 50,
  /** Tables of an archive that are looked into for one that names samples. */
  archivedTables: 100,
} as const;

/**
 * Milliseconds of the processor's time without a byte of progress while the reader waits, and how many times as long it is
 * waited for where the machine gives the reading process less; and milliseconds for the whole.
 */
export const STALL_MS = 12_000;
export const STALL_PATIENCE = 10;
export const TOTAL_MS = 15 * 60_000;

/** Of the reading process: its JavaScript heap, in MiB. Texts are kept outside of it. */
export const HEAP_MIB = 96;
