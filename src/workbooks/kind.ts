/** Which files are workbooks or archives, by their first bytes, and those that look like one and are not read. */
import { GZIP, OLE, startsWith, ZIP } from '../tsv/header/wrong-kind.js';
import { wrongKind } from './refusal.js';

/** Bytes of the head that are looked at. */
export const KIND_BYTES = 64 * 1024;

/** True for a zip package, which may be a workbook or an archive; the reading process tells which. */
export const isPackage = (head: Buffer): boolean => startsWith(head, ZIP);

export const isGzip = (head: Buffer): boolean => startsWith(head, GZIP);

/** The container of .xls and of encrypted .xlsx files. */
export const looksLikeOldWorkbook = (head: Buffer): boolean => startsWith(head, OLE);

/**
 * @throws RegistryError file.wrong-kind for the old binary workbooks and encrypted ones, which share a container
 */
export function refuseOldWorkbook(head: Buffer, tail: Buffer = head): void {
  if (!startsWith(head, OLE)) return;
  const name = (text: string): boolean => [head, tail].some((part) => part.includes(Buffer.from(text, 'utf16le')));
  if (name('EncryptedPackage') || name('EncryptionInfo')) {
    throw wrongKind(
      'The workbook is protected with a password.',
      'Take the password off, save it as .xlsx and upload that.',
    );
  }
  if (name('Workbook') || name('Book')) throw wrongKind('This is an old binary workbook (.xls).');
  throw wrongKind('This is a binary office file (.xls, .doc or the like).');
}
