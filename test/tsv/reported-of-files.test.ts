/** Longer than others: what is said of each kind of file that is no table, the line, what was found there, and what to do. */
import { describe, expect, it } from 'vitest';
import { type Refused, refusal, type SheetSettings, table } from './read-sheet.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]'];
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

type Case = [what: string, file: string | Buffer, refused: Refused, settings?: SheetSettings];

const NO_TEXT =
  'Line 1: this is not text (it holds NUL characters). Save the sheet as tab-separated text (.tsv) and upload that.';
const SAVE = 'not a table of text. Save the sheet as tab-separated text (.tsv) and upload that.';
const AS_UTF8 =
  'Save the file as UTF-8, or say what it is in with the option encoding, e.g. encoding=windows-1252 or encoding=macintosh.';

const WEB_PAGE = 'a web page (HTML), as which some programs save their tables under the ending .xls';
const SAVE_ANEW = 'open it in a spreadsheet program, save it as .xlsx and send that';

const NO_TABLE: Case[] = [
  [
    'a byte that is no UTF-8',
    bytes(table(HEADER), 'a\tb"\n\rc\t', [0x0f, 0xe9], '\n'),
    {
      code: 'file.encoding',
      line: 4,
      column: 'cell 2',
      offset: 53,
      message: `Line 4, cell 2: the byte 0xE9 at byte offset 53 is not valid utf-8. ${AS_UTF8}`,
    },
  ],
  [
    'a byte that is no UTF-8 in a sheet parted by semicolons',
    bytes('Sample Name;Release Date\nb;2024-05-01;caf', [0xe9], ';x\n'),
    {
      code: 'file.encoding',
      line: 2,
      column: 'character 17',
      offset: 41,
      message:
        'Line 2, character 17: the byte 0xE9 at byte offset 41 is not valid utf-8. Save the file as UTF-8, or say what it is in with the option encoding: encoding=windows-1252 if a cell reads "café".',
    },
  ],
  [
    'a byte below 16 that is no text',
    bytes('\ufeff', 'a', [0xe2, 0x09]),
    {
      code: 'file.encoding',
      line: 1,
      column: 'character 2',
      offset: 4,
      message:
        'Line 1, character 2: the byte 0xE2 at byte offset 4 is not valid utf-8. Save the file as UTF-8, or say what it is in with the option encoding: encoding=windows-1252 if a cell reads "aâ".',
    },
  ],
  [
    'a byte that is none of its encoding',
    bytes(table(HEADER), 'a\t', [0x80, 0x0a]),
    {
      code: 'file.encoding',
      line: 2,
      column: 'cell 2',
      offset: 46,
      message:
        'Line 2, cell 2: the byte 0x80 at byte offset 46 is not valid shift_jis. Correct the file, or name the encoding that it is really in.',
    },
    { header: { encoding: 'shift_jis' } },
  ],
  [
    'half of a character of UTF-16',
    bytes([0xff, 0xfe, 0x41, 0x00, 0x42]),
    {
      code: 'file.encoding',
      line: 1,
      column: 'character 2',
      offset: 4,
      message:
        'Line 1, character 2: the byte 0x42 at byte offset 4 is not valid utf-16le. Correct the file, or name the encoding that it is really in.',
    },
  ],
  [
    'UTF-16 that nothing says',
    Buffer.from(table(HEADER), 'utf16le'),
    {
      code: 'file.encoding',
      line: 1,
      message:
        'The file looks like UTF-16 without a byte order mark. Save it as UTF-8, or name it with the option encoding=utf-16le (or utf-16be).',
    },
  ],
  [
    'an encoding that nobody knows',
    'a',
    {
      code: 'request.invalid',
      message: `The encoding "${'k'.repeat(100)}" is not known; name one such as utf-8, utf-16le, windows-1252, iso-8859-15 or macintosh.`,
    },
    { header: { encoding: 'k'.repeat(101) } },
  ],
  [
    'an empty file',
    ' \n\t\n',
    {
      code: 'file.empty',
      line: 1,
      message: 'The file is empty. Upload a table with a header row and a row for each sample.',
    },
  ],
  [
    'a header alone',
    table(HEADER),
    {
      code: 'file.empty',
      line: 1,
      message: 'The file has a header row but no sample rows below it; add one row per sample and upload it again.',
    },
  ],
  [
    'comments alone',
    '# nothing yet\n',
    {
      code: 'file.empty',
      line: 1,
      message:
        'The file holds no header row. Put the names of the columns above the rows of the samples, Sample Name among them.',
    },
  ],
  [
    'a row that never ends',
    'x'.repeat(1024 * 1024 + 5),
    {
      line: 1,
      message:
        'No header row ends within the first 1 MiB of the file. Check that it is a table with one header row and line ends.',
    },
  ],
  ['NUL characters alone', Buffer.alloc(500), { code: 'file.wrong-kind', line: 1, message: NO_TEXT }],
  [
    'a NUL character in the header',
    'Sample\0Name\tRelease Date\na\tb\n',
    { code: 'file.wrong-kind', line: 1, message: NO_TEXT },
  ],
  [
    'a NUL character in the header of any column',
    'Sample Name\tRelease Date\tw\0\na\t2024-05-01\tb\n',
    { code: 'file.wrong-kind', line: 1, message: NO_TEXT },
  ],
  [
    'a NUL character below a header that names nothing',
    'id\tx\na\t\0\n',
    { code: 'file.wrong-kind', line: 1, message: NO_TEXT },
  ],
  ...(
    [
      ['a zip archive or a spreadsheet workbook (.xlsx, .ods)', [0x50, 0x4b, 0x03, 0x04]],
      ['an empty zip archive', [0x50, 0x4b, 0x05, 0x06]],
      ['an old spreadsheet workbook (.xls)', [0xd0, 0xcf, 0x11, 0xe0]],
      ['a gzip archive', [0x1f, 0x8b]],
      ['a PDF document', '%PDF-1.4'],
      ['a bzip2 archive', 'BZh9'],
      ['an xz archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
      ['a zstd archive', [0x28, 0xb5, 0x2f, 0xfd]],
      ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
      ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
      ['a JPEG image', [0xff, 0xd8, 0xff]],
      ['an SQLite database', 'SQLite format 3'],
    ] as const
  ).map(
    ([kind, head]): Case => [
      kind,
      bytes(head as string, 'rest'),
      { code: 'file.wrong-kind', message: `This is ${kind}, ${SAVE}` },
    ],
  ),
  ...(
    [
      [
        '[MSI]\nx\ty\n',
        'a SampleTab file',
        'send it with its [SCD] section, a table with a Sample Name column',
        '[MSI]',
      ],
      ['SCD\n', 'a SampleTab file', 'send it with its [SCD] section, a table with a Sample Name column', 'SCD'],
      [
        'Submission Title\tMice\n',
        'a SampleTab file',
        'send it with its [SCD] section, a table with a Sample Name column',
        'Submission Title, Mice',
      ],
      [
        '\tONTOLOGY SOURCE REFERENCE\nx\n',
        'an ISA-Tab investigation file',
        'send the study table (s_….txt) of the same investigation',
        'ONTOLOGY SOURCE REFERENCE',
      ],
      [
        '[{"name": "a"}]\n',
        'a JSON document',
        'send an array of sample objects, one sample object on each line, or an ISA-JSON document with its studies',
        '[{"name": "a"}]',
      ],
      [
        '{"$schema" : "x"}\n',
        'a JSON Schema, such as a checklist',
        'the operator adds checklists to the service (docs/checklists.md); send the table of samples that shall meet it',
        '{"$schema" : "x"}',
      ],
      [
        '{\n"definitions": {}}\n',
        'a JSON Schema, such as a checklist',
        'the operator adds checklists to the service (docs/checklists.md); send the table of samples that shall meet it',
        '{',
      ],
      [
        `{\n"x": "${'y'.repeat(4_000)}", "$schema": "z"}\n`,
        'a JSON document',
        'send an array of sample objects, one sample object on each line, or an ISA-JSON document with its studies',
        '{',
      ],
      ['<html>\n', WEB_PAGE, SAVE_ANEW, '<html>'],
      ['<!DOCTYPE html>\n', WEB_PAGE, SAVE_ANEW, '<!DOCTYPE html>'],
      ['<table>\n<tr><td>Sample Name</td></tr>\n', WEB_PAGE, SAVE_ANEW, '<table>'],
      [
        '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">\n',
        'a spreadsheet saved as XML (Excel 2003)',
        SAVE_ANEW,
        '<?xml version="1.0"?>',
      ],
      [
        '<?xml version="1.0"?>\n<BioSampleSet/>\n',
        'an XML document',
        'send a table of tab-separated text',
        '<?xml version="1.0"?>',
      ],
      ['>seq1\nACGT\n', 'a FASTA file', 'send a table of samples, not sequences', '>seq1'],
    ] as const
  ).map(
    ([text, kind, fix, found]): Case => [
      `${kind} that begins with ${text.slice(0, 12).trim()}`,
      text,
      {
        code: 'file.wrong-kind',
        line: 1,
        message: `Line 1: this looks like ${kind}, not a table of samples with the columns Sample Name and Release Date: ${fix}. Found: ${found}.`,
      },
    ],
  ),
];

describe('a file is refused that', () => {
  it.each(NO_TABLE)('has %s', async (_, file, refused, settings) => {
    const { code = 'file.header', ...said } = refused;
    const none = { line: undefined, column: undefined, offset: undefined };
    expect(await refusal(file, settings)).toEqual({ ...none, code, ...said });
  });
});
