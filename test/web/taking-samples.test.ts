/**
 * Taking what a search finds as a file: by keyboard while it is counted, without an account, and what a refusal says.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { goodSheet } from './sheets.js';

const SEARCH = '/samples?filter=account%3Alab-taking&filter=attr%3Asex%3Afemale';
const EXPORT = '**/samples/export?*';
const ORDERS = '**/samples/exports?*';

describe.skipIf(without('chromium'))('samples that are taken as a file', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = sharedServer();
    const token = await server.token('lab-taking');
    await server.uploadAndSettle(goodSheet(4, 'taken'), { token });
    const indexed = async () => {
      const found = await server.get(`${SEARCH}&page=0`, { token });
      expect(found.json<{ page: { totalElements: number } }>().page.totalElements).toBeGreaterThan(0);
    };
    await vi.waitFor(indexed, { timeout: 300_000, interval: 100 });
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
  const item = (name: string) => browser.page.getByRole('menuitem', { name, exact: true });

  it('are chosen a format for by keyboard while they are counted', async () => {
    const { page } = browser;
    await browser.view(SEARCH);
    let count = () => {};
    const gate = new Promise<void>((open) => {
      count = open;
    });
    await page.route(
      EXPORT,
      async (route) => {
        await gate;
        await route.continue();
      },
      { times: 1 },
    );
    await button('Take all as a file').press('Enter');
    await page.getByText('Counting the samples…').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Sheet (TSV)');
    await page.keyboard.press('ArrowDown');
    count();
    await page.getByText(/^Take these? .*samples? as$/).waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Sheet with commas (CSV)');
    const { name } = await browser.saved(() => page.keyboard.press('Enter'));
    expect(name).toMatch(/\.csv$/);
  });

  it('are not said to be counted for ever where they cannot be, and a refusal without a body says when to come back', async () => {
    const { page } = browser;
    await browser.view(SEARCH);
    const busy = { status: 429, headers: { 'Retry-After': '7' } };
    await page.route(EXPORT, (route) => route.fulfill(busy), { times: 2 });
    await button('Take all as a file').click();
    await page.getByText(/Try again in 7 s\./).waitFor();
    expect(await page.getByText('Counting the samples…').count()).toBe(0);
    await item('Sheet (TSV)').click();
    await expect.poll(() => page.getByText(/The server answered/).count()).toBe(0);
    await button('Try again').click();
    await expect.poll(() => page.getByText('The samples were not taken out').count()).toBe(0);
  });

  it('and what the service says of its own full disk is not taken for a server that is away', async () => {
    const { page } = browser;
    await browser.view(SEARCH);
    const full = { status: 507, code: 'storage.full', detail: 'There is no room for this file. Ask an administrator.' };
    await page.route(ORDERS, (route) => route.fulfill({ status: 507, json: full }), { times: 1 });
    await button('Prepare a file for later').click();
    await item('Sheet (TSV)').click();
    await page.getByText(full.detail).waitFor();
    await page.route(ORDERS, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }), { times: 1 });
    await button('Try again').click();
    await button('Prepare a file for later').click();
    await item('Sheet (TSV)').click();
    await page.getByText('The server does not answer.').waitFor();
  });

  it('as a prepared file are named in words, and the focus is back at the button', async () => {
    const { page } = browser;
    await browser.view(SEARCH);
    await button('Prepare a file for later').press('Enter');
    await item('Sheet with commas (CSV)').press('Enter');
    const prepared = page.getByRole('region', { name: 'Prepared files' });
    await prepared.getByText('of samples: account is lab-taking, sex is female').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Prepare a file for later');
  });

  it('are offered for later to those only who have an account to keep the file for', async () => {
    const { page } = browser;
    await page.context().clearCookies();
    await browser.view('/samples?text=taken');
    await button('Take all as a file').waitFor();
    expect(await button('Prepare a file for later').count()).toBe(0);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
