/** The text of a workbook's sheet, with what the reader says of it. */
import type { WantedSheet } from '../../src/workbooks/choose-sheet.js';
import { type ChosenSheet, convertWorkbook } from '../../src/workbooks/convert.js';
import type { SheetNotes } from '../../src/workbooks/sheet.js';

export async function readWorkbook(
  path: string,
  wanted: WantedSheet = {},
): Promise<ChosenSheet & { tsv: string; notes: SheetNotes }> {
  let chosen: ChosenSheet | undefined;
  const pieces: Buffer[] = [];
  const notes = await convertWorkbook(
    path,
    wanted,
    (found) => {
      chosen = found;
    },
    async (piece) => void pieces.push(Buffer.from(piece)),
  );
  return { ...(chosen as ChosenSheet), tsv: Buffer.concat(pieces).toString(), notes };
}
