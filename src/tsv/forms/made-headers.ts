/** Headers that programs make of others when they read a sheet: numbers behind those that come again, dots for brackets, words for none. */
import { columnLetter, fold } from '../dialect.js';
import type { SheetPlan } from '../header/columns.js';
import { headerError, isDotted } from '../header/header-errors.js';
import { columnKind, isSingle, SINGLE } from '../header/header-name.js';

type Plan = Pick<SheetPlan, 'header' | 'headerLine' | 'profile' | 'keptColumns'>;

/** As pandas and R number what comes again. */
const NUMBERED = /^(.+)\.(\d{1,5})$/s;

/** What pandas, and tidyverse of R, call a column without a header. */
const NO_NAME = /^(?:Unnamed: \d+(?:_level_\d+)?|\.\.\.\d+)$/;

/** Columns whose headers say nothing to the dialect. */
const plainColumns = ({ header, profile }: Plan): number[] =>
  profile ? [] : [...header.keys()].filter((column) => columnKind(header[column] as string).kind === 'unknown');

/** A second list of samples, or a column of ours, would be values of the samples of the first. @throws RegistryError file.header */
export function refuseMadeHeaders(plan: Plan): void {
  const { header, headerLine: line } = plan;
  const kinds = new Set(header.map((text) => columnKind(text).kind));
  for (const column of plainColumns(plan)) {
    const text = (header[column] as string).trim();
    const place = `Line ${line}, column ${columnLetter(column)}: "${text.slice(0, 100)}"`;
    const base = NUMBERED.exec(text)?.[1];
    const kind = base === undefined ? undefined : columnKind(base).kind;
    const title = kind && isSingle(kind) && kinds.has(kind) ? SINGLE[kind] : undefined;
    if (title !== undefined)
      throw headerError(
        line,
        `${place} is a second ${title}, numbered by the program that has read the sheet. Keep one of them; put lists that stand side by side below each other, or call it Characteristics[${text.slice(0, 100)}] where it is a value of the samples.`,
        text.slice(0, 100),
      );
    if (isDotted(text))
      throw headerError(
        line,
        `${place} is one that R has changed, which writes dots for blanks and brackets: read the sheet anew with check.names = FALSE. To keep it as it is, call it Characteristics[${text.slice(0, 100)}].`,
        text.slice(0, 100),
      );
  }
}

export interface MadeHeader {
  column: number;
  /** The header that it repeats; absent where it stands for none. */
  repeats?: string;
}

/** Columns that are kept as characteristics under a name that a program has made, `Age.1` beside `Age` and so on. */
export function madeHeaders(plan: Plan): MadeHeader[] {
  const kept = new Set(plan.keptColumns);
  const written = new Set(plan.header.map(fold));
  return plainColumns(plan).flatMap((column): MadeHeader[] => {
    const text = (plan.header[column] as string).trim();
    if (!kept.has(column)) return [];
    if (NO_NAME.test(text)) return [{ column }];
    const [, base, number] = NUMBERED.exec(text) ?? [];
    if (base === undefined || !written.has(fold(base))) return [];
    // `v1` and `v1.1` are names; numbers begin with 1 and leave none out.
    return number === '1' || written.has(fold(`${base}.${Number(number) - 1}`)) ? [{ column, repeats: base }] : [];
  });
}
