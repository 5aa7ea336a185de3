/**
 * Sheets of thousands of columns: what is done for each row, or for each column, does not go over all others once more.
 *
 * @module-tag bounds
 */
import { expect, it } from 'vitest';
import { checkedSheet } from '../../src/tsv/header/cell-place.js';
import { readHeader } from '../../src/tsv/header/header.js';
import { errorsRow } from '../../src/tsv/print/write.js';
import { proposeProfile } from '../../src/tsv/propose/propose.js';
import { Sense } from '../../src/tsv/quality/sense/sense.js';
import { readBatches } from '../../src/tsv/rows/read.js';
import { inOnePiece } from '../submissions/intake.js';
import { processorMsOf } from '../support/processor-time.js';

const OPTIONS = { prefix: 'SAMR', releaseDate: 0, unknownColumns: 'characteristics', isNew: true } as const;
/** The slowest of these takes half a second; it took five and more, four times as many for twice the columns. */
const BOUND_MS = 2_000;

const cells = (count: number, text: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => text(at));
const row = (...texts: string[]): string => `${texts.join('\t')}\n`;
const plan = (text: string) => readHeader(Buffer.from(text), OPTIONS, true);

/** Reads a sheet with all checks between its cells, and answers how many of its rows are good. */
async function read(text: string): Promise<number> {
  const sheet = plan(text);
  const sense = new Sense(checkedSheet(sheet));
  let good = 0;
  for await (const batch of readBatches(inOnePiece(text), sheet, { ...OPTIONS, batchRows: 1_000 })) {
    good += batch.count;
    sense.inspect(batch);
  }
  return good;
}

const propose = (header: string[], value: string) =>
  proposeProfile(
    { header: ['s', ...header], rows: ['a', 'b'].map((name) => [name, ...header.map(() => value)]) },
    { profiles: [], fields: [], prefix: 'SAMR', meant: () => undefined, title: 'x' },
  );

const WORKS: Record<string, () => unknown> = {
  'remarks below a wide header': () =>
    plan(row('Sample Name', ...cells(8_000, (at) => `h${at}`)) + '# note\n'.repeat(999) + row('s', 'x')).headerLine,
  'rows of units below a wide header': () =>
    plan(row('Sample Name', ...cells(8_000, (at) => `h${at}`)) + '\tmg\n'.repeat(999) + row('s', 'x')).headerLine,
  'thousands of columns of errors': () =>
    read(
      row('Sample Name', 'organism', ...cells(2_500, () => 'Error Code')) +
        cells(1_000, (at) => row(`s${at}`, 'x')).join(''),
    ),
  'a header of thousands of columns of errors over again': async () => {
    const header = row('Sample Name', 'organism', ...cells(4_000, () => 'Error Code'));
    return read(header + cells(40, (at) => row(`s${at}`, 'x')).join('') + header.repeat(300));
  },
  'rows of errors beside thousands of such columns': () => {
    const sheet = plan(
      row('Sample Name', ...cells(3_000, (at) => `h${at}`), ...cells(3_000, () => 'Error Code')) + row('s'),
    );
    const issue = { code: 'name.missing', severity: 'error', message: 'x', line: 3 } as const;
    for (let line = 0; line < 300; line++) errorsRow(sheet, { line, cells: ['s'] }, [issue]);
  },
  'blank rows of a form below thousands of columns of errors': () =>
    read(
      row('Nr.', 'Sample Name', 'organ', ...cells(8_000, () => 'Error Code')) +
        row('1', 's', 'x') +
        cells(100, (at) => row(`${at + 2}`, '', '', ...cells(8_000, () => 'e'))).join(''),
    ),
  'thousands of latitudes and no longitude of theirs': () =>
    read(row('Sample Name', ...cells(4_000, (at) => `latitude${at}a\tlongitude${at}b`)) + row('s', '1')),
  'thousands of ids without a name': () =>
    propose(
      cells(6_000, () => 'taxid'),
      '1',
    ),
  'thousands of names of organisms': () =>
    propose(
      cells(8_000, () => 'species'),
      'x',
    ),
};

it.each(Object.keys(WORKS))('%s', async (work) => {
  let found: unknown;
  const taken = await processorMsOf(async () => {
    found = await WORKS[work]?.();
  });
  expect(found).not.toBe(0);
  expect(taken, 'ms of the processor').toBeLessThan(BOUND_MS);
});

it('of a row whose cells hold whole rows a hundred are named', async () => {
  const within = `"x\n${'1\t'.repeat(199)}1\ny"`;
  const text = row('Sample Name', ...cells(199, (at) => `h${at}`)) + row(...cells(200, () => within));
  let said = 0;
  for await (const { rejected } of readBatches(inOnePiece(text), plan(text), { ...OPTIONS, batchRows: 10 }))
    for (const { issues } of rejected) said += issues.length;
  expect(said).toBe(100);
});
