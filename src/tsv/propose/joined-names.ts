/** Columns of which none names a row and which do so together: a donor and a visit, a site, a date and a depth. */
import { saysDate, saysOrganism } from './header-words.js';
import type { SeenColumn } from './seen-column.js';

/** Between the cells that are joined. */
export const JOINED_BY = '-';

const NUMBERED = '(?: ?(?:id|name|code|label|identifier|number|num|no|nr))?$';

/** What several samples are of, or were taken from. */
const FIRST = new RegExp(
  `\\b(?:donor|record|cell ?line|subject|patient|proband|participant|individual|animal|mouse|maus|rat|ratte|cow|kuh|pig|schwein|sheep|goat|dog|hund|horse|bird|nest|household|herd|flock|farm|colony|hive|cage|pen|tank|pond|plate|box|rack|tray|array|slide|event|cruise|cast|haul|trawl|trip|site|station|location|locality|place|plot|quadrat|transect|field|forest|lake|river|reef|beach|core|borehole|pit|tree|plant|strain|isolate|culture|clone|standort|ort|spender|tier|estacion|sitio|donante|paciente|parcelle|parcela|parzelle|punkt)s?${NUMBERED}`,
);

/** Which of them a sample is, likeliest first. Times, kinds and treatments are said of a sample more often than they tell it from others. */
const SECOND = [
  new RegExp(
    `\\b(?:tube|vial|well|visite?|aliquot|replicate|rep|repeat|position|pos|part|plot|subplot|quadrat|core|lane|fraction|horizon|niskin|bottle|otolith|passage|repeat instance|number|no|nr)s?${NUMBERED}`,
  ),
  /\b(?:redcap event name|(?:sample|sampling|collection|survey|event|visit|obs)?date|datum|fecha|day|week|month|year|season|time|time ?point|hour|tag|jahr|monat)s?$/,
  /\b(?:depth|layer|tiefe|profondeur|profundidade?)(?: (?:from|top|upper|von))?$/,
  /\b(?:tissue|organ|body site|stage|treatment|condition)s?$/,
];

/** The header is called what a part is: a tube, a well, an aliquot. Passages are counted for each culture. */
export const saysPart = ({ words }: SeenColumn): boolean =>
  (SECOND[0] as RegExp).test(words) && !/\bpassages?\b/.test(words);

const DEPTH = SECOND[2] as RegExp;

/** One that has a unit, too; of other measurements two samples may have the same by chance. */
const isDepth = ({ words }: SeenColumn): boolean => DEPTH.test(words);
const isFilled = ({ values, rows }: SeenColumn['values']): boolean => values.length === rows;

function rankOf({ words }: SeenColumn): number {
  if (saysOrganism(words)) return SECOND.length;
  const rank = SECOND.findIndex((second) => second.test(words));
  return rank < 0 && saysDate(words) ? 1 : rank;
}

/** Of each kind, so that a sheet of a thousand columns is looked at as fast as others. */
const MOST = 8;

/**
 * In the order in which they are joined; undefined where none do. `named`: the column whose header says that it names samples. `mayBegin`:
 * whether the values of another one could.
 */
export function joinedColumns(
  columns: readonly SeenColumn[],
  named: SeenColumn | undefined,
  mayBegin: (column: SeenColumn) => boolean,
): SeenColumn[] | undefined {
  const filled = columns.filter(
    (column) =>
      !column.own && (!column.unit || isDepth(column)) && isFilled(column.values) && column.values.distinct.size > 1,
  );
  const fronts = filled
    .filter((column) => (named ? column === named : FIRST.test(column.words) && mayBegin(column)))
    .slice(0, MOST);
  const others = filled
    .filter((column) => rankOf(column) >= 0)
    .sort((one, other) => rankOf(one) - rankOf(other))
    .slice(0, MOST);
  const pairs = fronts.flatMap((front) => others.filter((one) => one !== front).map((one) => [front, one]));
  const triples = pairs.flatMap(([front, one]) =>
    others.slice(others.indexOf(one as SeenColumn) + 1).flatMap((two) => (two === front ? [] : [[front, one, two]])),
  );
  return ([...pairs, ...triples] as SeenColumn[][]).find(tellRowsApart);
}

function tellRowsApart(columns: readonly SeenColumn[]): boolean {
  const rows = columns[0]?.values.rows ?? 0;
  const names = new Set<string>();
  for (let row = 0; row < rows; row++) names.add(columns.map(({ values }) => values.values[row]).join(JOINED_BY));
  return names.size === rows;
}
