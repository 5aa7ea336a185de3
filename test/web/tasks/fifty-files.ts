/** Fifty files at once with three bad ones: what became of each, the bad ones first, and all results in one download. */
import { expect } from 'vitest';
import { file, goodSheet, sheetWithBadDates } from '../sheets.js';
import { choose } from '../steps.js';
import type { Task } from './trial.js';

const FILES = 50;

export const fiftyFiles: Task = {
  title: 'fifty files with three bad ones',
  run: async (trial) => {
    const { browser, page, button } = trial;
    await choose(browser, ...Array.from({ length: FILES }, (_, n) => plate(n, trial.of(`plate ${n}`))));
    await trial.look('fifty files', button(/^Register \d+.samples$/));
    await button(/^Register \d+.samples$/).click();
    const summary = page.getByRole('region', { name: 'What became of the files' });
    await summary.getByText('47 without errors').waitFor({ timeout: 180_000 });
    const cards = page.locator('ul[aria-label="Chosen files"] > li');
    const first = await Promise.all([0, 1, 2, 3].map((at) => cards.nth(at).textContent()));
    expect(first[0]).toMatch(/plate-30\.tsv.*No Sample Name column/s);
    expect(first[1]).toMatch(/plate-40\.tsv.*Failed.*2 to fix/s);
    expect(first[2]).toMatch(/plate-20\.tsv.*Completed with errors.*4 registered.*2 to fix/s);
    expect(first[3]).toMatch(/plate-0\.tsv.*Completed.*2 registered/s);
    const results = summary.getByRole('link', { name: 'Download all results' });
    await trial.look('what became of them', results);
    await browser.picture(`fifty-files-${trial.screen.width}`);

    const saved = await browser.saved(() => results.click());
    expect(saved.name).toBe('results.zip');
    expect(saved.text.match(/plate-\d+\.result\.tsv/g)?.length).toBeGreaterThanOrEqual(FILES - 1);

    await page.getByRole('link', { name: /^Fix the 2.rows of plate-20\.tsv$/ }).click();
    await trial.heading('To fix (2)').waitFor();
    await trial.look('outcome of a bad one', trial.result());
    await page.goBack();
    await summary.getByText('47 without errors').waitFor();
  },
};

function plate(n: number, prefix: string) {
  const name = `plate-${n}.tsv`;
  if (n === 20) return file(name, sheetWithBadDates(6, 3).replaceAll('liver ', `${prefix} `));
  if (n === 30) return file(name, 'Source Name\tRelease Date\nx\t2024-01-01\n');
  // A date that only the service looks at: every row of it is refused there.
  if (n === 40) return file(name, goodSheet(2, prefix).replaceAll('2024-01-01', 'soon'));
  return file(name, goodSheet(2, prefix));
}
