/** Many files at once with three bad ones: what became of each, the bad ones first, and all results in one download. */
import { expect } from 'vitest';
import { PROOF } from '../../support/proof.js';
import { file, goodSheet, sheetWithBadDates } from '../sheets.js';
import { choose } from '../steps.js';
import type { Task } from './trial.js';

const FILES = PROOF ? 50 : 15;
const GOOD = `${FILES - 3} without errors`;
/** Those with rows to fix, without the column of names, and refused by the service alone; the worst is not the first. */
const SOME_BAD = 6;
const NAMELESS = 9;
const ALL_BAD = 12;

export const fiftyFiles: Task = {
  title: `${FILES} files with three bad ones`,
  run: async (trial) => {
    const { browser, page, button } = trial;
    await choose(browser, ...Array.from({ length: FILES }, (_, n) => plate(n, trial.of(`plate ${n}`))));
    await trial.look('many files', button(/^Register \d+.samples$/));
    await button(/^Register \d+.samples$/).click();
    const summary = page.getByRole('region', { name: 'What became of the files' });
    await summary.getByText(GOOD).waitFor({ timeout: 300_000 });
    const cards = page.locator('ul[aria-label="Chosen files"] > li');
    const first = await Promise.all([0, 1, 2, 3].map((at) => cards.nth(at).textContent()));
    expect(first[0]).toMatch(listed(NAMELESS, 'No Sample Name column'));
    expect(first[1]).toMatch(listed(ALL_BAD, 'Failed.*2 to fix'));
    expect(first[2]).toMatch(listed(SOME_BAD, 'Completed with errors.*4 registered.*2 to fix'));
    expect(first[3]).toMatch(listed(0, 'Completed.*2 registered'));
    const results = summary.getByRole('link', { name: 'Download all results' });
    await trial.look('what became of them', results);
    await browser.picture(`many-files-${trial.screen.width}`);

    const saved = await browser.saved(() => results.click());
    expect(saved.name).toBe('results.zip');
    expect(saved.text.match(/plate-\d+\.result\.tsv/g)?.length).toBeGreaterThanOrEqual(FILES - 1);

    await page.getByRole('link', { name: new RegExp(`^Fix the 2.rows of plate-${SOME_BAD}\\.tsv$`) }).click();
    await trial.heading('To fix (2)').waitFor();
    await trial.look('outcome of a bad one', trial.result());
    await page.goBack();
    await summary.getByText(GOOD).waitFor();
  },
};

/** What is said of a file in the list. */
const listed = (n: number, words: string) => new RegExp(`plate-${n}\\.tsv.*${words}`, 's');

function plate(n: number, prefix: string) {
  const name = `plate-${n}.tsv`;
  if (n === SOME_BAD) return file(name, sheetWithBadDates(6, 3).replaceAll('liver ', `${prefix} `));
  if (n === NAMELESS) return file(name, 'Source Name\tRelease Date\nx\t2024-01-01\n');
  // A date that only the service looks at: every row of it is refused there.
  if (n === ALL_BAD) return file(name, goodSheet(2, prefix).replaceAll('2024-01-01', 'soon'));
  return file(name, goodSheet(2, prefix));
}
