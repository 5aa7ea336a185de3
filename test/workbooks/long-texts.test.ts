/** Texts of workbooks that are as long as they may be, and rows by the thousand: what is looked for in them takes time in proportion. */
import { expect, it } from 'vitest';
import { BesideSink } from '../../src/workbooks/beside-cells.js';
import { linkInFormula, shownByLink } from '../../src/workbooks/cell-notes.js';
import { CellText } from '../../src/workbooks/open-document/open-document-text.js';
import { RaisedRuns, withRaised } from '../../src/workbooks/raised.js';
import { Texts } from '../../src/workbooks/texts.js';
import { processorMs } from '../support/processor-time.js';

/** None takes a second; each took half a minute and more. */
const BOUND_MS = 5_000;
const LONG = 200_000;

const sink = (): BesideSink => new BesideSink({ row: () => undefined, cell: () => undefined }, new Texts());

const WORKS: Record<string, () => unknown> = {
  'blanks that stand raised behind a number': () => withRaised('5', `${' '.repeat(LONG)}x`),
  'blanks in front of a formula': () => linkInFormula(`${' '.repeat(LONG)}x`) ?? shownByLink(`${' '.repeat(LONG)}x`),
  'raised parts of a text, one letter each': () => {
    const runs = new RaisedRuns();
    let text = '';
    for (let at = 0; at < LONG; at++) {
      runs.beginRun();
      runs.align('superscript');
      runs.begin(text.length);
      text += '5';
      text = runs.end(text);
    }
    expect(text.length).toBe(LONG);
  },
  'raised parts of a cell of an OpenDocument': () => {
    const text = new CellText(new Set(['up']), () => new Error('too long'));
    text.begin(undefined);
    text.openParagraph();
    for (let at = 0; at < LONG; at++) {
      text.openPart('span', { 'text:style-name': 'up' });
      text.write('5');
      text.closePart();
    }
    expect(text.text.length).toBe(LONG);
  },
  'addresses with slashes by the thousand': () => {
    const beside = sink();
    const address = `a${'/'.repeat(50_000)}x`;
    for (let column = 1; column <= 5; column++) {
      beside.linked(1, column, address);
      beside.cell(1, column, { text: `${address}y` });
    }
    expect(beside.notes()?.links).toHaveLength(5);
  },
  'rows that are all said to be hidden in front of the first cell': () => {
    const beside = sink();
    const rows = 60_000;
    for (let row = 1; row <= rows; row++) beside.hidden(row);
    for (let row = 1; row <= rows; row++)
      for (let column = 1; column <= 40; column++) beside.cell(row, column, { text: 'x' });
    expect(beside.notes()?.hidden).toEqual({ rows, first: 1, last: rows });
  },
};

it.each(Object.keys(WORKS))('%s', (work) => {
  expect(
    processorMs(() => WORKS[work]?.()),
    'ms of the processor',
  ).toBeLessThan(BOUND_MS);
});
