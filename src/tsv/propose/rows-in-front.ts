/** Rows at the top of a text that look like a header and are none: what programs and people write in front of a table. */
import { firstText, Preamble } from '../header/preamble.js';
import { saysFigures } from '../header/two-rows.js';
import { saysNoUnit } from '../header/units.js';

interface Row {
  line: number;
  cells: readonly string[];
}

/** Share of the cells of the row below the marked ones that one of these has, where it says something of each column. */
const OF_EACH_COLUMN = 0.6;

/**
 * Lines of a head that another format writes, of rows that begin with `##`, of a name with a colon and what it is
 * (`Project:`) above a wider one, and of several rows marked by `#` that say of each column of a header below them what it holds.
 */
export function linesInFront(rows: readonly Row[]): ReadonlySet<number> {
  const lines = new Set<number>();
  const preamble = new Preamble();
  const marked: Row[] = [];
  const said: Row[] = [];
  for (const [at, row] of rows.entries()) {
    const first = firstText(row.cells);
    if (preamble.takes(row.cells) || first.startsWith('##')) lines.add(row.line);
    else if (first.startsWith('#')) marked.push(row);
    else if (saysOneThing(row)) said.push(row);
    else {
      const narrow = said.filter((each) => filled(each) < filled(row));
      for (const { line } of [...narrow, ...sayingOfColumns(marked, row, rows.slice(at + 1))]) lines.add(line);
      break;
    }
  }
  return lines;
}

export const textsOf = ({ cells }: Pick<Row, 'cells'>): string[] =>
  cells.map((cell) => cell.trim()).filter((text) => text !== '');
export const filled = (row: Pick<Row, 'cells'>): number => textsOf(row).length;

function saysOneThing(row: Row): boolean {
  const [first = '', ...others] = textsOf(row);
  return first.endsWith(':') && others.length > 0 && !others.some((text) => text.endsWith(':'));
}

/** The marked rows above a header. Of two, one may be that itself, unless one has nothing but forms (`#STRING, NUMBER`) or numbers. */
function sayingOfColumns(marked: readonly Row[], header: Row, below: readonly Row[]): readonly Row[] {
  const wide = marked.filter((row) => filled(row) > 1 && filled(row) >= filled(header) * OF_EACH_COLUMN);
  const enough = wide.length > 2 || (wide.length === 2 && wide.some((row) => textsOf(row).every(isForm)));
  return enough && isHeader(header, below) ? wide : [];
}

const isForm = (text: string): boolean => /^\d+$/.test(bare(text)) || saysNoUnit(bare(text));
const bare = (text: string): string => text.replace(/^#\s*/, '');

/** Whether a row holds words that are all different, each of which is there once in its column. */
function isHeader(row: Row, below: readonly Row[]): boolean {
  const texts = textsOf(row);
  return (
    new Set(texts).size === texts.length &&
    !texts.some(saysFigures) &&
    !below.some(({ cells }) => row.cells.some((text, at) => text.trim() !== '' && cells[at]?.trim() === text.trim()))
  );
}
