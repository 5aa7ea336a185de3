/** The rows of the head of a file. */
import { RegistryError } from '../../registry/errors.js';
import type { Delimiter } from '../dialect.js';
import type { Row } from './row.js';
import { RowReader } from './row-reader.js';

/** UTF-16 units of the head that are split at a time. */
const PIECE = 16 * 1024;

/** The rows of a head of the file, read a piece at a time: what stands at its top is not worth splitting all of it. */
export function* headRows(
  text: string,
  complete: boolean,
  reader: RowReader,
  rows: { next(): boolean },
): Generator<Row> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = text.indexOf('\n', from + PIECE) + 1 || text.length;
    reader.load(text.substring(from, to), complete && to === text.length);
    while (rows.next()) yield reader.row;
  }
}

/** The filled rows below a header, each as long as it is the present one. What cannot be split is left out: whoever reads the file says where. */
export function* rowsBelow(
  { delimiter, headerEnd }: { delimiter: Delimiter; headerEnd: number },
  text: string,
  rowsAreLines?: true,
): Generator<Row> {
  const reader = new RowReader(delimiter, rowsAreLines);
  try {
    for (const row of headRows(text, true, reader, reader))
      if (row.line > headerEnd && row.firstFilled() >= 0) yield row;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
  }
}
