/**
 * What was asked of the page and cannot be done is said, and who works by keyboard knows where they are.
 *
 * @module-tag slow
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { goodSheet } from './sheets.js';
import { accountMenu, endSession, PATIENT, signInAgain } from './steps.js';

describe.skipIf(without('chromium'))('what the page says and where it leaves somebody', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  const home = mkdtempSync(join(tmpdir(), 'dropped-'));

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-answers');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(home, { recursive: true });
  });

  const upload = (name: string) => server.uploadAndSettle(goodSheet(1, name), { name: `${name}.tsv`, token });
  const menuOf = (name: string) => browser.page.getByRole('button', { name: `Files and actions of ${name}.tsv` });
  /** What the button or the label of the field says that has the focus. */
  const focused = () =>
    browser.page.evaluate(
      '(document.activeElement.labels?.[0] ?? document.activeElement).textContent',
    ) as Promise<string>;

  /** Drops a file or folder of this machine on a view that is not the upload's. */
  const drop = async (path: string) => {
    await browser.view('/checklists');
    await browser.page.getByRole('heading', { name: 'Checklists' }).waitFor();
    const devtools = await browser.context.newCDPSession(browser.page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data });
  };

  it('an undo that is refused says why, in the list and at the submission', async () => {
    const { page } = browser;
    const { id } = await upload('undone');
    for (const path of ['/submissions', `/submissions/${id}`]) {
      await browser.view(path);
      if (path === '/submissions') {
        await menuOf('undone').click();
        await page.getByRole('menuitem', { name: 'Undo…' }).click();
      } else await page.getByRole('button', { name: 'Undo…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Undo this submission?' });
      await dialog.waitFor();
      await page.route('**/undo', (route) => route.abort(), { times: 1 });
      await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
      await dialog.getByText('The submission was not undone').waitFor();
      await dialog.getByText('The server does not answer').waitFor();
      await dialog.getByRole('button', { name: 'Leave it' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('who cannot be signed out reads so, and is once it works', async () => {
    const { page } = browser;
    await browser.view('/submissions');
    await page.route('**/auth/session', (route) => route.abort(), { times: 1 });
    await accountMenu(page, 'lab-answers').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'You are still signed in' });
    await dialog.getByText('The server does not answer').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await browser.signIn(token);
  });

  it('a file of the list is saved after the session was renewed', async () => {
    const { page } = browser;
    await upload('renewed');
    await browser.view('/submissions');
    await menuOf('renewed').click();
    await endSession(browser);
    const { text } = await browser.saved(async () => {
      await page.getByRole('menuitem', { name: 'Result (TSV)' }).click();
      await signInAgain(page, token);
    });
    expect(text).toContain('RECEIPT START');
  });

  it('what was typed to find a submission is there with Back, and goes when everything is shown', async () => {
    const { page } = browser;
    await browser.view('/submissions?status=COMPLETED');
    const find = page.getByRole('textbox', { name: 'Find' });
    await find.fill('renewed');
    await page.getByRole('link', { name: 'Upload samples' }).click();
    await page.getByRole('heading', { name: 'Upload samples' }).waitFor();
    await page.goBack();
    expect(await find.inputValue()).toBe('renewed');
    await find.fill('renew');
    await page.getByRole('button', { name: 'Show all' }).click();
    await menuOf('undone').waitFor(PATIENT);
    expect(await find.inputValue()).toBe('');
    expect(new URL(page.url()).hash).toBe('#/submissions');
  });

  it('a form that takes the place of its button has the focus, and the button has it back', async () => {
    const { page } = browser;
    const { id } = await upload('focus');
    const accession = (await server.mapping(id, token)).sampleNameAccessionPairs[0]?.sampleAccession;
    await browser.view('/account');
    await page.getByRole('button', { name: 'Make a token' }).click();
    await expect.poll(focused).toMatch(/^Label/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(focused).toBe('Make a token');
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.poll(focused).toMatch(/^Name/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(focused).toBe('Edit');
  });

  it('a folder that is dropped brings the sheets in it and in its folders', async () => {
    const { page } = browser;
    const folder = join(home, 'plates');
    mkdirSync(join(folder, 'plate 2'), { recursive: true });
    writeFileSync(join(folder, 'plate 1.tsv'), goodSheet(1, 'dropped one'));
    writeFileSync(join(folder, 'plate 2', 'wells.tsv'), goodSheet(2, 'dropped two'));
    writeFileSync(join(folder, '.DS_Store'), 'of the system');
    await drop(folder);
    const list = page.getByRole('list', { name: 'Chosen files' });
    await list.getByText('wells.tsv').waitFor();
    await page.getByRole('button', { name: /^Register 3.samples$/ }).waitFor();
    expect(await list.getByRole('listitem').count()).toBe(2);
  });

  it('a folder of more files than are listed is said to be one', async () => {
    const folder = join(home, 'archive');
    mkdirSync(folder);
    for (let n = 0; n <= 500; n++) writeFileSync(join(folder, `${n}.tsv`), '');
    await drop(folder);
    const dialog = browser.page.getByRole('dialog', { name: 'Not all files of the folder are listed' });
    await dialog.getByText('The folder holds more than 500 files').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
