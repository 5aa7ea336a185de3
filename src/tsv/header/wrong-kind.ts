/** Files of other kinds, recognised so that the message can say what they are and what to do. */
import { fold } from '../dialect.js';

/** First bytes. */
export const ZIP = [0x50, 0x4b, 0x03, 0x04];
export const GZIP = [0x1f, 0x8b];
export const OLE = [0xd0, 0xcf, 0x11, 0xe0];

export const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, at) => head[at] === byte);

const SIGNATURES: [bytes: number[], kind: string][] = [
  [ZIP, 'a zip archive or a spreadsheet workbook (.xlsx, .ods)'],
  [[0x50, 0x4b, 0x05, 0x06], 'an empty zip archive'],
  [OLE, 'an old spreadsheet workbook (.xls)'],
  [GZIP, 'a gzip archive'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x42, 0x5a, 0x68], 'a bzip2 archive'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz archive'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a zstd archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive'],
  [[0x52, 0x61, 0x72, 0x21, 0x1a], 'a RAR archive'],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], 'a text document (RTF)'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image'],
  [[0x47, 0x49, 0x46, 0x38, 0x37, 0x61], 'a GIF image'],
  [[0x47, 0x49, 0x46, 0x38, 0x39, 0x61], 'a GIF image'],
  [[0x49, 0x49, 0x2a, 0x00], 'a TIFF image'],
  [[0x4d, 0x4d, 0x00, 0x2a], 'a TIFF image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66, 0x6f, 0x72, 0x6d, 0x61, 0x74], 'an SQLite database'],
];

/** What the first bytes say the file is, when it is no text at all. */
export function binaryKind(head: Uint8Array): string | undefined {
  return SIGNATURES.find(([bytes]) => startsWith(head, bytes))?.[1];
}

interface Kind {
  kind: string;
  fix: string;
}

const SAMPLETAB: Kind = {
  kind: 'a SampleTab file',
  fix: 'send it with its [SCD] section, a table with a Sample Name column',
};
const INVESTIGATION: Kind = {
  kind: 'an ISA-Tab investigation file',
  fix: 'send the study table (s_….txt) of the same investigation',
};
const JSON_TEXT: Kind = {
  kind: 'a JSON document',
  fix: 'send an array of sample objects, one sample object on each line, or an ISA-JSON document with its studies',
};
const SCHEMA: Kind = {
  kind: 'a JSON Schema, such as a checklist',
  fix: 'the operator adds checklists to the service (docs/checklists.md); send the table of samples that shall meet it',
};
const XML: Kind = { kind: 'an XML document', fix: 'send a table of tab-separated text' };
const SAVE_ANEW = 'open it in a spreadsheet program, save it as .xlsx and send that';
const WEB_PAGE: Kind = {
  kind: 'a web page (HTML), as which some programs save their tables under the ending .xls',
  fix: SAVE_ANEW,
};
const XML_WORKBOOK: Kind = { kind: 'a spreadsheet saved as XML (Excel 2003)', fix: SAVE_ANEW };
const YAML: Kind = { kind: 'a YAML document', fix: 'send a table, or the same as JSON' };
const BLANKS: Kind = {
  kind: 'a table whose cells are parted by blanks',
  fix: 'save it with tabs or commas between them (from R: write.table(…, sep = "\\t"))',
};
const POINTER: Kind = {
  kind: 'what Git keeps in place of a large file',
  fix: 'fetch the file itself (git lfs pull, git annex get) and send that',
};
const FASTA: Kind = { kind: 'a FASTA file', fix: 'send a table of samples, not sequences' };

/** As Git LFS and git-annex begin them. */
const POINTS = /^version https:\/\/git-lfs\.|^(?:\.\.\/)*\/?(?:\.git\/)?annex\/objects\//;

/** An object, or an array as JSON begins one: a header in square brackets is none. */
const BEGINS_AS_JSON = /^(?:\{|\[\s*(?:[{["\]\d-]|$))/;
const SCHEMA_WORDS = /"\$schema"\s*:|"definitions"\s*:\s*\{/;
/** UTF-16 units of a document in which a schema says that it is one. */
const SCHEMA_HEAD = 4_000;

/** What a text file without a usable header looks like. `header`: the cells of its first row that is no comment; `text`: its head. */
export function textKind(header: readonly string[], text = ''): Kind | undefined {
  const folded = new Set(header.map(fold));
  const first = (header.find((cell) => cell.trim() !== '') ?? '').trim();
  if (/^\[?(MSI|SCD)\]?$/.test(first) || folded.has('submissiontitle')) return SAMPLETAB;
  if (fold(first) === 'ontologysourcereference') return INVESTIGATION;
  if (BEGINS_AS_JSON.test(first)) return SCHEMA_WORDS.test(text.slice(0, SCHEMA_HEAD)) ? SCHEMA : JSON_TEXT;
  if (/^<[?!a-zA-Z]/.test(first)) return kindOfMarkup(text);
  if (first.startsWith('>')) return FASTA;
  if (POINTS.test(first)) return POINTER;
  return header.length === 1 ? kindOfLines(text) : undefined;
}

function kindOfMarkup(text: string): Kind {
  if (text.includes('urn:schemas-microsoft-com:office:spreadsheet')) return XML_WORKBOOK;
  return /<(?:!doctype\s+html|html|head|body|table|div)\b/i.test(text) ? WEB_PAGE : XML;
}

/** UTF-16 units and lines of a text without delimiters that are looked at. */
const LOOKED_AT = 16_000;
const LINES = 20;
const YAML_LINE = /^\s*(?:-\s+)?[\w][\w .-]{0,60}:(?:\s|$)|^---$/;

function kindOfLines(text: string): Kind | undefined {
  const lines = text
    .slice(0, LOOKED_AT)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .slice(0, LINES);
  if (lines.length > 2 && lines.every((line) => YAML_LINE.test(line))) return YAML;
  return PARTED_BY_BLANKS.some((split) => isTable(lines.map(split))) ? BLANKS : undefined;
}

/** Columns set one below the other, and cells in quotes where they hold blanks; of two words a line, these may be a name. */
const PARTED_BY_BLANKS: ((line: string) => string[])[] = [
  (line) => line.trim().split(/\s{2,}/),
  (line) => {
    const cells = line.match(/"[^"]*"|[^\s"]+/g) ?? [];
    return cells.length > 2 || line.includes('"') ? cells : [];
  },
];

/** As many cells in each row as in the first, or one more in each: the name of the row. */
const isTable = ([header = [], ...rows]: readonly string[][]): boolean =>
  header.length > 1 &&
  rows.length > 1 &&
  [0, 1].some((more) => rows.every((cells) => cells.length === header.length + more));
