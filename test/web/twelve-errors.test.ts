/** Twelve errors fixed in the page: suggestions by row, kind and all, one value for many cells, checks while typing, a draft that stays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { Browser, CALM } from './browser.js';
import { file } from './sheets.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[organism]', 'Characteristics[plate]'];
const DAYS = ['01.11.2024', '02.11.2024', '03.11.2024', '45252', 'Nov 5, 2024', '06/06/2024'];
const rows = [
  ...DAYS.map((day, n) => [`dated ${n}`, day, 'Homo sapiens', `000${10 + n}`]),
  ...Array.from({ length: 6 }, (_, n) => [`undated ${n}`, '', 'Homo sapiens', `000${20 + n}`]),
  ...Array.from({ length: 20 }, (_, n) => [`good ${n}`, '2024-01-01', 'Homo sapiens', `000${30 + n}`]),
  // A plate whose leading zeros a spreadsheet has dropped: registered, with a warning.
  ['short', '2024-01-01', 'Homo sapiens', '77'],
];
const SHEET = [HEADER, ...rows].map((row) => `${row.join('\t')}\n`).join('');

describe.skipIf(without('chromium'))('twelve errors', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = await startServer();
    token = await server.token('lab-1');
    browser = await Browser.open(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const cell = (line: number, column = 'Release Date') =>
    browser.page.getByRole('textbox', { name: `Line ${line}, ${column}` });
  const idInAddress = () => browser.page.url().split('/submissions/')[1] as string;
  /** What stands under the field: the verdict on what was typed. */
  const verdict = async (line: number) => {
    const id = await cell(line).getAttribute('aria-describedby');
    return id === null ? '' : browser.page.locator(`[id="${id.split(' ')[0]}"]`).textContent();
  };

  it('are shown, and what is typed is checked by the rules of the service as it is typed', async () => {
    const { page } = browser;
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file('twelve.tsv', SHEET));
    await page.getByRole('button', { name: /^Register 33.samples$/ }).click();
    await page.getByRole('heading', { name: 'To fix (12)' }).waitFor({ timeout: 90_000 });
    await cell(2).fill('nonsense');
    await expect.poll(() => verdict(2), { timeout: 20_000 }).toMatch(/is not an ISO 8601 date/);
    expect(await cell(2).getAttribute('aria-invalid')).toBe('true');
    await page.getByText(/1.changed row would still be refused/).waitFor();
    await cell(2).fill('2024-11-01');
    await expect.poll(() => verdict(2), { timeout: 20_000 }).toBe('fixed');
    await cell(2).fill('01.11.2024');
  });

  it('take the suggestions of one row, of a kind and of all', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Use 2023-11-22 in line 5' }).click();
    expect(await cell(5).inputValue()).toBe('2023-11-22');
    await page.getByRole('button', { name: 'use its 6 suggestions' }).click();
    expect(await Promise.all([2, 3, 4, 5, 6, 7].map((line) => cell(line).inputValue()))).toEqual([
      '2024-11-01',
      '2024-11-02',
      '2024-11-03',
      '2023-11-22',
      '2024-11-05',
      '2024-06-06',
    ]);
    await page.getByRole('button', { name: 'Use all 7 suggestions' }).waitFor();
  });

  it('fill all empty cells of a column with one value', async () => {
    const { page } = browser;
    const fill = page.getByRole('group', { name: 'Fill a column' });
    await fill.getByRole('combobox', { name: 'Replace' }).click();
    await page.getByRole('option', { name: 'empty cells (6)' }).click();
    await fill.getByLabel('by', { exact: true }).fill('2024-12-24');
    await fill.getByRole('button', { name: /^Fill 6.cells$/ }).click();
    for (const line of [8, 13]) expect(await cell(line).inputValue()).toBe('2024-12-24');
    await expect.poll(() => verdict(8), { timeout: 20_000 }).toBe('fixed');
    await page.getByText('Every row is fixed.').waitFor();
    await browser.picture('twelve-errors');
  });

  it('stay as a draft through a link, a reload and an ended session', async () => {
    const { page } = browser;
    const address = page.url();
    await page.getByRole('link', { name: 'Submissions' }).click();
    await page.getByRole('link', { name: 'twelve.tsv' }).click();
    await expect.poll(() => cell(8).inputValue()).toBe('2024-12-24');
    await page.reload();
    await expect.poll(() => cell(8).inputValue()).toBe('2024-12-24');
    await page.getByText(/Draft of .* kept in this browser/).waitFor();
    await browser.context.clearCookies();
    await page.getByRole('button', { name: /^Upload the 12.fixed rows$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Token', { exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Token' }).fill(token);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'twelve fixed.tsv' }).waitFor({ timeout: 90_000 });
    const { sampleNameAccessionPairs } = await server.mapping(idInAddress(), token);
    expect(sampleNameAccessionPairs.map(({ sampleName }) => sampleName)).toEqual(
      rows.slice(0, 12).map(([name]) => name),
    );
    await page.goto(address);
    await page.getByRole('heading', { name: 'To fix (12)' }).waitFor();
    expect(await cell(8).inputValue()).toBe('');
    expect(await page.getByText(/Draft of/).count()).toBe(0);
  });

  it('include a warning, whose value can be changed in the sample that is registered already', async () => {
    const { page } = browser;
    const id = idInAddress();
    await page.getByLabel('Find', { exact: true }).fill('00077');
    await page.getByRole('button', { name: 'Use 00077 in line 34' }).click();
    await page.getByRole('button', { name: /^Update 1.sample$/ }).click();
    await page.getByRole('heading', { name: 'twelve fixed.tsv' }).waitFor({ timeout: 90_000 });
    const short = (await server.mapping(id, token)).sampleNameAccessionPairs.find(
      ({ sampleName }) => sampleName === 'short',
    );
    const stored = (await server.get(`/samples/${short?.sampleAccession}`, { token })).json<{
      characteristics: Record<string, { text: string }[]>;
    }>();
    expect(stored.characteristics.plate).toEqual([{ text: '00077' }]);
    expect(stored.characteristics.organism).toEqual([{ text: 'Homo sapiens' }]);
    expect((await server.status(idInAddress(), token)).counts).toMatchObject({ created: 0, updated: 1 });
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
