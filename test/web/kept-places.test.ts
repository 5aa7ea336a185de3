/**
 * Where the reader was in a view is where they are when they come back, and what is opened begins at its top.
 *
 * @module-tag slow
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { goodSheet, sheetWithBadDates } from './sheets.js';
import { nextFrame, PATIENT } from './steps.js';

const MINE = '/samples?filter=account:kept-places-lab';

describe.skipIf(without('chromium'))('where the reader was', () => {
  let server: RunningServer;
  let browser: Browser;
  let toFix: string;

  beforeAll(async () => {
    server = sharedServer();
    const token = await server.token('kept-places-lab');
    await server.uploadAndSettle(goodSheet(120), { token });
    for (let at = 0; at < 30; at++) await server.uploadAndSettle(goodSheet(1, `sheet ${at}`), { token });
    toFix = (await server.uploadAndSettle(sheetWithBadDates(200, 150), { token, name: 'to-fix.tsv' })).id;
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** The first row below the table's head, by its second cell. */
  const firstInSight = (page: Page, label: string) =>
    page.getByRole('region', { name: label, exact: true }).evaluate((box) => {
      const under = (box.querySelector('thead') as typeof box).getBoundingClientRect().bottom;
      const rows = [...box.querySelectorAll('tbody tr[aria-rowindex]')];
      return rows.find((row) => row.getBoundingClientRect().bottom > under + 1)?.getAttribute('aria-rowindex');
    });
  const scrollTable = async (page: Page, label: string, top: number) => {
    await page.getByRole('region', { name: label, exact: true }).evaluate((box, to) => box.scrollTo(0, to), top);
    await nextFrame(page);
    await nextFrame(page);
  };
  const down = (page: Page) => page.evaluate('scrollY') as Promise<number>;
  const samplesAreShown = (page: Page) => page.getByRole('row', { name: /SAMR/ }).first().waitFor(PATIENT);

  async function openSampleFarDown(page: Page): Promise<string | null | undefined> {
    await browser.view(MINE);
    await samplesAreShown(page);
    await page.getByRole('button', { name: 'Show more' }).click();
    const rows = page.getByRole('table');
    await expect.poll(async () => Number(await rows.getAttribute('aria-rowcount')), PATIENT).toBe(101);
    await scrollTable(page, 'Samples', 2600);
    const before = await firstInSight(page, 'Samples');
    expect(Number(before)).toBeGreaterThan(40);
    await page.getByRole('link', { name: /^SAMR/ }).nth(10).click();
    await page.getByRole('heading', { name: 'History' }).waitFor(PATIENT);
    return before;
  }

  it('in the list of samples is kept for Back, and for the way up by a link, with the search', async () => {
    const { page } = browser;
    const before = await openSampleFarDown(page);
    await page.goBack();
    await expect.poll(() => firstInSight(page, 'Samples'), PATIENT).toBe(before);
    await page.getByRole('link', { name: /^SAMR/ }).nth(10).click();
    await page.getByRole('heading', { name: 'History' }).waitFor(PATIENT);
    await page.getByRole('link', { name: 'Samples', exact: true }).click();
    await expect.poll(() => firstInSight(page, 'Samples'), PATIENT).toBe(before);
    expect(decodeURIComponent(page.url())).toContain(`${MINE}&pages=2`);
  });

  it('in what was found before is no place in what is found by other words', async () => {
    const { page } = browser;
    await openSampleFarDown(page);
    await page.goBack();
    await samplesAreShown(page);
    await page.getByLabel('Find samples').fill('homo');
    await expect.poll(() => firstInSight(page, 'Samples'), PATIENT).toBe('2');
  });

  it('in the list of submissions is kept, and a submission that was seen before is opened at its top', async () => {
    const { page } = browser;
    await browser.view(`/submissions/${toFix}`);
    await page.getByRole('region', { name: 'What to fix' }).waitFor(PATIENT);
    await page.getByRole('link', { name: 'Submissions', exact: true }).click();
    await page.getByRole('link', { name: 'to-fix.tsv' }).waitFor(PATIENT);
    await page.evaluate('scrollTo(0, 700)');
    // By its element: a click of the mouse would bring it into sight first.
    await page
      .getByRole('link', { name: 'to-fix.tsv' })
      .evaluate((link) => (link as unknown as { click(): void }).click());
    await page.getByRole('region', { name: 'What to fix' }).waitFor(PATIENT);
    expect(await down(page)).toBe(0);
    await page.getByRole('link', { name: 'Submissions', exact: true }).click();
    await expect.poll(() => down(page), PATIENT).toBe(700);
  });

  it('among the rows to fix is kept', async () => {
    const { page } = browser;
    await browser.view(`/submissions/${toFix}`);
    await page.getByRole('region', { name: 'What to fix' }).waitFor(PATIENT);
    await scrollTable(page, 'What to fix', 3000);
    const before = await firstInSight(page, 'What to fix');
    expect(Number(before)).toBeGreaterThan(20);
    await page.getByRole('link', { name: 'Checklists', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Checklists' }).waitFor(PATIENT);
    await page.goBack();
    await expect.poll(() => firstInSight(page, 'What to fix'), PATIENT).toBe(before);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
