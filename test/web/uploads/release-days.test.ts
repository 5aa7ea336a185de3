/**
 * The day on which a sample becomes public is the same wherever the reader is.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';
import { choose, idInAddress, registered } from '../steps.js';

/** What a clock there shows when the first of March 2100 begins in UTC. */
const AT_MIDNIGHT: Record<string, string> = {
  'America/New_York': '28 Feb 2100 19:00',
  UTC: '1 Mar 2100 00:00',
  'Pacific/Auckland': '1 Mar 2100 13:00',
};

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

  for (const timezoneId of Object.keys(AT_MIDNIGHT)) {
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
        const soon = await server.send(
          'POST',
          '/samples',
          { name: `soon ${timezoneId}`, release: '2100-03-01' },
          { token },
        );
        await browser.view(`/samples/${soon.json<{ accession: string }>().accession}`);
        await page.getByText(`(in UTC; ${AT_MIDNIGHT[timezoneId]} where you are)`).waitFor();
        await choose(browser, file('date.tsv', 'Sample Name\tCharacteristics[tissue]\none\tliver\n'));
        await page.getByRole('radio', { name: 'on a date' }).check();
        await page.getByText('Public from midnight in UTC.', { exact: true }).waitFor();
        await page.getByLabel('Release date').fill('2100-03-01');
        const here = timezoneId === 'UTC' ? '.' : `: ${AT_MIDNIGHT[timezoneId]} where you are (${timezoneId}).`;
        await page.getByText(`Public from midnight in UTC${here}`, { exact: true }).waitFor();
        await browser.view(`/samples/${accession}`);
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

  // At any hour one of the first two has another day than UTC has.
  it.each([
    ['Etc/GMT-14', 0],
    ['Etc/GMT+12', 0],
    ['UTC', 3],
    ['UTC', -3],
  ])(
    'of today is that of the service in %s with a clock that is off by %i days, as is how long ago it was',
    async (timezoneId, days) => {
      const browser = await openBrowser(server, { timezoneId });
      try {
        const { page } = browser;
        await page.clock.install({ time: Date.now() + days * 86_400_000 });
        await browser.signIn(token);
        const name = `today ${timezoneId} ${days}`;
        await choose(browser, file(`${days}.tsv`, `Sample Name\tCharacteristics[tissue]\n${name}\tliver\n`));
        await page.getByRole('radio', { name: 'today' }).check();
        await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
        await registered(page);
        const id = idInAddress(page);
        const { submissionDate } = (await server.get(`/submissions/${id}`, { token })).json<{
          submissionDate: string;
        }>();
        const [pair] = (await server.mapping(id, token)).sampleNameAccessionPairs;
        const sample = await server.get(`/samples/${pair?.sampleAccession}`, { token: null });
        expect(sample.json()).toMatchObject({ name, release: `${submissionDate.slice(0, 10)}T00:00:00.000Z` });
        await browser.view('/submissions');
        const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) });
        expect(await row.locator('time').textContent()).toMatch(/^(just now|\d+ s ago|\d+ min ago)$/);
        expect(browser.incidents).toEqual(CALM);
      } finally {
        await browser.close();
      }
    },
  );

  it('of a year of which two digits were typed makes nothing public', async () => {
    const browser = await openBrowser(server);
    try {
      const { page } = browser;
      const said = () => page.getByText('Write the year with four digits, such as 2027').first().waitFor();
      await browser.signIn(token);
      const { id } = await server.uploadAndSettle('Sample Name\tRelease Date\nstays\t2100-03-01\n', { token });
      const [pair] = (await server.mapping(id, token)).sampleNameAccessionPairs;
      const stays = `/samples/${pair?.sampleAccession}`;

      await choose(browser, file('short year.tsv', 'Sample Name\tCharacteristics[tissue]\nshort year\tliver\n'));
      await page.getByRole('radio', { name: 'on a date' }).check();
      // As Chromium has it when 12/31/27 is typed.
      await page.getByLabel('Release date').fill('0027-12-31');
      await said();
      await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
      await page.getByRole('status').getByText('Write the year with four digits').waitFor();
      expect((await server.get('/submissions?fileName=short%20year', { token })).text).not.toContain('short year.tsv');
      await page.getByLabel('Release date').fill('2027-12-31');
      await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
      await registered(page);

      await browser.view(stays);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Release date').fill('0027-12-31');
      await said();
      expect(await page.getByRole('button', { name: 'Store the change' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Discard the draft' }).click();

      await browser.view('/samples/edit?text=stays');
      await page.getByRole('combobox', { name: 'What to do' }).click();
      await page.getByRole('option', { name: 'Set the release date' }).click();
      await page.getByLabel('Release date').fill('0027-12-31');
      await said();
      expect(await page.getByRole('button', { name: 'Preview the changes' }).isDisabled()).toBe(true);
      expect(browser.incidents).toEqual(CALM);
    } finally {
      await browser.close();
    }
  });
});
