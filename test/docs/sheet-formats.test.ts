/** Each format that is read as it is has a page with what its columns become, printed from what the reader makes of a sheet of it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/tsv/dialect.js';
import { SHIPPED_PROFILES } from '../../src/tsv/header/shipped-profiles.js';
import { ROOT } from '../support/output.js';
import { asText, LOOK_ALIKES } from '../tsv/header/look-alikes.js';
import { planOf } from '../tsv/read-sheet.js';
import { document, expectSection } from './section.js';

const KINDS: Record<string, string[]> = {
  ena: [
    'ENA table of ena-upload-cli',
    'ENA spreadsheet of Webin',
    'ENA spreadsheet of Webin with values for all samples',
  ],
  ncbi: ['NCBI BioSample package'],
  geo: ['GEO metadata sheet', 'GEO metadata sheet of before 2023'],
  mixs: ['MIxS sheet'],
  sampletab: ['SampleTab file'],
  sdrf: ['SDRF of a proteomics study'],
  nextstrain: ['Nextstrain metadata', 'GISAID metadata', 'GISAID batch upload, with its row of labels'],
  qiime: ['QIIME 2 metadata with types', 'QIIME 1 mapping file', 'Qiita sample information'],
  terra: ['Terra table'],
  'by-sample-id': ['Table of a laboratory by Sample ID'],
};
const ISA = [
  ['Source Name', 'Protocol REF', 'Sample Name', 'Characteristics[organ]', 'Term Source REF', 'Term Accession Number'],
  ['mouse 1', 'dissection', 'mouse 1 liver', 'liver', 'UBERON', 'UBERON:0002107'],
];

/** One row a column: its header, and what it becomes. */
function mapping(rows: readonly string[][]): string {
  const {
    header,
    meanings = [],
    notStored,
  } = planOf(asText(rows), { releaseDate: 0, unknownColumns: 'characteristics' });
  const becomes = (title: string): string => {
    const said = meanings.find((each) => each === title || each.startsWith(`${title}: `));
    if (said !== undefined) return said === title ? title : said.slice(title.length + 2);
    return notStored.includes(title)
      ? 'not stored; comes back with the result'
      : `\`Characteristics[${title.replace(/^\*+/, '')}]\``;
  };
  const lines = header.map((title) => `| \`${title}\` | ${becomes(title)} |`);
  return ['| column | becomes |', '|---|---|', ...lines].join('\n');
}

const sheetOf = (kind: string): string[][] => {
  const found = LOOK_ALIKES.find((each) => each.kind === kind);
  if (!found) throw new Error(`no look-alike ${kind}`);
  return found.rows;
};

describe('docs/sheets-….md', () => {
  it.each(Object.entries(KINDS))('%s: says what each column of its sheets becomes', (name, kinds) => {
    const parts = kinds.map((kind) => `${kind}:\n\n${mapping(sheetOf(kind))}`);
    expectSection(`docs/sheets-${name}.md`, 'mapping', parts.join('\n\n'));
  });

  it('isa-tab: says what each column of a study table becomes', () => {
    expectSection('docs/sheets-isa-tab.md', 'mapping', mapping(ISA));
  });

  it('are there for each profile that ships, and listed', () => {
    const page = document('docs/sheet-formats.md');
    for (const name of [...SHIPPED_PROFILES.map((each) => each.name), 'isa-tab']) {
      expect(existsSync(join(ROOT, `docs/sheets-${name}.md`)), name).toBe(true);
      expect(page).toContain(`(sheets-${name}.md)`);
    }
  });

  it('name each column that a profile reads', () => {
    const page = document('docs/sheet-formats.md');
    const named = [...page.matchAll(/`([^`]+)`/g)].map(([, text]) => fold(text as string));
    for (const { name, document: profile } of SHIPPED_PROFILES) {
      expect(page).toContain(`\`${name}\``);
      for (const { header } of profile.columns) expect(named).toContain(fold(header));
    }
  });
});
