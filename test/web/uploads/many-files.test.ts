/** Sheets of other kinds, files dropped beside the box, and fifty uploads in the list and under its filters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file, goodSheet, sheetWithBadDates } from '../sheets.js';

const FILES = 50;
/** Plain headers alone, as NCBI's submission portal writes them. */
const NCBI = [
  'Sample Name\tOrganism\tCollection date\tGeo_loc_name\tLat_lon\tRelease Date',
  ...Array.from({ length: 30 }, (_, n) => `isolate ${n}\tMus musculus\t2020-05-01\tPeru\t12 S 77 W\t2024-01-01`),
].join('\n');

describe.skipIf(without('chromium'))('many files at once', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-many-files');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const characteristicsOf = async (submission: string) => {
    const [pair] = (await server.mapping(submission, token)).sampleNameAccessionPairs;
    return (await server.get(`/samples/${pair?.sampleAccession}`, { token })).json<{ characteristics: object }>()
      .characteristics;
  };

  it('sends a table of plain headers, whose columns become characteristics', async () => {
    const { page } = browser;
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file('ncbi.tsv', `${NCBI}\n`));
    await page.getByText('4 columns kept as characteristics').waitFor();
    await page.getByRole('radio', { name: 'leave them out of the samples' }).check();
    await page.getByText('Nothing but names and dates would be stored').waitFor();
    await page.getByRole('radio', { name: 'keep them as characteristics' }).check();
    await page.getByText(/^30.rows$/).waitFor();
    const register = page.getByRole('button', { name: /^Register 30.samples$/ });
    await register.waitFor();
    expect(await page.getByRole('button', { name: 'Check first' }).isEnabled()).toBe(true);
    await register.click();
    await page.getByText('Every row of the sheet is registered').waitFor({ timeout: 300_000 });
    const id = page.url().split('/submissions/')[1] as string;
    expect(Object.keys(await characteristicsOf(id)).sort()).toEqual([
      'Collection date',
      'Geo_loc_name',
      'Lat_lon',
      'Organism',
    ]);
  });

  it('asks before it registers nothing but names and dates', { tags: 'slow' }, async () => {
    const { page } = browser;
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(file('names.tsv', 'Sample Name\tRelease Date\nempty 1\t2024-01-01\n'));
    await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Before it is registered' });
    await dialog.getByText('Nothing but names and dates would be stored').waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).last().click();
    await page.getByRole('button', { name: /^Register 1.sample$/ }).waitFor();
    expect((await server.get('/submissions?fileName=names', { token })).json()).not.toHaveProperty('_embedded');
  });

  it('updates samples under embargo without a date, and asks before any becomes public', { tags: 'slow' }, async () => {
    const { page } = browser;
    const rows = [1, 2, 3, 4, 5, 6].map((n) => ['', `embargo ${n}`, 'liver']);
    const sheet = (body: string[][], more: string[] = []) =>
      [['Sample Identifier', 'Sample Name', 'Characteristics[tissue]', ...more], ...body]
        .map((row) => `${row.join('\t')}\n`)
        .join('');
    const { id } = await server.uploadAndSettle(sheet(rows), { token, options: { releaseDate: '2030-01-01' } });
    const pairs = (await server.mapping(id, token)).sampleNameAccessionPairs;
    const named = rows.map(([, name, tissue], n) => [
      pairs[n]?.sampleAccession as string,
      name as string,
      tissue as string,
    ]);
    named[0] = [...(named[0] as string[]).slice(0, 2), 'kidney'];
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file('edited.tsv', sheet(named)));
    await page.getByRole('button', { name: /^Update 6.samples$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor({ timeout: 300_000 });
    await page.getByRole('heading', { name: 'What has changed (1)' }).waitFor();
    const changed = page.getByRole('region', { name: 'What has changed', exact: true });
    await changed.getByRole('row', { name: /Characteristics\[tissue\] liver kidney/ }).waitFor();
    const first = async () =>
      (await server.get(`/samples/${pairs[0]?.sampleAccession}`, { token })).json<{ release: string }>();
    expect((await first()).release).toContain('2030-01-01');

    await browser.view('/');
    const published = sheet(
      named.map((row) => [...row, '2020-01-01']),
      ['Release Date'],
    );
    await page.locator('input[type=file]').setInputFiles(file('published.tsv', published));
    await page.getByRole('button', { name: /^Update 6.samples$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Before it is registered' });
    await dialog.getByText(/6.samples that are not public now would become public/).waitFor({ timeout: 300_000 });
    await dialog.getByRole('button', { name: 'Go back' }).last().click();
    expect((await first()).release).toContain('2030-01-01');
  });

  it.each(['/', '/submissions', '/samples'])(
    'takes files that are dropped beside every box of %s',
    { tags: 'slow' },
    async (path) => {
      const { page } = browser;
      await browser.view(path);
      const heading = page.getByRole('heading', { level: 1 });
      await heading.waitFor();
      const files = await page.evaluateHandle(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([${JSON.stringify(goodSheet(3))}], 'dropped.tsv'));
      return dropped;
    })()`);
      await heading.dispatchEvent('dragenter', { dataTransfer: files });
      await page.getByText('Drop to upload').waitFor();
      // What nobody prevents the browser does by itself: it opens the file in place of the page.
      await page.evaluate(`addEventListener('drop', (event) => { window.opened = !event.defaultPrevented; })`);
      await heading.dispatchEvent('drop', { dataTransfer: files });
      expect(await page.evaluate('window.opened')).toBe(false);
      await page.getByRole('list', { name: 'Chosen files' }).getByText('dropped.tsv').waitFor();
      await page.getByRole('button', { name: /^Register 3.samples$/ }).waitFor();
      expect(await page.getByText('Drop to upload').count()).toBe(0);
    },
  );

  it('finds submissions by status, file and day on the server, and the address keeps what is asked', {
    tags: 'slow',
  }, async () => {
    const { page } = browser;
    const send = (n: number) => {
      const sheet = n === 40 || n === 20 ? sheetWithBadDates(n === 40 ? 1 : 6, n === 40 ? 1 : 3) : goodSheet(2);
      return server.uploadAndSettle(sheet.replaceAll('liver ', `plate ${n} `), { name: `plate-${n}.tsv`, token });
    };
    // Some at a time, as a lab's script would; the last is the newest.
    for (let n = 0; n < FILES - 1; n += 7) await Promise.all([0, 1, 2, 3, 4, 5, 6].map((at) => send(n + at)));
    await send(FILES - 1);
    await browser.view('/submissions');
    const rows = page.getByRole('region', { name: 'Submissions' }).getByRole('row');
    await page.getByRole('link', { name: 'plate-49.tsv' }).waitFor();
    // Behind the newest fifty: only the service can find it.
    expect(await page.getByRole('link', { name: 'ncbi.tsv' }).count()).toBe(0);
    await page.getByLabel('Find').fill('NCBI');
    await page.getByRole('link', { name: 'ncbi.tsv' }).waitFor();
    expect(await rows.count()).toBe(2);
    expect(page.url()).toContain('text=NCBI');
    await page.getByRole('link', { name: 'ncbi.tsv' }).click();
    await page.getByRole('heading', { name: 'ncbi.tsv' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'ncbi.tsv' }).waitFor();
    expect(await page.getByLabel('Find').inputValue()).toBe('NCBI');

    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed or with errors' }).click();
    await expect.poll(() => rows.count()).toBe(3);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('None fits.').waitFor();
  });

  it.each([
    [1280, 900],
    [820, 1100],
    // As 1280 pixels at 200 percent.
    [640, 450],
    [390, 844],
  ])(
    'shows the list at %i pixels without breaking words into letters or scrolling sideways',
    { tags: 'slow' },
    async (width, height) => {
      const { page } = browser;
      await page.setViewportSize({ width, height });
      await browser.view('/submissions');
      const name = page.getByRole('link', { name: 'plate-49.tsv' });
      await name.waitFor();
      expect((await name.boundingBox())?.height).toBeLessThan(40);
      const lines = await page
        .getByText('without')
        .or(page.getByText(/^Completed$/))
        .first()
        .boundingBox();
      expect(lines?.height).toBeLessThan(40);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await browser.picture(`submissions-${width}`);
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  );

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
