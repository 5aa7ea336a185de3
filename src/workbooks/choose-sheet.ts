/** Which sheet of a workbook is read. */
import { LIMITS } from './limits.js';
import { broken } from './refusal.js';
import { explains, type SheetHead, type SheetKind } from './sheet-head.js';
import type { Workbook } from './workbook.js';

/** Without `sheet` the first that is a table of samples. */
export interface WantedSheet {
  /** Name or number (from 1). */
  sheet?: string;
}

/**
 * The sheet of this name or number; else the first visible one that names samples, which yields to one that describes some where it
 * has nothing but names, explains the columns of another or is called a guide; else the first visible table that does not list the others; else the first visible one with cells. `tables`: those that name samples, and those with the header of that one, of the first `LIMITS.archivedTables`.
 */
export async function chooseSheet(
  workbook: Workbook,
  { sheet: wanted }: WantedSheet,
): Promise<{ sheet: number; tables: number[] }> {
  const { sheets } = workbook;
  const names = sheets.map(({ name }) => name);
  const listed = names.join(', ');
  if (wanted !== undefined) {
    const text = wanted.trim().toLowerCase();
    const named = sheets.findIndex(({ name }) => name.toLowerCase() === text);
    const found = named >= 0 ? named : Number(text) - 1;
    if (sheets[found]) return { sheet: found, tables: [] };
    throw broken(
      `The workbook has no sheet ${wanted.slice(0, 100)}; it has: ${listed}. Name one of them with the option sheet.`,
    );
  }
  const heads = await headsOf(workbook);
  const compared = [...heads.values()].flatMap(({ table }) => table ?? []);
  const kinds = [...heads].map(([at, { kind, table }]): [number, SheetKind] => [
    at,
    table && compared.some((other) => explains(table, other)) ? 'turned' : kind,
  ]);
  const tables = kinds.filter(([, kind]) => namesSamples(kind)).map(([at]) => at);
  const guides = new Set(
    [...heads.keys()].filter((at) => isGuide(names[at] as string) || isContents(at, heads, names)),
  );
  let named: number | undefined;
  const first: Partial<Record<SheetKind, number>> = {};
  for (const [at, kind] of [...kinds.filter(([at]) => !guides.has(at)), ...kinds.filter(([at]) => guides.has(at))]) {
    first[kind] ??= at;
    if (namesSamples(kind) || kind === 'empty') named ??= at;
  }
  const sheet =
    (named === first.names ? first.samples : undefined) ?? named ?? first.turned ?? first.filled ?? first.aside;
  if (sheet !== undefined) return { sheet, tables: [...tables, ...likeIt(sheet, heads)] };
  throw broken(`No visible sheet of the workbook holds anything (sheets: ${listed}).`);
}

const namesSamples = (kind: SheetKind): boolean => kind === 'samples' || kind === 'names';

/** Sheets with the header of one that is read by the column that somebody names, in which that column names samples, too. */
function likeIt(sheet: number, heads: ReadonlyMap<number, SheetHead>): number[] {
  const header = heads.get(sheet)?.header;
  return header === undefined ? [] : [...heads.keys()].filter((at) => heads.get(at)?.header === header);
}

/** Of the visible sheets, as far as they are looked at, by their number. */
async function headsOf(workbook: Workbook): Promise<Map<number, SheetHead>> {
  const heads = new Map<number, SheetHead>();
  let hasSamples = false;
  const visible = [...workbook.sheets.keys()].filter((at) => !workbook.sheets[at]?.hidden);
  for (const [nth, at] of visible.entries()) {
    if (hasSamples && nth >= LIMITS.archivedTables) break;
    const looked = workbook.headOf(at);
    // A sheet behind one that may be read cannot keep that from being read.
    const head: SheetHead = await (hasSamples ? looked.catch(() => ({ kind: 'blank' }) as const) : looked);
    heads.set(at, head);
    hasSamples ||= head.kind === 'samples' || head.kind === 'names';
  }
  return heads;
}

/** Of more sheets the list may be longer than the rows that are looked at. */
const LISTED = 20;

/** A list of the others, as the summary with which Apple Numbers begins a workbook. */
function isContents(at: number, heads: ReadonlyMap<number, SheetHead>, names: readonly string[]): boolean {
  const texts = heads.get(at)?.texts;
  const others = [...heads.keys()].filter((other) => other !== at).slice(0, LISTED);
  return (
    texts !== undefined && others.length > 0 && others.every((other) => texts.has((names[other] as string).trim()))
  );
}

/** Sheets that their names say to be about others: instructions, examples, lists of what may be chosen. */
const FIRST =
  'read ?me|lies ?mich|instructions?|how to|guidance|guidelines?|examples?|anleitung|hinweise|beispiele?|lisez ?moi|exemples?|instrucciones|ejemplos?|istruzioni|esempi?o?';
const WHOLE =
  'about|cover|introduction|help|guide|legend|notes|info(?:rmation)?|(?:data )?dictionary|definitions?|glossary|lists|drop ?downs?|pick ?lists?|look ?ups?|(?:controlled )?vocabular(?:y|ies)|validation|allowed values|change ?log|versions?|hilfe|listen|legende|aide|notice|ayuda';
const GUIDE = new RegExp(`^(?:(?:${FIRST})(?![\\p{L}\\p{N}])|(?:${WHOLE})$)`, 'iu');

/** Whether a sheet of this name yields to others that name samples. A number in front of it does not count. */
const isGuide = (name: string): boolean =>
  GUIDE.test(
    name
      .slice(0, 100)
      .replace(/[-_\s]+/g, ' ')
      .replace(/^[\d .):#]+/, '')
      .trim(),
  );
