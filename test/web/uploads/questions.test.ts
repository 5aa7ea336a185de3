/**
 * What the page asks, offers and reports around a registration: a file that came before, publication, plain columns.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';
import { idInAddress } from '../steps.js';

const text = (rows: readonly (readonly string[])[]) => rows.map((row) => `${row.join('\t')}\n`).join('');
const undated = (name: string) =>
  text([
    ['Sample Name', 'Characteristics[tissue]'],
    [`${name} 1`, 'liver'],
    [`${name} 2`, 'kidney'],
  ]);
const PLAIN = text([
  ['Sample Name', 'Release Date', 'Characteristics[organism]', 'Lat_lon', 'tissue'],
  ['isolate 1', '2024-01-01', 'Mus musculus', '12 S 77 W', 'liver'],
  ['isolate 2', '2024-01-01', 'Mus musculus', '12 S 77 W', 'kidney'],
]);

interface Stored {
  name: string;
  release: string;
  characteristics: Record<string, { text: string }[]>;
}

describe.skipIf(without('chromium'))('before and after a registration', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-questions');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const read = async (accession: string) => (await server.get(`/samples/${accession}`, { token })).json<Stored>();
  const accessionsOf = async (id: string) =>
    (await server.mapping(id, token)).sampleNameAccessionPairs.map(({ sampleAccession }) => sampleAccession);
  const registered = () => browser.page.getByText('Every row of the sheet is registered').waitFor();
  const card = () => browser.page.getByRole('list', { name: 'Chosen files' });
  const offers = () => card().getByRole('button').filter({ hasText: /\S/ }).allTextContents();

  async function chosen(name: string, sheet: string): Promise<void> {
    await browser.view('/');
    await browser.page.locator('input[type=file]').setInputFiles(file(name, sheet));
    await card()
      .getByText(/^\d+.rows$/)
      .waitFor();
  }

  async function releasedOn(date: string): Promise<void> {
    const { page } = browser;
    await page.getByRole('radio', { name: 'on a date' }).check();
    await page.getByLabel('Release date', { exact: true }).fill(date);
  }

  const register = () => browser.page.getByRole('button', { name: /^Register 2.samples$/ }).click();

  it('offers for a file with another release date what the answer offers, and moves the release', async () => {
    const { page } = browser;
    const sheet = undated('moved');
    const first = await server.uploadAndSettle(sheet, { token, options: { releaseDate: '2030-01-01' } });
    const accessions = await accessionsOf(first.id);
    await chosen('moved.tsv', sheet);
    await releasedOn('2031-01-01');
    await register();
    await card().getByText('moved.tsv was uploaded before, with another release date').waitFor();
    expect(await offers()).toEqual(['Move the release of its samples', 'Register it again as new samples']);
    await card().getByText('The samples of the first upload get the release date of this one.').waitFor();
    await card().getByText('A second set of samples with accessions of their own is registered.').waitFor();
    expect(await card().textContent()).not.toMatch(/duplicate=|releaseExisting/);
    await browser.picture('conflict');
    await page.getByRole('button', { name: 'Move the release of its samples' }).click();
    await registered();
    expect(await accessionsOf(idInAddress(browser.page))).toEqual(accessions);
    expect((await read(accessions[0] as string)).release).toContain('2031-01-01');
  });

  it('asks before such a move makes samples public', async () => {
    const { page } = browser;
    const sheet = undated('early');
    const first = await server.uploadAndSettle(sheet, { token, options: { releaseDate: '2030-01-01' } });
    const [accession = ''] = await accessionsOf(first.id);
    await chosen('early.tsv', sheet);
    await releasedOn('2020-01-01');
    await register();
    await page.getByRole('button', { name: 'Move the release of its samples' }).click();
    const dialog = page.getByRole('dialog', { name: 'Before it is registered' });
    await dialog.getByText(/2.samples that are not public now would become public/).waitFor();
    expect((await read(accession)).release).toContain('2030-01-01');
    await dialog.getByRole('button', { name: 'Register all the same' }).click();
    await registered();
    await page.getByText(/2.samples that were not public became public/).waitFor();
    expect((await read(accession)).release).toContain('2020-01-01');
  });

  it('lists the columns that are kept or left out, before and after', async () => {
    const { page } = browser;
    await chosen('plain.tsv', PLAIN);
    await card().getByText('2 columns kept as characteristics: Lat_lon, tissue').waitFor();
    await page.getByRole('radio', { name: 'leave them out of the samples' }).check();
    await card().getByText('2 columns not stored: Lat_lon, tissue').waitFor();
    await register();
    await registered();
    await page.getByText(/^2.unrecognised columns left out of the samples: Lat_lon, tissue\.$/).waitFor();
    await browser.picture('columns-left-out');
  });

  it('reads the same file with other column choices into the samples of its first upload', async () => {
    const { page } = browser;
    const before = await accessionsOf(idInAddress(browser.page));
    await chosen('plain again.tsv', PLAIN);
    await register();
    await registered();
    await page.getByText(/^2.unrecognised columns kept as characteristics: Lat_lon, tissue\.$/).waitFor();
    await browser.picture('columns-kept');
    expect(await accessionsOf(idInAddress(browser.page))).toEqual(before);
    expect((await read(before[0] as string)).characteristics).toMatchObject({ Lat_lon: [{ text: '12 S 77 W' }] });
  });

  it('names the samples that were changed since, and offers then what is left to do', async () => {
    const { page } = browser;
    const earlier = idInAddress(browser.page);
    const [accession = '', other = ''] = await accessionsOf(earlier);
    const { _links, ...sample } = (await server.get(`/samples/${accession}`, { token })).json();
    await server.send('PUT', `/samples/${accession}`, { ...sample, name: 'isolate 1, mine' }, { token });
    await chosen('plain thrice.tsv', PLAIN);
    await page.getByRole('radio', { name: 'leave them out of the samples' }).check();
    await register();
    await card().getByText('was uploaded before, with another choice for unrecognised columns').waitFor();
    await card().getByText(`${accession} (line 2)`).waitFor();
    expect(await offers()).toEqual(['Register it again as new samples']);
    expect(await card().getByRole('link', { name: 'the earlier upload' }).getAttribute('href')).toContain(earlier);
    await page.getByRole('button', { name: 'Register it again as new samples' }).click();
    await registered();
    expect(await accessionsOf(idInAddress(browser.page))).not.toContain(other);
    expect((await read(accession)).name).toBe('isolate 1, mine');
  });

  it('only looks at such a file when it was to be checked', async () => {
    const { page } = browser;
    const sheet = PLAIN.replaceAll('isolate', 'looked at');
    const [accession = ''] = await accessionsOf((await server.uploadAndSettle(sheet, { token })).id);
    const { _links, ...sample } = (await server.get(`/samples/${accession}`, { token })).json();
    await server.send('PUT', `/samples/${accession}`, { ...sample, name: 'mine' }, { token });
    await chosen('looked at.tsv', sheet);
    await page.getByRole('radio', { name: 'leave them out of the samples' }).check();
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByRole('button', { name: 'Check first: register it again as new samples' }).click();
    await page.getByText('Nothing was written: this was a check.').waitFor();
    expect(await server.status(idInAddress(browser.page), token)).toMatchObject({
      options: { dryRun: true },
      counts: { created: 2 },
    });
  });

  it('asks before it carries out a check that makes samples public', async () => {
    const { page } = browser;
    const first = await server.uploadAndSettle(undated('hidden'), { token, options: { releaseDate: '2030-01-01' } });
    const accessions = await accessionsOf(first.id);
    const release = async () => (await read(accessions[0] as string)).release;
    await chosen(
      'published.tsv',
      text([
        ['Sample Identifier', 'Sample Name', 'Release Date', 'Characteristics[tissue]'],
        ...accessions.map((accession, n) => [accession, `hidden ${n + 1}`, '2020-01-01', 'liver']),
      ]),
    );
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByText('The sheet is ready to register.').waitFor();
    await page.getByText(/2.samples that were not public would become public\./).waitFor();
    const commit = page.getByRole('button', { name: /^Register these changes to 2.samples$/ });
    const dialog = page.getByRole('dialog', { name: 'Before it is registered' });
    await commit.click();
    await dialog.getByText(/2.samples that are not public now would become public at once/).waitFor();
    await browser.picture('commit-asks');
    await dialog.getByRole('button', { name: 'Go back' }).last().click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await release()).toContain('2030-01-01');
    await commit.click();
    await dialog.getByRole('button', { name: 'Register all the same' }).click();
    await page.getByText('It carried out').waitFor();
    await page.getByText(/2.samples that were not public became public\./).waitFor();
    expect(await release()).toContain('2020-01-01');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
