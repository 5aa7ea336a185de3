/** Spreadsheets in OpenDocument (.ods; OASIS ODF 1.3, part 3, chapter 9): one part with the tables of all sheets. */
import { LIMITS } from './limits.js';
import type { Package } from './package.js';
import { broken, tooLarge, wrongKind } from './refusal.js';
import { parseXml, readXml } from './xml.js';

export const CONTENT = 'content.xml';

export interface TableHead {
  name: string;
  hidden: boolean;
}

/** True for a package of an OpenDocument program; of another kind than a spreadsheet, or locked, it is refused. @throws RegistryError file.wrong-kind */
export async function isOpenDocument(workbook: Package): Promise<boolean> {
  const marked = workbook.has('mimetype') || workbook.has('meta-inf/manifest.xml');
  const locked = workbook.has('encrypted-package');
  if (!marked || !(locked || workbook.has(CONTENT))) return false;
  const kind = (await workbook.text('mimetype'))?.trim();
  if (kind !== undefined && !/\.spreadsheet(-template)?$/.test(kind)) {
    throw wrongKind('This is an OpenDocument file of another kind (a text, a drawing), not a workbook.');
  }
  if (locked || (await workbook.text('meta-inf/manifest.xml'))?.includes(':encryption-data')) {
    throw wrongKind(
      'The workbook is protected with a password.',
      'Take the password off, save it anew and upload that.',
    );
  }
  if (workbook.names().some((name) => /^(basic|scripts)\/./.test(name))) {
    throw wrongKind('The workbook carries macros, which are not taken in.', 'Save it without them and upload that.');
  }
  return true;
}

/** Its tables, in order. @throws RegistryError file.* */
export async function readTables(workbook: Package): Promise<TableHead[]> {
  const hidden = await hiddenStyles(workbook);
  const tables: TableHead[] = [];
  for await (const tag of tableTags(workbook)) {
    const name = attributeOf(tag, 'table:name') ?? '';
    tables.push({ name, hidden: hidden.has(attributeOf(tag, 'table:style-name') ?? '') });
    if (tables.length > LIMITS.entries) throw tooLarge(`The workbook has more than ${LIMITS.entries} sheets.`);
  }
  if (tables.length === 0) throw broken('The workbook has no sheet of cells.');
  return tables;
}

/** Styles of tables that are not shown: they stand in front of the first table. */
async function hiddenStyles(workbook: Package): Promise<Set<string>> {
  const hidden = new Set<string>();
  let style: string | undefined;
  let begun = false;
  const handler = {
    open(name: string, attributes: Record<string, string>) {
      begun ||= name === 'table';
      if (name === 'style') style = attributes['style:family'] === 'table' ? attributes['style:name'] : undefined;
      else if (name === 'table-properties' && style !== undefined && attributes['table:display'] === 'false')
        hidden.add(style);
    },
    close() {},
  };
  const bytes = workbook.read(CONTENT, LIMITS.sheetBytes);
  await readXml(CONTENT, bytes, handler, () => (begun ? 'stop' : undefined));
  return hidden;
}

const TABLE = '<table:table ';
/** Behind the sheets: copies of tables of other documents. */
const LINKS = '<table:dde-links';
/** Of a tag of a table, with room to spare. */
const TAG_BYTES = 16 * 1024;

/**
 * The beginnings of the tags of all tables, by their bytes: read as XML, a sheet of 100 000 rows takes as long for the
 * names behind it as for its cells. What is no such tag cannot look like one: text has its `<` written as `&lt;`.
 */
async function* tableTags(workbook: Package): AsyncGenerator<string> {
  let kept = Buffer.alloc(0);
  const find = function* (bytes: Buffer, end: number): Generator<string> {
    for (let at = bytes.indexOf(TABLE); at >= 0 && at < end; at = bytes.indexOf(TABLE, at + TABLE.length))
      yield bytes.toString('utf8', at, at + TAG_BYTES);
  };
  for await (const chunk of workbook.read(CONTENT, LIMITS.sheetBytes)) {
    const bytes = Buffer.concat([kept, chunk]);
    const links = bytes.indexOf(LINKS);
    if (links >= 0) return yield* find(bytes, links);
    const whole = Math.max(0, bytes.length - TAG_BYTES);
    yield* find(bytes, whole);
    kept = bytes.subarray(whole);
  }
  yield* find(kept, kept.length);
}

/** Of a tag that `text` begins with. */
function attributeOf(text: string, name: string): string | undefined {
  const [, quoted] = new RegExp(`^<[^<]*?\\s${name}\\s*=\\s*("[^"<]*"|'[^'<]*')`).exec(text) ?? [];
  let value: string | undefined;
  if (quoted === undefined) return undefined;
  const open = (_: string, attributes: Record<string, string>): void => {
    value = attributes.value;
  };
  parseXml(CONTENT, `<tag value=${quoted}/>`, { open, close() {} });
  return value;
}
