/**
 * The day on which a sample becomes public is the same wherever the reader is.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';

describe.skipIf(without('chromium'))('a release date in the page', () => {
  let server: RunningServer;
  let token: string;
  let accession: string;
  let withTime: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-release-days');
    const make = async (name: string, release: string) =>
      (await server.send('POST', '/samples', { name, release, characteristics: {} }, { token })).json<{
        accession: string;
      }>().accession;
    accession = await make('by day', '2024-03-01T00:00:00Z');
    withTime = await make('by hour', '2024-03-01T23:30:00Z');
  });

  for (const timezoneId of ['America/New_York', 'UTC', 'Pacific/Auckland']) {
    it(`is the day of the sheet in ${timezoneId}, and stays it when something else is changed`, async () => {
      const browser = await openBrowser(server, { timezoneId });
      try {
        const { page } = browser;
        await browser.signIn(token);
        await browser.view(`/samples/${withTime}`);
        await page.getByText('1 Mar 2024 23:30 UTC').waitFor();
        await browser.view(`/samples/${accession}`);
        const shown = page.locator('time[datetime^="2024-03-01T00:00:00"]').first();
        expect(await shown.textContent()).toBe('1 Mar 2024');
        await page.getByRole('button', { name: 'Edit', exact: true }).click();
        expect(await page.getByLabel('Release date').inputValue()).toBe('2024-03-01');
        await page.getByRole('textbox', { name: 'Name' }).fill(`by day, ${timezoneId}`);
        await page.getByRole('button', { name: 'Store the change' }).click();
        await page.getByRole('heading', { name: 'Edit' }).waitFor({ state: 'detached' });
        const stored = (await server.get(`/samples/${accession}`, { token })).json<{ name: string; release: string }>();
        expect(stored).toMatchObject({ name: `by day, ${timezoneId}`, release: '2024-03-01T00:00:00.000Z' });
        expect(browser.incidents).toEqual(CALM);
      } finally {
        await browser.close();
      }
    });
  }
});
