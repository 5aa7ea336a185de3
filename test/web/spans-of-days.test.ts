/**
 * Filters by day, of samples and of submissions.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { goodSheet } from './sheets.js';

describe.skipIf(without('chromium'))('a span of days', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = sharedServer();
    const token = await server.token('lab-spans');
    await server.uploadAndSettle(goodSheet(1), { token });
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('that ends before it begins is not asked for: the form says which day is wrong', async () => {
    const { page } = browser;
    await browser.view('/samples');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByRole('combobox', { name: 'Filter by' }).click();
    await page.getByRole('option', { name: 'Date of last change' }).click();
    await page.getByLabel('From', { exact: true }).fill('2024-12-31');
    await page.getByLabel('Until', { exact: true }).fill('2024-01-01');
    await page.getByText('This day is before the first one.').waitFor();
    const add = page.getByRole('button', { name: 'Add', exact: true });
    expect(await add.isDisabled()).toBe(true);
    await page.getByLabel('Until', { exact: true }).fill('2024-12-31');
    await page.getByText('This day is before the first one.').waitFor({ state: 'detached' });
    expect(await add.isDisabled()).toBe(false);

    await browser.view('/submissions?from=2020-01-01');
    await page.getByRole('region', { name: 'Submissions' }).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2019-12-31');
    await page.getByText('This day is before the first one.').waitFor();
    expect(await page.getByText('None fits.').count()).toBe(0);
    await page.getByRole('region', { name: 'Submissions' }).waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
