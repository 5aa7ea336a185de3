/** The file that the bench uploads: 15 columns, about 270 bytes a row, made the same each time. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Of whom the rows are, in turn. */
export const DONORS = 5000;

export const HEADER = [
  'Sample Name',
  'Release Date',
  'Characteristics[organism]',
  'Term Source REF',
  'Term Accession Number',
  'Characteristics[tissue]',
  'Characteristics[age]',
  'Unit',
  'Characteristics[sex]',
  'Characteristics[collection date]',
  'Characteristics[geographic location]',
  'Characteristics[description]',
  'Characteristics[batch]',
  'Characteristics[donor]',
  'Comment[external DB REF]',
];

/** What more there is for checks of several cells. */
const PLACES = [
  'Characteristics[latitude]',
  'Characteristics[longitude]',
  'Characteristics[disease]',
  'Characteristics[address]',
];

export interface SheetOptions {
  rows: number;
  /** Four columns more: coordinates, a disease and an address. */
  places?: boolean;
  /** The last column refers to another row by name instead of to a database elsewhere. */
  related?: boolean;
  /** Part of a cell of every row: another one makes every row another. */
  note?: string;
  /** Each row of so many is another. */
  otherEvery?: number;
  /** Part of every name. */
  tag?: string;
  /** Number of the first row's accession; adds a Sample Identifier column. */
  firstAccession?: number;
}

export async function writeSheet(path: string, options: SheetOptions): Promise<void> {
  const out = createWriteStream(path, { highWaterMark: 4 << 20 });
  const header = [...HEADER];
  if (options.related) header[14] = 'Comment[bsd_relationship:derived from]';
  if (options.places) header.push(...PLACES);
  if (options.firstAccession !== undefined) header.push('Sample Identifier');
  let text = `${header.join('\t')}\n`;
  for (let row = 0; row < options.rows; row++) {
    text += rowText(row, options);
    if (text.length > 1 << 20) {
      if (!out.write(text)) await once(out, 'drain');
      text = '';
    }
  }
  out.end(text);
  await once(out, 'finish');
}

export function rowText(
  row: number,
  {
    rows,
    related,
    places,
    otherEvery,
    note = otherEvery !== undefined && row % otherEvery === 0 ? 'other' : 'cohort',
    tag = 'sample',
    firstAccession,
  }: SheetOptions,
): string {
  const last = related ? `${tag}_${(row * 7 + 3) % rows}` : `https://db.example.org/view/ERS${1000000 + row}`;
  const identifier = firstAccession === undefined ? '' : `\tSAMR${firstAccession + row}`;
  const place = places ? `\t${placeText(row)}` : '';
  return (
    `${tag}_${row}\t2024-0${(row % 9) + 1}-15\tHomo sapiens\tNCBITaxon\tNCBITaxon_9606\tliver biopsy\t${20 + (row % 60)}\tyear\t` +
    `${row % 2 ? 'male' : 'female'}\t2023-05-${10 + (row % 18)}\tUnited Kingdom: Cambridge\tbiopsy number ${row} of the longitudinal ${note} study, frozen at -80\t` +
    `batch_${row >> 8}\tdonor_${row % DONORS}\t${last}${place}${identifier}\n`
  );
}

/** Of one of 5 000 stations in the country that the row names. */
const placeText = (row: number): string =>
  `${(51 + (row % 5000) / 2500).toFixed(4)}\t${(-2 + (row % 5000) / 2500).toFixed(4)}\tCOVID-19\t${1 + ((row * 13) % 90)} Mill Road`;
