/** Looks at a file's first bytes by the service's own header rules (src/tsv), so that both say the same of a sheet. */
import { RegistryError } from '../../../src/registry/errors.js';
import type { Delimiter } from '../../../src/tsv/dialect.js';
import {
  found,
  noSampleName,
  planColumns,
  type SheetOptions,
  type SheetPlan,
} from '../../../src/tsv/header/columns.js';
import { columnKind } from '../../../src/tsv/header/header-name.js';
import { isNamed, pointedName, proposedNames } from '../../../src/tsv/header/name-column.js';
import { Preamble, type SheetFormat, sheetFormat } from '../../../src/tsv/header/sheet-formats.js';
import { textKind } from '../../../src/tsv/header/wrong-kind.js';
import { dataRows } from '../sheet/data-rows.js';
import { decodeSheet } from '../sheet/decode.js';
import { isBlankRow, readRows, type SheetRow } from '../sheet/read-rows.js';
import type { FileCheck } from './file-check.js';

/** Read whole up to here; of larger files the first part speaks for the rest. */
export const WHOLE_BYTES = 8_000_000;
const PART_BYTES = 1_000_000;

const NOTHING_KNOWN: Omit<FileCheck, 'kind'> = {
  rowsExact: false,
  stored: [],
  fromPlainHeaders: [],
  notStored: [],
  hasReleaseDate: false,
  identifiers: 0,
  remarks: [],
};

/** The choices of the form that decide how a file is read. */
export interface ReadingChoices {
  /** WHATWG label, for text that is neither UTF-8 nor marked. */
  encoding: string | null;
  unknownColumns: SheetOptions['unknownColumns'];
  /** Header of the column that names the samples, of a sheet without a Sample Name. */
  nameColumn?: string;
}

export async function checkFile(file: File, choices: ReadingChoices): Promise<FileCheck> {
  const whole = file.size <= WHOLE_BYTES;
  const bytes = new Uint8Array(await file.slice(0, whole ? file.size : PART_BYTES).arrayBuffer());
  return checkBytes(bytes, file.size, choices);
}

/** `size`: bytes of the whole file, of which `bytes` may be the first part. */
export function checkBytes(bytes: Uint8Array, size: number, { encoding, ...choices }: ReadingChoices): FileCheck {
  const whole = bytes.length >= size;
  const decoded = decodeSheet(bytes, { whole, ...(encoding === null ? {} : { encoding }) });
  if (decoded.kind === 'refused') return { ...NOTHING_KNOWN, kind: 'refused', problem: decoded.problem };
  if (decoded.kind === 'workbook') {
    return {
      ...NOTHING_KNOWN,
      kind: 'workbook',
      remarks: ['A workbook or an archive: its columns are looked at once it is sent'],
    };
  }
  try {
    return checkText(decoded.text, decoded.delimiter, { whole, parts: size / bytes.length, ...choices });
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const nameable = error.detail.extra?.nameable as string[] | undefined;
    return { ...NOTHING_KNOWN, kind: 'refused', problem: error.message, ...(nameable ? { nameable } : {}) };
  }
}

interface TextPart extends Omit<ReadingChoices, 'encoding'> {
  whole: boolean;
  /** The whole file is so many times this text. */
  parts: number;
}

/** @throws RegistryError */
function checkText(text: string, delimiter: Delimiter, { whole, parts, ...choices }: TextPart): FileCheck {
  const rows = readRows(text, delimiter, whole);
  const head = findHeader(rows, choices.nameColumn);
  const plan = planOf(head, delimiter, choices, () => proposedNames(belowOf(text, head), delimiter, head.header.cells));
  let count = 0;
  let identifiers = 0;
  for (const { cells } of dataRows(rows, plan.nameColumn)) {
    count += 1;
    if (plan.identifierColumn !== undefined && cells[plan.identifierColumn]?.trim()) identifiers += 1;
  }
  if (whole && count === 0) {
    return {
      ...NOTHING_KNOWN,
      kind: 'refused',
      problem: 'The sheet has a header and no rows below it. Add your samples.',
    };
  }
  const stored = plan.keptColumns.map((column) => (plan.header[column] ?? '').trim());
  return {
    kind: 'table',
    rows: whole ? count : Math.round(count * parts),
    rowsExact: whole,
    stored,
    fromPlainHeaders: plan.fromPlainHeaders,
    notStored: plan.notStored,
    hasReleaseDate: plan.releaseColumn !== undefined,
    identifiers,
    remarks: [
      ...(plan.format ? [`Read as ${plan.format.title}`] : []),
      ...(plan.namedBy === undefined ? [] : [`Samples are named by the column ${plan.namedBy}`]),
      ...(delimiter === '\t' ? [] : [`Cells are separated by ${delimiter === ',' ? 'commas' : 'semicolons'}`]),
    ],
  };
}

/** The lines below the header, as many as tell which columns are unique. */
const belowOf = (text: string, { header: { line } }: Head): string =>
  `${text
    .slice(0, WHOLE_BYTES)
    .split(/\r\n|\n|\r/, line + 500)
    .slice(line)
    .join('\n')}\n`;

interface Head {
  header: SheetRow;
  format?: SheetFormat;
  /** The column that names the samples, where it was said which. */
  nameColumn?: string;
}

/** The first row that is no comment, or a comment with a Sample Name; of a sheet of comments, the first of them. */
function findHeader(rows: Iterator<SheetRow>, chosen: string | undefined): Head {
  let nameColumn = chosen;
  const before: SheetRow[] = [];
  const preamble = new Preamble();
  for (let next = rows.next(); !next.done; next = rows.next()) {
    const row = next.value;
    if (isBlankRow(row)) continue;
    const pointed = pointedName(row.cells);
    if (pointed !== undefined) nameColumn ??= pointed;
    else if (nameColumn !== undefined) {
      const name = nameColumn;
      if (row.cells.some((cell) => isNamed(cell, name))) return { header: row, nameColumn };
    } else if (!preamble.takes(row.cells)) {
      const format = sheetFormat(
        row.cells,
        before.map(({ cells }) => (cells[0] ?? '').trim()),
      );
      if (format) return { header: row, format };
      const named = row.cells.some((cell) => columnKind(cell).kind === 'name');
      if (named || !row.cells[0]?.trimStart().startsWith('#')) return { header: row };
    }
    before.push(row);
  }
  return { header: before[0] ?? { line: 1, cells: [] } };
}

/** @throws RegistryError */
function planOf(
  { header: { line, cells }, format, nameColumn }: Head,
  delimiter: Delimiter,
  { unknownColumns, nameColumn: chosen }: Omit<ReadingChoices, 'encoding'>,
  proposed: () => string[],
): SheetPlan {
  const named =
    format !== undefined || nameColumn !== undefined || cells.some((cell) => columnKind(cell).kind === 'name');
  const kind = named ? undefined : textKind(cells);
  if (kind) {
    throw new RegistryError(
      'file.wrong-kind',
      `This looks like ${kind.kind}, not a table of samples: ${kind.fix}. ${found(cells)}`,
    );
  }
  if (!named) {
    const names = proposed();
    const { code, message, detail } = noSampleName(
      cells,
      line,
      { prefix: '', releaseDate: 0, unknownColumns, ...(chosen === undefined ? {} : { nameColumn: chosen }) },
      names,
    );
    const others = cells.map((cell) => cell.trim()).filter((cell) => cell !== '' && !names.includes(cell));
    throw new RegistryError(code, message, { ...detail, extra: { ...detail.extra, nameable: [...names, ...others] } });
  }
  // A date is pretended so that its absence does not refuse the file here: the form asks for one.
  return planColumns(
    cells,
    {
      encoding: 'utf-8',
      delimiter,
      headerLine: line,
      headerEnd: line,
      ...(format && { format }),
      ...(nameColumn !== undefined && { nameColumn }),
    },
    { prefix: '', releaseDate: 0, unknownColumns },
  );
}
