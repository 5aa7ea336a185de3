/**
 * The dialect's rows as plainly as they can be written: one character after another, one regular expression per rule of
 * quotes. Slow, independent of src/tsv, and what that is held to.
 */
export interface ReferenceRow {
  line: number;
  cells: string[];
}

export class Unclosed extends Error {
  constructor(readonly line: number) {
    super(`unclosed quote on line ${line}`);
  }
}

export function referenceRows(text: string, delimiter: string): ReferenceRow[] {
  const ends = `${delimiter === '\t' ? '\\t' : delimiter}\\r\\n`;
  const quoted = new RegExp(`"((?:[^"]|"")*)"(?=[${ends}]|$)`, 'y');
  // Blanks around quotes that are closed on their line are no part of the cell; a quote with nothing behind it is a ditto mark.
  const spaced = [',', ';'].includes(delimiter)
    ? new RegExp(` *"(?! *${delimiter})((?:[^"\\r\\n]|"")*)" *(?=[${ends}]|$)`, 'y')
    : undefined;
  const closed = /"(?:[^"]|"")*"(?!")/y;
  const plain = new RegExp(`[^${ends}]*`, 'y');
  const rows: ReferenceRow[] = [];
  let at = 0;
  let line = 1;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const nextCell = (): string => {
    const whole = (text[at] === '"' ? match(quoted) : null) ?? (spaced && match(spaced));
    if (whole) {
      line += lineBreaks(whole[0]);
      at += whole[0].length;
      return (whole[1] as string).replaceAll('""', '"');
    }
    if (text[at] === '"' && !match(closed)) throw new Unclosed(line);
    const [cell] = match(plain) as RegExpExecArray;
    at += cell.length;
    return cell;
  };
  while (at < text.length) {
    const row: ReferenceRow = { line, cells: [] };
    rows.push(row);
    row.cells.push(nextCell());
    while (text[at] === delimiter) {
      at++;
      row.cells.push(nextCell());
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line++;
  }
  return rows;
}

const lineBreaks = (text: string): number => [...text.matchAll(/\r\n|\r|\n/g)].length;
