/** Forms of which some rows are filled in: what the page says becomes of the others, and what does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';

const HEADER = ['Nr.', 'Sample Name', 'Release Date', 'organism'];
const filled = (...names: string[]) => names.map((name, at) => [String(at + 1), name, '2024-01-01', 'x']);
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), '', '', '']);
const sheet = (...rows: string[][]) => [HEADER, ...rows].map((row) => `${row.join('\t')}\n`).join('');

describe.skipIf(without('chromium'))('a form', () => {
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    server = sharedServer();
    browser = await openBrowser(server);
    await browser.signIn(await server.token('lab-forms'));
  });
  afterAll(async () => {
    await browser?.close();
  });

  const choose = async (name: string, text: string) => {
    await browser.view('/');
    await browser.page.locator('input[type=file]').setInputFiles(file(name, text));
  };

  it('of numbered rows registers those that are filled in, and says of the others that they are blank', async () => {
    const { page } = browser;
    await choose('form.tsv', sheet(...filled('tube 1'), ...numbered(2, 30)));
    await page.getByText(/^29.rows are blank but for what a form has in its rows$/).waitFor();
    await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
    await page.getByText('29 rows (lines 3 to 31) hold nothing but').first().waitFor();
    await page.getByRole('button', { name: /^Copy 1.name and accession$/ }).waitFor();
  });

  it('counts no rows without a name as samples, and says that they will be sent back', { tags: 'slow' }, async () => {
    const { page } = browser;
    await choose('unnamed.tsv', sheet(...filled('a', 'b', '', 'c', 'd', '')));
    await page.getByText(/^2.rows are without a Sample Name and will be sent back$/).waitFor();
    await page.getByRole('button', { name: /^Register 4.samples$/ }).click();
    await page
      .getByText(/2.rows/)
      .first()
      .waitFor();
    await page.getByText('The row has no Sample Name').first().waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
