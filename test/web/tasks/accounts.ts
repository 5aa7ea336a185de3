/** A first sign-in, and a colleague who is let in by the page alone. */
import { expect } from 'vitest';
import { choosePassword, endSession, signInByForm, signOut } from '../steps.js';
import type { Task, Trial } from './trial.js';

export const firstSignIn: Task = {
  title: 'first sign-in, with the password of an administrator',
  run: async (trial) => {
    const { server, browser } = trial;
    const account = trial.of('new').replaceAll(' ', '-');
    expect((await server.send('POST', '/accounts', { account })).status).toBe(201);
    const reset = await server.send('POST', `/accounts/${account}/password-reset`, {});
    await endSession(browser);
    await browser.view('/');
    await signInFirst(trial, account, reset.json<{ oneTimePassword: string }>().oneTimePassword);
  },
};

export const colleague: Task = {
  title: 'an account for a colleague, who signs in with what the administrator was shown',
  run: async (trial) => {
    const { server, browser, page, button } = trial;
    const account = trial.of('colleague').replaceAll(' ', '-');
    await browser.signIn(server.adminToken);
    await browser.view('/');
    await trial.goTo('Accounts');
    await button('Create an account').click();
    await page.getByRole('textbox', { name: 'Name of the account' }).fill(account);
    await trial.look('name of the account', button('Create the account'));
    await button('Create the account').click();
    const note = page.getByRole('status').filter({ hasText: `One-time password for ${account}, shown this once` });
    const password = await note.locator('.value').first().textContent();
    await trial.look('one-time password', button('Done'));
    await browser.picture(`account-created-${trial.screen.width}`);
    await button('Done').click();
    await page.getByLabel('Find an account').fill(account);
    await page.getByRole('row', { name: new RegExp(`${account} no one-time, not used yet`) }).waitFor();
    await trial.look('accounts', button('Create an account'));
    await signOut(page, 'admin');
    await signInFirst(trial, account, String(password).trim());
  },
};

/** From the form to the first view, by a password of one's own. */
async function signInFirst(trial: Trial, account: string, oneTimePassword: string): Promise<void> {
  const { page, button } = trial;
  await trial.look('sign in', button('Sign in'));
  await signInByForm(page, account, oneTimePassword);
  await page.getByText('Choose a password of your own').waitFor();
  await trial.look('password of your own', button('Sign in'));
  await choosePassword(page);
  await trial.heading('Upload samples').waitFor();
  await page.getByRole('button', { name: account, exact: true }).waitFor();
  await trial.look('first view', button('Choose files…'));
}
