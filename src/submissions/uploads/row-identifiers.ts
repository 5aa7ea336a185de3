/** Whether the rows of a file name samples that there are, found before the file is accepted. */
import type { SheetPlan } from '../../tsv/header/columns.js';
import { noReleaseDate } from '../../tsv/header/header-errors.js';
import type { SheetRow } from '../../tsv/print/rows.js';
import type { Blobs } from '../blobs.js';
import { fileRows, identifierOf } from '../json-file/print.js';
import { fileProblem } from '../processing/problems.js';
import { watchFor } from '../reading/mentions.js';
import { openSource, type StoredFile, sourceOf } from '../reading/stored-source.js';
import type { Submission } from '../submission.js';
import type { NewSubmission } from '../submission-store.js';

interface Storage {
  blobs: Blobs;
}

/** A sheet without any date is good only when each of its rows keeps the release of the sample that it names. */
export async function requireIdentifiers(deps: Storage, draft: NewSubmission, plan: SheetPlan): Promise<void> {
  const line = await findRow(deps, draft, plan, (identifier) => identifier === '');
  if (line !== undefined) throw noReleaseDate(plan.header, plan.headerLine, line);
}

/** Whether any row names a sample to update. Such a file is never answered with an earlier submission: its rows may be meant as a way back. */
export async function holdsIdentifiers(
  deps: Storage,
  draft: StoredFile & Pick<Submission, 'options'>,
  plan: SheetPlan,
): Promise<boolean> {
  return (await findRow(deps, draft, plan, (identifier) => identifier !== '')) !== undefined;
}

/** Line of the first row whose Sample Identifier is wanted. A file that breaks before it is the worker's to report, once, in the submission. */
async function findRow(
  deps: Storage,
  draft: StoredFile & Pick<Submission, 'options'>,
  plan: SheetPlan,
  wanted: (identifier: string) => boolean,
): Promise<number | undefined> {
  const column = plan.identifierColumn;
  if (column === undefined && !plan.json) return undefined;
  const identifier = (row: SheetRow): string =>
    column === undefined ? identifierOf(row) : (row.cells[column] ?? '').trim();
  try {
    if (plan.json && !(await mayName(openSource(deps.blobs, sourceOf(draft))))) return undefined;
    for await (const rows of fileRows(openSource(deps.blobs, sourceOf(draft)), plan)) {
      const row = rows.find((each) => !each.isBlankForm && wanted(identifier(each)));
      if (row) return row.line;
    }
  } catch (error) {
    fileProblem(error, draft.options);
  }
  return undefined;
}

/** Whether an item of a JSON file may name its sample: most files do not hold the word. */
async function mayName(bytes: AsyncIterable<Buffer>): Promise<boolean> {
  const watched = watchFor(bytes, '"accession"');
  for await (const _ of watched.bytes) if (watched.seen()) return true;
  return false;
}
