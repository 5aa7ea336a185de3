/** The header row that was found in a text → the plan of its sheet: what the service and the page both say of it. */
import { RegistryError } from '../../registry/errors.js';
import { found, noSampleName, planColumns, type SheetOptions, type SheetPlan } from './columns.js';
import type { HeaderRow } from './find-header.js';
import { proposedNames } from './name-column.js';
import { textKind } from './wrong-kind.js';

/**
 * @param text the head of the file, or all of it
 * @param encoding WHATWG name
 * @throws RegistryError file.header, with `nameColumns` where a column could name the samples; file.wrong-kind
 */
export function planHeader(row: HeaderRow, text: string, encoding: string, options: SheetOptions): SheetPlan {
  const { marked: _, named, cells, ...where } = row;
  const line = row.headerLine;
  if (cells.some((cell) => cell.includes('\0'))) throw notText(line);
  const kind = named ? undefined : textKind(cells);
  if (kind) {
    throw wrongKind(
      `Line ${line}: this looks like ${kind.kind}, not a table of samples with the columns Sample Name and Release Date: ${kind.fix}. ${found(cells)}`,
      line,
    );
  }
  if (!named) throw unnamed(text, row.marked ?? row, options);
  return planColumns(cells, { ...where, encoding }, options);
}

function unnamed(text: string, row: HeaderRow, options: SheetOptions): RegistryError {
  if (text.includes('\0')) return notText(row.headerLine);
  return noSampleName(row.cells, row.headerLine, options, proposedNames(text, row));
}

export const wrongKind = (message: string, line?: number): RegistryError =>
  new RegistryError('file.wrong-kind', message, line === undefined ? {} : { extra: { line } });

export const notText = (line: number): RegistryError =>
  wrongKind(
    `Line ${line}: this is not text (it holds NUL characters). Save the sheet as tab-separated text (.tsv) and upload that.`,
    line,
  );
