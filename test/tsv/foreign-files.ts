/**
 * Files in the shapes of other archives and programs, as people have them: the look-alikes as text, packed, and the real
 * ones. Each goes from drop to accessions in a few clicks, and by command line with one option at most.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fromXlsx, toXlsx } from '../e2e/sheets.js';
import { fixture, fixturesIn } from '../support/fixtures.js';
import { zip } from '../workbooks/raw-workbook.js';
import { asText, LOOK_ALIKES, type LookAlike } from './header/look-alikes.js';

export interface ForeignFile {
  name: string;
  bytes: () => Promise<Buffer>;
  /** Headers of its columns, of which each is accounted for. */
  header: () => Promise<readonly string[]>;
  /** Samples that it makes; absent of a real one, where nobody has counted them. */
  samples?: number;
  /** It says itself when its samples become public. */
  dated?: true;
  /** An archive of these tables: all of them are read, each with so many samples. */
  tables?: readonly string[];
  /** Nothing but its columns says what it is: the command reads it by the profile that `profile guess` writes. */
  guessed?: true;
}

const textOf = ({ rows }: LookAlike): Buffer => Buffer.from(asText(rows));
const nameOf = ({ kind }: LookAlike): string => kind.replaceAll(/\W+/g, '-').toLowerCase();
const ofKind = (kind: RegExp): LookAlike => {
  const found = LOOK_ALIKES.find((each) => kind.test(each.kind));
  if (!found) throw new Error(`no look-alike ${kind}`);
  return found;
};
/** The same with other samples, so that no two files are one. */
const renamed = (sheet: LookAlike, tag: string): LookAlike => ({
  ...sheet,
  names: sheet.names.map((name) => `${name}${tag}`),
  rows: sheet.rows.map((row) => row.map((cell) => (sheet.names.includes(cell) ? `${cell}${tag}` : cell))),
});
const packed = async (files: Record<string, string | Buffer>): Promise<Buffer> => readFileSync(await zip(files));

function lookAlike(sheet: LookAlike, name: string, pack: (sheet: LookAlike) => Promise<Buffer>): ForeignFile {
  const header = sheet.columns ?? (sheet.rows[sheet.header] as string[]);
  const guessed = sheet.options ? { guessed: true as const } : {};
  return { name, bytes: () => pack(sheet), header: async () => header, samples: sheet.names.length, ...guessed };
}

const STUDY = asText([
  ['Source Name', 'Material Type', 'Sample Name', 'Characteristics[organ]', 'Term Source REF', 'Term Accession Number'],
  ['mouse 1', 'whole', 'mouse 1 liver', 'liver', 'UBERON', 'UBERON:0002107'],
]);
const INVESTIGATION = [
  'ONTOLOGY SOURCE REFERENCE',
  'INVESTIGATION',
  'STUDY',
  'Study Identifier\t"M1"',
  'Study Title\t"Livers"',
  'Study Public Release Date\t"2031-05-06"',
  'Study File Name\t"s_livers.txt"',
  '',
].join('\n');
const DATED = (name: string) => `Sample Name\tRelease Date\torgan\n${name}\t2031-01-01\tliver\n`;

/** The look-alikes of every format as text, and packed as they are sent. */
export const LOOK_ALIKE_FILES: readonly ForeignFile[] = [
  ...LOOK_ALIKES.map((sheet) => lookAlike(sheet, `${nameOf(sheet)}.tsv`, async (each) => textOf(each))),
  lookAlike(renamed(ofKind(/Webin/), 'x'), 'webin.xlsx', ({ rows }) => toXlsx(rows)),
  lookAlike(renamed(ofKind(/^SDRF/), 'z'), 'sdrf.tsv.gz', async (each) => gzipSync(textOf(each))),
  lookAlike(renamed(ofKind(/^NCBI/), 'z'), 'ncbi.zip', (each) =>
    packed({ 'package/samples.tsv': textOf(each), 'package/README.txt': 'about the samples' }),
  ),
  {
    name: 'isa-tab.zip',
    bytes: () =>
      packed({ 'i_investigation.txt': INVESTIGATION, 's_livers.txt': STUDY, 'a_assay.txt': 'Sample Name\n' }),
    header: async () => (STUDY.split('\n')[0] as string).split('\t'),
    samples: 1,
    dated: true,
  },
  {
    name: 'two-studies.zip',
    bytes: () =>
      packed({
        'i_investigation.txt': `${INVESTIGATION}\n${INVESTIGATION.slice(INVESTIGATION.indexOf('STUDY')).replaceAll('ivers', 'ungs')}`,
        's_livers.txt': STUDY.replaceAll('mouse', 'rat'),
        's_lungs.txt': STUDY.replaceAll('mouse', 'rat').replaceAll('liver', 'lung'),
      }),
    header: async () => (STUDY.split('\n')[0] as string).split('\t'),
    samples: 1,
    dated: true,
    tables: ['s_livers.txt', 's_lungs.txt'],
  },
  {
    name: 'two-tables.zip',
    bytes: () => packed({ 'one.tsv': DATED('first of two'), 'two.tsv': DATED('second of two') }),
    header: async () => ['Sample Name', 'Release Date', 'organ'],
    samples: 1,
    dated: true,
    tables: ['one.tsv', 'two.tsv'],
  },
];

const REAL_FOLDERS = ['wrong-format', 'checklists'];

/** Real files that are no tables of samples, and what they are. */
export const NO_SHEETS: Readonly<Record<string, string>> = {
  'checklists/D21__ERC000033.json': 'a JSON Schema: the operator loads it as a checklist (test/checklists)',
  'checklists/D22__biosamples.json': 'a JSON Schema: the operator loads it as a checklist (test/checklists)',
};

/** Row of the header, from 0, of the real ones whose first row it is not. */
const REAL_HEADER: Readonly<Record<string, number>> = { 'D23__bacteria_test_metadata.xlsx': 1 };

/** The real ones that are tables of samples; none where there are no fixtures. */
export const realFiles = (): ForeignFile[] =>
  REAL_FOLDERS.flatMap((folder) => fixturesIn(folder).map((name) => ({ path: `${folder}/${name}`, name })))
    .filter(({ path }) => !(path in NO_SHEETS))
    .map(({ path, name }) => ({
      name,
      bytes: async () => fixture(path),
      header: async () => {
        const bytes = fixture(path);
        const rows = name.endsWith('.xlsx')
          ? await fromXlsx(bytes)
          : bytes
              .toString('utf8')
              .split(/\r?\n/)
              .map((line) => line.split('\t'));
        return rows[REAL_HEADER[name] ?? 0] as string[];
      },
    }));

/** Headers of the file that no row of the receipt speaks of: what they were read as, that they were kept, or not stored. */
export function unaccounted(result: string, header: readonly string[]): string[] {
  const receipt = result.slice(result.indexOf('RECEIPT START')).split('\n');
  const said = receipt
    .map((line) =>
      line.split('\t').map((cell) =>
        cell
          .trim()
          .replace(/^"(.*)"$/s, '$1')
          .replaceAll('""', '"'),
      ),
    )
    .filter(([label = '']) => label.startsWith('Columns ') || label.startsWith('Samples named by '))
    .flatMap(([, ...texts]) => texts);
  return header
    .map((text) => text.trim())
    .filter((text) => text !== '' && !said.some((each) => each === text || each.startsWith(`${text}: `)));
}
