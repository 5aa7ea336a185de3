/** A profile and a header row → what each column is, what is read otherwise out of its cells, and columns that the sheet lacks. */
import { RegistryError } from '../../registry/errors.js';
import { fold } from '../dialect.js';
import { comparedHeaders, occurrences } from './compared-headers.js';
import { listed } from './header-errors.js';
import { type ColumnKind, columnKind, plainName, unmarkedHeaders } from './header-name.js';
import { ADDED } from './name-column.js';
import type { CellReading, ImportProfile, KnownProfile, ProfileColumn } from './profile.js';

/** A column beyond those of the sheet: one text for all rows, or the cells of several columns joined. */
export interface AddedColumn {
  title: string;
  text?: string;
  join?: { columns: number[]; by: string };
}

export interface ProfiledColumns {
  /** Of the sheet's columns, then of the added ones. */
  kinds: ColumnKind[];
  added: AddedColumn[];
  readings: ({ column: number } & CellReading)[];
}

/** @throws RegistryError file.header when columns are missing, or are there and not asked for */
export function profileColumns(
  known: KnownProfile,
  header: readonly string[],
  line: number,
  unknownColumns: 'ignore' | 'characteristics' | 'reject',
): ProfiledColumns {
  const { document } = known;
  refuseChanged(known, header, line, unknownColumns);
  const rules = rulesOf(document, header);
  const nameColumns = namesOf(document, header, rules);
  const namesSamples = new Set(document.joinNames === undefined ? nameColumns : []);
  const columnOf = firstColumns(rules);
  const ends = new Set(document.otherColumnsUntil?.map(fold));
  const until = ends.size === 0 ? -1 : header.findIndex((text) => ends.has(fold(text)));
  const kinds = unmarkedHeaders(header, (column) => namesSamples.has(column)).map((text, column): ColumnKind => {
    if (namesSamples.has(column)) return { kind: 'name' };
    const rule = rules[column];
    if (rule && rule.as !== 'name') return ruleKind(rule, columnOf);
    if (rule?.characteristic !== undefined) return { kind: 'characteristic', name: rule.characteristic };
    const ours = columnKind(text);
    if (!isPlain(ours, text)) return ours;
    if (!rule && (document.otherColumns === 'ignore' || (until >= 0 && column >= until))) return { kind: 'owner' };
    if (!rule && unknownColumns === 'ignore') return ours.kind === 'name' ? { kind: 'ignored column' } : ours;
    return { kind: 'characteristic', name: unmarked(plainName(text), document.mark) };
  });
  const added: AddedColumn[] = [];
  const add = (column: AddedColumn, kind: ColumnKind): number => {
    kinds.push(kind);
    return header.length + added.push(column) - 1;
  };
  if (document.joinNames !== undefined) {
    const title = nameColumns.map((column) => (header[column] as string).trim()).join(' and ');
    add({ title, join: { columns: nameColumns, by: document.joinNames } }, { kind: 'name' });
  }
  for (const { characteristic: name, value, unit, term } of document.fixed ?? []) {
    const column = add({ title: name, text: value }, { kind: 'characteristic', name });
    if (term !== undefined) add({ title: `term of ${name}`, text: term }, { kind: 'term-at', column });
    if (unit !== undefined) add({ title: `unit of ${name}`, text: unit }, { kind: 'unit-at', column });
  }
  return { kinds, added, readings: readingsOf(rules) };
}

/** Columns that the profile does not list keep the meaning that they have in any sheet, unless it is that of a plain word. */
const isPlain = ({ kind }: ColumnKind, text: string): boolean =>
  kind === 'name' || kind === 'unknown' || (!text.includes('[') && (kind === 'ignored column' || kind === 'owner'));

/** Marks may be several: `**strain`, of which one in a group is required. */
function unmarked(text: string, mark: string | undefined): string {
  let name = text;
  while (mark && name.startsWith(mark)) name = name.slice(mark.length).trim();
  return name || text;
}

/** The rule of each column of the sheet. */
export function rulesOf({ columns }: ImportProfile, header: readonly string[]): (ProfileColumn | undefined)[] {
  const occurrence = occurrences();
  const rules = new Map<string, ProfileColumn[]>();
  for (const rule of columns) {
    const own = rules.get(fold(rule.header));
    if (own) own.push(rule);
    else rules.set(fold(rule.header), [rule]);
  }
  return header.map((text) => {
    const at = occurrence(text);
    const own = rules.get(fold(text));
    return (
      own?.find(({ nth }) => nth === at) ?? own?.find((rule) => rule.nth === undefined && (at === 1 || !isAdded(rule)))
    );
  });
}

/** Whether a result has a column of ours with this header behind the one that the rule is of. */
function isAdded({ header, as }: ProfileColumn): boolean {
  const { kind } = columnKind(header);
  return kind !== as && ADDED.includes(kind);
}

/** The first column of the sheet that each header of the profile has, by the folded header. */
function firstColumns(rules: readonly (ProfileColumn | undefined)[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  rules.forEach((rule, column) => {
    if (rule && !columns.has(fold(rule.header))) columns.set(fold(rule.header), column);
  });
  return columns;
}

/** All name columns where they are joined; else the first rule of which a column is there, with every column that it fits. */
export function namesOf(
  { columns, joinNames }: ImportProfile,
  header: readonly string[],
  rules: readonly (ProfileColumn | undefined)[],
): number[] {
  const wanted = columns.filter(({ as }) => as === 'name');
  const columnsOf = new Map<ProfileColumn, number[]>(wanted.map((rule) => [rule, []]));
  header.forEach((_, column) => {
    const rule = rules[column];
    if (rule) columnsOf.get(rule)?.push(column);
  });
  const found = [...columnsOf.values()];
  if (joinNames !== undefined) return found.flat();
  return found.find((each) => each.length > 0) ?? [];
}

function ruleKind(rule: ProfileColumn, columnOf: ReadonlyMap<string, number>): ColumnKind {
  switch (rule.as) {
    case 'characteristic': {
      const kind = { kind: 'characteristic', name: rule.name ?? plainName(rule.header) } as const;
      return rule.unit === undefined ? kind : { ...kind, unit: rule.unit };
    }
    case 'unit':
    case 'term': {
      const { of } = rule;
      if (of === undefined) return { kind: rule.as === 'unit' ? 'unit' : 'term-accession' };
      const column = columnOf.get(fold(of));
      if (column !== undefined) return { kind: rule.as === 'unit' ? 'unit-at' : 'term-at', column };
      return { kind: rule.as === 'unit' ? 'unit-of' : 'term-of', name: of };
    }
    case 'source':
      return { kind: 'term-source' };
    case 'relationship':
      return { kind: 'relationship', type: rule.type };
    case 'reference':
      return { kind: 'reference' };
    case 'contact':
    case 'organization':
      return { kind: 'record', of: rule.as, member: rule.member };
    case 'publication':
      return { kind: 'record', of: 'publications', member: rule.member };
    case 'identifier':
    case 'release':
    case 'name':
      return { kind: rule.as };
    default:
      return { kind: 'ignored column' };
  }
}

function readingsOf(rules: readonly (ProfileColumn | undefined)[]): ProfiledColumns['readings'] {
  return rules.flatMap((rule, column) => {
    if (!rule || (rule.values === undefined && rule.date === undefined && rule.decimal === undefined)) return [];
    const { values, date, decimal } = rule;
    return [{ column, ...(values && { values }), ...(date && { date }), ...(decimal && { decimal }) }];
  });
}

function refuseChanged(
  { name, document }: KnownProfile,
  header: readonly string[],
  line: number,
  unknownColumns: 'ignore' | 'characteristics' | 'reject',
): void {
  const { missing, further } = comparedHeaders(document, header);
  const asks = document.otherColumns === undefined || document.otherColumns === 'ask';
  const unasked = asks && unknownColumns !== 'ignore' ? further : [];
  if (missing.length > 0 || unasked.length > 0) throw changedHeader(name, { missing, further: unasked }, line);
}

/** What is said of a header row that a profile does not fit any more. */
export function changedHeader(
  name: string,
  { missing, further }: { missing: readonly string[]; further: readonly string[] },
  line: number,
): RegistryError {
  const inShort = (texts: readonly string[]): string => listed(texts.map((text) => text.slice(0, 60)));
  const parts = [
    ...(missing.length > 0 ? [`lacks ${inShort(missing)}`] : []),
    ...(further.length > 0 ? [`has beside them ${inShort(further)}`] : []),
  ];
  return new RegistryError(
    'file.header',
    `Line ${line}: the sheet has nearly the columns of the import profile ${name}; it ${parts.join(' and ')}. Change the profile (its columns, "optional", "otherColumns"), rename the columns, or read the sheet without it by profile=none.`,
    { extra: { line, profiles: [name], missing: missing.slice(0, 100), further: further.slice(0, 100) } },
  );
}
