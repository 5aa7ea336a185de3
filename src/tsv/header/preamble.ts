/** Rows at the top of a sheet that are neither its header nor samples. */
import { fold } from '../dialect.js';

const MSI = /^\[?MSI\]?$/;
const SCD = /^\[?SCD\]?$/;
export const UNITS = '#units';
/** What the spreadsheets of Webin have between their header and their units: the values that were entered for all samples. */
const TEMPLATE = '#template';

/** The first filled cell of a row, trimmed; empty when all are blank. */
export const firstText = (cells: readonly string[]): string => (cells.find((cell) => cell.trim() !== '') ?? '').trim();

/** The same without square brackets around it. */
export const bare = (cells: readonly string[]): string =>
  firstText(cells)
    .slice(0, 200)
    .replace(/^\[(.*)\]$/, '$1');

/**
 * Rows above the header of another format that are no comments by themselves: the checklist line of an ENA sheet, the head of a
 * SampleTab file up to its table, what PANGAEA says of its data between the signs of a comment.
 */
export class Preamble {
  #inHead = false;
  #inComment = false;

  /** True for a row that the header stands below of; rows are given from the top of the file on. */
  takes(cells: readonly string[]): boolean {
    const first = firstText(cells);
    if (this.#inComment || first.startsWith('/*')) {
      this.#inComment = !cells.some((cell) => cell.includes('*/'));
      return true;
    }
    if (this.#inHead) {
      this.#inHead = !SCD.test(first);
      return true;
    }
    if (SCD.test(first)) return true;
    this.#inHead = MSI.test(first);
    return this.#inHead || (fold(first) === 'checklist' && cells.some((cell) => /^ERC\d+$/.test(cell.trim())));
  }
}

const BRACKETED = /^\[[^[\]]+\]$/;
/** The sections of a metadata sheet of GEO, in its capitals. */
const OF_GEO =
  /^(?:SERIES|STUDY|SAMPLES|PROTOCOLS|DATA PROCESSING PIPELINE|PROCESSED DATA FILES|RAW FILES|PAIRED-END EXPERIMENTS)$/;

/** What the sections of a file are called: `[Data]` in the sample sheets of sequencers, `SAMPLES` in a metadata sheet of GEO. */
export type SectionKind = 'bracketed' | 'geo';

/** Of the row that a section begins with: it stands alone in it. */
export function sectionKind(first: string, cells: number): SectionKind | undefined {
  if (cells !== 1) return undefined;
  if (BRACKETED.test(first)) return 'bracketed';
  return OF_GEO.test(first) ? 'geo' : undefined;
}

/** By the row that it begins with. */
export interface Section {
  line: number;
  title: string;
}

/** Whether the row ends the section that a header is in, where it is in one. */
export function beginsSection(cells: readonly string[], { inSection }: { inSection?: SectionKind }): boolean {
  if (inSection === undefined) return false;
  const filled = cells.filter((cell) => cell.trim() !== '').length;
  return sectionKind(firstText(cells), filled) === inSection;
}

/** Rows below the header of another format that are no samples: the units of an ENA sheet, the types of QIIME 2. */
export const isDirective = (first: string): boolean => first.startsWith('#q2:') || first.toLowerCase() === UNITS;

/** The same, and what is one only right below a header. */
export const isBelowHeader = (first: string): boolean => isDirective(first) || first.toLowerCase() === TEMPLATE;
