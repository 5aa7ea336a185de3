/**
 * Import profiles in the page: a sheet that one reads goes in by one click, and another can be chosen.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { seriousFindings } from '../axe.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';

const FREEZER = {
  profile: 1,
  title: 'Freezer export',
  columns: [
    { header: 'Tube', as: 'name' },
    { header: 'Frozen on', as: 'release', date: 'DD.MM.YYYY' },
    { header: 'organ', as: 'characteristic', name: 'tissue' },
  ],
};
const sheet = (tag: string, further = '') =>
  [`Tube\tFrozen on\torgan${further}`, `${tag}-1\t01.02.2024\tliver`, `${tag}-2\t02.02.2024\tliver`, ''].join('\n');

describe.skipIf(without('chromium'))('import profiles', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-profiles');
    expect((await server.send('PUT', '/profiles/freezer', FREEZER, { token })).status).toBe(201);
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const choose = async (name: string, text: string) => {
    await browser.view('/');
    await browser.page.locator('input[type=file]').setInputFiles(file(name, text));
  };
  const chooseProfile = async (option: string) => {
    const { page } = browser;
    if (!(await page.getByRole('combobox', { name: 'Import profile' }).isVisible())) {
      await page.getByRole('button', { name: 'More choices' }).click();
    }
    await page.getByRole('combobox', { name: 'Import profile' }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const registered = () => browser.page.getByText('Every row of the sheet is registered').waitFor({ timeout: 300_000 });

  it('reads a sheet by the kept profile whose columns it has: nothing is asked', async () => {
    const { page } = browser;
    await choose('freezer.tsv', sheet('rack'));
    await page.getByText('Read as Freezer export').waitFor();
    await browser.picture('kept-profile');
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await registered();
    const found = await server.get('/samples?filter=name:rack-1', { token });
    const [sample] = found.json<{
      _embedded: { samples: { release: string; characteristics: Record<string, { text: string }[]> }[] };
    }>()._embedded.samples;
    expect(sample?.characteristics.tissue?.[0]?.text).toBe('liver');
    expect(sample?.release).toMatch(/^2024-02-01/);
  });

  it('says of a sheet with other columns what has changed, and reads it as it stands when no profile is chosen', async () => {
    const { page } = browser;
    await choose('changed.tsv', sheet('shelf', '\tdonor'));
    await page.getByText(/nearly the columns of the import profile freezer; it has beside them donor/).waitFor();
    await chooseProfile('none: read headers as they stand');
    await page.getByRole('combobox', { name: 'Column that names the samples of changed.tsv' }).waitFor();
    await chooseProfile('Freezer export (freezer)');
    await page.getByText(/nearly the columns of the import profile freezer/).waitFor();
  });

  it('offers the profiles of the account and those that ship', async () => {
    const { page } = browser;
    await choose('another.tsv', sheet('box'));
    await chooseProfile('Freezer export (freezer)');
    await page.getByText('Read as Freezer export').waitFor();
    expect(await seriousFindings(page, 'light')).toEqual([]);
    await page.getByRole('button', { name: /^Register 2.samples$/ }).click();
    await registered();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
