/** The first rows of a sheet as the samples that a profile makes of them, by the service's own rules. */
import { RegistryError } from '../../../../src/registry/errors.js';
import { Head } from '../../../../src/tsv/bytes/head-rows.js';
import { RowReader } from '../../../../src/tsv/bytes/row-reader.js';
import { findHeader } from '../../../../src/tsv/header/find-header.js';
import { planHeader } from '../../../../src/tsv/header/plan-header.js';
import type { ImportProfile, KnownProfile } from '../../../../src/tsv/header/profile.js';
import { printRow } from '../../../../src/tsv/print/print-row.js';
import { DataRows } from '../../../../src/tsv/rows/data-rows.js';

export interface PreviewedSample {
  name: string;
  characteristics: { name: string; text: string; unit?: string }[];
}

const SHOWN = 3;
const NAME = 'preview';

/** Samples, or why there are none. `rows`: the header row, then those below it. */
export function previewOf(document: ImportProfile, rows: readonly (readonly string[])[]): PreviewedSample[] | string {
  const known: KnownProfile = { name: NAME, rank: 'own', version: 1, document };
  const text = rows.map(printRow).join('');
  const options = {
    prefix: '',
    releaseDate: 0,
    unknownColumns: 'characteristics' as const,
    profiles: [known],
    profile: NAME,
  };
  try {
    const head = new Head(text, true);
    const header = findHeader(head, options);
    return header ? samplesOf(text, planHeader(header, head, 'utf-8', options)) : 'There is no row to show.';
  } catch (error) {
    if (error instanceof RegistryError) return error.message;
    throw error;
  }
}

function samplesOf(text: string, plan: ReturnType<typeof planHeader>): PreviewedSample[] {
  const reader = new RowReader(plan.delimiter);
  reader.load(text, true);
  const rows = DataRows.ofSamples(reader, plan);
  const samples: PreviewedSample[] = [];
  while (samples.length < SHOWN && rows.next()) {
    const { row } = rows;
    const cell = (at: number | undefined): string => {
      const column = at === undefined ? -1 : (plan.keptColumns[at] ?? -1);
      return column >= 0 && column < row.cells ? row.cell(column).trim() : '';
    };
    samples.push({
      name: row.text.substring(rows.nameStart, rows.nameEnd),
      characteristics: plan.layout.characteristics.flatMap(({ name, text: at, unit: unitAt, fixedUnit }) => {
        const unit = fixedUnit ?? cell(unitAt);
        return cell(at) === '' ? [] : [{ name, text: cell(at), ...(unit === '' ? {} : { unit }) }];
      }),
    });
  }
  return samples;
}
