/** Spreadsheets in OpenDocument (.ods; OASIS ODF 1.3, part 3, chapter 9): one part with the tables of all sheets. */
import { LOCKED, unreadOpenDocument, WITH_MACROS } from '../../tsv/header/office-files.js';
import { LIMITS } from '../limits.js';
import type { Package } from '../package.js';
import { broken, refuseUnread, tooLarge } from '../refusal.js';
import { HeadSink, type SheetHead } from '../sheet-head.js';
import { Texts } from '../texts.js';
import { createFeed, parseXml, readXml, type XmlFeed } from '../xml.js';
import { TableReader } from './open-document-cells.js';

export const CONTENT = 'content.xml';

export interface Table {
  name: string;
  hidden: boolean;
  /** @throws RegistryError file.* what is wrong with its first rows */
  head(): SheetHead;
}

/** True for a package of an OpenDocument program; of another kind than a spreadsheet, or locked, it is refused. @throws RegistryError file.wrong-kind */
export async function isOpenDocument(workbook: Package): Promise<boolean> {
  const marked = workbook.has('mimetype') || workbook.has('meta-inf/manifest.xml');
  const locked = workbook.has('encrypted-package');
  if (!marked || !(locked || workbook.has(CONTENT))) return false;
  const kind = (await workbook.text('mimetype'))?.trim();
  if (kind !== undefined) refuseUnread(unreadOpenDocument(kind));
  if (locked || (await workbook.text('meta-inf/manifest.xml'))?.includes(':encryption-data')) {
    refuseUnread(LOCKED);
  }
  if (workbook.names().some((name) => /^(basic|scripts)\/./.test(name))) {
    refuseUnread(WITH_MACROS);
  }
  return true;
}

/** Its tables, in order. @throws RegistryError file.* */
export async function readTables(workbook: Package): Promise<{ tables: Table[] } & Omit<Styles, 'hidden'>> {
  const { hidden, ...styles } = await readStyles(workbook);
  const tables: Table[] = [];
  /** No cell of such a sheet has a text that others share. */
  const noTexts = new Texts();
  let present: TableHead | undefined;
  for await (const piece of tablePieces(workbook)) {
    if (piece.tag !== undefined) {
      present?.end();
      const name = attributeOf(piece.tag, 'table:name') ?? '';
      const head = new TableHead(name, noTexts, tables.length < LIMITS.archivedTables);
      present = head;
      const isHidden = hidden.has(attributeOf(piece.tag, 'table:style-name') ?? '');
      tables.push({ name, hidden: isHidden, head: () => head.head() });
      if (tables.length > LIMITS.entries) throw tooLarge(`The workbook has more than ${LIMITS.entries} sheets.`);
    }
    present?.write(piece.bytes);
  }
  present?.end();
  if (tables.length === 0) throw broken('The workbook has no sheet of cells.');
  return { tables, ...styles };
}

/** Parts of a text that stand above its line, by a word or by how far. */
const ABOVE = /^(?:super|\+?[1-9])/;

const isStruck = (attributes: Readonly<Record<string, string>>): boolean =>
  !['none', undefined].includes(
    attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'],
  );

interface Styles {
  /** Of tables that are not shown, of raised text, and of cells that are struck through. */
  hidden: Set<string>;
  raised: Set<string>;
  struck: Set<string>;
}

/** They stand in front of the first table. */
async function readStyles(workbook: Package): Promise<Styles> {
  const struck = new Set<string>();
  const hidden = new Set<string>();
  const raised = new Set<string>();
  let style: string | undefined;
  let family = '';
  let begun = false;
  const handler = {
    open(name: string, attributes: Record<string, string>) {
      begun ||= name === 'table';
      if (name === 'style') {
        style = attributes['style:name'];
        family = attributes['style:family'] ?? '';
      } else if (style === undefined) return;
      else if (name === 'table-properties' && family === 'table' && attributes['table:display'] === 'false')
        hidden.add(style);
      else if (name === 'text-properties' && family === 'text' && ABOVE.test(attributes['style:text-position'] ?? ''))
        raised.add(style);
      else if (name === 'text-properties' && family === 'table-cell' && isStruck(attributes)) struck.add(style);
    },
    close() {},
  };
  const bytes = workbook.read(CONTENT, LIMITS.sheetBytes);
  await readXml(CONTENT, bytes, handler, () => (begun ? 'stop' : undefined));
  return { hidden, raised, struck };
}

const TABLE = '<table:table ';
/** Behind the sheets: copies of tables of other documents. */
const LINKS = '<table:dde-links';
/** Of a tag of a table, with room to spare. */
const TAG_BYTES = 16 * 1024;

/** A piece of the part behind the first table; `tag`: what the piece begins with, where that is a table. */
interface TablePiece {
  bytes: Buffer;
  tag?: string;
}

/**
 * The tables, found by the bytes of their tags: read as XML, a sheet of 100 000 rows takes as long for the names behind it as
 * for its cells. What is no such tag cannot look like one: text has its `<` written as `&lt;`.
 */
async function* tablePieces(workbook: Package): AsyncGenerator<TablePiece> {
  let kept: Buffer = Buffer.alloc(0);
  let begun = false;
  const cut = function* (bytes: Buffer, end: number): Generator<TablePiece> {
    let from = 0;
    let at = bytes.indexOf(TABLE);
    if (begun) yield { bytes: bytes.subarray(0, at >= 0 && at < end ? at : end) };
    for (; at >= 0 && at < end; at = from) {
      begun = true;
      const next = bytes.indexOf(TABLE, at + TABLE.length);
      from = next;
      const to = next >= 0 && next < end ? next : end;
      yield { tag: bytes.toString('utf8', at, at + TAG_BYTES), bytes: bytes.subarray(at, to) };
    }
  };
  for await (const chunk of workbook.read(CONTENT, LIMITS.sheetBytes)) {
    const bytes = Buffer.concat([kept, chunk]);
    const links = bytes.indexOf(LINKS);
    if (links >= 0) return yield* cut(bytes, links);
    const whole = Math.max(0, bytes.length - TAG_BYTES);
    yield* cut(bytes, whole);
    kept = bytes.subarray(whole);
  }
  yield* cut(kept, kept.length);
}

/** What stands around a table. */
const AROUND = Buffer.from('<document><spreadsheet>');

/** The first rows of a table, as XML until there are enough of them. Of 20 000 tables nothing but what their rows say is kept. */
class TableHead {
  #reading: { rows: HeadSink; reader: TableReader; feed: XmlFeed } | undefined;
  #head: SheetHead = { kind: 'blank' };
  #failed: unknown;

  constructor(
    name: string,
    noTexts: Texts,
    private readonly isCompared: boolean,
  ) {
    const rows = new HeadSink(noTexts);
    const reader = new TableReader(0, name, rows);
    const feed = createFeed(CONTENT, reader);
    feed.write(AROUND);
    this.#reading = { rows, reader, feed };
  }

  write(bytes: Buffer): void {
    if (this.#reading === undefined) return;
    const { rows, reader, feed } = this.#reading;
    try {
      feed.write(bytes);
    } catch (error) {
      // What stands around the table is not what is closed behind it.
      if (!reader.isBehind) {
        this.#failed = error;
        this.#reading = undefined;
      }
    }
    if (rows.done || reader.isBehind) this.end();
  }

  /** Nothing more of it comes. */
  end(): void {
    if (this.#reading) {
      const head = this.#reading.rows.head();
      this.#head = this.isCompared ? head : { kind: head.kind };
    }
    this.#reading = undefined;
  }

  head(): SheetHead {
    if (this.#failed !== undefined) throw this.#failed;
    return this.#head;
  }
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
