/** Workbooks part by part, honest or not. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PKG = 'http://schemas.openxmlformats.org/package/2006/relationships';

export type Part = string | Buffer | (() => Iterable<string>);

const folders: string[] = [];

export function scratch(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'workbook-'));
  folders.push(folder);
  return join(folder, name);
}

export const removeScratch = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};

export interface RawSheet {
  name?: string;
  state?: string;
  /** What stands in `<sheetData>`. */
  data?: string;
  /** The whole part instead. */
  part?: Part;
  /** Behind the data. */
  after?: string;
}

export const worksheet = (data: string, after = ''): string =>
  `<?xml version="1.0"?><worksheet xmlns="${MAIN}" xmlns:r="${REL}"><sheetData>${data}</sheetData>${after}</worksheet>`;

/** A row of texts. */
export const textRow = (row: number, ...texts: string[]): string =>
  `<row r="${row}">${texts.map((text, i) => `<c r="${String.fromCharCode(65 + i)}${row}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

export const HEADER = textRow(1, 'Sample Name', 'Characteristics[a]');

/** Writes the package; parts given replace or join those that any workbook has. */
export async function rawWorkbook(
  sheets: RawSheet[],
  parts: Record<string, Part | undefined> = {},
  workbookPr = '',
): Promise<string> {
  const all: Record<string, Part | undefined> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="${PKG}"><Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${REL}">${workbookPr}<sheets>${sheets
      .map(
        ({ name, state }, i) =>
          `<sheet name="${name ?? `Sheet${i + 1}`}" sheetId="${i + 1}" state="${state ?? 'visible'}" r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PKG}">${sheets
      .map((_, i) => `<Relationship Id="rId${i + 1}" Type="${REL}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`)
      .join(
        '',
      )}<Relationship Id="rIdS" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rIdF" Type="${REL}/styles" Target="/xl/styles.xml"/></Relationships>`,
    ...Object.fromEntries(
      sheets.map(({ data = '', after, part }, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        part ?? worksheet(data, after),
      ]),
    ),
    ...parts,
  };
  return zip(all);
}

export async function zip(parts: Record<string, Part | undefined>, name = 'book.xlsx'): Promise<string> {
  const path = scratch(name);
  const file = new ZipFile();
  for (const [part, content] of Object.entries(parts)) {
    if (content === undefined) continue;
    if (typeof content === 'function') file.addReadStream(Readable.from(content(), { objectMode: false }), part);
    else file.addBuffer(Buffer.from(content), part);
  }
  file.end();
  await pipeline(file.outputStream, createWriteStream(path));
  return path;
}

export function* repeated(head: string, unit: string, times: number, tail: string): Generator<string> {
  yield head;
  if (times <= 0) return yield tail;
  const block = unit.repeat(Math.max(1, Math.floor(65_536 / unit.length)));
  const per = block.length / unit.length;
  for (let done = 0; done < times; done += per) yield done + per <= times ? block : unit.repeat(times - done);
  yield tail;
}
