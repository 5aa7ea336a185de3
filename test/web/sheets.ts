/** Sheets made for the tests of the page. */

export const file = (name: string, text: string, mimeType = 'text/tab-separated-values') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

const HEADER = [
  'Sample Name',
  'Release Date',
  'Characteristics[organism]',
  'Characteristics[sex]',
  'Characteristics[tissue]',
];

/** Good rows, distinguished by their number. */
export function goodSheet(rows: number, prefix = 'liver'): string {
  const lines = [HEADER.join('\t')];
  for (let row = 1; row <= rows; row++) {
    lines.push([`${prefix} ${row}`, '2024-01-01', 'Homo sapiens', row % 2 ? 'female' : 'male', 'liver'].join('\t'));
  }
  return `${lines.join('\n')}\n`;
}

/** Good rows among which every n-th has a date that is none. */
export function sheetWithBadDates(rows: number, every: number): string {
  return goodSheet(rows)
    .split('\n')
    .map((line, at) => (at > 0 && at % every === 0 ? line.replace('2024-01-01', '21/11/2024') : line))
    .join('\n');
}
