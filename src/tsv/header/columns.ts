/** A header row → the plan by which every row of the sheet is read. */

import type { SampleChange } from '../../registry/changes/sample-change-list.js';
import type { JsonForm } from '../../registry/json-form.js';
import type { SampleLayout } from '../../registry/samples/packed-sample.js';
import { COLUMN_LIMIT, type Delimiter } from '../dialect.js';
import type { FormRows } from '../forms/blank-forms.js';
import { chosenKind, isOfIsaTab } from './chosen-kind.js';
import { columnMeanings } from './column-meanings.js';
import type { StandIn } from './elsewhere.js';
import {
  noReleaseDate,
  noSampleName,
  onlyColumn,
  refuseBroken,
  refuseUnknown,
  tooManyColumns,
} from './header-errors.js';
import { type ColumnKind, columnKind, isSingle, plainName, SINGLE, unmarkedHeaders } from './header-name.js';
import { keyOf } from './key-column.js';
import { bindColumns } from './layout.js';
import { columnTitle, namedColumns } from './name-column.js';
import { firstText, type Section, type SectionKind, UNITS } from './preamble.js';
import type { CellReading, KnownProfile } from './profile.js';
import { type AddedColumn, profileColumns } from './profile-columns.js';
import { saidRelease } from './profile-release.js';
import { isUnitsRow, saysNoUnit, unitInRow } from './units.js';

/** Plain data: may be posted between threads or kept as JSON. Columns are counted from 0. */
export interface SheetPlan {
  /** WHATWG name, e.g. `utf-8`. */
  encoding: string;
  delimiter: Delimiter;
  /** Header texts as written. */
  header: string[];
  /** Lines of the file on which the header row begins and ends. */
  headerLine: number;
  headerEnd: number;
  nameColumn: number;
  identifierColumn?: number;
  releaseColumn?: number;
  /** The column whose cells identify the rows across uploads. */
  keyColumn?: number;
  layout: SampleLayout;
  /** Sheet column of each packed cell, in order. */
  keptColumns: number[];
  relationshipColumns: { column: number; cell: number }[];
  /** Our own `Error …` columns of an errors file that is sent again: ignored. */
  errorColumns: number[];
  /** Each row counts as one line, however many line breaks its cells hold: it came from a spreadsheet. */
  rowsAreLines?: true;
  clearMarker?: string;
  /** Plain headers whose columns are kept as characteristics of that name. */
  fromPlainHeaders: string[];
  /** Of a sheet that was made for something else: how it was read, and whether a row above its header says so. */
  profile?: ProfileOfPlan;
  /** Of such a sheet: the rows above its header, and those below that are no samples. */
  above?: readonly (readonly string[])[];
  below?: readonly (readonly string[])[];
  /** Of a header in two rows, as in HeaderRow; `header` has the names of both. */
  groups?: readonly string[];
  headless?: readonly Headless[];
  blocks?: readonly ColumnBlock[];
  /** Which rows of a form are blank, and lines of rows that are titles of tables below. */
  form?: FormRows;
  titles?: readonly number[];
  /** It is in a section of the file, which ends where the next one begins; those behind it that name samples, too. */
  inSection?: SectionKind;
  sections?: readonly Section[];
  /** Cells of each of the first rows, where the header has more. */
  shortRows?: number;
  /** What its columns are, each as `header: meaning`, but for those of the two lists below. */
  meanings?: string[];
  /** Columns that the sheet lacks; they follow on those of its header. */
  added?: AddedColumn[];
  /** What is read otherwise out of the cells of a column before it is stored. */
  readings?: ({ column: number } & CellReading)[];
  /** Terms that are the value, too, in rows that leave its own column empty. */
  standIns?: StandIn[];
  /** Rows of one name that agree in what is stored are one sample. */
  oneSamplePerName?: true;
  /** It was said which column names the samples: its header. */
  namedBy?: string;
  /** Header texts that are not stored in the sample; columns without a header are named by their letter. */
  notStored: string[];
  /** No sheet, but samples as JSON: each item is a row of its name and its text. */
  json?: JsonForm;
  /** Of the form `edit`. */
  changes?: SampleChange[];
}

/** A column without a header, and the first of what rows have in it. */
export interface Headless {
  column: number;
  value: string;
}

/** Columns that stand together, down to which row they have something, and whether each above has. */
export interface ColumnBlock {
  from: number;
  to: number;
  rows: number;
  isWhole: boolean;
}

export interface ProfileOfPlan extends Pick<KnownProfile, 'name' | 'rank' | 'version'> {
  title: string;
  /** It was named by the option or by a row above the header: its result says so, too. */
  named: boolean;
  /** The version that the row above the header asks for, where it is not this one. */
  asked?: number;
}

export interface SheetOptions {
  /** Of this registry's accessions. */
  prefix: string;
  /** WHATWG label, when the file is not UTF-8 and has no byte order mark. */
  encoding?: string;
  /** Release of rows without one, milliseconds since 1970. */
  releaseDate?: number;
  /** Header of the column that names the samples, of a sheet that has no Sample Name. */
  nameColumn?: string;
  /** Header of the column whose cells identify the rows across uploads. */
  key?: string;
  /** Name of the profile that reads the sheet; `none` for no profile at all. */
  profile?: string;
  /** Kept profiles, beside those that ship with the product. */
  profiles?: readonly KnownProfile[];
  rowsAreLines?: true;
  /** What a cell holds that takes its value away, in small letters; absent: no text does. */
  clearMarker?: string;
  /** The sheet comes for the first time: one that was made otherwise is refused. What was accepted before stays readable. */
  isNew?: true;
  /** What becomes of headers that the dialect does not know; `characteristics` keeps the plain ones. */
  unknownColumns: 'ignore' | 'characteristics' | 'reject';
}

/** Where and how a header row was found. */
export interface HeaderPlace
  extends Pick<SheetPlan, 'encoding' | 'delimiter' | 'headerLine' | 'headerEnd' | 'groups' | 'inSection'>,
    Pick<SheetPlan, 'above' | 'below' | 'headless' | 'blocks'> {
  /** Of a sheet that was made for something else: what reads it. */
  profile?: ChosenProfile;
  /** The column that names the samples, where it was said which. */
  nameColumn?: string;
  /** As in HeaderRow. */
  rowNumbers?: readonly number[];
}

export interface ChosenProfile extends Pick<ProfileOfPlan, 'named' | 'asked'> {
  known: KnownProfile;
}

/** @throws RegistryError file.header with `line` and, where it is one column's fault, `column` */
export function planColumns(header: string[], place: HeaderPlace, options: SheetOptions): SheetPlan {
  const { profile, nameColumn: namedBy, rowNumbers = [], ...where } = place;
  const { headerLine: line } = where;
  if (header.length > COLUMN_LIMIT) throw tooManyColumns(line, header.length);
  const foreign = namedBy === undefined ? undefined : { ofIsaTab: isOfIsaTab(header) };
  const profiled = profile && profileColumns(profile.known, header, line, options.unknownColumns);
  const isNames = namedColumns(header, namedBy);
  const numbers = new Set(rowNumbers);
  const kindOf = (text: string, column: number): ColumnKind => {
    if (numbers.has(column)) return { kind: 'empty' };
    return isNames(column) ? { kind: 'name' } : chosenKind(text, options.unknownColumns, foreign);
  };
  const read = unmarkedHeaders(header, isNames);
  const kinds = profiled?.kinds ?? read.map(kindOf);
  refuseBroken(header, kinds, line);
  if (options.unknownColumns === 'reject') refuseUnknown(header, kinds, line);
  const single = (kind: keyof typeof SINGLE) => onlyColumn(header, kinds, kind, SINGLE[kind], line);
  const [nameColumn, identifierColumn, releaseColumn] = (['name', 'identifier', 'release'] as const).map(single);
  if (nameColumn === undefined) throw noSampleName(header, line, options);
  const keyColumn = options.key === undefined ? undefined : keyOf(header, options.key, nameColumn, line);
  // Rows that name their sample keep its release. That every row does is asked when the file is accepted.
  const dated = [
    releaseColumn,
    identifierColumn,
    keyColumn,
    options.releaseDate,
    profile && saidRelease(profile.known),
  ];
  if (dated.every((said) => said === undefined)) throw noReleaseDate(header, line);
  const { layout, keptColumns, standIns: all } = bindColumns(kinds, unitsBelow(place));
  const standIns = all.filter(({ by }) => by < header.length);
  return {
    ...where,
    ...(profile ? ofProfile(profile) : {}),
    meanings: columnMeanings(header, profiled ?? { kinds, added: [], readings: [] }, new Set(keptColumns)),
    ...(profiled?.added.length ? { added: profiled.added } : {}),
    ...(profiled?.readings.length ? { readings: profiled.readings } : {}),
    ...(standIns.length > 0 ? { standIns } : {}),
    ...(namedBy === undefined ? {} : { namedBy: columnTitle(header[nameColumn] as string, nameColumn) }),
    header,
    nameColumn,
    ...(identifierColumn === undefined ? {} : { identifierColumn }),
    ...(releaseColumn === undefined ? {} : { releaseColumn }),
    ...(keyColumn === undefined ? {} : { keyColumn }),
    layout,
    keptColumns,
    relationshipColumns: layout.relationships.map(({ target }) => ({
      column: keptColumns[target] as number,
      cell: target,
    })),
    ...(options.rowsAreLines ? { rowsAreLines: true } : {}),
    ...(options.clearMarker === undefined ? {} : { clearMarker: options.clearMarker }),
    errorColumns: kinds.flatMap(({ kind }, column) => (kind === 'error' ? [column] : [])),
    fromPlainHeaders: fromPlainHeaders(header, read, kinds),
    notStored: notStored(header, kinds, keptColumns),
  };
}

const ofProfile = ({ known, named, asked }: ChosenProfile): Pick<SheetPlan, 'profile' | 'oneSamplePerName'> => ({
  profile: {
    name: known.name,
    rank: known.rank,
    title: known.document.title,
    named,
    ...(known.version === undefined ? {} : { version: known.version }),
    ...(asked === undefined ? {} : { asked }),
  },
  ...(known.document.sameName === undefined ? {} : { oneSamplePerName: true }),
});

/** Of a row that is marked as one of units: its mark is none, and neither is what says that there is none. */
const saidUnit = (cell: string): string => (cell.trim().toLowerCase() === UNITS || saysNoUnit(cell) ? '' : cell.trim());

/** Units of the columns, from the row below a header that names them. */
function unitsBelow({ below = [] }: HeaderPlace): readonly string[] {
  const marked = below.find((cells) => firstText(cells).toLowerCase() === UNITS);
  return marked?.map(saidUnit) ?? below.find(isUnitsRow)?.map((cell) => unitInRow(cell) ?? '') ?? [];
}

/** `read`: without the marks of forms. */
function fromPlainHeaders(header: string[], read: readonly string[], kinds: readonly ColumnKind[]): string[] {
  const isPlain = (column: number): boolean =>
    kinds[column]?.kind === 'characteristic' && columnKind(read[column] as string).kind !== 'characteristic';
  return header.filter((_, column) => isPlain(column)).map(plainName);
}

function notStored(header: string[], kinds: ColumnKind[], keptColumns: number[]): string[] {
  const kept = new Set(keptColumns);
  const texts: string[] = [];
  kinds.forEach(({ kind }, column) => {
    if (kept.has(column) || isSingle(kind) || kind === 'error') return;
    texts.push(columnTitle(header[column] as string, column));
  });
  return texts;
}
