/**
 * Work in the page that is interrupted: by a session that ends, a network that is away, another view, a file that is changed.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type ForeignFile, LOOK_ALIKE_FILES } from '../../tsv/foreign-files.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file, goodSheet, sheetWithBadDates } from '../sheets.js';
import {
  accountMenu,
  choose,
  endSession,
  idInAddress,
  PASSWORD,
  PATIENT,
  registered,
  signInAgain,
  signInByForm,
} from '../steps.js';

const ACCOUNTS = ['lab-interrupted', 'lab-interrupting'] as const;
const TABLES = ['one', 'two', 'three'].map((name) => file(`${name}.tsv`, goodSheet(1, name)));

describe.skipIf(without('chromium'))('what is interrupted', () => {
  let server: RunningServer;
  let browser: Browser;
  let folder: string;
  const tokens: string[] = [];

  beforeAll(async () => {
    server = sharedServer();
    folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
    for (const account of ACCOUNTS) {
      tokens.push(await server.token(account));
      expect((await server.send('POST', '/auth/password', { account, password: PASSWORD })).status).toBe(204);
    }
    browser = await openBrowser(server);
    await browser.signIn(own());
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const own = () => tokens[0] as string;
  const register = () => browser.page.getByRole('button', { name: /^(Register|Update) / });
  const ended = () => browser.page.getByRole('dialog', { name: 'Your session has ended' });
  const card = (name: string) => browser.page.getByRole('listitem').filter({ hasText: `${name}.tsv` });
  const elsewhere = async () => {
    await browser.page.getByRole('link', { name: 'Checklists', exact: true }).click();
    await browser.page.getByRole('heading', { name: 'Checklists' }).waitFor();
  };
  const uploads = async (token: string) =>
    (
      (await server.get('/submissions', { token })).json<{ _embedded?: { submissions: { fileName: string }[] } }>()
        ._embedded?.submissions ?? []
    ).map(({ fileName }) => fileName);
  /** What stood on the disk under that name when it was chosen. */
  const LONG_AGO = new Date('2020-01-01');
  const onDisk = async (name: string, text: string) => {
    const place = join(folder, name);
    writeFileSync(place, text);
    // Of a file that is changed in the same second the browser does not notice it.
    utimesSync(place, LONG_AGO, LONG_AGO);
    await browser.view('/');
    await browser.page.locator('input[type=file]').setInputFiles(place);
    await register().waitFor();
    return place;
  };

  it('by a session that ends before several files are sent, asks once, and keeps those listed that were not', async () => {
    const { page } = browser;
    await choose(browser, ...TABLES);
    await endSession(browser);
    await register().click();
    await ended().getByRole('button', { name: 'Not now' }).last().click();
    await card('one').getByText('one.tsv was not taken').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Register 2.samples$/ }).isEnabled(), PATIENT).toBe(true);
    expect(await ended().count()).toBe(0);
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await signInAgain(page, own());
    for (const name of ['two', 'three'])
      await card(name)
        .getByRole('link', { name: /Open the outcome/ })
        .waitFor(PATIENT);
    expect((await uploads(own())).sort()).toEqual(['three.tsv', 'two.tsv']);
  });

  it('by a session that ends before the tables of an archive are sent, has those ready that were not', async () => {
    const { page } = browser;
    const archive = LOOK_ALIKE_FILES.find(({ name }) => name === 'two-tables.zip') as ForeignFile;
    await choose(browser, {
      name: archive.name,
      mimeType: 'application/zip',
      buffer: Buffer.from(await archive.bytes()),
    });
    await register().click();
    await page.getByRole('button', { name: 'Read all 2 tables' }).waitFor();
    await endSession(browser);
    await page.getByRole('button', { name: 'Read all 2 tables' }).click();
    await ended().getByRole('button', { name: 'Not now' }).last().click();
    await page.getByText('two-tables.zip: one.tsv was not taken').waitFor();
    await expect.poll(() => register().isEnabled(), PATIENT).toBe(true);
    await register().click();
    await signInAgain(page, own());
    await page.getByRole('link', { name: 'Open the outcome of two-tables.zip: two.tsv' }).waitFor(PATIENT);
  });

  it.each([
    ['files', goodSheet(1, 'sent on')],
    // Looked at by a dry run before.
    ['updates', 'Sample Identifier\tSample Name\tCharacteristics[tissue]\nSAMR1\tliver\tliver\n'],
  ])('by another account that signs in, sends none of the further %s in its name', async (_, text) => {
    const { page } = browser;
    await browser.signIn(own());
    const sheets = ['first', 'second', 'third'].map((name) => file(`${name}.tsv`, `${text}# ${name}\n`));
    await choose(browser, ...sheets);
    await endSession(browser);
    await register().click();
    await ended().waitFor();
    await signInByForm(page, ACCOUNTS[1], PASSWORD);
    await accountMenu(page, ACCOUNTS[1]).waitFor();
    await card('third').waitFor({ state: 'detached' });
    // Whatever was on its way by then has come before this one.
    await server.uploadAndSettle(goodSheet(1, 'own'), { name: 'own.tsv', token: tokens[1] as string });
    expect([...new Set(await uploads(tokens[1] as string))]).toEqual(['own.tsv']);
  });

  it('by a look at another view, has all that was chosen with the files, and nothing of it for the next ones', async () => {
    const { page } = browser;
    await browser.signIn(own());
    await choose(browser, file('chosen.tsv', goodSheet(1, 'chosen')));
    const atomic = page.getByRole('radio', { name: 'register nothing' });
    const marker = page.getByRole('textbox', { name: 'Stop when more rows are wrong than' });
    await atomic.check();
    await page.getByRole('button', { name: 'More choices' }).click();
    await marker.fill('5%');
    await elsewhere();
    await page.goBack();
    await card('chosen').waitFor();
    expect(await atomic.isChecked()).toBe(true);
    expect(await marker.inputValue()).toBe('5%');
    expect(await marker.isVisible()).toBe(true);
    await register().click();
    await registered(page);
    const { options } = (await server.get(`/submissions/${idInAddress(page)}`, { token: own() })).json<{
      options: object;
    }>();
    expect(options).toMatchObject({ mode: 'atomic', maxRejected: '5%' });
    await page.getByRole('button', { name: 'Upload again…' }).click();
    await card('chosen').waitFor();
    expect(await atomic.isChecked()).toBe(false);
    expect(await marker.isVisible()).toBe(false);
  });

  it('by a look at another view, is asked there what must be asked before it is registered', async () => {
    const { page } = browser;
    const hidden = goodSheet(1, 'hidden').replace('2024-01-01', '2030-01-01');
    const { id } = await server.uploadAndSettle(hidden, { token: own() });
    const [pair] = (await server.mapping(id, own())).sampleNameAccessionPairs;
    const [header, row] = goodSheet(1, 'hidden').split('\n');
    await choose(browser, file('public.tsv', `Sample Identifier\t${header}\n${pair?.sampleAccession}\t${row}\n`));
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/dryRun/, async (route) => {
      await held;
      await route.continue();
    });
    await register().click();
    await page.getByText('Looking at what it would change…').waitFor();
    await elsewhere();
    goOn();
    const dialog = page.getByRole('dialog', { name: 'Before it is registered' });
    await dialog.getByText(/1.sample that is not public now would become public/).waitFor(PATIENT);
    await page.unrouteAll({ behavior: 'wait' });
    await dialog.getByRole('button', { name: 'Register all the same' }).click();
    const release = async () =>
      (await server.get(`/samples/${pair?.sampleAccession}`, { token: own() })).json<{ release: string }>().release;
    await expect.poll(release, PATIENT).toContain('2024-01-01');
  });

  it('by a change of the file on the disk, says so, and takes it when it is chosen again', async () => {
    const { page } = browser;
    const place = await onDisk('worked-on.tsv', goodSheet(1, 'before'));
    writeFileSync(place, goodSheet(2, 'worked on'));
    await register().click();
    await page.getByText('worked-on.tsv was changed, moved or removed after you chose it').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.locator('input[type=file]').setInputFiles(place);
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await registered(page);
  });

  it('by a change of the file on the disk, is fixed from what the service has of it', async () => {
    const { page } = browser;
    const place = await onDisk('checked.tsv', sheetWithBadDates(4, 2));
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByRole('heading', { name: 'To fix (2)' }).waitFor(PATIENT);
    writeFileSync(place, 'worked on by somebody else');
    await page.getByRole('button', { name: 'Fix in the sheet' }).click();
    await page.getByRole('textbox', { name: 'Line 2, column A Sample Name' }).waitFor();
    for (const line of [3, 5])
      await page.getByRole('textbox', { name: `Line ${line}, column B Release Date` }).fill('2024-02-02');
    await page.getByRole('button', { name: /^Check the sheet with 2.fixed rows$/ }).click();
    await page.getByText('The sheet is ready to register').waitFor(PATIENT);
    await page.getByRole('button', { name: /^Register the 4.samples$/ }).waitFor();
  });

  it('by a network that is away, checks what is typed when it is back', async () => {
    const { page, context } = browser;
    const { id } = await server.uploadAndSettle(sheetWithBadDates(4, 2), { token: own() });
    await browser.view(`/submissions/${id}`);
    const cell = page.getByRole('textbox', { name: 'Line 3, Release Date' });
    await cell.waitFor();
    await context.setOffline(true);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/check'));
    await cell.fill('2024-02-01');
    await failed;
    await page.getByText('changed; being checked').waitFor();
    await context.setOffline(false);
    await page.getByText('fixed', { exact: true }).waitFor();
  });

  it('by a service that refuses to check, says when what is typed is checked', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle(sheetWithBadDates(4, 2), { token: own() });
    await page.route(/\/check$/, (route) => route.fulfill({ status: 413, json: { detail: 'too large' } }));
    await browser.view(`/submissions/${id}`);
    await page.getByRole('textbox', { name: 'Line 3, Release Date' }).fill('2024-02-01');
    await page.getByText('changed; it is checked when you send it').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it.each([503, 429])(
    'by a proxy that answers %i to whether the session holds, saves the file all the same',
    async (status) => {
      const { page } = browser;
      const { id } = await server.uploadAndSettle(goodSheet(1, `saved ${status}`), { token: own() });
      await browser.view(`/submissions/${id}`);
      await page.getByRole('link', { name: 'Original' }).waitFor();
      await page.route(/\/me$/, (route) => route.fulfill({ status, body: 'Not now' }));
      const { text } = await browser.saved(() => page.getByRole('link', { name: 'Original' }).click());
      expect(text).toBe(goodSheet(1, `saved ${status}`));
      await page.unrouteAll({ behavior: 'wait' });
    },
  );

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
