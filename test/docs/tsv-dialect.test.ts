import { it } from 'vitest';
import { UPLOAD_OPTIONS } from '../../src/submissions/uploads/upload-options.js';
import {
  CELL_LIMIT,
  CELLS_PER_ROW,
  COLUMN_LIMIT,
  HEADER_LIMIT,
  HEADER_ROWS,
  ROW_LIMIT,
} from '../../src/tsv/dialect.js';
import { expectSection } from './section.js';

const FILE = 'docs/tsv-dialect.md';

it('docs/tsv-dialect.md lists every option of an upload, its default and its help, and no other', () => {
  const rows = Object.entries(UPLOAD_OPTIONS).map(([name, option]) => {
    const standard = option.kind === 'switch' ? false : 'default' in option ? option.default : undefined;
    return `| \`${name}\` | ${standard === undefined ? '' : `\`${standard}\``} | ${option.help} |`;
  });
  expectSection(FILE, 'options', ['| option | default | meaning |', '|---|---|---|', ...rows].join('\n'));
});

it('docs/tsv-dialect.md tells the limits that the reader keeps', () => {
  const mebibytes = (size: number) => `${size / 1024 / 1024} MiB`;
  const rows = [
    ['characters of a cell', CELL_LIMIT, 'row error'],
    ['columns', COLUMN_LIMIT, 'file error'],
    ['cells of a row that are distinguished', CELLS_PER_ROW, 'row error'],
    ['length of a row', mebibytes(ROW_LIMIT), 'file error'],
    ['length of the header row with what stands before it', mebibytes(HEADER_LIMIT), 'file error'],
    ['rows among which the header is looked for', String(HEADER_ROWS), 'file error'],
  ].map((cells) => `| ${cells.join(' | ')} |`);
  expectSection(FILE, 'limits', ['| what | at most | beyond it |', '|---|---|---|', ...rows].join('\n'));
});
