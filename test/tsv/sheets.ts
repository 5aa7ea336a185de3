/** Tables of every kind for property tests, with the text that spells them. */
import fc from 'fast-check';

/** A cell as its owner means it. */
export const anyCell = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom(...'abé5 "\'#;,*-'), maxLength: 6 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom('a', '\t', '\n', '\r', '"', ' ', 'é'), maxLength: 6 }) },
  { weight: 2, arbitrary: fc.constantFrom('', 'Homo sapiens', '2024-05-01', '5" pipe', '日本') },
);

/** Rows of 1 to 6 cells, each of its own length. */
export const anyTable = fc.array(fc.array(anyCell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 });

export type Spelling = { ends: readonly string[]; quoting: readonly boolean[]; finalEnd: boolean; delimiter: string };

export const anySpelling = (ends: readonly string[] = ['\n', '\r\n', '\r'], delimiter = '\t'): fc.Arbitrary<Spelling> =>
  fc.record({
    ends: fc.array(fc.constantFrom(...ends), { minLength: 1, maxLength: 4 }),
    quoting: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    finalEnd: fc.boolean(),
    delimiter: fc.constant(delimiter),
  });

/** Cells are quoted where they must be, and elsewhere as the spelling likes. */
export function spell(table: readonly (readonly string[])[], { ends, quoting, finalEnd, delimiter }: Spelling): string {
  let turn = 0;
  const cell = (text: string): string => {
    const must = text.startsWith('"') || text.includes(delimiter) || /[\n\r]/.test(text);
    return must || quoting[turn++ % quoting.length] ? `"${text.replaceAll('"', '""')}"` : text;
  };
  let text = '';
  table.forEach((cells, row) => {
    text += cells.map(cell).join(delimiter);
    if (row < table.length - 1 || finalEnd || isEmpty(cells)) {
      // An empty row between CR and LF would be none.
      const end = ends[row % ends.length] as string;
      text += end === '\n' && text.endsWith('\r') ? '\r' : end;
    }
  });
  return text;
}

const isEmpty = (cells: readonly string[]): boolean => cells.length === 1 && cells[0] === '';
