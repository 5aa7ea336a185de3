/** Texts → what is proposed for them, and in short what a column is taken for. */
import { nearest } from '../../../src/checklists/nearest.js';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import type { Proposal, ProposedColumn } from '../../../src/tsv/propose/proposal.js';
import { proposeProfile } from '../../../src/tsv/propose/propose.js';
import { findTable } from '../../../src/tsv/propose/sheet-head.js';

const FIELDS = [
  { name: 'organism', checklist: 'minimal' },
  ...['isolate', 'strain', 'isolation source', 'host sex', 'collected by', 'collection date', 'cultivar'].map(
    (name) => ({
      name,
      checklist: 'pathogen',
    }),
  ),
  { name: 'geographic location (country and/or sea)', checklist: 'pathogen' },
  { name: 'isolate', checklist: 'of another laboratory' },
  { name: 'smoker', checklist: 'human-associated', allowedValues: ['yes', 'no'] },
];
export const proposeText = (text: string, profiles: KnownProfile[] = []): Proposal & { headerLine: number } => {
  const { header, rows, readBy, headerLine } = findTable(text, true, { profiles });
  const knowledge = { profiles, fields: FIELDS, prefix: 'SAMR', meant: nearest, title: 'a sheet' };
  return { ...proposeProfile({ header, rows, ...(readBy ? { readBy } : {}) }, knowledge), headerLine };
};

/** `characteristic age unit year`, `term organism`, `name`. */
export function targetOf({ meaning, header }: ProposedColumn): string {
  if (!meaning) return 'nothing';
  const reading = [meaning.date, meaning.decimal && 'decimal', meaning.values && 'values'].filter(Boolean);
  const words = (): string[] => {
    if (meaning.as === 'characteristic')
      return ['characteristic', meaning.name ?? header, ...(meaning.unit ? ['unit', meaning.unit] : [])];
    if (meaning.as === 'unit' || meaning.as === 'term') return [meaning.as, ...(meaning.of ? [meaning.of] : [])];
    return meaning.as === 'relationship' ? ['relationship', meaning.type] : [meaning.as];
  };
  return [...words(), ...reading].join(' ');
}

/** A sheet whose rows are written with bars between their cells. */
export const proposeRows = (rows: readonly string[], profiles: KnownProfile[] = []): Proposal =>
  proposeText(rows.map((row) => `${row.replaceAll('|', '\t')}\n`).join(''), profiles);

/** Of one column beside the names of the samples. */
export const proposeColumn = (header: string, values: readonly string[]): ProposedColumn =>
  proposeRows([`sample|${header}`, ...values.map((text, at) => `s${at}|${text}`)]).columns[1] as ProposedColumn;

const withConfidence = (column: ProposedColumn): string => `${targetOf(column)}, ${column.confidence}`;

/** `name, high`, of one column beside the names of the samples. */
export const taken = (header: string, ...values: string[]): string => withConfidence(proposeColumn(header, values));

/** The same of each column of a sheet. */
export const targets = (...rows: string[]): string[] => proposeRows(rows).columns.map(withConfidence);

/** The reason for each. */
export const whys = (...rows: string[]): string[] => proposeRows(rows).columns.map(({ why }) => why);
