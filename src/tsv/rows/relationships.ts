/** The target of a relationship cell: a sample of this file, looked for first, else an accession, ours or another registry's. */
import { formatAccession, parseAccession } from '../../registry/accession.js';
import type { RowIssueCode } from '../../registry/issue-codes.js';
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { cellPlace, type SheetPlan } from '../header/columns.js';
import type { Survey } from './reading.js';

/** Accessions of the sample archives that the field links to: BioSamples, ENA/SRA/DRA, GEO, EGA, and BioProject samples of JPRN kind. */
const FOREIGN = /^(?:SAM[NED][A-Z]?\d+|[EDS]RS\d{5,}|GSM\d+|EGAN\d{9,})$/;

export const isForeignAccession = (text: string): boolean => FOREIGN.test(text);

export interface ResolveOptions {
  prefix: string;
  /** Accession number that the row with this ordinal (0-based among the data rows) has or will have. */
  idOfRow: (ordinal: number, line: number) => number;
}

export class RelationshipResolver {
  constructor(
    private readonly plan: SheetPlan,
    private readonly survey: Survey,
    private readonly options: ResolveOptions,
  ) {}

  /** Cells whose text becomes another one, by packed cell; undefined when none does. Targets that cannot be are reported to `add`. */
  resolve(row: Row, add: (issue: Issue) => void): Map<number, string> | undefined {
    let replaced: Map<number, string> | undefined;
    for (const { column, cell } of this.plan.relationshipColumns) {
      if (column >= row.cells) continue;
      const start = row.trimmedStart(column);
      const end = row.trimmedEnd(column, start);
      if (start === end) continue;
      const text = row.text.substring(start, end);
      const target = this.#target(text, row, column);
      if (typeof target !== 'string') add(target);
      else if (target !== text) {
        replaced ??= new Map();
        replaced.set(cell, target);
      }
    }
    return replaced;
  }

  #target(text: string, row: Row, column: number): string | Issue {
    const target = targetOf(text, this.survey, this.options);
    return typeof target === 'string'
      ? target
      : rowIssue(target.code, cellPlace(this.plan, row.line, column), { value: text, message: target.message });
  }
}

/** The accession that a target means, or why it means none. */
export function targetOf(
  text: string,
  survey: Survey,
  { prefix, idOfRow }: ResolveOptions,
): string | { code: RowIssueCode; message: string } {
  const line = survey.names.hash(text, 0, text.length).find();
  if (line !== 0) {
    if (survey.names.several) {
      const message = `Several rows are named ${shorten(text)}; name the one you mean by its accession.`;
      return { code: 'relationship.ambiguous', message };
    }
    const ordinal = survey.ordinalOf(line);
    if (survey.isRejected(ordinal)) {
      const message = `The row on line ${line}, which has this Sample Name, is rejected; fix that one and send both.`;
      return { code: 'relationship.target-rejected', message };
    }
    return formatAccession(prefix, survey.idOf(ordinal) || idOfRow(ordinal, line));
  }
  const own = parseAccession(prefix, text);
  if (own !== undefined ? !survey.missingTargets.has(own) : isForeignAccession(text)) return text;
  const message =
    own === undefined
      ? `No row of this file has the Sample Name ${shorten(text)}, and it is no accession. Add the row, or correct the name.`
      : `There is no sample ${shorten(text)} here, nor a row of this file with that name. Correct the accession.`;
  return { code: 'relationship.unknown', message };
}
