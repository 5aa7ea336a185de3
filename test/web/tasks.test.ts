/**
 * The tasks of a first day, on a wide screen, a tablet and a telephone, in light and in dark: each comes to its end, and every
 * view and dialog on the way has its main button in sight, nothing to scroll sideways for and nothing serious for axe.
 * The colleague's account, the twelve errors and the fifty files have test files of their own.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { PROOF, without } from '../support/services.js';
import { type ColorScheme, inColours, seriousFindings } from './axe.js';
import { Browser, CALM } from './browser.js';
import { file, goodSheet } from './sheets.js';

const SCREENS = [
  { width: 1280, height: 900 },
  { width: 820, height: 1100 },
  { width: 390, height: 844 },
];
const SCHEMES: readonly ColorScheme[] = ['light', 'dark'];
const ALL = SCREENS.flatMap((screen) => SCHEMES.map((scheme) => [screen.width, scheme, screen.height] as const));
/** Each width once and each scheme; the proof takes them all. */
const CASES = ALL.filter((_, at) => PROOF || at === 0 || at === 3 || at === 5);
/** Below this the views are behind a button (web/src/shell). */
const WIDE = 992;
const PASSWORD = 'a long enough password';

describe.skipIf(without('chromium'))('the tasks of a first day', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = await startServer();
    token = await server.token('lab-1');
    browser = await Browser.open(server);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const button = (name: string | RegExp) => browser.page.getByRole('button', { name });
  const heading = (name: string | RegExp) => browser.page.getByRole('heading', { name });
  const dialog = (name: string) => browser.page.getByRole('dialog', { name });
  const registered = () => browser.page.getByText('Every row of the sheet is registered').waitFor();
  const samplesOf = async (id: string) =>
    (await server.mapping(id, token)).sampleNameAccessionPairs.map(({ sampleAccession }) => sampleAccession);

  async function choose(name: string, sheet: string): Promise<void> {
    await browser.view('/');
    await heading('Upload samples').waitFor();
    await browser.page.locator('input[type=file]').setInputFiles(file(name, sheet));
    await browser.page
      .getByRole('list', { name: 'Chosen files' })
      .getByText(/^[\d\s]+rows$/)
      .waitFor();
  }

  /** By the links of the page alone. */
  async function goTo(view: string, width: number): Promise<void> {
    const { page } = browser;
    if (width < WIDE) await button('Main navigation').click();
    await page.getByRole('link', { name: view, exact: true }).click();
    await heading(view).waitFor();
  }

  describe.each(CASES)('at %i pixels, %s', (width, scheme, height) => {
    const of = (name: string) => `${name} ${width} ${scheme}`;

    /** `main`: what is to be done here. */
    async function look(where: string, main: Locator): Promise<void> {
      const { page } = browser;
      await main.first().waitFor();
      const box = await main.first().boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= width, `${where}: its main button is in sight`).toBe(true);
      const scroll = Number(await page.evaluate('document.body.scrollWidth'));
      expect(scroll, `${where}: nothing to scroll sideways for`).toBeLessThanOrEqual(width);
      expect(await seriousFindings(page, scheme), where).toEqual([]);
    }

    beforeAll(async () => {
      await browser.page.setViewportSize({ width, height });
      await browser.view('/');
      await inColours(browser.page, scheme);
    });
    beforeEach(() => browser.signIn(token));

    it('first sign-in, with the password of an administrator', async () => {
      const { page } = browser;
      const account = of('new').replaceAll(' ', '-');
      expect((await server.send('POST', '/accounts', { account })).status).toBe(201);
      const { oneTimePassword } = (await server.send('POST', `/accounts/${account}/password-reset`, {})).json<{
        oneTimePassword: string;
      }>();
      await browser.context.clearCookies();
      await browser.view('/');
      await look('sign in', button('Sign in'));
      await page.getByRole('textbox', { name: 'Account', exact: true }).fill(account);
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(oneTimePassword);
      await button('Sign in').click();
      await page.getByText('Choose a password of your own').waitFor();
      await look('password of your own', button('Sign in'));
      await page.getByRole('textbox', { name: 'New password', exact: true }).fill(PASSWORD);
      await page.getByRole('textbox', { name: 'Confirm new password', exact: true }).fill(PASSWORD);
      await button('Sign in').click();
      await heading('Upload samples').waitFor();
      await look('first view', button('Choose files…'));
    });

    it('six rows, and thinking of taking them back', async () => {
      const { page } = browser;
      await choose('six.tsv', goodSheet(6, of('six')));
      await look('upload', button(/^Register 6.samples$/));
      await button(/^Register 6.samples$/).click();
      await registered();
      await look('outcome', page.getByRole('link', { name: 'Download result' }));
      await button('Undo…').click();
      const undo = dialog('Undo this submission?');
      await look('undo', undo.getByRole('button', { name: 'Undo', exact: true }));
      await undo.getByRole('button', { name: 'Leave it' }).click();
      await expect.poll(() => undo.count()).toBe(0);
    });

    it('an update under embargo, which asks before it publishes', async () => {
      const { page } = browser;
      const sheet = (rows: string[][], more: string[] = []) =>
        [['Sample Identifier', 'Sample Name', 'Characteristics[tissue]', ...more], ...rows]
          .map((row) => `${row.join('\t')}\n`)
          .join('');
      const names = [1, 2].map((n) => of(`embargo ${n}`));
      const first = await server.uploadAndSettle(sheet(names.map((name) => ['', name, 'liver'])), {
        token,
        options: { releaseDate: '2030-01-01' },
      });
      const accessions = await samplesOf(first.id);
      const rows = names.map((name, n) => [accessions[n] as string, name, 'kidney']);
      const published = rows.map((row) => [...row, '2020-01-01']);
      await choose('published.tsv', sheet(published, ['Release Date']));
      await button(/^Update 2.samples$/).click();
      const ask = dialog('Before it is registered');
      await ask.getByText(/2.samples that are not public now would become public/).waitFor();
      await look('ask', ask.getByRole('button', { name: 'Register all the same' }));
      await ask.getByRole('button', { name: 'Go back' }).last().click();
      await button('Take published.tsv off the list').click();
      await choose('edited.tsv', sheet(rows));
      await button(/^Update 2.samples$/).click();
      await registered();
      await heading('What has changed (2)').waitFor();
      await look('changes', page.getByRole('link', { name: 'Download result' }));
      const stored = (await server.get(`/samples/${accessions[0]}`, { token })).json();
      expect(stored).toMatchObject({
        release: expect.stringContaining('2030-01-01'),
        characteristics: { tissue: [{ text: 'kidney' }] },
      });
    });

    it('a table of NCBI, whose plain columns are kept', async () => {
      const { page } = browser;
      const rows = [1, 2, 3].map((n) => [of(`isolate ${n}`), 'Mus musculus', '2020-05-01', 'Peru', '2024-01-01']);
      const header = ['Sample Name', 'Organism', 'Collection date', 'Geo_loc_name', 'Release Date'];
      await choose('ncbi.tsv', [header, ...rows].map((row) => `${row.join('\t')}\n`).join(''));
      await page.getByText('3 columns kept as characteristics').waitFor();
      await look('plain columns', button(/^Register 3.samples$/));
      await button(/^Register 3.samples$/).click();
      await registered();
      await page.getByText(/^3.unrecognised columns kept as characteristics: /).waitFor();
      await look('plain columns kept', page.getByRole('link', { name: 'Download result' }));
    });

    it('search, a sample, and back to what was found', async () => {
      const { page } = browser;
      const wanted = `${of('six')} 3`;
      await goTo('Samples', width);
      const search = page.getByRole('textbox', { name: 'Find samples' });
      await search.fill(wanted);
      const found = page.getByRole('link', { name: /^SAMR\d+$/ }).first();
      await page
        .getByRole('row', { name: new RegExp(wanted) })
        .first()
        .waitFor();
      await look('search', found);
      await found.click();
      await button('Edit').waitFor();
      await look('sample', button('Edit'));
      await page.goBack();
      await page
        .getByRole('row', { name: new RegExp(wanted) })
        .first()
        .waitFor();
      expect(await search.inputValue()).toBe(wanted);
    });

    it('a session that ends in the middle of editing', async () => {
      const { page } = browser;
      const made = { name: of('edited'), release: '2024-01-01T00:00:00Z', characteristics: {} };
      const { accession } = (await server.send('POST', '/samples', made, { token })).json<{ accession: string }>();
      await browser.view(`/samples/${accession}`);
      await button('Edit').click();
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await name.fill(of('edited twice'));
      await look('edit', button('Store the change'));
      await browser.context.clearCookies();
      await button('Store the change').click();
      const again = dialog('Your session has ended');
      await look('session', again.getByRole('button', { name: 'Sign in' }));
      await again.getByText('Token', { exact: true }).click();
      await again.getByRole('textbox', { name: 'Token' }).fill(token);
      await again.getByRole('button', { name: 'Sign in' }).click();
      await expect.poll(() => name.count(), { timeout: 30_000 }).toBe(0);
      expect((await server.get(`/samples/${accession}`)).json()).toMatchObject({ name: of('edited twice') });
    });
  });

  it('100 000 rows, left while they are registered and found again by the name of the file', async () => {
    const ROWS = 100_000;
    const { page } = browser;
    const { width, height } = { width: 1280, height: 900 };
    await page.setViewportSize({ width, height });
    await browser.signIn(token);
    await choose('hundred thousand.tsv', goodSheet(ROWS, 'many'));
    await button(/^Register 100.000.samples$/).click();
    await page.getByText('You may leave this page and come back.').waitFor();
    await goTo('Samples', width);
    await goTo('Submissions', width);
    await page.getByLabel('Find').fill('hundred');
    await page.getByRole('link', { name: 'hundred thousand.tsv' }).click();
    await page.getByText('Every row of the sheet is registered').waitFor({ timeout: 120_000 });
    await page.getByText(/^100.000 registered$/).waitFor();
    const saved = await browser.saved(() => page.getByRole('link', { name: 'Mapping (JSON)' }).click());
    const { sampleNameAccessionPairs: pairs } = JSON.parse(saved.text) as Awaited<ReturnType<TestServer['mapping']>>;
    expect(pairs).toHaveLength(ROWS);
    expect(pairs.at(-1)?.sampleName).toBe(`many ${ROWS}`);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
