/**
 * A zip archive that is no workbook: which of its files is the table of samples, read as it is. Of an ISA-Tab archive
 * those are the study tables, and the investigation file may date them.
 */
import { RegistryError } from '../registry/errors.js';
import { shorten } from '../registry/row-issue.js';
import { parseTimestamp } from '../registry/timestamp.js';
import { Head } from '../tsv/bytes/head-rows.js';
import { findHeader } from '../tsv/header/find-header.js';
import { readHeader, textOfHead } from '../tsv/header/header.js';
import { LIMITS } from './limits.js';
import type { Package } from './package.js';
import { wrongKind } from './refusal.js';

const STUDY_TABLE = /(?:^|\/)s_[^/]*\.txt$/i;
const INVESTIGATION = /(?:^|\/)i_[^/]*\.txt$/i;
const TABLE = /\.(?:tsv|txt|tab|csv)$/i;
/** What archivers add of their own. */
const HIDDEN = /(?:^|\/)(?:__MACOSX\/|\.)/;
const MAX_NAMED = 5;
const MIB = 1024 * 1024;

const EACH =
  'Upload it once for each of them, naming it with the option sheet, or unpack it and upload each table by itself.';

export interface ArchivedTable {
  name: string;
  /** All files that could be a table of samples. */
  names: string[];
  /** Milliseconds since 1970: when the study of an ISA-Tab archive becomes public, as its investigation file says. */
  release?: number;
  /** Title of that study. */
  title?: string;
}

/**
 * The file of this name or number; else the only one that names samples.
 * @throws RegistryError file.wrong-kind naming the files, when none or several could be meant; of several with `tables`
 */
export async function chooseTable(archive: Package, wanted: string | undefined): Promise<ArchivedTable> {
  const files = archive.fileNames().filter((name) => !HIDDEN.test(name));
  const studies = files.filter((name) => STUDY_TABLE.test(name));
  const names = studies.length > 0 ? studies : files.filter((name) => TABLE.test(name) && !INVESTIGATION.test(name));
  const name = wanted === undefined ? await onlyTable(archive, names, files) : named(names, wanted, files);
  return { name, names, ...(STUDY_TABLE.test(name) ? await studyOf(archive, files, name) : {}) };
}

function named(names: readonly string[], wanted: string, files: readonly string[]): string {
  const text = wanted.trim().toLowerCase();
  const found = names.find((name) => name.toLowerCase() === text) ?? names[Number(text) - 1];
  if (found !== undefined) return found;
  throw wrongKind(
    `The zip archive has no table ${shorten(wanted)}; it has ${names.length === 0 ? `no table, but ${listed(files)}` : listed(names)}.`,
    'Name one of its tables with the option sheet, or unpack it and upload the table.',
  );
}

async function onlyTable(archive: Package, names: readonly string[], files: readonly string[]): Promise<string> {
  const size = `This is a zip archive with ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  if (names.length > LIMITS.archivedTables) {
    throw wrongKind(
      `${size}, of which ${names.length} may be tables, more than the ${LIMITS.archivedTables} that are looked into.`,
      EACH,
    );
  }
  const good: string[] = [];
  for (const name of names) if (await namesSamples(archive, name)) good.push(name);
  if (good.length > 1)
    throw wrongKind(`${size}, of which several are tables of samples (${listed(good)}).`, EACH, { tables: good });
  const only = good[0] ?? (names.length === 1 ? names[0] : undefined);
  if (only !== undefined) return only;
  throw wrongKind(
    `${size}${files.length > 0 ? ` (${listed(files)})` : ''}; none is a table with a column that names samples.`,
    'Unpack it, and upload the table of samples in it, as .tsv, .csv or .xlsx.',
  );
}

/** Whether its head is that of a table of samples, one that cannot be read included: it is not passed over for another. */
async function namesSamples(archive: Package, name: string): Promise<boolean> {
  const blocks: Buffer[] = [];
  let size = 0;
  for await (const block of archive.read(name, LIMITS.sheetBytes)) {
    blocks.push(block);
    size += block.length;
    if (size >= MIB) break;
  }
  const head = Buffer.concat(blocks).subarray(0, MIB);
  const complete = size < MIB;
  try {
    readHeader(head, { prefix: '', unknownColumns: 'characteristics', releaseDate: 0 }, complete);
    return true;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (error.code !== 'file.header') return error.code === 'file.encoding';
    const { text } = textOfHead(head, undefined, complete);
    return findHeader(new Head(text, complete))?.named === true;
  }
}

/** What the investigation file says in the section whose `Study File Name` is this table. */
async function studyOf(
  archive: Package,
  files: readonly string[],
  table: string,
): Promise<Pick<ArchivedTable, 'release' | 'title'>> {
  const investigation = files.find((name) => INVESTIGATION.test(name));
  const text = investigation === undefined ? undefined : await archive.text(investigation);
  const base = table.slice(table.lastIndexOf('/') + 1);
  for (const section of (text ?? '').split(/^"?STUDY"?[\t ]*$/m).slice(1)) {
    const fields = new Map(
      section.split(/\r\n|\n|\r/).map((line) => {
        const [field = '', value = ''] = line.split('\t').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
        return [field.toLowerCase(), value.trim()] as const;
      }),
    );
    if (fields.get('study file name') !== base) continue;
    const release = parseTimestamp(fields.get('study public release date') ?? '');
    const title = fields.get('study title') ?? '';
    return { ...(typeof release === 'number' ? { release } : {}), ...(title === '' ? {} : { title: shorten(title) }) };
  }
  return {};
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => shorten(name.replace(/\p{Cc}/gu, ' ')));
  return shown.join(', ') + (names.length > MAX_NAMED ? ' …' : '');
}
