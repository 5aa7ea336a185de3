/**
 * What the page says of uploads that stand still, over a real line that stops, and that they are registered once.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { Line } from '../line.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file, goodSheet } from '../sheets.js';
import { accountMenu, choose, idInAddress, registered } from '../steps.js';

describe.skipIf(without('chromium'))('an upload that stands still', () => {
  let server: RunningServer;
  let line: Line;
  let browser: Browser;
  let token: string;
  const folder = mkdtempSync(join(tmpdir(), 'stalled-'));

  beforeAll(async () => {
    // More than the line holds by itself.
    const wide = Array.from({ length: 16_000 }, (_, row) => `row ${row}\t2024-01-01\t${'x'.repeat(2_000)}`);
    writeFileSync(join(folder, 'wide.tsv'), `Sample Name\tRelease Date\tnotes\n${wide.join('\n')}\n`);
    server = sharedServer();
    line = new Line(server.url);
    token = await server.token('lab-stalled');
    browser = await openBrowser(new RunningServer(await line.open(), server.adminToken, server.pid));
    await browser.page.clock.install();
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    line?.close();
    rmSync(folder, { recursive: true });
  });

  const uploads = async (fileName: string) =>
    (await server.get(`/submissions?fileName=${fileName}`, { token })).json<{
      _embedded?: { submissions: { counts: { created: number } }[] };
    }>()._embedded?.submissions ?? [];
  const pass = (seconds: number) => browser.page.clock.fastForward(seconds * 1000);
  /** Time passes until that is there: how soon the browser says of bytes that they have left is its own affair. */
  const passUntil = (wanted: Locator) =>
    expect
      .poll(async () => {
        await pass(121);
        return wanted.count();
      })
      .toBe(1);
  const group = (name: RegExp) => browser.page.getByRole('status').getByRole('group').filter({ hasText: name });

  it('in its middle is named after half a minute, on whatever view, and can be stopped and sent again', async () => {
    const { page } = browser;
    line.stops = 'bytes';
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(join(folder, 'wide.tsv'));
    await page.getByRole('button', { name: /^Register / }).click();
    await page.getByText(/of .* sent$/).waitFor();
    await pass(29);
    expect(await group(/wide\.tsv does not move/).count()).toBe(0);
    await page.getByRole('link', { name: 'Checklists' }).click();
    // By itself it goes on once.
    await expect
      .poll(async () => {
        await pass(31);
        return group(/wide\.tsv does not move/).count();
      })
      .toBe(1);
    await page.getByRole('button', { name: 'Stop sending wide.tsv' }).click();
    line.stops = undefined;
    await page.getByRole('link', { name: 'Upload' }).click();
    await page.getByText('You stopped sending wide.tsv').waitFor();
    expect(await group(/wide/).count()).toBe(0);
    expect(await uploads('wide.tsv')).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Take wide.tsv off the list' }).click();
    await page.getByRole('button', { name: 'Give it up: wide.tsv' }).click();
    await page.getByRole('button', { name: 'Give it up now' }).click();
    await page.getByRole('group', { name: 'wide.tsv was not sent to its end' }).waitFor({ state: 'detached' });
  });

  it('on a line that is dead goes on by itself where it is large', async () => {
    const { page } = browser;
    const { held } = line;
    line.stops = 'bytes';
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(join(folder, 'wide.tsv'));
    await page.getByRole('button', { name: /^Register / }).click();
    await expect.poll(() => line.held).toBe(held + 1);
    // What stands still there does so for good.
    line.stops = undefined;
    await expect
      .poll(async () => {
        await pass(31);
        return new URL(page.url()).hash;
      })
      .toContain('/submissions/');
    expect(await uploads('wide.tsv')).toHaveLength(1);
  });

  it('without an answer is sent again, and registered once', async () => {
    const { page } = browser;
    line.stops = 'answers';
    await choose(browser, file('unanswered.tsv', goodSheet(3, 'unanswered')));
    await page.getByRole('button', { name: 'Register 3 samples' }).click();
    await page.getByText('Sent; waiting for the answer').waitFor();
    await expect.poll(() => uploads('unanswered.tsv')).toMatchObject([{ counts: { created: 3 } }]);
    await passUntil(group(/No answer for unanswered\.tsv/));
    line.stops = undefined;
    await page.getByRole('button', { name: 'Send unanswered.tsv again' }).click();
    await registered(page);
    expect(await group(/unanswered/).count()).toBe(0);
    expect(await uploads('unanswered.tsv')).toHaveLength(1);
  });

  it('that is to register the same file anew does so once, whether it is sent again at once or after it was given up', async () => {
    const { page } = browser;
    const first = idInAddress(page);
    line.stops = 'answers';
    await page.getByRole('button', { name: 'Register it again as new samples' }).click();
    await expect.poll(() => uploads('unanswered.tsv')).toMatchObject([{ counts: { created: 3 } }, {}]);
    await passUntil(group(/No answer for unanswered\.tsv/));
    await page.getByRole('button', { name: 'Stop sending unanswered.tsv' }).click();
    await page.getByText('You stopped sending unanswered.tsv').waitFor();
    await page.getByRole('button', { name: 'Register it again as new samples' }).click();
    await expect.poll(() => page.getByText('You stopped sending unanswered.tsv').count()).toBe(0);
    await passUntil(group(/No answer for unanswered\.tsv/));
    line.stops = undefined;
    await page.getByRole('button', { name: 'Send unanswered.tsv again' }).click();
    await expect.poll(() => idInAddress(page)).not.toBe(first);
    await registered(page);
    expect(await uploads('unanswered.tsv')).toHaveLength(2);
  });

  it('is neither named to another account that has signed in meanwhile nor sent in its name', async () => {
    const { page } = browser;
    line.stops = 'answers';
    await choose(browser, file('of-the-former.tsv', goodSheet(1, 'former')));
    await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
    await expect.poll(() => uploads('of-the-former.tsv')).toHaveLength(1);
    await passUntil(group(/No answer for of-the-former\.tsv/));
    line.stops = undefined;
    const other = await server.token('lab-stalled-other');
    await browser.signIn(other);
    // The page asks every five minutes who is signed in.
    await pass(301);
    await accountMenu(page, 'lab-stalled-other').waitFor();
    await expect.poll(() => page.getByText('of-the-former.tsv').count()).toBe(0);
    expect((await server.get('/submissions', { token: other })).json()).not.toHaveProperty('_embedded');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
