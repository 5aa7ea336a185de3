/** Large sheets of one plain shape, for tests that kill things in the middle of them. */
export interface PlainSheetOptions {
  /** Part of every name, so that sheets differ. */
  tag: string;
  rows: number;
  /** Every n-th row has no name and must be refused. */
  badEvery?: number;
  /** Each row refers to another by name, forwards and backwards. */
  related?: boolean;
  /** Filled as Sample Identifier, in order of rows. */
  accessions?: string[];
  /** Part of a cell of every row: another one is another content. */
  note?: string;
}

/** What every such sheet has. */
export const PLAIN_COLUMNS = [
  'Sample Name',
  'Release Date',
  'Characteristics[organism]',
  'Characteristics[age]',
  'Unit',
  'Characteristics[note]',
];

export function plainSheet({
  tag,
  rows,
  badEvery = 0,
  related = false,
  accessions,
  note = 'first',
}: PlainSheetOptions): string {
  const header = [...PLAIN_COLUMNS];
  if (related) header.push('Comment[bsd_relationship:derived from]');
  if (accessions) header.push('Sample Identifier');
  const bad = (row: number) => badEvery > 0 && row % badEvery === badEvery - 1;
  const lines = [header.join('\t')];
  for (let row = 0; row < rows; row++) {
    const cells = [
      bad(row) ? '' : `${tag}_${row}`,
      '2024-01-15',
      'Homo sapiens',
      String(row % 90),
      'year',
      `${note} ${row}`,
    ];
    if (related) cells.push(relative(tag, row, rows, bad));
    if (accessions) cells.push(accessions[row] ?? '');
    lines.push(cells.join('\t'));
  }
  return `${lines.join('\n')}\n`;
}

function relative(tag: string, row: number, rows: number, bad: (row: number) => boolean): string {
  const other = (row * 7 + 3) % rows;
  return bad(other) ? '' : `${tag}_${other}`;
}
