/** A sheet with errors, fixed in the page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { file } from './sheets.js';
import { idInAddress } from './steps.js';

const SHEET = [
  ['Source Name', 'Sample Name', 'Release Date', 'Characteristics[organism]', 'Comment[bsd_relationship:derived from]'],
  ['donor 1', 'blood 1', '2024-01-01', 'Homo sapiens', ''],
  ['donor 2', 'blood 2', '21/11/2024', 'Homo sapiens', ''],
  ['donor 3', '', '2024-01-01', 'Homo sapiens', ''],
  ['donor 4', 'blood 1', '2024-01-01', 'Mus musculus', ''],
  ['donor 5', 'cells "5"', '2024-02-30', 'Homo\u00a0sapiens', 'blood 1'],
  ['donor 6', 'blood 6', '2024-01-01', 'Homo sapiens', 'blood 1'],
];

describe.skipIf(without('chromium'))('a sheet with errors', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-fixing');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('is shown with each bad cell where it stands, and the rows around it', async () => {
    const { page } = browser;
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(file('blood.tsv', SHEET.map((row) => `${row.join('\t')}\n`).join('')));
    // One row has no name, and is no sample yet.
    await page.getByRole('button', { name: 'Register 5 samples' }).click();
    await page.getByRole('heading', { name: 'To fix (4)' }).waitFor();
    await page.getByText('4 rows need fixing').waitFor();
    await page.getByRole('table').first().getByText('Release Date').first().waitFor();
    const cell = page.getByRole('textbox', { name: 'Line 3, Release Date' });
    expect(await cell.inputValue()).toBe('21/11/2024');
    await page.getByRole('button', { name: 'Line 5 in the sheet' }).click();
    const around = page.getByRole('region', { name: 'Line 5 in the sheet' });
    await around.getByRole('row', { name: /^4 donor 3/ }).waitFor();
    await around.getByRole('row', { name: /^6 donor 5 cells "5"/ }).waitFor();
    await browser.picture('outcome-with-errors');
    await page.getByRole('button', { name: 'Line 5 in the sheet' }).click();
  });

  it('is found by words and by kind', { tags: 'slow' }, async () => {
    const { page } = browser;
    await page.getByLabel('Find', { exact: true }).fill('21/11');
    await expect.poll(() => page.getByText('1 of 4').isVisible()).toBe(true);
    await page.getByLabel('Find', { exact: true }).fill('');
    await expect.poll(() => page.getByText(/^4\s+entries/).isVisible()).toBe(true);
  });

  it('saves the rows to fix as the interface prints them', { tags: 'slow' }, async () => {
    const { page } = browser;
    const saved = await browser.saved(() =>
      page
        .getByRole('region', { name: /To fix/ })
        .getByRole('link', { name: 'TSV' })
        .click(),
    );
    expect(saved.text).toBe((await server.get(`/submissions/${idInAddress(browser.page)}/errors`, { token })).text);
  });

  it('is fixed in the page and uploaded with no error left', async () => {
    const { page } = browser;
    const first = idInAddress(browser.page);
    await page.getByRole('button', { name: 'Use 2024-11-21 in line 3' }).click();
    await page.getByRole('textbox', { name: 'Line 4, Sample Name' }).fill('blood 3');
    await page.getByRole('textbox', { name: 'Line 5, Sample Name' }).fill('blood 4');
    await page.getByRole('textbox', { name: 'Line 6, Release Date' }).fill('2024-02-29');
    await browser.picture('outcome-fixed');
    await page.getByText('Every row is fixed.').waitFor();
    await page.getByRole('button', { name: /^Upload the 4.fixed rows$/ }).click();
    await page.getByRole('heading', { name: 'blood fixed.tsv' }).waitFor();
    await page.getByText('Every row of the sheet is registered').waitFor();
    const id = idInAddress(browser.page);
    expect(id).not.toBe(first);
    const status = await server.status(id, token);
    expect(status).toMatchObject({ submissionStatus: 'COMPLETED', counts: { created: 4, rejected: 0 } });
    expect(status.issues.filter(({ severity }) => severity === 'error')).toEqual([]);

    const names = new Map(
      [
        ...(await server.mapping(first, token)).sampleNameAccessionPairs,
        ...(await server.mapping(id, token)).sampleNameAccessionPairs,
      ].map(({ sampleName, sampleAccession }) => [sampleName, sampleAccession]),
    );
    expect([...names.keys()].sort()).toEqual(['blood 1', 'blood 2', 'blood 3', 'blood 4', 'blood 6', 'cells "5"']);
    const cells = (await server.get(`/samples/${names.get('cells "5"')}`, { token })).json();
    expect(cells).toMatchObject({
      release: '2024-02-29T00:00:00.000Z',
      characteristics: { organism: [{ text: 'Homo\u00a0sapiens' }] },
      // The name in the cell is registered by the first sheet, so the page wrote its accession.
      relationships: [{ type: 'derived from', target: names.get('blood 1') }],
    });
  });

  it('of which nothing is registered when one row is wrong is fixed whole', { tags: 'slow' }, async () => {
    const { page } = browser;
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(
        file('all or nothing.tsv', 'Sample Name\tRelease Date\r\nplasma 1\t2024-01-01\r\nplasma 2\t1.2.2024\r\n'),
      );
    await page.getByRole('radio', { name: 'register nothing' }).check();
    await page.getByRole('button', { name: 'Register 2 samples' }).click();
    // Names and dates alone are asked about first.
    await page.getByRole('dialog').getByRole('button', { name: 'Register all the same' }).click();
    await page.getByRole('heading', { name: 'To fix (1)' }).waitFor();
    await page.getByText('Nothing was registered, as you chose').waitFor();
    await page.getByRole('textbox', { name: 'Line 3, Release Date' }).fill('2024-02-01');
    await page.getByRole('button', { name: /^Upload the sheet with 1.fixed row$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
    expect(await server.status(idInAddress(browser.page), token)).toMatchObject({
      counts: { rows: 2, created: 2, rejected: 0 },
    });
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
