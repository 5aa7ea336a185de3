/** Looks at a file's first bytes by the service's own header rules (src/tsv), so that both say the same of a sheet. */
import { RegistryError } from '../../../src/registry/errors.js';
import { jsonFormOfText, mayBeIsaJson } from '../../../src/registry/json-form.js';
import { Head } from '../../../src/tsv/bytes/head-rows.js';
import { DELIMITER_WORDS, fold } from '../../../src/tsv/dialect.js';
import type { SheetOptions, SheetPlan } from '../../../src/tsv/header/columns.js';
import { findHeader } from '../../../src/tsv/header/find-header.js';
import type { HeaderRow } from '../../../src/tsv/header/header-search.js';
import { planHeader } from '../../../src/tsv/header/plan-header.js';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { saidRelease, UPLOAD_DAY } from '../../../src/tsv/header/profile-release.js';
import { decodeSheet } from '../sheet/decode.js';
import { whyUnread } from '../sheet/office-parts.js';
import { countSamples, isBlankRow, readRows, type SheetRow } from '../sheet/read-rows.js';
import { counted } from '../show/words.js';
import { type FileCheck, NO_NAME, type PackedTable } from './file-check.js';

/** Read whole up to here; of larger files the first part speaks for the rest. */
export const WHOLE_BYTES = 8_000_000;
const PART_BYTES = 1_000_000;

const NOTHING_KNOWN: Omit<FileCheck, 'kind'> = {
  rowsExact: false,
  stored: [],
  fromPlainHeaders: [],
  notStored: [],
  hasReleaseDate: false,
  identifiers: 0,
  remarks: [],
};

/** The choices of the form that decide how a file is read. */
export interface ReadingChoices {
  /** WHATWG label, for text that is neither UTF-8 nor marked. */
  encoding: string | null;
  unknownColumns: SheetOptions['unknownColumns'];
  /** Header of the column that names the samples, of a sheet without a Sample Name. */
  nameColumn?: string;
  /** Name of the import profile to read by, or none. */
  profile: string | null;
  /** The kept ones. */
  profiles: readonly KnownProfile[];
}

/** The sheet of a workbook or an archive, as the service has read it. */
export function checkTable({ text, complete, sheet, dated }: PackedTable, choices: ReadingChoices): FileCheck {
  const { encoding, profile, ...reading } = choices;
  const named = profile === null ? {} : { profile };
  const check = orRefused(() => checkText(text, { whole: complete, parts: 1, ...reading, ...named }));
  if (check.kind !== 'table') return { ...check, packed: true };
  const { rows, ...known } = check;
  // How much of a large sheet the first part is, nobody knows.
  return {
    ...known,
    ...(complete && rows !== undefined ? { rows } : {}),
    hasReleaseDate: check.hasReleaseDate || dated,
    packed: true,
    remarks: [`Sheet ${sheet}`, ...check.remarks],
  };
}

export async function checkFile(file: File, choices: ReadingChoices): Promise<FileCheck> {
  const unread = await whyUnread(file);
  if (unread !== undefined) return { ...NOTHING_KNOWN, kind: 'refused', problem: unread };
  const whole = file.size <= WHOLE_BYTES;
  const bytes = new Uint8Array(await file.slice(0, whole ? file.size : PART_BYTES).arrayBuffer());
  return checkBytes(bytes, file.size, choices);
}

/** `size`: bytes of the whole file, of which `bytes` may be the first part. */
export function checkBytes(
  bytes: Uint8Array,
  size: number,
  { encoding, profile, ...choices }: ReadingChoices,
): FileCheck {
  const whole = bytes.length >= size;
  const decoded = decodeSheet(bytes, { whole, ...(encoding === null ? {} : { encoding }) });
  if (decoded.kind === 'refused') {
    const { kind, problem, likely } = decoded;
    return { ...NOTHING_KNOWN, kind, problem, ...(likely ? { likely } : {}) };
  }
  if (decoded.kind === 'workbook') {
    return {
      ...NOTHING_KNOWN,
      kind: 'workbook',
      packed: true,
      remarks: ['A workbook or an archive: its columns are looked at once it is sent'],
    };
  }
  if (mayBeIsaJson(decoded.text)) return { ...NOTHING_KNOWN, kind: 'workbook', remarks: [ISA_JSON] };
  if (jsonFormOfText(decoded.text))
    return { ...NOTHING_KNOWN, kind: 'workbook', remarks: ['Samples as JSON: they are looked at once they are sent'] };
  const named = profile === null ? {} : { profile };
  return orRefused(() => checkText(decoded.text, { whole, parts: size / bytes.length, ...choices, ...named }));
}

function orRefused(check: () => FileCheck): FileCheck {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const changed = error.detail.extra?.missing === undefined ? {} : { changed: true as const };
    return { ...NOTHING_KNOWN, kind: 'refused', problem: error.message, ...changed };
  }
}

const ISA_JSON = 'ISA-JSON, or JSON of studies: its sources and samples are looked at once it is sent';
const BY_VERSION = 'Names an earlier version of an import profile: its columns are looked at once it is sent';

interface TextPart extends Omit<ReadingChoices, 'encoding' | 'profile'> {
  profile?: string;
  whole: boolean;
  /** The whole file is so many times this text. */
  parts: number;
}

/** What stands for the header of a text that has no row at all. */
const NO_HEADER: HeaderRow = { delimiter: '\t', cells: [], headerLine: 1, headerEnd: 1, named: false };

/** @throws RegistryError */
function checkText(text: string, { whole, parts, ...choices }: TextPart): FileCheck {
  // A date is pretended so that its absence does not refuse the file here: the form asks for one.
  const options = { prefix: '', releaseDate: 0, isNew: true as const, ...choices };
  const head = new Head(text, whole);
  const header = findHeader(head, options) ?? NO_HEADER;
  if (header.profile?.asked !== undefined) return { ...NOTHING_KNOWN, kind: 'workbook', remarks: [BY_VERSION] };
  const plan = planOrNames(header, head, options);
  if (Array.isArray(plan)) return { ...NOTHING_KNOWN, kind: 'refused', problem: NO_NAME, nameable: plan };
  const { delimiter } = header;
  const { count, unnamed, identifiers, updates, blankForms, failed } = countSamples(text, plan, whole);
  if (whole && count === 0) {
    return {
      ...NOTHING_KNOWN,
      kind: 'refused',
      problem: 'The sheet has a header and no rows below it. Add your samples.',
    };
  }
  const release = header.profile && saidRelease(header.profile.known);
  const stored = plan.keptColumns.map((column) => (plan.header[column] ?? '').trim());
  return {
    kind: 'table',
    rows: whole ? count : Math.round(count * parts),
    rowsExact: whole,
    stored,
    fromPlainHeaders: plan.fromPlainHeaders,
    notStored: plan.notStored,
    hasReleaseDate: plan.releaseColumn !== undefined || release !== undefined,
    identifiers,
    updates,
    unnamed: whole ? unnamed : Math.round(unnamed * parts),
    sheetKind: plan.profile ? `profile ${plan.profile.name}` : plan.header.map(fold).join('\t'),
    characteristics: plan.layout.characteristics.length,
    top: { header: header.cells, headerLine: header.headerLine, rows: firstRows(text, header, whole) },
    remarks: [
      ...(plan.profile ? [`Read as ${plan.profile.title}`] : []),
      ...(release === undefined ? [] : [releaseWords(release)]),
      ...(plan.namedBy === undefined ? [] : [`Samples are named by the column ${plan.namedBy}`]),
      ...(unnamed === 0 ? [] : [`${rowsAre(unnamed)} without a Sample Name and will be sent back`]),
      ...(blankForms === 0 ? [] : [`${rowsAre(blankForms)} blank but for what a form has in its rows`]),
      ...(failed === 0 ? [] : [`${rowsAre(failed)} taken for remarks, with a failed formula first and no Sample Name`]),
      ...(delimiter === '\t' ? [] : [`Cells are separated by ${DELIMITER_WORDS[delimiter]}`]),
    ],
  };
}

const rowsAre = (rows: number): string => `${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'}`;

const releaseWords = (release: string): string =>
  `Its profile makes new samples public ${release === UPLOAD_DAY ? 'on the day of the upload' : `on ${release}`}`;

const SHOWN_ROWS = 20;

/** Those above the header, too: one of them may be the header. */
function firstRows(text: string, { delimiter, headerLine, headerEnd }: HeaderRow, whole: boolean): SheetRow[] {
  const found: SheetRow[] = [];
  for (const row of readRows(text, delimiter, whole)) {
    if ((row.line < headerLine || row.line > headerEnd) && !isBlankRow(row)) found.push(row);
    if (found.length === SHOWN_ROWS) break;
  }
  return found;
}

/** The plan of the sheet; of one without a Sample Name its headers, of which one may name the samples, those first that are likely. */
function planOrNames(header: HeaderRow, head: Head, options: SheetOptions): SheetPlan | string[] {
  try {
    return planHeader(header, head, 'utf-8', options);
  } catch (error) {
    const { code, detail } = error as RegistryError;
    if (header.named || code !== 'file.header' || detail.extra?.profiles !== undefined) throw error;
    const likely = (detail.extra?.nameColumns ?? []) as string[];
    const others = header.cells.map((cell) => cell.trim()).filter((cell) => cell !== '' && !likely.includes(cell));
    return [...likely, ...others];
  }
}
