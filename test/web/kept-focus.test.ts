/**
 * By keyboard alone: after each press the focus is where the reader was, or in the part of the view that is left of it.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { sheetWithBadDates } from './sheets.js';

const TABLE = {
  domain: null,
  submissionAccountId: null,
  schema: null,
  content: [{ gene: { value: 'gyrA', iri: null } }],
};

describe.skipIf(without('chromium'))('the focus of who works by keyboard', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  let accession: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-kept-focus');
    browser = await openBrowser(server);
    await browser.signIn(token);
    const sample = { name: 'kept', release: '2024-01-01T00:00:00Z', characteristics: { tissue: [{ text: 'liver' }] } };
    accession = (await server.send('POST', '/samples', sample, { token })).json<{ accession: string }>().accession;
    const by = await server.token('lab-kept-focus-curator');
    const curation = {
      attributesPre: [{ type: 'tissue', value: 'liver' }],
      attributesPost: [{ type: 'tissue', value: 'lobe' }],
    };
    const link = `/samples/${accession}/curationlinks`;
    expect((await server.send('POST', link, { sample: accession, curation }, { token: by })).status).toBe(201);
    const data = ['AMR', 'CHICKEN_DATA'].map((type) => ({ ...TABLE, type }));
    const tables = await server.send('PUT', `/structureddata/${accession}`, { accession, data }, { token });
    expect(tables.status).toBe(200);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
  const press = async (name: string) => {
    await button(name).focus();
    await browser.page.keyboard.press('Enter');
  };
  /** What has the focus: its words, of a part of the view its heading. */
  const focused = () =>
    browser.page.evaluate(`(() => {
      const one = document.activeElement;
      return one.matches('section') ? one.querySelector('h2').innerText : one === document.body ? 'nowhere' : one.innerText;
    })()`);

  it('stays on a button that was disabled while it worked', async () => {
    await browser.view(`/samples/${accession}`);
    await press('Decline this curation');
    await expect.poll(focused).toBe('Accept this curation');
    await press('Accept this curation');
    await expect.poll(focused).toBe('Decline this curation');
  });

  it('stays on a button whose press leaves it nothing to do', async () => {
    const { id } = await server.uploadAndSettle(sheetWithBadDates(4, 2), { token });
    await browser.view(`/submissions/${id}`);
    await press('Use 2024-11-21 in line 3');
    expect(await focused()).toBe('use');
    await browser.page.getByRole('textbox', { name: 'by', exact: true }).fill('2024-05-05');
    await press('Replace in 1 cell');
    expect(await focused()).toMatch(/^Replace in/);
    await press('Fix in the sheet');
    await browser.page.getByRole('textbox', { name: 'Find', exact: true }).fill('2024-05-05');
    await browser.page.getByRole('textbox', { name: 'Replace by', exact: true }).fill('2024-06-06');
    await press('Replace in 1 cell');
    expect(await focused()).toMatch(/^Replace in 0.cells$/);
    await browser.page.keyboard.press('Enter');
    expect(await browser.page.getByRole('textbox', { name: 'Line 3, column B Release Date' }).inputValue()).toBe(
      '2024-06-06',
    );
  });

  it('goes to what is left of the part of the view whose button is gone with what it was for', async () => {
    await browser.view(`/samples/${accession}`);
    await press('Remove the table AMR…');
    await expect.poll(focused).toBe('Remove the table AMR now');
    await browser.page.keyboard.press('Enter');
    await button('Remove the table AMR now').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Structured data');
    expect(await button('Remove the table CHICKEN_DATA now').count()).toBe(0);
    await press('Remove the table CHICKEN_DATA…');
    await expect.poll(focused).toBe('Remove the table CHICKEN_DATA now');
    await browser.page.keyboard.press('Enter');
    await button('Remove the table CHICKEN_DATA now').waitFor({ state: 'detached' });
    await expect.poll(() => browser.page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  });

  it('comes back to the button that opened what lay over the view, and waits for it where it is busy', async () => {
    const { page } = browser;
    const { id } = await server.uploadAndSettle('Sample Name\tRelease Date\nover the view\t2024-01-01\n', { token });
    await browser.view(`/submissions?text=${id}`);
    const menu = page.getByRole('button', { name: /^Files and actions of / });
    const name = () => page.evaluate(`document.activeElement.getAttribute('aria-label') ?? ''`);
    for (const leave of ['Escape', 'Leave it']) {
      await menu.press('Enter');
      await page.getByRole('menuitem', { name: 'Undo…' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Undo this submission?' });
      await dialog.waitFor();
      if (leave === 'Escape') await page.keyboard.press(leave);
      else await dialog.getByRole('button', { name: leave }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(name).toMatch(/^Files and actions of /);
    }
    await browser.view('/samples');
    await press('Add a filter');
    await page.getByRole('combobox', { name: 'Characteristic', exact: true }).fill('tissue');
    await page.getByLabel('Value', { exact: true }).press('Enter');
    await page.getByText('has tissue', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Add a filter');
  });

  it('is left alone where the mouse is pressed on nothing', async () => {
    const { page } = browser;
    await browser.view(`/samples/${accession}`);
    await button('Decline this curation').focus();
    await page.getByRole('heading', { name: 'History' }).click();
    expect(await focused()).not.toBe('Decline this curation');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
