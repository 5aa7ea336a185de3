/** Which files are workbooks or archives, by their first bytes. */
import { GZIP, OLE, startsWith, ZIP } from '../tsv/header/wrong-kind.js';

/** Bytes of the head that are looked at. */
export const KIND_BYTES = 16;

/** True for a zip package, which may be a workbook or an archive; the reading process tells which. */
export const isPackage = (head: Buffer): boolean => startsWith(head, ZIP);

export const isGzip = (head: Buffer): boolean => startsWith(head, GZIP);

/** The container of .xls, of encrypted .xlsx and of other office files. */
export const isCompoundFile = (head: Buffer): boolean => startsWith(head, OLE);
