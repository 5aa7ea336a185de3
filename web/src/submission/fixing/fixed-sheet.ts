import type { QueryClient } from '@tanstack/react-query';
import { fold } from '../../../../src/tsv/dialect.js';
import type { SubmissionStatus } from '../../api/contract.js';
import type { IssueReport } from '../../api/issues.js';
import { get } from '../../api/request.js';
import { endedKey, type MappingPair, submissionPath } from '../../api/submissions.js';
import { readOriginal } from '../original.js';
import { type Edits, fixedCells, fixedName, fixedRows, tsvOf } from './fixing.js';

interface FixedSheet {
  submission: SubmissionStatus;
  report: IssueReport;
  edits: Edits;
  /** The whole sheet with the fixes in it, not the fixed rows alone. */
  whole: boolean;
  client: QueryClient;
}

/** Text, of a workbook the sheet that was read. @throws Error when the whole of what is no sheet is wanted */
export async function fixedSheet({ submission, report, edits, whole, client }: FixedSheet): Promise<File> {
  const text = whole
    ? await wholeSheet(submission, edits)
    : fixedRows(report, edits, await relationsByAccession(submission, report, edits, client));
  return new File([text], fixedName(submission.fileName), { type: 'text/tab-separated-values' });
}

async function wholeSheet(submission: SubmissionStatus, edits: Edits): Promise<string> {
  const sheet = await readOriginal(submission);
  if (!sheet) {
    throw new Error('Your file is no sheet, and all of it is needed. Fix it where it was made, and upload it again.');
  }
  return tsvOf(sheet.rows.map(({ line, cells }) => fixedCells(cells, edits.get(line))));
}

/** `Comment[bsd_relationship:…]`, as the service compares headers. */
const isRelation = (header: string): boolean => fold(header).startsWith('comment[bsdrelationship:');

/**
 * Fixed rows may name samples that stay behind in the first sheet. Those are registered, so their accession says the
 * same; names among the fixed rows stay names.
 */
async function relationsByAccession(
  submission: SubmissionStatus,
  report: IssueReport,
  edits: Edits,
  client: QueryClient,
): Promise<(column: number, text: string) => string> {
  const relations = new Set(report.columns.flatMap((header, at) => (isRelation(header) ? [at] : [])));
  if (relations.size === 0) return (_, text) => text;
  const id = submission.submissionId;
  const pairs = await client.fetchQuery({
    queryKey: endedKey(id, 'mapping'),
    queryFn: async () =>
      (await get<{ sampleNameAccessionPairs?: MappingPair[] }>(`${submissionPath(id)}/mapping`))
        .sampleNameAccessionPairs ?? [],
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accessions = new Map(pairs.map(({ sampleName, sampleAccession }) => [sampleName, sampleAccession]));
  const nameColumn = report.columns.findIndex((header) => fold(header) === 'samplename');
  for (const { line, cells } of report.rows) {
    if (edits.has(line)) accessions.delete((fixedCells(cells, edits.get(line))[nameColumn] ?? '').trim());
  }
  return (column, text) => (relations.has(column) ? (accessions.get(text.trim()) ?? text) : text);
}
