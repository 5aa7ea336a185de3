/**
 * Searching samples by the page: Back, reloads, many chosen, withdrawn ones, and what a history says.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { goodSheet } from './sheets.js';

/** Of no interest how long it takes: other suites share the machine. */
const PATIENT = { timeout: 300_000 };

describe.skipIf(without('chromium'))('a search of samples in the page', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = await startServer();
    token = await server.token('lab-1');
    await server.uploadAndSettle(goodSheet(900), { token });
    const indexed = async () => expect((await found('text=liver&page=0')).page.totalElements).toBe(900);
    await vi.waitFor(indexed, { timeout: 300_000, interval: 100 });
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  interface Found {
    _embedded?: { samples: { accession: string; name: string }[] };
    page: { totalElements: number };
  }
  const found = async (query: string): Promise<Found> =>
    (await server.get(`/samples?${query}`, { token })).json<Found>();
  const rowCount = async () => Number(await browser.page.getByRole('table').getAttribute('aria-rowcount')) - 1;
  const search = () => browser.page.getByLabel('Find samples');

  it('comes back with Back: its words, filters, columns, open pages and what was chosen', async () => {
    const { page } = browser;
    await browser.view('/samples');
    await search().fill('liver');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByRole('combobox', { name: 'Characteristic', exact: true }).fill('sex');
    await page.getByLabel('Value', { exact: true }).fill('female');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('sex is female').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(rowCount, PATIENT).toBe(100);
    await page.getByRole('combobox', { name: 'Columns' }).click();
    await page.getByRole('option', { name: 'tissue' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('columnheader', { name: 'tissue' }).count(), PATIENT).toBe(0);
    await page
      .getByRole('checkbox', { name: /^Choose SAMR/ })
      .first()
      .check();
    await page.getByText(/^1.sample chosen$/).waitFor();
    await page.getByRole('link', { name: /^SAMR/ }).first().click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();

    await page.goBack();
    for (const look of ['Back', 'a reload']) {
      await page.getByText('sex is female').waitFor();
      expect(await search().inputValue(), look).toBe('liver');
      await expect.poll(rowCount, PATIENT).toBe(100);
      expect(await page.getByRole('columnheader', { name: 'tissue' }).count(), look).toBe(0);
      expect(await page.getByRole('columnheader', { name: 'organism' }).count(), look).toBe(1);
      if (look === 'Back') await page.getByText(/^1.sample chosen$/).waitFor();
      await page.reload();
    }
    // The place in the menu leads to a search of its own again.
    await page.getByRole('link', { name: 'Samples', exact: true }).click();
    await expect.poll(() => search().inputValue(), PATIENT).toBe('');
    expect(await page.getByText('sex is female').count()).toBe(0);
  });

  it('of 900 chosen samples gives one sheet, and says why when it does not', async () => {
    const { page, context } = browser;
    await browser.view('/samples?text=liver&pages=18');
    await expect.poll(rowCount).toBe(900);
    await page.getByRole('checkbox', { name: 'Choose all samples shown' }).check();
    await page.getByText(/^900.samples chosen$/).waitFor();
    await browser.picture('samples-900-chosen');
    const download = page.getByRole('button', { name: 'Download as a sheet to edit' });
    const sheet = await browser.saved(() => download.click());
    expect(sheet.text.split('\n').filter((line) => line.includes('liver ')).length).toBe(900);
    await context.setOffline(true);
    await download.click();
    await page.getByText('The sheet was not downloaded').waitFor();
    await context.setOffline(false);
    await browser.saved(() => page.getByRole('button', { name: 'Try again' }).click());
  });

  it('gives everything that is found as one file, shown or not, which goes back in unchanged', async () => {
    const { page, context } = browser;
    await browser.view('/samples?text=liver');
    await expect.poll(rowCount, PATIENT).toBe(50);
    await page.getByRole('button', { name: 'Take all as a file' }).click();
    await page.getByText(/^Take these 900.samples as$/).waitFor();
    await browser.picture('samples-take-out');
    const sheet = await browser.saved(() => page.getByRole('menuitem', { name: 'Sheet (TSV)' }).click());
    const again = await server.uploadAndSettle(sheet.text, { token });
    expect(again.status.counts).toEqual({ rows: 900, created: 0, updated: 0, unchanged: 900, rejected: 0 });
    await page.getByRole('button', { name: 'Take all as a file' }).click();
    await page.getByText(/^Take these 900.samples as$/).waitFor();
    await context.setOffline(true);
    await page.getByRole('menuitem', { name: 'JSON, a sample on each line' }).click();
    await page.getByText('The samples were not taken out').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByText('The samples were not taken out').count(), PATIENT).toBe(0);
  });

  it('prepares a file of everything that is found, to be taken later, also after a reload', async () => {
    const { page } = browser;
    await browser.view('/samples?text=liver');
    await expect.poll(rowCount, PATIENT).toBe(50);
    await page.getByRole('button', { name: 'Prepare a file for later' }).click();
    await page.getByText(/^Prepare these 900.samples as$/).waitFor();
    await page.getByRole('menuitem', { name: 'Sheet with commas (CSV)' }).click();
    const prepared = page.getByRole('region', { name: 'Prepared files' });
    await prepared.getByText('Sheet with commas (CSV) of “liver”').waitFor();
    const file = prepared.getByRole('link', { name: /^Take 900.samples, / });
    await file.waitFor();
    await page.reload();
    await browser.picture('samples-prepared');
    const { text } = await browser.saved(() => file.click());
    expect(text.split('\n').filter((line) => line.includes('liver ')).length).toBe(900);
    await prepared.getByRole('button', { name: 'Remove…' }).click();
    await prepared.getByRole('button', { name: 'Remove now' }).click();
    await expect.poll(() => prepared.count(), PATIENT).toBe(0);
  });

  it('leaves withdrawn samples out until they are asked for, and their history says so', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle(goodSheet(2, 'wrong'), { token });
    const accession = (await server.mapping(id, token)).sampleNameAccessionPairs[0]?.sampleAccession as string;
    const undo = await server.send('POST', `/submissions/${id}/undo`, {}, { token });
    await server.settled(undo.json<{ submissionId: string }>().submissionId, token);
    await expect
      .poll(async () => (await found('text=wrong&filter=status:withdrawn&page=0')).page.totalElements, PATIENT)
      .toBe(2);
    await browser.view('/samples');
    await search().fill('wrong');
    await page.getByText('No sample fits').waitFor();
    await page.getByRole('button', { name: 'Search withdrawn samples too' }).click();
    await expect.poll(rowCount, PATIENT).toBe(2);
    await page.getByText('withdrawn too').waitFor();
    await browser.picture('samples-withdrawn');
    await page.getByRole('link', { name: accession, exact: true }).click();
    await page.getByText('Status: public → withdrawn').waitFor();
    await browser.picture('sample-withdrawn');
  });

  it('says how many samples an answer leaves out, and asks again until it is whole', async () => {
    const { page } = browser;
    let late = 2;
    // The page asks again every three seconds of its own clock.
    await page.clock.install();
    await page.route(/\/samples\?/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: late-- > 0 ? { ...body, notIndexed: 1200 } : body });
    });
    await browser.view('/samples');
    await page.getByText(/^1.200.samples may be missing from this list$/).waitFor();
    const missing = async () => {
      await page.clock.fastForward(3_000);
      return page.getByText(/may be missing/).count();
    };
    await expect.poll(missing, PATIENT).toBe(0);
    await page.clock.resume();
    expect(late).toBeLessThan(0);
    await page.unroute(/\/samples\?/);
  });

  it('finds what changed in every version, however small', async () => {
    const { page } = browser;
    const made = await server.send(
      'POST',
      '/samples',
      { name: 'small changes', release: '2024-01-01', characteristics: { a: [{ text: '1' }], b: [{ text: '2' }] } },
      { token },
    );
    const { accession } = made.json<{ accession: string }>();
    const versions = [
      { characteristics: { b: [{ text: '2' }], a: [{ text: '1' }] } },
      { characteristics: { b: [{ text: '2', unit: 'year', unitOntologyTerms: ['UO:0000036'] }], a: [{ text: '1' }] } },
      { characteristics: { b: [{ text: '2', unit: 'year' }], a: [{ text: '1' }] } },
      { characteristics: { a: [{ text: '1' }, { text: '3' }] } },
      { characteristics: { a: [{ text: '3' }, { text: '1' }] } },
      {
        characteristics: { a: [{ text: '3' }, { text: '1' }] },
        externalReferences: [{ url: 'https://a.example/x', duo: ['DUO:0000007'] }],
      },
      { characteristics: { a: [{ text: '3' }, { text: '1' }] }, externalReferences: [{ url: 'https://a.example/x' }] },
    ];
    for (const part of versions) {
      const body = { name: 'small changes', accession, release: '2024-01-01', ...part };
      expect((await server.send('PUT', `/samples/${accession}`, body, { token })).status).toBe(200);
    }
    await browser.view(`/samples/${accession}`);
    await page
      .getByText('Version 2', { exact: false })
      .first()
      .or(page.getByRole('button', { name: /Show all/ }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: /Show all/ }).click();
    await page.getByText('Registered.').waitFor();
    await expect.poll(() => page.getByLabel(/^Loading/).count(), PATIENT).toBe(0);
    const history = page.getByRole('region', { name: 'History' });
    const written = Number(
      (
        await history
          .getByText(/^Version \d+/)
          .first()
          .textContent()
      )?.match(/\d+/)?.[0],
    );
    expect(written).toBeGreaterThan(5);
    // Every version but the first lists what it changed.
    await expect.poll(() => history.getByRole('list').count(), PATIENT).toBe(written - 1);
    expect(await history.getByText('Sent again with the same content').count()).toBe(0);
  });

  it('shows more than an address opens again', async () => {
    const { page } = browser;
    await server.uploadAndSettle(goodSheet(200, 'beyond'), { token });
    const indexed = async () => expect((await found('page=0')).page.totalElements).toBeGreaterThan(1_050);
    await vi.waitFor(indexed, { timeout: 300_000, interval: 100 });
    await browser.view('/samples?pages=20');
    await expect.poll(rowCount, PATIENT).toBe(1_000);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(rowCount, PATIENT).toBe(1_050);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(rowCount, PATIENT).toBeGreaterThan(1_050);
    await page.reload();
    await expect.poll(rowCount, PATIENT).toBe(1_000);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
