/**
 * What can be done in the page while files are on their way, over a line that holds the first of them up.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file, goodSheet } from '../sheets.js';
import { choose, PATIENT } from '../steps.js';

describe.skipIf(without('chromium'))('while a file is sent', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-while-sending');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const sheet = (name: string) => file(`${name}.tsv`, goodSheet(1, name));
  const card = (name: string) => browser.page.getByRole('listitem').filter({ hasText: `${name}.tsv` });
  const register = () => browser.page.getByRole('button', { name: /^(Register|Update) / });

  /** Holds every upload up until the answer is called. */
  async function heldUp(): Promise<() => Promise<void>> {
    const { page } = browser;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(
      (url) => url.pathname === '/submissions',
      async (route) => {
        if (route.request().method() === 'POST') await held;
        await route.continue();
      },
    );
    return async () => {
      goOn();
      await page.unrouteAll({ behavior: 'wait' });
    };
  }

  const uploaded = async (name: string) =>
    (await server.get(`/submissions?dryRuns=false&fileName=${encodeURIComponent(name)}`, { token })).json<{
      _embedded?: { submissions: { fileName: string }[] };
    }>()._embedded?.submissions.length ?? 0;

  it('another one that is taken off the list is not sent, nor one that its newer self has replaced', async () => {
    const { page } = browser;
    await choose(browser, sheet('goes'), sheet('unwanted'), sheet('again'), sheet('last'));
    const release = await heldUp();
    await register().click();
    await card('goes')
      .getByText(/of .* sent$/)
      .waitFor();
    await page.getByRole('button', { name: 'Take unwanted.tsv off the list' }).click();
    // The same file once more, to be looked at before it is sent.
    await page.getByRole('button', { name: 'Take again.tsv off the list' }).click();
    await page.locator('input[type=file]').setInputFiles(sheet('again'));
    await release();
    await card('last')
      .getByRole('link', { name: /Open the outcome/ })
      .waitFor(PATIENT);
    await card('again').getByRole('button', { name: 'Take again.tsv off the list' }).waitFor();
    expect(await Promise.all(['goes', 'unwanted', 'again', 'last'].map(uploaded))).toEqual([1, 0, 0, 1]);
    expect(await card('again').getByRole('link').count()).toBe(0);
  });

  it.each([
    ['sent', goodSheet(1, 'wrong')],
    // By a dry run before.
    ['looked at', 'Sample Identifier\tSample Name\tCharacteristics[tissue]\nSAMR1\tliver\tliver\n'],
  ])(
    'the wrong one is stopped while it is %s, those behind it go on, and sent again it comes once',
    async (step, text) => {
      const { page } = browser;
      const [wrong, behind] = [`wrong ${step}`, `behind ${step}`];
      await choose(browser, file(`${wrong}.tsv`, text), sheet(behind));
      const release = await heldUp();
      await register().click();
      await card(wrong)
        .getByRole('button', { name: `Stop sending ${wrong}.tsv` })
        .click();
      await card(wrong).getByText(`You stopped sending ${wrong}.tsv`).waitFor();
      await release();
      await card(behind)
        .getByRole('link', { name: /Open the outcome/ })
        .waitFor(PATIENT);
      expect(await Promise.all([wrong, behind].map(uploaded))).toEqual([0, 1]);
      await card(wrong).getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: /^(Register|Update) 1.sample$/ }).click();
      await card(wrong)
        .getByRole('link', { name: /Open the outcome|Fix the 1.row/ })
        .waitFor(PATIENT);
      expect(await uploaded(wrong)).toBe(1);
    },
  );

  it('what is said of one that waits counts', async () => {
    const { page } = browser;
    const foreign = {
      name: 'umlauts.tsv',
      mimeType: 'text/plain',
      buffer: Buffer.from(goodSheet(1, 'Göttingen'), 'latin1'),
    };
    await choose(browser, sheet('before'), foreign);
    await page.getByRole('button', { name: 'Yes, read umlauts.tsv as Windows-1252' }).click();
    await card('umlauts')
      .getByText(/^1.row$/)
      .waitFor();
    const release = await heldUp();
    await register().click();
    await card('before')
      .getByText(/of .* sent$/)
      .waitFor();
    await page.getByRole('button', { name: 'Read umlauts.tsv as UTF-8 again' }).click();
    await release();
    await card('umlauts').getByText('was not taken').waitFor(PATIENT);
  });

  it('who chooses a second one stays with it when the first is answered', async () => {
    const { page } = browser;
    await choose(browser, sheet('first'));
    const release = await heldUp();
    await register().click();
    await card('first')
      .getByText(/of .* sent$/)
      .waitFor();
    await page.locator('input[type=file]').setInputFiles(sheet('second'));
    await card('second')
      .getByText(/^1.row$/)
      .waitFor();
    await release();
    await card('first')
      .getByRole('link', { name: /Open the outcome/ })
      .waitFor(PATIENT);
    expect(new URL(page.url()).hash).toBe('#/');
    await register().click();
    await card('second')
      .getByRole('link', { name: /Open the outcome/ })
      .waitFor(PATIENT);
  });

  it('the browser asks before the page is left, in any view, and not once it is sent', async () => {
    const { page } = browser;
    await choose(browser, sheet('asks'));
    const release = await heldUp();
    await register().click();
    await card('asks')
      .getByText(/of .* sent$/)
      .waitFor();
    await page.getByRole('link', { name: 'Checklists', exact: true }).click();
    await page.getByRole('heading', { name: 'Checklists' }).waitFor();
    const before = browser.askedBeforeLeaving;
    await page.reload();
    expect(browser.askedBeforeLeaving).toBe(before + 1);
    await release();
    await choose(browser, sheet('asks no more'));
    await register().click();
    await page.getByText('Every row of the sheet is registered').waitFor(PATIENT);
    await page.reload();
    expect(browser.askedBeforeLeaving).toBe(before + 1);
  });

  it('Back leads to the view before, however often this one was asked for', async () => {
    const { page } = browser;
    await browser.view('/checklists');
    await page.getByRole('link', { name: 'Upload', exact: true }).click();
    await page.getByRole('heading', { name: 'Upload samples' }).waitFor();
    for (let times = 0; times < 3; times++) await page.getByRole('link', { name: 'Upload', exact: true }).click();
    await page.goBack();
    await page.getByRole('heading', { name: 'Checklists' }).waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
