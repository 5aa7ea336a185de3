/**
 * Each view leads to its part of the help, which looks like one and finds what is asked.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { without } from '../support/services.js';
import type { Browser } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';

/** View → the heading that its "?" leads to. */
const HEADINGS: Readonly<Record<string, string>> = {
  '/': 'Uploading a sheet',
  '/submissions': 'All uploads',
  '/submissions/none': 'The outcome of a submission',
  '/samples': 'Finding samples',
  '/samples/SAMR999999': 'One sample',
  '/samples/edit?filter=attr:tissue:liver': 'Changing many samples',
  '/checklists': 'Checklists and templates',
  '/checklists/human-associated': 'Checklists and templates',
  '/account': 'Your account',
  '/accounts': 'Accounts',
  '/operations': 'Operations',
};

describe.skipIf(without('chromium'))('the help', () => {
  const server = sharedServer();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(server);
    await browser.signIn(server.adminToken);
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(HEADINGS))('of %s is "%s"', async (view, heading) => {
    await browser.view(view);
    const [help] = await Promise.all([
      browser.context.waitForEvent('page'),
      browser.page.getByRole('link', { name: 'Help for this view' }).click(),
    ]);
    await help.waitForLoadState();
    const fragment = new URL(help.url()).hash.slice(1);
    expect(await help.locator(`[id="${fragment}"]`).textContent()).toBe(heading);
    await help.close();
    expect(browser.incidents).toEqual({ policy: [], errors: [], foreign: [] });
  });

  it('is searched without a script, by who is not signed in too', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${server.url}/help`);
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('undo a submission');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'The outcome of a submission' }).click();
    await page.getByRole('heading', { name: 'The outcome of a submission' }).waitFor();
    expect(await page.evaluate<string>('getComputedStyle(document.body).fontFamily')).toContain('system-ui');
    await page.close();
  });
});
