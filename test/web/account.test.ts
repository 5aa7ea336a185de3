/**
 * Password, tokens and signing out by the page, and what it says when the server is away.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { file, goodSheet } from './sheets.js';
import { PASSWORD, signInByForm, signOut } from './steps.js';

/** Of an administrator's making. */
const FIRST = 'a password to begin with';

describe.skipIf(without('chromium'))('an account in the page', () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer();
    browser = await openBrowser(server);
    await browser.signIn(await server.token('lab-1'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('makes a token that is shown once and works, and revokes it', async () => {
    const { page } = browser;
    await browser.view('/account');
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('the sequencer');
    await page.getByRole('combobox', { name: 'Expires in' }).click();
    await page.getByRole('option', { name: '30 days' }).click();
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByText('shown this once').waitFor();
    const text = (await page.getByText(/^srt_/).textContent()) as string;
    expect((await server.get('/me', { token: text })).json()).toMatchObject({
      account: 'lab-1',
      scopes: ['read', 'submit'],
    });
    await browser.picture('account-token');

    await browser.view('/account');
    await page.getByRole('row', { name: /the sequencer/ }).waitFor();
    expect(await page.getByText(text).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke the sequencer' }).dblclick();
    await page.getByRole('button', { name: 'Revoke now' }).waitFor();
    expect((await server.get('/me', { token: text })).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await expect.poll(() => page.getByRole('row', { name: /the sequencer/ }).count()).toBe(0);
    expect((await server.get('/me', { token: text })).status).toBe(401);
  });

  it('shows what it was made with until the next one is made, and is no sign-in by its label', async () => {
    const { page } = browser;
    const label = 'page session of the plate reader';
    await browser.view('/account');
    await page.getByRole('button', { name: 'Make a token' }).press('Enter');
    await page.getByRole('textbox', { name: 'Label' }).fill(label);
    await page.getByRole('textbox', { name: 'Label' }).press('Enter');
    await page.getByText('shown this once').waitFor();
    const text = (await page.getByText(/^srt_/).textContent()) as string;
    // A second press of the same key, meant for the form, meets the button that has the focus back.
    await page.getByRole('button', { name: 'Make a token' }).press('Enter');
    await page.getByRole('form', { name: 'Make a token' }).waitFor();
    expect(await page.getByText(text).count()).toBe(1);
    const own = await server.token('lab-1');
    const list = await server.get('/tokens?valid=true', { token: own });
    const made = list
      .json<{ _embedded: { tokens: { name: string; expires: string }[] } }>()
      ._embedded.tokens.find(({ name }) => name === label);
    expect(made).toBeDefined();
    const table = page.getByRole('region', { name: 'Your tokens' });
    await table.getByRole('row', { name: label }).waitFor();
    expect(
      await page
        .getByText(/It holds until/)
        .locator('time')
        .first()
        .getAttribute('datetime'),
    ).toBe(made?.expires);
  });

  it('opens its samples to tables of others, and closes them again', async () => {
    const { page } = browser;
    const token = await server.token('lab-1');
    const sample = { name: 'opened', release: '2024-01-01T00:00:00Z', characteristics: {} };
    const { accession } = (await server.send('POST', '/samples', sample, { token })).json<{ accession: string }>();
    const other = await server.token('lab-5');
    const attach = async () => {
      const data = [{ type: 'AMR', content: [{ drug: { value: 'ampicillin', iri: null } }] }];
      return (await server.send('PUT', `/structureddata/${accession}`, { data }, { token: other })).status;
    };
    const opens = () => page.getByRole('checkbox', { name: 'Others may attach structured data' });
    await browser.view('/account');
    expect(await opens().isChecked()).toBe(false);
    expect(await attach()).toBe(403);
    await opens().check();
    await page.getByText('Others may attach structured data from now on.').waitFor();
    expect(await attach()).toBe(200);
    await page.reload();
    await expect.poll(() => opens().isChecked()).toBe(true);
    await browser.picture('account-settings');
    await opens().uncheck();
    await page.getByText('Nobody else can attach structured data from now on.').waitFor();
    expect(await attach()).toBe(403);

    await browser.signIn(await server.token('lab-1', ['read']));
    await browser.view('/account');
    await page.getByText('sign in with another one to change this').waitFor();
    expect(await opens().isDisabled()).toBe(true);
    await page.getByText('sign in with another one to make tokens').waitFor();
    expect(await page.getByRole('button', { name: 'Make a token' }).count()).toBe(0);
    await browser.signIn(token);
  });

  it('sets a password, signs out, and signs in with it', async () => {
    const { page } = browser;
    await server.send('POST', '/auth/password', { account: 'lab-1', password: FIRST });
    await browser.signIn(await server.token('lab-1'));
    await browser.view('/account');
    await page.getByRole('textbox', { name: 'Current password', exact: true }).fill(FIRST);
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(PASSWORD);
    await page.getByRole('textbox', { name: 'Confirm new password', exact: true }).fill('another');
    await page.getByText('The two are not the same.').waitFor();
    await page.getByRole('textbox', { name: 'Confirm new password', exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The new password holds from now on.').waitFor();
    await signOut(page, 'lab-1');
    await signInByForm(page, 'lab-1', 'a wrong password');
    await page.getByRole('alert').getByText('Account or password is wrong.').waitFor();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'lab-1', exact: true }).waitFor();
  });

  it('is not made by a typing error: a name that nobody has is refused where a token is made', async () => {
    const { page } = browser;
    await browser.signIn(server.adminToken);
    await browser.view('/account');
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('mistyped');
    await page.getByRole('textbox', { name: 'Account', exact: true }).fill('lba-3');
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByText('The token was not made').waitFor();
    await page.getByText('There is no account “lba-3”. Look at the spelling, or create it under Accounts.').waitFor();
    expect((await server.get('/accounts/lba-3')).status).toBe(404);
  });

  it('of a colleague has its tokens seen and revoked, and its password reset, by an administrator', async () => {
    const { page } = browser;
    const text = await server.token('lab-4');
    await browser.signIn(server.adminToken);
    await browser.view('/accounts?text=lab-4');
    await page.getByRole('link', { name: 'lab-4' }).click();
    await page.getByRole('button', { name: 'Revoke test of lab-4' }).focus();
    // A key that is held is pressed again and again.
    await page.keyboard.down('Enter');
    await page.getByRole('button', { name: 'Revoke now' }).waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await page.getByText('It has no tokens.').waitFor();
    expect((await server.get('/me', { token: text })).status).toBe(401);
    await page.getByRole('button', { name: 'Reset the password…' }).click();
    await page.getByRole('button', { name: 'Reset the password', exact: true }).click();
    await page.getByText('One-time password for lab-4, shown this once').waitFor();
    await browser.picture('account-of-another');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(await page.getByLabel('Find an account').inputValue()).toBe('lab-4');
    await browser.signIn(await server.token('lab-1'));
    await browser.view('/accounts');
    await page.getByText('For administrators only').waitFor();
  });

  it('says on the token tab nothing of a wrong password, and what to do about a forgotten one', async () => {
    const { page, context } = browser;
    await context.clearCookies();
    await browser.view('/');
    await signInByForm(page, 'lab-1', 'a wrong password');
    await page.getByText('You are not signed in').waitFor();
    await page.getByText('Token', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Token' }).waitFor();
    expect(await page.getByText('You are not signed in').count()).toBe(0);
    await page.getByRole('button', { name: 'No account yet, or password forgotten?' }).click();
    await page.getByText('Ask an administrator of this registry').waitFor();
    await browser.picture('password-forgotten');
    await browser.signIn(await server.token('lab-1'));
  });

  it('shows an administrator all submissions and the operations, others only their own', async () => {
    const { page } = browser;
    await server.uploadAndSettle(goodSheet(3, 'other lab'), {
      name: 'other-lab.tsv',
      token: await server.token('lab-2'),
    });
    await server.uploadAndSettle('Sample Name\tRelease Date\nbad\tnever\n', {
      name: 'all-bad.tsv',
      token: await server.token('lab-2'),
    });
    await browser.view('/submissions');
    await page.getByText('Nothing uploaded yet').waitFor();
    await browser.view('/operations');
    await page.getByText('For administrators only').waitFor();

    await browser.signIn(await server.token('boss', ['read', 'submit', 'admin']));
    await browser.view('/submissions');
    await page.getByRole('heading', { name: 'All submissions' }).waitFor();
    await page.getByRole('row', { name: /other-lab\.tsv.*lab-2/ }).waitFor();
    await page.getByRole('link', { name: 'Operations' }).click();
    await page
      .getByRole('region', { name: 'Failures' })
      .getByRole('row', { name: /all-bad\.tsv/ })
      .first()
      .waitFor();
    await page.getByText('Nothing runs now.').waitFor();
    await page
      .getByRole('region', { name: 'Rows per second over the last hour' })
      .getByText(/^At most/)
      .waitFor();
    await browser.picture('operations');
  });

  it('says plainly that the server is away, and goes on when it is back', async () => {
    const { page, context } = browser;
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file('away.tsv', goodSheet(2, 'away')));
    await page.getByText(/^2.rows$/).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Register 2 samples' }).click();
    await page.getByText('The server does not answer.').waitFor();
    await browser.picture('server-away');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Register 2 samples' }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
