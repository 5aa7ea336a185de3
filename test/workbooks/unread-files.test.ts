/** What the page says of office files before they are sent, held to what the service says when it reads them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { whyUnread } from '../../web/src/sheet/office-parts.js';
import { BEGIN, compoundFile, label, workbookStream } from './raw-binary-workbook.js';
import { removeScratch, scratch } from './raw-workbook.js';
import { rawZip } from './raw-zip.js';
import { readWorkbook } from './read-workbook.js';

const MADE = join(import.meta.dirname, 'made-by-libreoffice');
const SHEET = workbookStream([{ records: [BEGIN, label(0, 0, 'Sample Name')] }]);
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const parts = (...names: string[]) => rawZip(names.map((name) => ({ name, data: '<x/>' })));
const openDocument = (kind: string) =>
  rawZip([
    { name: 'mimetype', data: `${OPEN_DOCUMENT}.${kind}`, packed: Buffer.from(`${OPEN_DOCUMENT}.${kind}`), method: 0 },
    { name: 'content.xml', data: '<x/>' },
  ]);
const compound = (contents: Parameters<typeof compoundFile>[0]) => readFileSync(compoundFile(contents));
/** So many that their names fill several sectors, with what decides behind them. */
const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Stream ${at}`, Buffer.alloc(4_096)]));

const UNREAD: [string, Buffer][] = [
  ['.doc', compound({ WordDocument: Buffer.alloc(5_000), '1Table': Buffer.alloc(9) })],
  ['.doc of many parts', compound({ ...many, WordDocument: Buffer.alloc(5_000) })],
  ['.xls of Excel 95', compound({ Book: Buffer.alloc(5_000) })],
  ['.xls with macros', compound({ Workbook: SHEET, _VBA_PROJECT_CUR: 'folder' })],
  ['.xlsx with a password', compound({ EncryptedPackage: Buffer.alloc(5_000) })],
  ['.docx', parts('[Content_Types].xml', 'word/document.xml')],
  ['.pptx', parts('[Content_Types].xml', 'ppt/presentation.xml')],
  ['.xlsb', parts('[Content_Types].xml', 'xl/workbook.bin')],
  ['.xlsm', parts('[Content_Types].xml', 'xl/workbook.xml', 'xl/vbaProject.bin')],
  ['.numbers', parts('Index/Document.iwa', 'Metadata/Properties.plist', 'preview.jpg')],
  ['.numbers of before', parts('Index.zip', 'Metadata/Properties.plist')],
  [
    '.numbers that is a folder, packed',
    parts('Mice 2024.numbers/Index.zip', '__MACOSX/Mice 2024.numbers/._preview.jpg'),
  ],
  ['.numbers packed within a folder', parts('to send/Mice.numbers/Index/Tables/DataList.iwa')],
  ['.odt', openDocument('text')],
  ['.odg', openDocument('graphics')],
];

const READ: [string, Buffer][] = [
  ...readdirSync(MADE)
    .filter((name) => /\.(xlsx|xls|ods)$/.test(name))
    .map((name): [string, Buffer] => [name, readFileSync(join(MADE, name))]),
  ['.xls of many parts', compound({ ...many, Workbook: SHEET })],
  // What only the service can say.
  ['an archive', parts('one.tsv', 'two.tsv')],
  ['an archive with an index of its own', parts('one.tsv', 'two.tsv', 'old/index.zip', 'old/index/a.iwa')],
  ['an archive cut short', parts('one.tsv', 'word/document.xml').subarray(0, -30)],
  ['a compound file cut short', compound({ WordDocument: Buffer.alloc(5_000) }).subarray(0, 400)],
  ['text', Buffer.from('Sample Name\n')],
  ['nothing', Buffer.alloc(0)],
];

afterAll(removeScratch);

const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

describe('an office file that the page', () => {
  it.each(UNREAD)('refuses when it is chosen: %s, in the words of the service', async (_, bytes) => {
    const path = scratch('chosen');
    writeFileSync(path, bytes);
    const refused = await readWorkbook(path).catch((error: Error) => error);
    expect(await whyUnread(blob(bytes))).toBe((refused as Error).message);
  });

  it.each(READ)('leaves to the service: %s', async (_, bytes) => {
    expect(await whyUnread(blob(bytes))).toBeUndefined();
  });
});
