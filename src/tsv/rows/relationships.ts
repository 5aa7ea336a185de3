/** The target of a relationship cell: a sample of this file, looked for first, else an accession, ours or another registry's. */
import { formatAccession, nearAccession, parseAccession, plainAccession } from '../../registry/accession.js';
import type { RowIssueCode } from '../../registry/issue-codes.js';
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { Issue, OpenTarget } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import { likeTexts } from '../like-texts.js';
import type { GivenTarget } from './kept-targets.js';
import type { Survey } from './reading.js';

/** Accessions of the sample archives that the field links to: BioSamples, ENA/SRA/DRA, GEO, EGA, and BioProject samples of JPRN kind. */
const FOREIGN = /^(?:SAM[NED][A-Z]?\d+|[EDS]RS\d{5,}|GSM\d+|EGAN\d{9,})$/;

export const isForeignAccession = (text: string): boolean => FOREIGN.test(text);

export interface ResolveOptions {
  prefix: string;
  /** Accession number that the row with this ordinal (0-based among the data rows) has or will have. */
  idOfRow: (ordinal: number, line: number) => number;
  /** Targets may be still to come; absent where that is no option. */
  later?: boolean;
}

export class RelationshipResolver {
  /** Of the row that was resolved last: relationships to samples still to come; their cells are empty then. */
  open: OpenTarget[] = [];

  constructor(
    private readonly plan: SheetPlan,
    private readonly survey: Survey,
    private readonly options: ResolveOptions,
  ) {}

  /** Cells whose text becomes another one, by packed cell; undefined when none does. Targets that cannot be are reported to `add`. */
  resolve(row: Row, ordinal: number, add: (issue: Issue) => void): Map<number, string> | undefined {
    let replaced: Map<number, string> | undefined;
    if (this.open.length > 0) this.open = [];
    let place = -1;
    for (const [at, { column, cell }] of this.plan.relationshipColumns.entries()) {
      if (column >= row.cells) continue;
      const start = row.trimmedStart(column);
      const end = row.trimmedEnd(column, start);
      if (start === end) continue;
      place++;
      const text = row.text.substring(start, end);
      const target = targetOf({ text, ordinal, place }, this.survey, this.options);
      if (target === text) continue;
      if (target === TO_COME) {
        const { type } = this.plan.layout.relationships[at] as { type: string };
        const { line: _, ...where } = cellPlace(this.plan, row.line, column);
        this.open.push({ type, name: text, place, ...where });
      } else if (typeof target !== 'string') {
        add(rowIssue(target.code, cellPlace(this.plan, row.line, column), { value: text, ...target }));
        continue;
      }
      replaced ??= new Map();
      replaced.set(cell, target === TO_COME ? '' : target);
    }
    return replaced;
  }
}

/** In place of an accession: the sample is still to come. */
export const TO_COME = Symbol('to come');

/** Why a text is no target. */
export interface NoTarget {
  code: RowIssueCode;
  message: string;
  suggestion?: string;
}

/** The accession that a target means, or why it means none. */
export function targetOf(
  { text, ordinal, place }: GivenTarget,
  survey: Survey,
  options: ResolveOptions,
): string | typeof TO_COME | NoTarget {
  const { prefix, later } = options;
  const line = lineOf(survey, text);
  if (line !== 0) return targetOfRow(text, line, survey, options);
  const own = parseAccession(prefix, text);
  if (own !== undefined ? !survey.missingTargets.has(own) : isForeignAccession(text) || survey.isKept(ordinal, place))
    return text;
  if (later && own === undefined) return TO_COME;
  return own === undefined ? noTarget(text, survey, prefix, later) : noSample(text);
}

/** What a name means that a row of the file has. */
function targetOfRow(
  text: string,
  line: number,
  survey: Survey,
  { prefix, idOfRow, later }: ResolveOptions,
): string | typeof TO_COME | NoTarget {
  if (survey.names.several) {
    const message = `Several rows are named ${shorten(text)}; name the one you mean by its accession.`;
    return { code: 'relationship.ambiguous', message };
  }
  const ordinal = survey.ordinalOf(line);
  if (!survey.isRejected(ordinal)) return formatAccession(prefix, survey.idOf(ordinal) || idOfRow(ordinal, line));
  if (later) return TO_COME;
  const message = `The row on line ${line}, which has this Sample Name, is rejected; fix that one and send both.`;
  return { code: 'relationship.target-rejected', message };
}

const noSample = (text: string): NoTarget => ({
  code: 'relationship.unknown',
  message: `There is no sample ${shorten(text)} here, nor a row of this file with that name. Correct the accession.`,
});

/** Of a text that is neither an accession nor a name of the file: what it may be meant for. */
function noTarget(text: string, survey: Survey, prefix: string, later: ResolveOptions['later']): NoTarget {
  const noName = `No row of this file has the Sample Name ${shorten(text)}`;
  const code = 'relationship.unknown';
  const meant = meantAccession(prefix, text);
  if (meant !== undefined) {
    const message = `${noName}, and it is no accession as it is written. Write ${meant} if that is meant, or correct the name.`;
    return { code, message, suggestion: meant };
  }
  const [like, how] = likeTexts(text).find(([way]) => lineOf(survey, way) !== 0) ?? [];
  if (like !== undefined) {
    const message = `${noName}; the one on line ${lineOf(survey, like)} has it but for ${how}. Copy the name from there.`;
    return { code, message, suggestion: like };
  }
  const several = namesIn(text, survey, prefix);
  if (several > 1) {
    const message = `"${shorten(text)}" names ${several} samples, and a cell is one value. Give each of them a relationship of its own; in a sheet, a column with this header.`;
    return { code, message };
  }
  const orLater = later === false ? '; the option relationships=later lets another file bring it' : '';
  return { code, message: `${noName}, and it is no accession. Add the row, or correct the name${orLater}.` };
}

/** Of the row that has the name; 0 for none. */
const lineOf = ({ names }: Survey, name: string): number => names.hash(name, 0, name.length).find();

/** Characters of a text that may be a list of targets. */
const LONGEST_LIST = 10_000;

/** How many targets a text lists; 0 where one of them is none. */
function namesIn(text: string, survey: Survey, prefix: string): number {
  if (text.length > LONGEST_LIST || !/[;,|]/.test(text)) return 0;
  const parts = text.split(/[;,|]/).map((part) => part.trim());
  const isTarget = (part: string): boolean =>
    lineOf(survey, part) !== 0 || parseAccession(prefix, part) !== undefined || isForeignAccession(part);
  return parts.every(isTarget) ? parts.length : 0;
}

/** The accession, ours or another registry's, that a text is but for case, blanks and characters that do not show. */
function meantAccession(prefix: string, text: string): string | undefined {
  const plain = plainAccession(text);
  return nearAccession(prefix, text) ?? (plain !== undefined && isForeignAccession(plain) ? plain : undefined);
}
