/** How far the checks between cells look, in long sheets and row by row. */
import { expect, it } from 'vitest';
import { batchCells, batchName } from '../../src/registry/samples/sample-batch.js';
import { checkedSheet } from '../../src/tsv/header/cell-place.js';
import { Sense } from '../../src/tsv/quality/sense/sense.js';
import { readSheet } from '../tsv/read-sheet.js';
import { inWords, NOW, saidOf } from './sensed.js';

const times = (count: number, row: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => row(at));

const HEADER = 'organism|tax id|country|latitude|longitude|collection date';
const RIGHT = 'Homo sapiens|9606|Germany|52.5|13.4|2024-01-01';
const WRONG = 'Homo sapiens|9607|Germany|52.5|95|2031-01-01';

it('behind row 5 000 the first 16 of 64 rows are looked at', async () => {
  const issues = await saidOf([HEADER, ...times(4_990, () => RIGHT), ...times(150, () => WRONG)]);
  const rows = (code: string) => issues.filter((issue) => issue.code === code).map(({ line }) => line - 2);
  const expected = Array.from({ length: 150 }, (_, at) => 4_990 + at).filter((at) => at < 5_000 || at % 64 < 16);
  expect(rows('suspect.organism')).toEqual(expected);
  expect(rows('suspect.place')).toEqual(expected);
  expect(rows('suspect.time')).toEqual(expected);
});

it('asked row by row from the top, a row is held to those above it', async () => {
  const sheet =
    'Sample Name|disease|latitude|longitude\nA|COVID-19|95|100\nB|COVID-20|1|2\nC|COVID-21|1|2\nNote: x|||\n';
  const { plan, batches } = await readSheet(sheet.replaceAll('|', '\t'), {
    header: { unknownColumns: 'characteristics', releaseDate: NOW },
  });
  const sense = new Sense(checkedSheet(plan), NOW);
  const said = batches.flatMap((batch) =>
    Array.from(batch.lines, (line, row) =>
      sense.inspectRow({ line, name: batchName(batch, row), release: NOW, packed: batchCells(batch, row) }),
    ),
  );
  expect(said.map((issues) => issues.map(({ line, code }) => `${line} ${code}`))).toEqual([
    ['2 suspect.place'],
    [],
    ['4 suspect.series'],
    ['5 suspect.name'],
  ]);
});

it('an equal row is found by the column that tells most rows apart, wherever it stands', async () => {
  const rows = times(250, (at) => `liver|${at % 3}|B${at}|${at % 2}`);
  const others = ['liver|1|B100|1', 'liver|1|B100|0', 'liver|1||', 'liver|1', 'liver'];
  const issues = await saidOf(['tissue|rack|barcode|side', ...rows, ...others]);
  expect(inWords(issues)).toEqual([
    '253: "S252" in Sample Name has the values of line 102 in every other column; was that row copied and not filled in?',
  ]);
});

it.each([
  [38, [40, 41]],
  [37, [39]],
])('behind %i rows equal ones are errors up to one in twenty', async (count, lines) => {
  const rows = [...times(count, (at) => `${at}.5|f`), '1.5|f', '2.5|f'];
  expect((await saidOf(['weight|sex', ...rows])).map(({ line }) => line)).toEqual(lines);
});

it('a name of more than 200 characters is compared with no list', async () => {
  const organism = (length: number) => `Felis silvestris ${'x'.repeat(length - 17)}|9606`;
  expect(await saidOf(['organism|tax id', organism(200)])).toHaveLength(1);
  expect(await saidOf(['organism|tax id', organism(201)])).toEqual([]);
});

it.each([
  ['organism|tax id', 'Severe acute|2697049'],
  ['country|latitude|longitude', 'Lebanon, USA|40.3|-76.4'],
  ['country|latitude|longitude', 'GERMANY : Berlin|52.5|13.4'],
])('nothing is said of %s: %s', async (header, row) => {
  expect(await saidOf([header, row])).toEqual([]);
});
