/**
 * Two tabs of one browser, which have one session between them: who signs in or out in one is somebody else in both.
 *
 * @module-tag slow
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { file, goodSheet, sheetWithBadDates } from './sheets.js';
import { accountMenu, choose, PASSWORD, PATIENT, registered, signInByForm, signOut } from './steps.js';

const ACCOUNTS = ['two-tabs-1', 'two-tabs-2'] as const;

describe.skipIf(without('chromium'))('two tabs', () => {
  let server: RunningServer;
  let browser: Browser;
  let other: Page;
  const tokens: string[] = [];

  beforeAll(async () => {
    server = sharedServer();
    for (const account of ACCOUNTS) {
      tokens.push(await server.token(account));
      expect((await server.send('POST', '/auth/password', { account, password: PASSWORD })).status).toBe(204);
    }
    browser = await openBrowser(server);
    await browser.signIn(tokens[0] as string);
    other = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const inOther = (path: string) => other.goto(`${server.url}/page/#${path}`);
  const ended = () => browser.page.getByRole('dialog', { name: 'Your session has ended' });
  const uploads = async (token: string) =>
    (await server.get('/submissions', { token })).json<{ _embedded?: { submissions: { fileName: string }[] } }>()
      ._embedded?.submissions ?? [];

  it('what was chosen by one account is not sent by another that has signed in beside it', async () => {
    const { page } = browser;
    await choose(browser, file('of-the-first.tsv', goodSheet(2, 'first')));
    await inOther('/submissions');
    await signOut(other, ACCOUNTS[0]);
    await ended().waitFor();
    await signInByForm(other, ACCOUNTS[1], PASSWORD);
    await accountMenu(page, ACCOUNTS[1]).waitFor();
    await ended().waitFor({ state: 'detached' });
    await page.getByText('of-the-first.tsv').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Register', exact: true }).isDisabled()).toBe(true);
    expect(await uploads(tokens[1] as string)).toEqual([]);
  });

  it('what one account saw is not left in sight of the next one', async () => {
    const { page } = browser;
    await server.uploadAndSettle(goodSheet(1, 'second'), { name: 'of-the-second.tsv', token: tokens[1] as string });
    await browser.view('/submissions');
    await page.getByText('of-the-second.tsv').waitFor();
    await signOut(other, ACCOUNTS[1]);
    await signInByForm(other, ACCOUNTS[0], PASSWORD);
    await accountMenu(page, ACCOUNTS[0]).waitFor();
    await page.getByText('of-the-second.tsv').waitFor({ state: 'detached' });
  });

  it('what waits for a sign-in goes on when the same account has signed in beside it', async () => {
    const { page } = browser;
    await choose(browser, file('goes-on.tsv', goodSheet(1, 'goes on')));
    await inOther('/submissions');
    await signOut(other, ACCOUNTS[0]);
    await ended().waitFor();
    await signInByForm(other, ACCOUNTS[0], PASSWORD);
    await ended().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
    await registered(page);
  });

  it('what is fixed in one is there in the other, and is not taken back by what that one had before', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle(sheetWithBadDates(4, 2), { token: tokens[0] as string });
    const cell = (where: Page, line: number) => where.getByRole('textbox', { name: `Line ${line}, Release Date` });
    await inOther(`/submissions/${id}`);
    await cell(other, 3).waitFor();
    await browser.view(`/submissions/${id}`);
    await cell(page, 3).fill('2024-03-03');
    await expect.poll(() => cell(other, 3).inputValue(), PATIENT).toBe('2024-03-03');
    await cell(other, 5).fill('2024-05-05');
    await expect.poll(() => cell(page, 5).inputValue(), PATIENT).toBe('2024-05-05');
    expect(await cell(page, 3).inputValue()).toBe('2024-03-03');
    await other.getByRole('button', { name: 'Discard the changes' }).click();
    await expect.poll(() => cell(page, 3).inputValue(), PATIENT).toBe('21/11/2024');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
