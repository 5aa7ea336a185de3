/** What a workbook consists of: its sheets in order, which calendar it counts in, what its cell formats mean. */
import { unreadPackage } from '../tsv/header/office-files.js';
import { LinkedCells } from './cell-links.js';
import { LIMITS } from './limits.js';
import { MergedCells, mergedInXml } from './merged-cells.js';
import { CONTENT, isOpenDocument, readTables, type Table } from './open-document/open-document.js';
import { TableReader } from './open-document/open-document-cells.js';
import type { Package } from './package.js';
import { broken, refuseUnread } from './refusal.js';
import { readRelated } from './related.js';
import { readRelations } from './relations.js';
import { type SheetNotes, SheetReader } from './sheet.js';
import { readHead } from './sheet-head.js';
import { readFormats } from './styles.js';
import { readTexts, Texts } from './texts.js';
import type { Workbook } from './workbook.js';
import { type AfterPiece, parseXml, readXml, type XmlHandler } from './xml.js';

interface SheetPart {
  name: string;
  hidden: boolean;
  part: string;
}

interface WorkbookStructure {
  sheets: SheetPart[];
  date1904: boolean;
  uncalculated: boolean;
  texts?: string;
  styles?: string;
}

/**
 * Undefined for an archive of files.
 * @throws RegistryError file.wrong-kind for packages that are something else, or carry macros
 */
export async function readWorkbook(parts: Package): Promise<Workbook | undefined> {
  if (await isOpenDocument(parts)) {
    const { tables: sheets, ...styles } = await readTables(parts);
    return {
      sheets,
      texts: new Texts(),
      headOf: async (at) => (sheets[at] as Table).head(),
      behindCells: async (at) => ({ merged: new MergedCells(sheets[at]?.name ?? '') }),
      readSheet: (at, sink, after) => {
        const reader = new TableReader(at, sheets[at]?.name ?? '', sink, styles);
        return readPart(parts, CONTENT, reader, after, () => reader.requireBehind());
      },
    };
  }
  const structure = await readStructure(parts);
  if (!structure) return undefined;
  const { sheets, date1904, uncalculated } = structure;
  const { formats, struck } = await readFormats(parts, structure.styles);
  const texts = await readTexts(parts, structure.texts);
  const readSheet: Workbook['readSheet'] = (at, sink, after) => {
    const { name, part } = sheets[at] as SheetPart;
    return readPart(
      parts,
      part,
      new SheetReader({ texts, formats, struck, date1904, uncalculated, sheet: name }, sink),
      after,
    );
  };
  return {
    sheets,
    texts,
    headOf: (at) => readHead(texts, (sink, after) => readSheet(at, sink, after)),
    behindCells: async (at) => {
      const { name, part } = sheets[at] as SheetPart;
      const { addresses, comments } = await readRelated(parts, part);
      const links = addresses.size > 0 ? new LinkedCells(addresses) : undefined;
      const merged = await mergedInXml(parts.read(part, LIMITS.sheetBytes), name, links);
      return { merged, comments, ...(links ? { links: links.cells } : {}) };
    },
    readSheet,
  };
}

async function readPart(
  parts: Package,
  part: string,
  reader: XmlHandler & { notes: SheetNotes },
  after: AfterPiece | undefined,
  atEnd?: () => void,
): Promise<SheetNotes> {
  await readXml(part, parts.read(part, LIMITS.sheetBytes), reader, after);
  atEnd?.();
  return reader.notes;
}

async function readStructure(workbook: Package): Promise<WorkbookStructure | undefined> {
  refuseUnread(unreadPackage(workbook.names()));
  const main = await mainPart(workbook);
  if (main === undefined) return undefined;
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const relations = await readRelations(workbook, `${folder}_rels/${main.slice(folder.length)}.rels`, folder);
  const structure: WorkbookStructure = { sheets: [], date1904: false, uncalculated: false };
  parseXml(main, (await workbook.text(main)) ?? '', {
    open(name, attributes) {
      if (name === 'workbookPr') structure.date1904 = /^(1|true)$/i.test(attributes.date1904 ?? '');
      if (name === 'calcPr') structure.uncalculated = /^(1|true)$/i.test(attributes.fullCalcOnLoad ?? '');
      if (name !== 'sheet') return;
      const target = relations.get(idOf(attributes));
      if (target?.type !== 'worksheet') return;
      structure.sheets.push({
        name: attributes.name ?? '',
        hidden: (attributes.state ?? 'visible') !== 'visible',
        part: target.part,
      });
    },
    close() {},
  });
  for (const { type, part } of relations.values()) {
    if (type === 'sharedStrings') structure.texts = part;
    if (type === 'styles') structure.styles = part;
  }
  if (structure.sheets.length === 0) throw broken('The workbook has no sheet of cells.');
  return structure;
}

async function mainPart(workbook: Package): Promise<string | undefined> {
  if (!workbook.has('[Content_Types].xml')) return undefined;
  const relations = await readRelations(workbook, '_rels/.rels', '');
  const main = [...relations.values()].find(({ type }) => type === 'officeDocument')?.part ?? 'xl/workbook.xml';
  return workbook.has(main) ? main : undefined;
}

/** `r:id`, whatever the prefix. */
function idOf(attributes: Record<string, string>): string {
  const name = Object.keys(attributes).find(
    (key) => /(^|:)id$/.test(key) && attributes[key] !== undefined && key.includes(':'),
  );
  return name === undefined ? '' : (attributes[name] ?? '');
}
