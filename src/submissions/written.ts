import type { SheetPlan } from '../tsv/header/columns.js';
import type { Written } from '../tsv/print/write.js';
import { releaseText } from '../tsv/rows/release-cell.js';
import type { Outcome } from './results/outcomes.js';
import type { UploadOptions } from './submission.js';

/**
 * What the result says of a row beyond its own cells. Where the upload's date became the sample's release, that date;
 * a row whose sample kept its release stays without one, so that it keeps it again.
 */
export function written(
  plan: SheetPlan,
  { row, accession = '', existing }: Outcome,
  { releaseDate, releaseExisting }: UploadOptions,
): Written {
  if (releaseDate === undefined) return { accession };
  const { identifierColumn } = plan;
  const named = identifierColumn !== undefined && (row.cells[identifierColumn] ?? '').trim() !== '';
  const kept = (existing || named) && !releaseExisting;
  return { accession, release: kept ? '' : releaseText(releaseDate) };
}
