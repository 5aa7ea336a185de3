/**
 * Headers in two rows, as spreadsheets with merged cells have them: the first names columns and groups of columns, the second the
 * columns of each group (docs/decisions/0168).
 */
import { fold } from '../dialect.js';
import { columnKind, namesSamples } from './header-name.js';
import { isUnitsRow } from './units.js';

const SAMPLE_ID = 'sampleid';
/** Letters of a name in the second row; what is longer is a remark. */
const NAME_LETTERS = 60;
/** Gaps of the first row from which a group may have one column alone: in fewer, it could be the value of a sample without a name. */
const SURE_GAPS = 2;
/** Rows of samples that are looked at. */
const LOOKED_AT = 200;

/** Numbers and dates. */
export const saysFigures = (text: string): boolean => /^[\d\s.,:/+-]+$/.test(text);

/**
 * The names of the columns, where the second row goes on with the header that the first begins: it is empty below the first name, or
 * completes it (`Sample` and `Name`), and has words in the columns of the groups, none of which is a value of a sample below. The samples have values below a gap.
 * @param samples cells of the rows below, read only of rows that look like a header
 */
export function namesOfTwoRows(
  first: readonly string[],
  second: readonly string[],
  samples: () => Iterable<readonly string[]>,
): string[] | undefined {
  const below = apartFrom(first, second);
  const above = oncePerGroup(first, below);
  const names = isUnitsRow(below) ? undefined : joinedNames(above, below.map(trimmed));
  const gaps = [...below.keys()].filter((column) => isBlank(above[column]) && !isBlank(below[column]));
  return names && isAbove(samples(), below, gaps) ? names : undefined;
}

/** Programs that take merged cells apart write the name of a group above each of its columns. */
const oncePerGroup = (first: readonly string[], second: readonly string[]): string[] =>
  first.map((text, column) =>
    !isBlank(second[column]) && text.trim() === first[column - 1]?.trim() ? '' : text.trim(),
  );

/** The cells of a row below a header, without those that are the header's own, merged over both rows. */
export const apartFrom = (header: readonly string[], row: readonly string[]): string[] =>
  row.map((cell, column) => (cell.trim() === header[column]?.trim() ? '' : cell));

/**
 * The names of the columns of a header below a row of groups: what the header has in several groups is kept apart by them, and every
 * other column is called as it is alone. Above an empty cell the first row has a header of its own, as our results do.
 */
export function namesInGroups(groups: readonly string[], header: readonly string[]): string[] | undefined {
  const width = Math.max(groups.length, header.length);
  const names = Array.from({ length: width }, (_, column) => header[column]?.trim() || (groups[column] ?? '').trim());
  const times = new Map<string, number>();
  for (const name of names) times.set(fold(name), (times.get(fold(name)) ?? 0) + 1);
  const repeated = names.flatMap((name, column) =>
    isPlain(name) && (times.get(fold(name)) as number) > 1 ? [column] : [],
  );
  /** Of each column the group that it stands in: undefined where the first row has a header of its own, or none yet. */
  const groupOf: (string | undefined)[] = [];
  for (let column = 0; column < width; column++) {
    const text = (groups[column] ?? '').trim();
    const isHeader = !header[column]?.trim();
    if (text !== '' && !isHeader && !isGroup(text)) return undefined;
    groupOf.push(text === '' ? groupOf[column - 1] : isHeader ? undefined : text);
  }
  for (const column of repeated) {
    const group = groupOf[column];
    if (group === undefined) return undefined;
    names[column] = inGroup(group, names[column] as string);
  }
  const apart = repeated.map((column) => fold(names[column] as string));
  return apart.length > 0 && new Set(apart).size === apart.length ? names : undefined;
}

/** Columns that number or name the rows, and rows above them that name all others. */
const MOST_KEYS = 3;
const MOST_LEVELS = 3;

/**
 * The names of the columns where the header has only those of the first few and all others are called by the rows above, as pandas writes
 * columns of several levels: what a level has over the next is put in front.
 */
export function namesFromAbove(header: readonly string[], above: readonly (readonly string[])[]): string[] | undefined {
  const keys = header.findIndex(isBlank);
  if (keys < 1 || keys > MOST_KEYS || !header.slice(keys).every(isBlank)) return undefined;
  const names = (cells: readonly string[] = []): boolean =>
    cells.length === header.length &&
    !cells[0]?.startsWith('#') &&
    !isUnitsRow(cells) &&
    cells.slice(keys).every((text) => !isBlank(text) && text.length <= NAME_LETTERS);
  let from = above.length;
  while (from > 0 && above.length - from < MOST_LEVELS && names(above[from - 1])) from--;
  const levels = above.slice(from);
  const joined = (column: number): string =>
    levels.map((cells) => (cells[column] as string).trim()).reduceRight((name, group) => inGroup(group, name));
  const all = header.map((text, column) => (levels.length === 0 || column < keys ? text.trim() : joined(column)));
  return levels.length > 0 && new Set(all.map(fold)).size === all.length ? all : undefined;
}

const isGroup = (text: string): boolean => text.length <= NAME_LETTERS && !text.startsWith('#') && isPlain(text);

const trimmed = (text: string): string => text.trim();

function joinedNames(first: readonly string[], second: readonly string[]): string[] | undefined {
  const begin = first.findIndex((text) => text !== '');
  const isNamed = second[begin] ? completes(first[begin] as string, second[begin]) : mayBegin(first, begin);
  if (!isNamed) return undefined;
  const names: string[] = [];
  let group = '';
  /** The column before belongs to the group. */
  let inside = false;
  let gaps = 0;
  let oneAlone = false;
  for (let column = 0; column < Math.max(first.length, second.length); column++) {
    const [above = '', below = ''] = [first[column], second[column]];
    if (above !== '') group = above;
    if (below === '') {
      names.push(above);
      inside = false;
      continue;
    }
    if (!isColumnOfGroup(below, above, inside)) return undefined;
    if (above === '') gaps++;
    else if (column !== begin && (first[column + 1] || !second[column + 1])) oneAlone = true;
    names.push(inGroup(group, below));
    inside = true;
  }
  if (oneAlone && gaps < SURE_GAPS) return undefined;
  return areApart(names) ? withUnits(names, first, second) : undefined;
}

const VALUE = /^(?:values?|amount|quantity|measured value|result|wert|messwert|menge|valeur|valor|valore)$/i;
const UNIT = /^(?:units?|einheit(?:en)?|unités?|unidad(?:es)?|unità)$/i;

/** A group that begins with `value` and `unit` is the characteristic and its Unit. */
function withUnits(names: string[], first: readonly string[], second: readonly string[]): string[] {
  const named = [...names];
  for (const [column, group] of first.entries()) {
    if (group === '' || first[column + 1] || !VALUE.test(second[column] ?? '') || !UNIT.test(second[column + 1] ?? ''))
      continue;
    named[column] = group;
    named[column + 1] = 'Unit';
  }
  return areApart(named.filter((name) => name !== 'Unit')) ? named : names;
}

function areApart(names: readonly string[]): boolean {
  const filled = names.filter((name) => name !== '').map(fold);
  return new Set(filled).size === filled.length;
}

/** `inside`: where nothing stands above, a group may go on. */
const isColumnOfGroup = (below: string, above: string, inside: boolean): boolean =>
  isName(below) && !namesSamples(below) && (above === '' ? inside : isName(above) && isPlain(above));

/** Two words above a header that has nothing in front, as tables with names of rows have it, say what the table is of. */
function mayBegin(first: readonly string[], begin: number): boolean {
  const name = first[begin] as string;
  return !name.startsWith('#') && (namesSamples(name) || first.filter((text) => text !== '').length > 2);
}

/** `Sample` above `Name` or `ID`. */
const completes = (name: string, below: string): boolean => {
  const whole = inGroup(name, below);
  return namesSamples(whole) || fold(whole) === SAMPLE_ID;
};

const isName = (text: string): boolean => text.length <= NAME_LETTERS && !saysFigures(text) && !text.startsWith('#');

/** Headers in brackets, and those that mean something of their own, have no columns below them. */
const isPlain = (header: string): boolean => columnKind(header).kind === 'unknown';

/** `Patient` and `Age`: `Patient Age`; a name that begins with its group says it already. */
const inGroup = (group: string, name: string): string =>
  `${name} `.toLowerCase().startsWith(`${group} `.toLowerCase()) ? name : `${group} ${name}`;

const isBlank = (text = ''): boolean => text.trim() === '';

/** A sample has what other samples have, too; a remark stands in columns that they leave empty. A few rows of a sheet leave some empty, too. */
function isAbove(samples: Iterable<readonly string[]>, row: readonly string[], gaps: readonly number[]): boolean {
  let isUsed = false;
  let seen = 0;
  for (const cells of samples) {
    if (cells.some((cell, column) => !isBlank(cell) && cell.trim() === row[column]?.trim())) return false;
    isUsed ||= gaps.some((column) => !isBlank(cells[column]));
    if (++seen === LOOKED_AT) break;
  }
  return isUsed;
}
