/** Sheets of many shapes from a seed: columns in any order, units and terms, relationships, blank and bad rows, every line end. */
import type { Random } from './random.js';

export interface GeneratedSheet {
  text: string;
  /** Data rows, good and bad. */
  rows: number;
  /** Rows that must be refused. */
  bad: number;
}

interface Column {
  header: string;
  cell(row: number): string;
}

const VALUES = [
  'liver',
  'Homo sapiens',
  '5" pipe',
  'été',
  '日本',
  'a b',
  '-5',
  '=1+1',
  "d'Arc",
  'x;y',
  '0012',
  'N/A',
  '€',
];

export function generateSheet(random: Random, rows: number): GeneratedSheet {
  const names = Array.from({ length: rows }, (_, row) => `s${row}-${random.below(1e6)}`);
  const badRows = new Set<number>();
  for (let row = 0; row < rows; row++) if (random.chance(0.05)) badRows.add(row);
  const columns = shuffled(random, [
    { header: 'Sample Name', cell: (row) => (badRows.has(row) ? '' : (names[row] as string)) },
    { header: random.pick(['Release Date', 'release date', 'RELEASE_DATE']), cell: () => random.pick(DATES) },
    ...characteristics(random),
    ...(random.chance(0.4) ? [relationship(random, names, badRows)] : []),
    ...(random.chance(0.3) ? [reference(random)] : []),
    ...(random.chance(0.3) ? [{ header: 'Protocol REF', cell: () => 'collection' }] : []),
  ]).flat();
  // In the first column a remark would be a name.
  const fillers = /name/i.test(columns[0]?.header ?? '') ? ['', '\t\t'] : ['', '\t\t', '# a remark'];
  const end = random.pick(['\n', '\r\n', '\r']);
  const lines = [columns.map(({ header }) => header).join('\t')];
  for (let row = 0; row < rows; row++) {
    if (random.chance(0.03)) lines.push(random.pick(fillers));
    lines.push(columns.map(({ cell }) => spelled(random, cell(row))).join('\t'));
  }
  return { text: lines.join(end) + (random.chance(0.8) ? end : ''), rows, bad: badRows.size };
}

const DATES = ['2020-01-31', '2021-05-06T07:08:09Z', '2099-12-01', '2020-01-31T00:00:00.000+02:00'];

/** Groups stay together: a unit belongs to the characteristic on its left. */
function characteristics(random: Random): Column[][] {
  return Array.from({ length: 1 + random.below(4) }, (_, at) => {
    const value = () => (random.chance(0.1) ? '' : random.pick(VALUES));
    const group: Column[] = [{ header: `Characteristics[attribute ${at}]`, cell: value }];
    if (random.chance(0.3)) group.push({ header: 'Unit', cell: () => random.pick(['year', '', 'kg']) });
    if (random.chance(0.3)) {
      group.push({ header: 'Term Source REF', cell: () => random.pick(['NCBITaxon', 'EFO', '']) });
      group.push({
        header: 'Term Accession Number',
        cell: () => random.pick(['9606', 'EFO:1', 'http://x.org/EFO_2', '']),
      });
    }
    return group;
  });
}

/** To rows that are good, backwards and forwards: a reference to a refused row would refuse this one too. */
function relationship(random: Random, names: string[], badRows: Set<number>): Column {
  const good = names.filter((_, row) => !badRows.has(row));
  const target = () => (good.length === 0 || random.chance(0.3) ? '' : random.pick(good));
  return { header: 'Comment[bsd_relationship:derived from]', cell: target };
}

const reference = (random: Random): Column => ({
  header: 'Comment[external DB REF]',
  cell: () => random.pick(['https://example.org/1', '']),
});

/** Quoted now and then: it must make no difference. */
const spelled = (random: Random, cell: string): string =>
  random.chance(0.1) && cell !== '' ? `"${cell.replaceAll('"', '""')}"` : cell;

function shuffled<T>(random: Random, groups: T[]): T[] {
  for (let last = groups.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [groups[last], groups[other]] = [groups[other] as T, groups[last] as T];
  }
  return groups;
}
