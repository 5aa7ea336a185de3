/**
 * A lab's own table in the page: one choice, and none the next time.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toXlsx } from '../../e2e/sheets.js';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';

const sheet = (tag: string) => `Tube\torgan\tsite\n${tag}-1\tliver\tA\n${tag}-2\tliver\tB\n`;

describe.skipIf(without('chromium'))('a table without a Sample Name', () => {
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    server = sharedServer();
    browser = await openBrowser(server);
    await browser.signIn(await server.token('lab-name-column'));
  });
  afterAll(async () => {
    await browser?.close();
  });

  const choose = async (tag: string) => {
    await browser.view('/');
    await browser.page.locator('input[type=file]').setInputFiles(file(`${tag}.tsv`, sheet(tag)));
  };
  const register = async () => {
    const { page } = browser;
    await page.getByRole('radio', { name: 'today' }).check();
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor({ timeout: 300_000 });
  };

  it('asks which column names the samples, the likeliest first, and registers it', async () => {
    const { page } = browser;
    await choose('first');
    await page.getByText('No Sample Name column: choose the column').waitFor();
    await page.getByRole('button', { name: 'Only choose the column for names' }).click();
    const select = page.getByRole('combobox', { name: 'Column that names the samples of first.tsv' });
    await select.click();
    expect(await page.getByRole('option').allTextContents()).toEqual(['Tube', 'site', 'organ']);
    await browser.picture('name-column');
    await page.getByRole('option', { name: 'Tube' }).click();
    await page.getByText('Samples are named by the column Tube').waitFor();
    await register();
  });

  it('of more columns than a profile may have says why nothing else is asked of them', async () => {
    const { page } = browser;
    const genes = Array.from({ length: 1000 }, (_, at) => `gene ${at}`);
    const rows = ['a', 'b'].map((tube) => [`wide ${tube}`, ...genes.map((_, at) => String(at % 7))].join('\t'));
    await browser.view('/');
    const wide = [['Tube', ...genes].join('\t'), ...rows].join('\n');
    await page.locator('input[type=file]').setInputFiles(file('wide.tsv', wide));
    await page.getByText('the header row has 1001 columns; an import profile says of 1000 at most').waitFor();
    await page.getByRole('combobox', { name: 'Column that names the samples of wide.tsv' }).waitFor();
  });

  it('of more columns than a profile may have in a workbook says so, too, and is read by the column that names its samples', async () => {
    const { page } = browser;
    const genes = Array.from({ length: 1000 }, (_, at) => `gene ${at}`);
    const rows = ['a', 'b'].map((tube) => [`packed ${tube}`, ...genes.map((_, at) => String(at % 7))]);
    const buffer = await toXlsx([['Tube', ...genes], ...rows]);
    await browser.view('/');
    const list = page.getByRole('list', { name: 'Chosen files' });
    const drop = (name: string) => page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
    await drop('wide.xlsx');
    const reason = list.getByText('the header row has 1001 columns; an import profile says of 1000 at most');
    await reason.waitFor();
    await list.getByText('No Sample Name column: choose the column').waitFor();
    await page.getByRole('combobox', { name: 'Column that names the samples of wide.xlsx' }).click();
    await page.getByRole('option', { name: 'Tube' }).click();
    await list.getByText('Samples are named by the column Tube').waitFor();
    expect(await reason.count()).toBe(0);
    await page.getByRole('radio', { name: 'today' }).check();
    await page.getByRole('button', { name: 'Register the samples' }).click();
    await page.getByText('Every row of the sheet is registered').waitFor({ timeout: 300_000 });
    // A second one of its kind is not asked about.
    await browser.view('/');
    await drop('wide again.xlsx');
    await list.getByText('Samples are named by the column Tube').waitFor();
  });

  it('asks nothing for the next sheet of these headers', async () => {
    await choose('second');
    await browser.page.getByText('Samples are named by the column Tube').waitFor();
    await register();
  });

  it('is fixed whole by the column that names its samples, also where semicolons part the cells', async () => {
    const { page } = browser;
    await browser.view('/');
    const days = ['2024-01-01', '1.2.2024', '2024-03-01'];
    const rows = days.map((day, n) => `third-${n};liver;${day}\n`).join('');
    await page.locator('input[type=file]').setInputFiles(file('third.csv', `Tube;organ;Release Date\n${rows}`));
    await page.getByText('No Sample Name column: choose the column').waitFor();
    await page.getByRole('button', { name: 'Only choose the column for names' }).click();
    await page.getByRole('combobox', { name: 'Column that names the samples of third.csv' }).click();
    await page.getByRole('option', { name: 'Tube' }).click();
    await page.getByRole('radio', { name: 'register nothing' }).check();
    await page.getByRole('button', { name: /^Register 3.samples$/ }).click();
    await page.getByRole('heading', { name: 'To fix (1)' }).waitFor();
    await page.getByRole('button', { name: 'Line 3 in the sheet' }).click();
    const around = page.getByRole('region', { name: 'Line 3 in the sheet' });
    await around.getByRole('row', { name: /^2 third-0 liver 2024-01-01/ }).waitFor();
    await around.getByRole('row', { name: /^4 third-2 liver 2024-03-01/ }).waitFor();
    await page.getByRole('button', { name: 'Line 3 in the sheet' }).click();
    await page.getByRole('textbox', { name: 'Line 3, Release Date' }).fill('2024-02-01');
    await page.getByRole('button', { name: /^Upload the sheet with 1.fixed row$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
  });

  it('may name them by the names of its rows, for which the header of a table from R has no cell', async () => {
    const { page } = browser;
    await browser.view('/');
    const rows = ['2024-01-01', '1.2.2024'].map((day, n) => `"row-${n}"\t"liver"\t"${day}"\n`).join('');
    await page.locator('input[type=file]').setInputFiles(file('r.tsv', `"organ"\t"Release Date"\n${rows}`));
    await page.getByText('No Sample Name column: choose the column').waitFor();
    await page.getByRole('button', { name: 'Only choose the column for names' }).click();
    await page.getByRole('combobox', { name: 'Column that names the samples of r.tsv' }).click();
    await page.getByRole('option', { name: 'A (no header)' }).click();
    await page.getByText('Samples are named by the column A (no header)').waitFor();
    await page.getByRole('radio', { name: 'register nothing' }).check();
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await page.getByRole('button', { name: 'Line 3 in the sheet' }).click();
    const around = page.getByRole('region', { name: 'Line 3 in the sheet' });
    await around.getByRole('row', { name: /^2 row-0 liver 2024-01-01/ }).waitFor();
    await browser.picture('row-names');
    await page.getByRole('button', { name: 'Line 3 in the sheet' }).click();
    await page.getByRole('textbox', { name: 'Line 3, Release Date' }).fill('2024-02-01');
    await page.getByRole('button', { name: /^Upload the sheet with 1.fixed row$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
