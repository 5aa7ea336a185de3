/** What somebody says of the columns of a sheet that is not ours, begun with what the service proposes. */
import { fold } from '../../../../src/tsv/dialect.js';
import type { CellReading, ColumnMeaning, ImportProfile } from '../../../../src/tsv/header/profile.js';
import { SHIPPED_PROFILES } from '../../../../src/tsv/header/shipped-profiles.js';
import type { Proposal, ProposedColumn } from '../../../../src/tsv/propose/proposal.js';
import { documentOf } from '../../../../src/tsv/propose/proposed-document.js';

/** As `POST /profile-proposals` answers. */
export interface SheetProposal extends Proposal {
  headerLine: number;
  /** The first filled rows as they stand. */
  top: { line: number; cells: string[] }[];
  known: boolean;
  sheet?: string;
  sheets?: string[];
  /** Those of a workbook that name samples, where several do and none was asked for. */
  tables?: string[];
  /** Of a workbook or an archive: the sheet as a table of text, its first part at least. */
  text?: string;
  complete?: boolean;
  /** The archive says the release of its samples. */
  dated?: boolean;
}

export type Meaning = ColumnMeaning & CellReading;

/** Without a meaning it is still to be said, unless it has no header. */
export interface MappedColumn extends ProposedColumn {
  /** What was proposed. */
  proposed?: Meaning;
  /** Somebody has said so. */
  chosen?: true;
}

export interface Mapping {
  proposal: SheetProposal;
  columns: MappedColumn[];
  /** Of all samples, where no column says it. */
  organism: string;
  /** Of all samples, where no column says it: a day, or that of each upload. Empty: it is asked each time. */
  release: string;
  /** Under which it is kept. */
  name: string;
}

/** New columns of a sheet that a kept profile reads are asked for; nothing is taken for granted of them. */
export function mappingOf(proposal: SheetProposal, ownNames: readonly string[]): Mapping {
  const { profile, document } = proposal;
  const name = profile?.rank === 'own' ? profile.name : freeName(document.title, ownNames);
  const columns = proposal.columns.map(({ meaning, ...column }): MappedColumn => {
    const proposed = meaning ? { proposed: meaning } : {};
    return { ...column, ...proposed, ...(meaning && !column.fresh ? { meaning } : {}) };
  });
  return { proposal, columns, organism: '', release: document.release ?? '', name };
}

const LONGEST_NAME = 58;

function freeName(title: string, taken: readonly string[]): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const base =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, LONGEST_NAME)
      .replace(/-+$/, '') || 'sheet';
  const used = new Set([...taken, ...SHIPPED_PROFILES.map(({ name }) => name)]);
  let name = base;
  for (let number = 2; used.has(name); number++) name = `${base}-${number}`;
  return name;
}

/** With a header, and nobody has said what they are. */
export const openColumns = ({ columns }: Mapping): MappedColumn[] =>
  columns.filter(({ header, meaning, proposed }) => header !== '' && !meaning && proposed !== undefined);

/** Columns that one click keeps as characteristics: those still open, and those that no rule was sure of. */
export const doubtfulColumns = ({ columns }: Mapping): MappedColumn[] =>
  columns.filter(
    ({ header, meaning, proposed, confidence, chosen }) =>
      header !== '' &&
      proposed !== undefined &&
      !chosen &&
      (!meaning || (confidence === 'low' && meaning.as !== 'name')),
  );

export function withMeaning(mapping: Mapping, column: number, meaning: Meaning): Mapping {
  const columns = mapping.columns.map((each) =>
    each.column === column ? { ...each, meaning, chosen: true as const } : each,
  );
  return { ...mapping, columns };
}

/** Each of the doubtful ones under its header, or as it was proposed to be a characteristic. */
export function withCharacteristics(mapping: Mapping): Mapping {
  return doubtfulColumns(mapping).reduce(
    (kept, { column, proposed }) =>
      withMeaning(kept, column, proposed?.as === 'characteristic' ? proposed : { as: 'characteristic' }),
    mapping,
  );
}

export function documentOfMapping({ proposal, columns, organism, release }: Mapping): ImportProfile {
  const { release: _, ...undated } = documentOf(columns, proposal.document, proposal.document.title);
  const document = release === '' ? undated : { ...undated, release };
  const value = organism.trim();
  if (value === '') return document;
  const others = (document.fixed ?? []).filter(({ characteristic }) => fold(characteristic) !== 'organism');
  return { ...document, fixed: [...others, { characteristic: 'organism', value }] };
}

export interface Choice {
  value: string;
  label: string;
}

/** Everything that the column can be, what was proposed first. */
export function choicesOf({ proposed, meaning, dateForms, decimalDoubt, header }: MappedColumn): Choice[] {
  const dated = (dateForms ?? []).map(
    (date): Meaning => ({ as: 'characteristic', ...(proposed?.as === 'characteristic' ? proposed : {}), date }),
  );
  const comma: Meaning[] = decimalDoubt && proposed?.as === 'characteristic' ? [{ ...proposed, decimal: ',' }] : [];
  const date = proposed && 'date' in proposed && proposed.date ? { date: proposed.date } : {};
  const all: (Meaning | undefined)[] = [
    proposed,
    meaning,
    ...dated,
    ...comma,
    { as: 'characteristic' },
    { as: 'name' },
    { as: 'identifier' },
    { as: 'release', ...date },
    { as: 'unit' },
    { as: 'term' },
    { as: 'source' },
    ...['derived from', 'child of', 'same as'].map((type): Meaning => ({ as: 'relationship', type })),
    { as: 'reference' },
    { as: 'comment' },
    { as: 'ignored' },
  ];
  const seen = new Set<string>();
  return all.flatMap((each) => {
    if (!each) return [];
    const value = JSON.stringify(each);
    if (seen.has(value)) return [];
    seen.add(value);
    return [{ value, label: meaningInWords(each, header) }];
  });
}

const PLAIN: Partial<Record<Meaning['as'], string>> = {
  identifier: 'Sample Identifier: updates samples',
  source: 'Ontology of the term beside it',
  reference: 'External reference',
  comment: 'Remark: not stored',
  ignored: 'Not stored',
};

export function meaningInWords(meaning: Meaning, header: string): string {
  const reading = [
    meaning.date && `dates as ${meaning.date}`,
    meaning.decimal && 'decimal comma',
    meaning.values &&
      Object.entries(meaning.values)
        .map(([from, to]) => `${from} → ${to}`)
        .slice(0, 3)
        .join(', '),
  ].filter(Boolean);
  return [firstWords(meaning, header), ...reading].join(', ');
}

function firstWords(meaning: Meaning, header: string): string {
  switch (meaning.as) {
    case 'name':
      return meaning.characteristic === undefined
        ? 'Sample Name'
        : `Sample Name, and characteristic ${meaning.characteristic}`;
    case 'characteristic':
      return `Characteristic ${meaning.name ?? header}${meaning.unit ? `, unit ${meaning.unit}` : ''}`;
    case 'release':
      return 'Release Date: when it becomes public';
    case 'unit':
      return meaning.of ? `Unit of ${meaning.of}` : 'Unit of the column before';
    case 'term':
      return meaning.of ? `Ontology term of ${meaning.of}` : 'Ontology term of the column before';
    case 'relationship':
      return `Relationship: ${meaning.type}`;
    case 'contact':
    case 'organization':
    case 'publication':
      return `${meaning.member} of the ${meaning.as}`;
    default:
      return PLAIN[meaning.as] ?? meaning.as;
  }
}
