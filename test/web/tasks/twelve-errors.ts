/** Twelve errors fixed in the page: suggestions by row, kind and all, one value for many cells, checks while typing, a draft that stays. */
import { expect } from 'vitest';
import { file } from '../sheets.js';
import { choose, endSession, idInAddress, PATIENT, signInAgain } from '../steps.js';
import type { Task, Trial } from './trial.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[organism]', 'Characteristics[plate]'];
const DAYS = ['01.11.2024', '02.11.2024', '03.11.2024', '45252', 'Nov 5, 2024', '06/06/2024'];
const READ_AS = ['2024-11-01', '2024-11-02', '2024-11-03', '2023-11-22', '2024-11-05', '2024-06-06'];
const ERRORS = 12;

const rowsOf = (name: (kind: string) => string): string[][] => [
  ...DAYS.map((day, n) => [name(`dated ${n}`), day, 'Homo sapiens', `000${10 + n}`]),
  ...Array.from({ length: 6 }, (_, n) => [name(`undated ${n}`), '', 'Homo sapiens', `000${20 + n}`]),
  ...Array.from({ length: 20 }, (_, n) => [name(`good ${n}`), '2024-01-01', 'Homo sapiens', `000${30 + n}`]),
  // A plate whose leading zeros a spreadsheet has dropped: registered, with a warning.
  [name('short'), '2024-01-01', 'Homo sapiens', '77'],
];

export const twelveErrors: Task = {
  title: 'twelve errors, fixed in the page and sent after a link, a reload and an ended session',
  run: async (trial) => {
    const { page, browser } = trial;
    const rows = rowsOf(trial.of);
    const sheet = [HEADER, ...rows].map((row) => `${row.join('\t')}\n`).join('');
    await choose(browser, file('twelve.tsv', sheet));
    await trial.button(/^Register 33.samples$/).click();
    await trial.heading(`To fix (${ERRORS})`).waitFor(PATIENT);
    await trial.look('twelve errors', trial.button('Use all 7 suggestions'));
    await typesNonsense(trial);
    await takesSuggestions(trial);
    await fillsEmptyCells(trial);
    await trial.look('all fixed', sendFixed(trial));
    await browser.picture(`twelve-errors-${trial.screen.width}`);
    const address = page.url();
    await comesBackToDraft(trial);
    await endSession(browser);
    await sendFixed(trial).click();
    await signInAgain(page, trial.token);
    await trial.heading('twelve fixed.tsv').waitFor(PATIENT);
    const { sampleNameAccessionPairs } = await trial.server.mapping(idInAddress(page), trial.token);
    expect(sampleNameAccessionPairs.map(({ sampleName }) => sampleName)).toEqual(
      rows.slice(0, ERRORS).map(([name]) => name),
    );
    await page.goto(address);
    await trial.heading(`To fix (${ERRORS})`).waitFor();
    expect(await cell(trial, 8).inputValue()).toBe('');
    expect(await page.getByText(/Draft of/).count()).toBe(0);
    await fixesWarning(trial);
  },
};

const cell = ({ page }: Trial, line: number, column = 'Release Date') =>
  page.getByRole('textbox', { name: `Line ${line}, ${column}` });

const sendFixed = ({ button }: Trial) => button(/^Upload the 12.fixed rows$/);

/** What stands under the field, said of what was typed. */
async function verdict(trial: Trial, line: number): Promise<string | null> {
  const id = await cell(trial, line).getAttribute('aria-describedby');
  return id === null ? '' : trial.page.locator(`[id="${id.split(' ')[0]}"]`).textContent();
}

/** It is checked by the rules of the service as it is typed. */
async function typesNonsense(trial: Trial): Promise<void> {
  await cell(trial, 2).fill('nonsense');
  await expect.poll(() => verdict(trial, 2), PATIENT).toMatch(/is not an ISO 8601 date/);
  expect(await cell(trial, 2).getAttribute('aria-invalid')).toBe('true');
  await trial.page.getByText(/1.changed row would still be refused/).waitFor();
  await cell(trial, 2).fill('2024-11-01');
  await expect.poll(() => verdict(trial, 2), PATIENT).toBe('fixed');
  await cell(trial, 2).fill('01.11.2024');
}

/** Of one row, of a kind and of all. */
async function takesSuggestions(trial: Trial): Promise<void> {
  await trial.button('Use 2023-11-22 in line 5').click();
  expect(await cell(trial, 5).inputValue()).toBe('2023-11-22');
  await trial.button('use its 6 suggestions').click();
  expect(await Promise.all(DAYS.map((_, at) => cell(trial, 2 + at).inputValue()))).toEqual(READ_AS);
  await trial.button('Use all 7 suggestions').waitFor();
}

async function fillsEmptyCells(trial: Trial): Promise<void> {
  const { page } = trial;
  const fill = page.getByRole('group', { name: 'Fill a column' });
  await fill.getByRole('combobox', { name: 'Replace' }).click();
  await page.getByRole('option', { name: 'empty cells (6)' }).click();
  await fill.getByLabel('by', { exact: true }).fill('2024-12-24');
  await fill.getByRole('button', { name: /^Fill 6.cells$/ }).click();
  for (const line of [8, 13]) expect(await cell(trial, line).inputValue()).toBe('2024-12-24');
  await expect.poll(() => verdict(trial, 8), PATIENT).toBe('fixed');
  await page.getByText('Every row is fixed.').waitFor();
}

async function comesBackToDraft(trial: Trial): Promise<void> {
  const { page } = trial;
  await trial.goTo('Submissions');
  await page.getByRole('link', { name: 'twelve.tsv' }).click();
  await expect.poll(() => cell(trial, 8).inputValue()).toBe('2024-12-24');
  await page.reload();
  await expect.poll(() => cell(trial, 8).inputValue()).toBe('2024-12-24');
  await page.getByText(/Draft of .* kept in this browser/).waitFor();
  // The draft is checked anew; what asks after the session has ended is the press of the button, and nothing else.
  await expect.poll(() => verdict(trial, 8), PATIENT).toBe('fixed');
}

/** Its value can be changed in the sample that is registered already. */
async function fixesWarning(trial: Trial): Promise<void> {
  const { page, server, token } = trial;
  const id = idInAddress(page);
  await page.getByLabel('Find', { exact: true }).fill('00077');
  // The list follows a moment later: what is pressed before may move away under the pointer.
  await page.getByText(/^1 of 13$/).waitFor();
  await trial.button('Use 00077 in line 34').click();
  await trial.look('warning', trial.button(/^Update 1.sample$/));
  await trial.button(/^Update 1.sample$/).click();
  await trial.heading('twelve fixed.tsv').waitFor(PATIENT);
  const pairs = (await server.mapping(id, token)).sampleNameAccessionPairs;
  const short = pairs.find(({ sampleName }) => sampleName === trial.of('short'));
  expect((await server.get(`/samples/${short?.sampleAccession}`, { token })).json()).toMatchObject({
    characteristics: { plate: [{ text: '00077' }], organism: [{ text: 'Homo sapiens' }] },
  });
  expect((await server.status(idInAddress(page), token)).counts).toMatchObject({ created: 0, updated: 1 });
}
