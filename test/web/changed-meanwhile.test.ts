/**
 * Two people at one submission, or at one sample: what somebody does goes by what is there, not by what was there when it was shown.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { PATIENT } from './steps.js';

describe.skipIf(without('chromium'))('what somebody else has done since it was shown', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('meanwhile-lab');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    expect(browser?.incidents).toEqual(CALM);
    await browser?.close();
  });

  const sheet = (name: string): string =>
    `Sample Name\tRelease Date\torganism\n${name} good\t2024-01-01\tMus musculus\n${name} bad\t21/11/2024\tMus musculus\n`;

  async function fixBad(id: string): Promise<void> {
    await browser.view(`/submissions/${id}`);
    const field = browser.page.getByRole('textbox', { name: 'Line 3, Release Date' });
    await field.fill('2024-11-21');
    await field.press('Tab');
  }

  const act = (id: string, what: 'commit' | 'undo') =>
    server.call(`/submissions/${id}/${what}`, { method: 'POST', token });

  const submissions = async (): Promise<number> =>
    (await server.get('/submissions', { token })).json<{ _embedded: { submissions: unknown[] } }>()._embedded
      .submissions.length;

  it('a check that was carried out is not sent again with what was fixed: its good rows would be registered twice', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle(sheet('checked'), { token, options: { dryRun: 'true' } });
    await fixBad(id);
    const button = page.getByRole('button', { name: /^Check the sheet with 1.fixed row$/ });
    await button.waitFor();
    expect((await act(id, 'commit')).status).toBe(201);
    const before = await submissions();
    await button.click();
    await page.getByText('This check was carried out. What is left to fix').waitFor();
    expect(await submissions()).toBe(before);
    await page.getByText('what you have changed here').getByRole('link').click();
    await page.getByRole('button', { name: /^Upload the 1.fixed row$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor(PATIENT);
  });

  it('an upload that was taken back is said to be before what was fixed is sent', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle(sheet('undone'), { token });
    await fixBad(id);
    const button = page.getByRole('button', { name: /^Upload the 1.fixed row$/ });
    await button.waitFor();
    expect((await act(id, 'undo')).status).toBe(201);
    const before = await submissions();
    await button.click();
    await page.getByText('Somebody has changed this submission since it was shown here').waitFor();
    await page.getByText('What this upload registered was taken back').waitFor();
    expect(await submissions()).toBe(before);
    await button.click();
    await page.getByText('Every row of the sheet is registered').waitFor(PATIENT);
  });

  it('a sample that was withdrawn while it was edited is shown as withdrawn beside what would be stored', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle(sheet('withdrawn'), { token });
    const [pair] = (await server.mapping(id, token)).sampleNameAccessionPairs;
    const path = `/samples/${pair?.sampleAccession}`;
    await browser.view(path);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('mine');
    expect((await server.call(`${path}/withdrawal`, { method: 'PUT', token })).status).toBe(200);
    await page.getByRole('button', { name: 'Store the change' }).click();
    await page.getByRole('button', { name: 'Compare with the sample as it is now' }).click();
    await page.getByText('It is withdrawn by its owner now.').waitFor();
    // In its head, too, and in its history.
    await page.getByText('withdrawn by its owner', { exact: true }).first().waitFor();
    await page.getByText(/^Version 2/).waitFor();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByRole('button', { name: 'Take the withdrawal back…' }).waitFor();
  });
});
