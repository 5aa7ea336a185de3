/** What is said of a header row that cannot be read: the line, what was found, and what to do. */
import { RegistryError } from '../../registry/errors.js';
import { CELLS_PER_ROW, COLUMN_LIMIT, columnLetter, DELIMITER_WORDS, type Delimiter, HEADER_ROWS } from '../dialect.js';
import { type ColumnKind, columnKind } from './header-name.js';
import { meantRelease } from './meant-header.js';

/**
 * As R writes what it has read (`check.names`). It cannot be restored: a dot may have been a blank, a bracket or any other sign, and a
 * characteristic that comes back under another name is another one.
 */
const DOTTED =
  /^(?:Sample\.(?:Name|Identifier)|Release\.Date|Term\.(?:Source\.REF|Accession\.Number)|(?:Characteristics?|Comment)\.\S+\.)(?:\.\d{1,5})?$/;

export const isDotted = (header: string): boolean => DOTTED.test(header.trim());

/** Of a list that has more. */
const SHOWN = 12;

export function refuseBroken(header: readonly string[], kinds: readonly ColumnKind[], line: number): void {
  kinds.forEach((kind, column) => {
    if (kind.kind !== 'broken') return;
    const text = (header[column] as string).trim().slice(0, 100);
    throw headerError(
      line,
      `Line ${line}, column ${columnLetter(column)}: the header "${text}" should look like ${kind.form}; write the name between square brackets.`,
      text,
    );
  });
}

export function refuseUnknown(header: readonly string[], kinds: readonly ColumnKind[], line: number): void {
  const unknown = kinds.flatMap(({ kind }, column) =>
    kind === 'unknown' ? [`${(header[column] as string).trim().slice(0, 100)} (column ${columnLetter(column)})`] : [],
  );
  if (unknown.length === 0) return;
  throw headerError(
    line,
    `Line ${line}: unknown columns: ${listed(unknown)}. Write them as Characteristics[name] or Comment[name], or upload without unknownColumns=reject.`,
  );
}

/** @throws RegistryError file.header when several columns are that; a profile or an option may have made them so, whatever their headers */
export function onlyColumn(
  header: readonly string[],
  kinds: readonly ColumnKind[],
  kind: ColumnKind['kind'],
  title: string,
  line: number,
): number | undefined {
  const columns = kinds.flatMap((each, column) => (each.kind === kind ? [column] : []));
  if (columns.length < 2) return columns[0];
  const titled = columns.every((column) => columnKind(header[column] as string).kind === kind);
  const named = columns.map((column) => `${(header[column] as string).trim().slice(0, 60)} (${columnLetter(column)})`);
  const message = titled
    ? `the column ${title} is there ${columns.length} times, in columns ${lettered(columns.map(columnLetter))}`
    : `${columns.length} columns are read as ${title}: ${listed(named)}`;
  throw headerError(
    line,
    `Line ${line}: ${message}; keep one of them, or give the others another header, under which they are kept.`,
    title,
  );
}

/** `proposed`: headers of columns that could name the samples. */
export function noSampleName(
  header: readonly string[],
  line: number,
  options: { nameColumn?: string; releaseDate?: number },
  proposed: readonly string[] = [],
  joined: readonly string[] = [],
): RegistryError {
  if (options.nameColumn !== undefined) {
    const wanted = options.nameColumn.slice(0, 100);
    return headerError(
      line,
      `Line ${line}: there is no column ${wanted}, which the option nameColumn names; write one of its headers. ${found(header)}`,
      wanted,
    );
  }
  const dated = options.releaseDate !== undefined || header.some((text) => columnKind(text).kind === 'release');
  const message = dated
    ? `Line ${line}: there is no Sample Name column; add one with a name for each sample.`
    : `Line ${line}: there is neither a Sample Name nor a Release Date column; add both, with a name and a date such as 2024-11-21 for each sample.`;
  const names = proposed.map((text) => text.slice(0, 60));
  const changed = header.map((text) => text.trim()).find(isDotted);
  const anew =
    changed === undefined
      ? ''
      : ` "${changed}" is one that R has changed, which writes dots for blanks and brackets: read the sheet anew with check.names = FALSE.`;
  const or =
    names.length === 0
      ? ''
      : ` If a column names the samples already, say which with the option nameColumn: ${names.join(', ')}.`;
  const together =
    joined.length === 0
      ? ''
      : ` ${inWords(joined)} together are different in each row: an import profile that joins them reads the sheet as it is; the page and sample-registry profile guess propose one.`;
  return new RegistryError('file.header', `${message}${anew}${or}${together} ${found(header)}`, {
    extra: { line, column: 'Sample Name', ...(names.length === 0 ? {} : { nameColumns: names }) },
  });
}

function inWords(headers: readonly string[]): string {
  const shown = headers.map((text) => text.slice(0, 60));
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Of a sheet that has the column, and nothing in it. */
export function noNames(
  { header, headerLine: line, nameColumn }: { header: readonly string[]; headerLine: number; nameColumn: number },
  proposed: readonly string[],
): RegistryError {
  const title = (header[nameColumn] as string).trim().slice(0, 100);
  const names = proposed.map((text) => text.slice(0, 60));
  return new RegistryError(
    'file.header',
    `Line ${line}, column ${columnLetter(nameColumn)}: no row has anything in "${title}", by which the samples would be named. Fill it, or say which column names them with the option nameColumn: ${names.join(', ')}.`,
    { extra: { line, column: title, nameColumns: names } },
  );
}

/** `undated`: line of a row that has no Sample Identifier either. */
export function noReleaseDate(header: readonly string[], line: number, undated?: number): RegistryError {
  const row =
    undated === undefined ? '' : ` (the row on line ${undated} has no Sample Identifier whose release it could keep)`;
  const column = meantRelease(header);
  const meant =
    column === undefined
      ? ''
      : ` If "${(header[column] as string).trim()}" (column ${columnLetter(column)}) is it, call it Release Date.`;
  return headerError(
    line,
    `Line ${line}: there is no Release Date column${row}; add one with dates such as 2024-11-21, or give one date for all rows with the option releaseDate.${meant} ${found(header)}`,
    'Release Date',
  );
}

/** `letters`: of the columns that have the header, none or several. */
export function noKey(header: readonly string[], key: string, letters: readonly string[], line: number): RegistryError {
  const wanted = key.slice(0, 100);
  const message =
    letters.length === 0
      ? `there is no column ${wanted}, which the option key names; write one of the headers, or Sample Name for the name. ${found(header)}`
      : `the column ${wanted}, which the option key names, is there ${letters.length} times, in columns ${lettered(letters)}; keep one of them.`;
  return headerError(line, `Line ${line}: ${message}`, wanted);
}

/** `lines`: of the rows above it. */
export function headerBelowSamples(line: number, lines: readonly number[]): RegistryError {
  const several = lines.length > 1;
  return headerError(
    line,
    `Line ${line}: above this header ${several ? 'there are rows that read like samples' : 'there is a row that reads like a sample'} (${several ? 'lines' : 'line'} ${listed(lines.map(String))}) and would not be registered. Move the header above ${several ? 'them' : 'it'}, as where a table was sorted with its header; if ${several ? 'they are' : 'it is'} not meant, delete ${several ? 'them, or begin them' : 'it, or begin it'} with #.`,
  );
}

export function unreadIdentifier(
  { header, headerLine: line, nameColumn }: { header: readonly string[]; headerLine: number; nameColumn: number },
  column: number,
): RegistryError {
  const title = (header[column] as string).trim().slice(0, 100);
  const otherwise =
    column === nameColumn
      ? 'and name the samples in a column Sample Name. If these are names of new samples, give them others.'
      : `If the samples are new and these are of others, call it Characteristics[${title}].`;
  return headerError(
    line,
    `Line ${line}, column ${columnLetter(column)}: "${title}" has accessions of this registry, and without a column Sample Identifier each row would be registered as a new sample. To update these samples call the column Sample Identifier${column === nameColumn ? ' ' : '. '}${otherwise}`,
    title,
  );
}

export const rowsPartedOtherwise = (
  { headerLine: line, delimiter }: { headerLine: number; delimiter: Delimiter },
  other: Delimiter,
): RegistryError =>
  headerError(
    line,
    `Line ${line}: the cells of the header are parted by ${DELIMITER_WORDS[delimiter]}, and those of the rows below it by ${DELIMITER_WORDS[other]}, so that each row would be one long name. Part both by the same.`,
  );

/** What was found in the place of a header. */
export function found(header: readonly string[]): string {
  const named = header.map((text) => text.trim()).filter((text) => text !== '');
  return named.length === 0 ? 'The row is empty.' : `Found: ${listed(named.map((text) => text.slice(0, 60)))}.`;
}

/** A sheet may have thousands of columns of one header. */
const lettered = (letters: readonly string[]): string =>
  letters.length > SHOWN ? listed(letters) : letters.join(' and ');

/** The first dozen of them. */
export function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN).join(', ');
  return texts.length > SHOWN ? `${shown} and ${texts.length - SHOWN} more` : shown;
}

export function headerError(line: number, message: string, column?: string): RegistryError {
  return new RegistryError('file.header', message, { extra: { line, ...(column === undefined ? {} : { column }) } });
}

/** Beyond CELLS_PER_ROW a row has one cell more for all the rest. */
export const tooManyColumns = (line: number, columns: number): RegistryError =>
  headerError(
    line,
    `Line ${line}: the row has ${columns < CELLS_PER_ROW ? columns : `at least ${CELLS_PER_ROW}`} columns; at most ${COLUMN_LIMIT} are read. Remove some.`,
  );

export const headerTooFar = (line: number): RegistryError =>
  headerError(
    line,
    `There is no header row among the first ${HEADER_ROWS} rows of the file. Take out what stands above it, or put it at the top.`,
  );
