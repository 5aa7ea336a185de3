/** Uploading a small sheet by the page; of a large one: live.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file, goodSheet } from '../sheets.js';

describe.skipIf(without('chromium'))('uploading by the page', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-upload');
    browser = await openBrowser(server);
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('signs in with a token, after a wrong one was refused in plain words', async () => {
    const { page } = browser;
    await page.goto(`${server.url}/`);
    await page.getByText('Token', { exact: true }).click();
    expect(new URL(page.url()).pathname).toBe('/page/');
    await page.getByRole('textbox', { name: 'Token' }).fill('srt_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toMatch(/not signed in.*unknown, revoked or expired/s);
    await browser.picture('sign-in-refused');
    await page.getByRole('textbox', { name: 'Token' }).fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Upload samples' }).waitFor();
  });

  it('says at its foot which version of the service answers, signed in or not', async () => {
    const { page } = browser;
    const { version } = (await server.get('/health/live', { token: null })).json<{ version: string }>();
    const foot = page.getByRole('contentinfo');
    await expect.poll(() => foot.textContent()).toBe(`Sample registry ${version}`);
    await browser.context.clearCookies();
    await browser.view('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => foot.textContent()).toBe(`Sample registry ${version}`);
    await browser.signIn(token);
    await browser.view('/');
  });

  it('shows a small sheet its accessions, and saves the result that the interface gives', async () => {
    const { page } = browser;
    await page.locator('input[type=file]').setInputFiles(file('s_liver.tsv', goodSheet(12)));
    await page.getByText('12 rows').waitFor();
    await browser.picture('upload');
    await page.getByRole('button', { name: 'Register 12 samples' }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
    const id = page.url().split('/submissions/')[1] as string;
    const { sampleNameAccessionPairs: pairs } = await server.mapping(id, token);
    expect(pairs).toHaveLength(12);
    for (const { sampleName, sampleAccession } of pairs) {
      const row = page.getByRole('row', { name: new RegExp(`^${sampleName} ${sampleAccession}`) });
      await row.waitFor();
    }
    const saved = await browser.saved(() => page.getByRole('link', { name: 'Download result' }).click());
    expect(saved.text).toBe(await server.result(id, token));
    expect(saved.text).toContain(`liver 12\t2024-01-01\tHomo sapiens\tmale\tliver\t${pairs[11]?.sampleAccession}`);
    await browser.picture('outcome-small');
  });

  it('copies an accession, also where the browser offers no clipboard', async () => {
    const { page } = browser;
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    const id = page.url().split('/submissions/')[1] as string;
    const pairs = (await server.mapping(id, token)).sampleNameAccessionPairs;
    const [first, second] = pairs.map(({ sampleAccession }) => sampleAccession);
    await page.getByRole('button', { name: `Copy accession ${first}`, exact: true }).click();
    await expect.poll(clipboard).toBe(first);
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not here"))');
    await page.getByRole('button', { name: `Copy accession ${second}`, exact: true }).click();
    await expect.poll(clipboard).toBe(second);
  });

  it.each([
    ['below a blank row', (sheet: string) => sheet.replace('\ncopied 3', '\n\ncopied 3'), false],
    ['below a remark', (sheet: string) => sheet.replace('\ncopied 2', '\n# second batch\ncopied 2'), false],
    ['in a cell of two lines', (sheet: string) => sheet.replace('\tliver', '\t"liver\nleft"'), true],
    ['right below each other', (sheet: string) => sheet, true],
  ])(
    'copies accessions as a column that fits beside the sheet, with names where rows stand %s',
    {
      tags: 'slow',
    },
    async (where, change, fits) => {
      const { page } = browser;
      await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const text = change(goodSheet(3, 'copied')).replace('Homo sapiens', where);
      const { id } = await server.uploadAndSettle(text, { name: 'copied.tsv', token });
      const pairs = (await server.mapping(id, token)).sampleNameAccessionPairs;
      const original = page.waitForResponse(/\/original$/);
      await browser.view(`/submissions/${id}`);
      await (await original).finished();
      await page.getByRole('button', { name: fits ? /^Copy 3.accessions$/ : /^Copy 3.names and accessions$/ }).click();
      const lines = pairs.map((pair) => (fits ? '' : `${pair.sampleName}\t`) + pair.sampleAccession);
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(lines.join('\n'));
    },
  );

  it('says that a sheet came before, and what became of it then', { tags: 'slow' }, async () => {
    const { page } = browser;
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file('again.tsv', goodSheet(12)));
    await page.getByRole('button', { name: 'Register 12 samples' }).click();
    await page.getByText('You uploaded this very file before').waitFor();
    await page.getByRole('heading', { name: 's_liver.tsv' }).waitFor();
    await page.getByRole('button', { name: 'Register it again as new samples' }).click();
    await page.getByRole('heading', { name: 'again.tsv' }).waitFor();
    await page.getByText('Every row of the sheet is registered').waitFor();
  });

  it('tells before anything is sent why a file cannot be taken', async () => {
    const { page } = browser;
    await browser.view('/');
    let posted = 0;
    page.on('request', (request) => {
      // What the columns of a sheet are taken for is asked at once, and keeps nothing.
      if (request.method() === 'POST' && !request.url().includes('/profile-proposals')) posted += 1;
    });
    let propose = (): void => undefined;
    const proposed = new Promise<void>((resolve) => {
      propose = resolve;
    });
    await page.route('**/profile-proposals*', async (route) => {
      await proposed;
      await route.continue();
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('no-name.tsv', 'Source Name\tRelease Date\nx\t2024-01-01\n'),
        file('no-date.tsv', 'Sample Name\ta\nx\ty\n'),
      ]);
    await page.getByText('No Sample Name column').waitFor();
    await page.getByText('No Release Date column: choose a date below').waitFor();
    const register = page.getByRole('button', { name: 'Register 1 sample' });
    const before = await register.boundingBox();
    propose();
    await page.getByText('What are the columns of this sheet?').waitFor();
    expect(await register.boundingBox(), 'where the button is while more is said of a file').toEqual(before);
    await register.click();
    await page.getByRole('alert').getByText('Your sheet has no Release Date column').waitFor();
    await browser.picture('upload-refused');
    expect(posted).toBe(0);
    await page.getByRole('radio', { name: 'today' }).check();
    await page.getByRole('button', { name: 'Register 1 sample' }).click();
    await page.getByRole('link', { name: 'Open the outcome of no-date.tsv' }).waitFor();
    expect(posted).toBe(1);
  });

  it('reads a sheet in another encoding once that is named', { tags: 'slow' }, async () => {
    const { page } = browser;
    await browser.view('/');
    const bytes = Buffer.from('Sample Name\tRelease Date\ttissue\nM\u00e4use 1\t2024-01-01\tliver\n', 'latin1');
    await page.locator('input[type=file]').setInputFiles({ name: 'ansi.tsv', mimeType: 'text/plain', buffer: bytes });
    await page.getByText('The text is not UTF-8.').waitFor();
    await page.getByRole('button', { name: 'More choices' }).click();
    await page.getByRole('combobox', { name: 'Encoding of the text' }).click();
    await page.getByRole('option', { name: 'Windows-1252 (Western Europe)' }).click();
    await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
    await page.getByRole('row', { name: /^M\u00e4use 1 SAMR/ }).waitFor();
  });

  it('reads a sheet by the words that somebody knows, where it may be in one of several encodings', {
    tags: 'slow',
  }, async () => {
    const { page } = browser;
    await browser.view('/');
    // Two names of organs, as a Korean spreadsheet saves them.
    const names = ['b0a3', 'bdc5c0e5'].map((hex) => Buffer.from(hex, 'hex'));
    const rows = names.map((name) => Buffer.concat([name, Buffer.from('\t2024-01-01\tliver\n')]));
    const buffer = Buffer.concat([Buffer.from('Sample Name\tRelease Date\ttissue\n'), ...rows]);
    await page.locator('input[type=file]').setInputFiles({ name: 'organs.tsv', mimeType: 'text/plain', buffer });
    await page.getByText('Which of these does it say?').waitFor();
    await page.getByRole('button', { name: '간: read organs.tsv as EUC-KR' }).click();
    await page.getByText('Read as EUC-KR.').waitFor();
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await page.getByRole('row', { name: /^신장 SAMR/ }).waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
