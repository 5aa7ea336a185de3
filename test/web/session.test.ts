/**
 * A session that ends in the middle of work, drafts, and signing in over the view.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { file, goodSheet } from './sheets.js';

const PASSWORD = 'a long enough password';

/** Of no interest how long it takes: other suites share the machine. */
const PATIENT = { timeout: 300_000 };

describe.skipIf(without('chromium'))('a session in the page', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  let accession: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('session-lab-1');
    const set = await server.send('POST', '/auth/password', { account: 'session-lab-1', password: PASSWORD });
    expect(set.status).toBe(204);
    const { id } = await server.uploadAndSettle(goodSheet(3), { token });
    accession = (await server.mapping(id, token)).sampleNameAccessionPairs[0]?.sampleAccession as string;
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const dialog = () => browser.page.getByRole('dialog', { name: 'Your session has ended' });

  /** What twelve hours do to a session. */
  async function endSession(): Promise<void> {
    const tokens = (await server.get('/tokens', { token })).json<{
      _embedded: { tokens: { id: string; name: string; revoked: boolean }[] };
    }>();
    for (const { id, name, revoked } of tokens._embedded.tokens) {
      if (!revoked && name.startsWith('page session')) {
        expect((await server.call(`/tokens/${id}`, { method: 'DELETE', token })).status).toBe(204);
      }
    }
  }

  async function signInAgain(account?: string): Promise<void> {
    await dialog().waitFor();
    if (account !== undefined) await dialog().getByRole('textbox', { name: 'Account', exact: true }).fill(account);
    expect(await dialog().getByRole('textbox', { name: 'Account', exact: true }).inputValue()).toBe(
      account ?? 'session-lab-1',
    );
    await dialog().getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await dialog().getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => dialog().count(), PATIENT).toBe(0);
  }

  const name = () => browser.page.getByRole('textbox', { name: 'Name', exact: true });

  it('that ends in the middle of editing is renewed over the view, and the change is then stored', async () => {
    const { page } = browser;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await name().fill('liver one');
    await endSession();
    await page.getByRole('button', { name: 'Store the change' }).click();
    await dialog().waitFor();
    expect(await name().inputValue()).toBe('liver one');
    await browser.picture('session-ended');
    await signInAgain();
    await page.getByText('liver one', { exact: true }).first().waitFor();
    await expect.poll(() => name().count(), PATIENT).toBe(0);
    expect((await server.get(`/samples/${accession}`)).json()).toMatchObject({ name: 'liver one' });
  });

  it('that ends before an upload is renewed, and the file is sent once', async () => {
    const { page } = browser;
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file('late.tsv', goodSheet(2, 'late')));
    await page.getByText(/^2.rows$/).waitFor();
    await endSession();
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await signInAgain();
    await page.getByText('Every row of the sheet is registered').waitFor();
  });

  it('that is not renewed leaves the view as it is, with what was refused said in it', async () => {
    const { page } = browser;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await name().fill('liver 1, not renewed');
    await endSession();
    await page.getByRole('button', { name: 'Store the change' }).click();
    await dialog().getByRole('button', { name: 'Not now' }).last().click();
    await page.getByText('The change was not stored').waitFor();
    expect(await name().inputValue()).toBe('liver 1, not renewed');
    await page.getByRole('button', { name: 'Store the change' }).click();
    await signInAgain();
    await expect.poll(() => name().count(), PATIENT).toBe(0);
  });

  it('keeps an edit as a draft through a reload and a link, asks before the page is left, and discards it when asked to', async () => {
    const { page } = browser;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await name().fill('a draft');
    const before = browser.askedBeforeLeaving;
    await page.reload();
    expect(browser.askedBeforeLeaving).toBe(before + 1);
    await expect.poll(() => name().inputValue(), PATIENT).toBe('a draft');
    await page.getByText('kept in this browser until you send or discard it').waitFor();
    await page.getByRole('link', { name: 'Samples', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Samples' }).waitFor();
    await page.getByRole('button', { name: /^session-lab-1 · 1.draft$/ }).click();
    await page.getByRole('menuitem', { name: new RegExp(`Changes of sample ${accession}`) }).click();
    await expect.poll(() => name().inputValue(), PATIENT).toBe('a draft');
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.getByRole('button', { name: 'session-lab-1', exact: true }).waitFor();
    const asked = browser.askedBeforeLeaving;
    await page.reload();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(browser.askedBeforeLeaving).toBe(asked);
  });

  it('compares a draft with the sample as it is now when somebody else was faster, and stores it then', async () => {
    const { page } = browser;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await name().fill('mine');
    const { _links, ...sample } = (await server.get(`/samples/${accession}`, { token })).json();
    expect((await server.send('PUT', `/samples/${accession}`, { ...sample, name: 'theirs' }, { token })).status).toBe(
      200,
    );
    await page.getByRole('button', { name: 'Store the change' }).click();
    await page.getByText('Somebody changed this sample meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Compare with the sample as it is now' }).click();
    await page.getByText('theirs → mine').waitFor();
    await page.getByRole('button', { name: 'I have looked: store mine over it' }).click();
    await page.getByRole('button', { name: 'Store the change' }).click();
    await expect.poll(() => name().count(), PATIENT).toBe(0);
    expect((await server.get(`/samples/${accession}`)).json()).toMatchObject({ name: 'mine' });
  });

  it('of another account never sends what the first one asked for, nor shows its drafts', async () => {
    const { page } = browser;
    await server.token('session-lab-2');
    expect((await server.send('POST', '/auth/password', { account: 'session-lab-2', password: PASSWORD })).status).toBe(
      204,
    );
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await name().fill('of session-lab-1');
    await endSession();
    await page.getByRole('button', { name: 'Store the change' }).click();
    await signInAgain('session-lab-2');
    await page.getByRole('button', { name: 'session-lab-2', exact: true }).waitFor();
    await expect.poll(() => name().count(), PATIENT).toBe(0);
    expect((await server.get(`/samples/${accession}`)).json()).toMatchObject({ name: 'mine' });

    await page.getByRole('button', { name: 'session-lab-2', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await browser.signIn(token);
    await browser.view(`/samples/${accession}`);
    await expect.poll(() => name().inputValue(), PATIENT).toBe('of session-lab-1');
    await page.getByRole('button', { name: /^session-lab-1 · 1.draft$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Discard the drafts and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await browser.signIn(token);
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'session-lab-1', exact: true }).waitFor();
  });

  it('is named by its browser in the list of its account, which says which one is this', async () => {
    const { page } = browser;
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

    const elsewhere = await fetch(`${server.url}/auth/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ token }),
    });
    expect(elsewhere.status).toBe(201);
    await browser.view('/account');
    const sessions = page.getByRole('region', { name: 'Active sessions' });
    await sessions.getByRole('row', { name: /^Firefox on Windows/ }).waitFor();
    const mine = sessions.getByRole('row', { name: /this one/ });
    expect(await mine.count()).toBe(1);
    expect(await mine.textContent()).toMatch(/^Chrome on Linux/);
    await sessions.getByRole('button', { name: /^Revoke Firefox on Windows, .*begun / }).click();
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await sessions.getByRole('row', { name: /^Firefox on Windows/ }).waitFor({ state: 'detached' });
    await mine.waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
