/** Why a workbook is not read, in words that tell what to do. */

import { type ErrorCode, RegistryError } from '../registry/errors.js';
import { columnLetter } from '../tsv/dialect.js';
import { SAVE_AS_TABLE, type Unread } from '../tsv/header/office-files.js';

export const wrongKind = (what: string, fix = SAVE_AS_TABLE, extra?: Record<string, unknown>): RegistryError =>
  new RegistryError('file.wrong-kind', `${what} ${fix}`, extra ? { extra } : {});

/** @throws RegistryError file.wrong-kind where the list has it */
export function refuseUnread(unread: Unread | undefined): void {
  if (unread) throw wrongKind(unread.what, unread.fix);
}

export const tooLarge = (what: string): RegistryError =>
  new RegistryError(
    'file.too-large',
    `${what} Save the sheet as tab-separated text (.tsv) and upload that, or split it.`,
  );

export const broken = (what: string, extra?: Record<string, unknown>): RegistryError =>
  new RegistryError(
    'file.not-understood',
    `${what} Open the workbook in a spreadsheet program, save it anew as .xlsx, and upload that.`,
    extra ? { extra } : {},
  );

/** Of the package itself, which may be an archive as well as a workbook. */
export const damaged = (what: string): RegistryError =>
  new RegistryError(
    'file.not-understood',
    `${what} Pack the archive anew, or open the workbook and save it anew as .xlsx, and upload that.`,
  );

/** What goes from the reading process to the one that waits. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  extra?: Record<string, unknown>;
}

export function toRefusal(error: unknown): Refusal {
  if (error instanceof RegistryError) {
    const { code, message, detail } = error;
    return detail.extra ? { code, message, extra: detail.extra } : { code, message };
  }
  return toRefusal(broken(`The workbook cannot be read (${(error as Error).message}).`));
}

/** A formula of which nobody can know what it gives; row and column from 1. */
export function uncalculated(sheet: string, row: number, column: number): RegistryError {
  const cell = `${columnLetter(column - 1)}${row}`;
  return broken(`The cell ${cell} of the sheet ${sheet} holds a formula without its result.`, {
    line: row,
    column: cell,
  });
}
