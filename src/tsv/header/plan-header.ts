/** The header row that was found in a text → the plan of its sheet: what the service and the page both say of it. */
import { RegistryError } from '../../registry/errors.js';
import type { Head } from '../bytes/head-rows.js';
import { namesElsewhere } from '../forms/empty-names.js';
import { refuseFailed } from '../forms/failed-sheet.js';
import { refuseMadeHeaders } from '../forms/made-headers.js';
import { formRows } from '../forms/numbered-rows.js';
import { otherSections } from '../forms/other-sections.js';
import { cellsOfRows } from '../forms/short-rows.js';
import { refuseSideBySide } from '../forms/side-by-side.js';
import { tableTitles } from '../forms/table-titles.js';
import { namingHeaders, proposedName } from '../propose/name-columns.js';
import { refusePlate } from '../propose/plate-map.js';
import { seenColumns } from '../propose/seen-column.js';
import { likelyDelimiter, tableWithoutNames } from '../propose/sheet-head.js';
import { planColumns, type SheetOptions, type SheetPlan } from './columns.js';
import {
  found,
  headerBelowSamples,
  listed,
  noNames,
  noSampleName,
  rowsPartedOtherwise,
  unreadIdentifier,
} from './header-errors.js';
import type { HeaderRow } from './header-search.js';
import { refuseLong } from './long-table.js';
import { meantIdentifier } from './meant-identifier.js';
import { partedOtherwise } from './parted-otherwise.js';
import { profileNamed } from './profile-choice.js';
import { changedHeader } from './profile-columns.js';
import { samplesAbove } from './samples-above.js';
import { SHIPPED_PROFILES } from './shipped-profiles.js';
import { turnedRows } from './turned-table.js';
import { textKind } from './wrong-kind.js';

/**
 * @param encoding WHATWG name
 * @throws RegistryError file.header, with `nameColumns` where a column could name the samples; file.wrong-kind
 */
export function planHeader(row: HeaderRow, head: Head, encoding: string, options: SheetOptions): SheetPlan {
  const { marked: _, changed: __, wanted, named, cells, ...where } = row;
  const line = row.headerLine;
  if (cells.some((cell) => cell.includes('\0'))) throw notText(line);
  if (!named) refuseFailed(head);
  const kind = named ? undefined : textKind(cells, head.text);
  if (kind) {
    throw wrongKind(
      `Line ${line}: this looks like ${kind.kind}, not a table of samples with the columns Sample Name and Release Date: ${kind.fix}. ${found(cells)}`,
      line,
    );
  }
  if (!named && wanted === undefined) refusePlate(head, likelyDelimiter(head));
  if (wanted !== undefined && !row.profile) throw noProfile(wanted, row, options);
  if (row.changed) throw changedHeader(row.changed.profile.name, row.changed, line);
  if (!named) throw unnamed(head, row, options);
  if (!row.profile && options.nameColumn === undefined) refuseSideBySide(row, head);
  const plan = planColumns(cells, { ...where, encoding }, options);
  if (options.isNew) refuseMisread(plan, head, options.prefix);
  return { ...plan, ...shapeOf(plan, head) };
}

/** What the rows below a header say of the sheet as a whole. */
function shapeOf(plan: SheetPlan, head: Head): Pick<SheetPlan, 'form' | 'titles' | 'sections' | 'shortRows'> {
  const form = formRows(plan, head);
  const titles = tableTitles(plan, head);
  const sections = otherSections(plan, head);
  const shortRows = cellsOfRows(plan, head);
  return {
    ...(form ? { form } : {}),
    ...(titles.length > 0 ? { titles } : {}),
    ...(sections.length > 0 ? { sections } : {}),
    ...(shortRows === undefined ? {} : { shortRows }),
  };
}

/** What can be read, and would be read as something else than it is: accessions are for good. */
function refuseMisread(plan: SheetPlan, head: Head, prefix: string): void {
  const above = samplesAbove(plan, head, prefix);
  if (above.length > 0) throw headerBelowSamples(plan.headerLine, above);
  refuseMadeHeaders(plan);
  const names = namesElsewhere(plan, head, prefix);
  if (names.length > 0) throw noNames(plan, names);
  const column = meantIdentifier(plan, head, prefix);
  if (column !== undefined) throw unreadIdentifier(plan, column);
  refuseTurned(plan, head);
  if (plan.identifierColumn === undefined && !plan.oneSamplePerName)
    refuseLong(plan, cellsBelow(plan, head), plan.nameColumn);
  const other = partedOtherwise(plan, head);
  if (other !== undefined) throw rowsPartedOtherwise(plan, other);
}

function* cellsBelow(place: SheetPlan, head: Head): Iterable<readonly string[]> {
  for (const { cells } of head.rowsBelow(place)) yield cells;
}

/** Accessions are for good: of a table with its samples in columns none is given to its rows. Those that have some are updated. */
function refuseTurned({ identifierColumn, nameColumn, ...place }: SheetPlan, head: Head): void {
  if (identifierColumn !== undefined || nameColumn >= place.header.length) return;
  const names = turnedRows(head.rowsBelow(place), nameColumn);
  if (names.length === 0) return;
  const line = place.headerLine;
  throw wrongKind(
    `Line ${line}: the samples of this table stand side by side, and its rows are what is said of them: ${listed(names)}. Turn it, so that each sample has a row (copy it, and paste it transposed).`,
    line,
  );
}

function unnamed(head: Head, row: HeaderRow, options: SheetOptions): RegistryError {
  if (head.text.includes('\0')) return notText(row.headerLine);
  const { header, headerLine, rows } = tableWithoutNames(head, row, row.marked);
  const seen = seenColumns(header, rows);
  const names = namingHeaders(seen, options.prefix);
  if (names.length === 0 && options.nameColumn === undefined) refusePlate(head, likelyDelimiter(head), true);
  const { columns = [] } = proposedName(seen, options.prefix) ?? {};
  const joined = columns.length > 1 ? columns.map((at) => seen[at]?.header ?? '') : [];
  if (names.length === 0 && joined.length === 0 && options.nameColumn === undefined)
    refuseLong({ header, headerLine }, rows);
  return noSampleName(header, headerLine, options, names, joined);
}

/** Of a sheet without a row that the profile asked for could read. */
function noProfile(
  name: string,
  { cells, headerLine: line }: HeaderRow,
  { profiles = [] }: SheetOptions,
): RegistryError {
  const all = [...profiles, ...SHIPPED_PROFILES];
  const known = profileNamed(name, profiles);
  const shown = name.slice(0, 100);
  const names = known?.document.columns.filter(({ as }) => as === 'name').map(({ header }) => header.slice(0, 60));
  const message = names
    ? `Line ${line}: there is no column ${names.slice(0, 5).join(known?.document.joinNames === undefined ? ' or ' : ' and ')}, by which the import profile ${shown} names the samples. ${found(cells)}`
    : `There is no import profile ${shown}; there are: ${all
        .map((each) => each.name)
        .slice(0, 30)
        .join(', ')}. Write one of these, or none.`;
  return new RegistryError('file.header', message, { extra: { line, profiles: [shown] } });
}

export const wrongKind = (message: string, line?: number): RegistryError =>
  new RegistryError('file.wrong-kind', message, line === undefined ? {} : { extra: { line } });

export const notText = (line: number): RegistryError =>
  wrongKind(
    `Line ${line}: this is not text (it holds NUL characters). Save the sheet as tab-separated text (.tsv) and upload that.`,
    line,
  );
