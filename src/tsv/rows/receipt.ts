/**
 * The receipt below the rows of a result: lines that are no samples, from one marker to the other. Of one that has lost its
 * end nobody can say which of the lines behind it are rows, so such a file is refused.
 */
import { RegistryError } from '../../registry/errors.js';

export const RECEIPT_START = '********RECEIPT START********';
export const RECEIPT_END = '********RECEIPT END********';

/** @param line of the marker that begins the receipt, as a text editor shows it */
export const receiptUnclosed = (line: number): RegistryError =>
  new RegistryError(
    'file.receipt-unclosed',
    `Line ${line}: a receipt begins here and has no end, the line ${RECEIPT_END}, before the next one begins or the file ends; ` +
      'what stands behind it could be rows. Delete what is left of the receipt, or put its last line back.',
    { extra: { line } },
  );
