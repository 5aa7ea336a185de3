/**
 * Thousands of samples changed alike by the page: preview, commit, undo; every document is as it was afterwards.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROOF } from '../support/proof.js';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import type { Browser } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { goodSheet } from './sheets.js';
import { idInAddress, PATIENT } from './steps.js';

/** More than one batch of the worker (2500 rows); in the proof as many as a reader may well choose. */
const ROWS = PROOF ? 10_000 : 1_000;
const NUMBER = PROOF ? '10 000' : '1 000';

describe.skipIf(without('chromium'))('samples edited by the page', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('batch-edit');
    await server.uploadAndSettle(goodSheet(ROWS, 'edited'), { token });
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Accession → the document that a read shows, but for the clock of its last change. */
  async function documents(): Promise<Map<string, Record<string, unknown>>> {
    const { text } = await server.get('/samples/export?format=ndjson&filter=account:batch-edit', { token });
    const all = text.trim().split('\n');
    return new Map(
      all.map((line) => {
        const { update: _, submittedVia: __, ...document } = JSON.parse(line) as Record<string, unknown>;
        return [document.accession as string, document];
      }),
    );
  }
  const tissuesOf = (all: Map<string, Record<string, unknown>>) =>
    [...all.values()].map(({ characteristics }) => JSON.stringify((characteristics as Record<string, unknown>).tissue));
  /** Of one change: how many samples are changed, have it already, and lack it. Thin spaces are spaces. */
  const figuresOf = async (change: string): Promise<string[]> => {
    const header = browser.page.getByRole('rowheader', { name: change, exact: true });
    const row = browser.page.locator('[aria-labelledby=edit] tr').filter({ has: header });
    const cells = await row.getByRole('cell').allTextContents();
    return cells.map((text) => text.replace(/[\u2009\u00a0\u202f]/g, ' '));
  };

  it(`previews, commits and undoes a change of ${ROWS}`, async () => {
    const { page } = browser;
    const before = await documents();
    expect(before.size).toBe(ROWS);

    await browser.view('/samples?filter=account:batch-edit');
    await page.getByRole('link', { name: 'Edit all…' }).click(PATIENT);
    await page.getByText(new RegExp(`^${NUMBER.replace(' ', '.')}.samples found`)).waitFor(PATIENT);
    await page.getByRole('combobox', { name: 'Characteristic', exact: true }).fill('tissue');
    await page.keyboard.press('Escape');
    await page.getByLabel('Value').fill('left lobe of liver');
    await page.getByLabel('Ontology term (optional)').fill('UBERON:0001115');
    await page.getByRole('button', { name: 'Add another change' }).click();
    const second = page.getByRole('group', { name: 'Change 2' });
    await second.getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Rename a characteristic' }).click();
    await second.getByRole('combobox', { name: 'Characteristic', exact: true }).fill('sex');
    await page.keyboard.press('Escape');
    await second.getByLabel('New name').fill('sex at birth');
    await page.getByRole('button', { name: 'Preview the changes' }).click();

    await page.getByRole('heading', { name: 'What each change would do' }).waitFor(PATIENT);
    const preview = idInAddress(page);
    expect(await figuresOf('tissue: set to left lobe of liver')).toEqual([NUMBER, '0', '0']);
    expect(await figuresOf('sex: renamed to sex at birth')).toEqual([NUMBER, '0', '0']);
    await page.locator('ins', { hasText: 'left lobe of liver [UBERON:0001115]' }).first().waitFor(PATIENT);
    expect(await documents()).toEqual(before);

    await page.getByRole('button', { name: /^Register these changes to/ }).click();
    await page.getByText('The samples are changed. Undo brings them back as they were.').waitFor(PATIENT);
    expect(idInAddress(page)).not.toBe(preview);
    const after = await documents();
    expect([...after.keys()]).toEqual([...before.keys()]);
    const tissue = JSON.stringify([{ text: 'left lobe of liver', ontologyTerms: ['UBERON:0001115'] }]);
    expect(new Set(tissuesOf(after))).toEqual(new Set([tissue]));

    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Updated samples have their former content back').waitFor(PATIENT);
    const restored = await documents();
    expect([...restored.keys()]).toEqual([...before.keys()]);
    for (const [accession, document] of before) expect(restored.get(accession)).toEqual(document);
    expect(browser.incidents).toEqual({ policy: [], errors: [], foreign: [] });
  });

  it('edits the samples that are chosen, says what stays alone and why, and keeps what was typed for another try', async () => {
    const { page } = browser;
    await browser.view('/samples?filter=account:batch-edit');
    const boxes = page.getByRole('checkbox', { name: /^Choose SAMR/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('link', { name: /^Edit 2.chosen samples…$/ }).click();
    await page.getByText(/^2.samples chosen$/).waitFor();
    await page.getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Rename a characteristic' }).click();
    await page.getByRole('combobox', { name: 'Characteristic', exact: true }).fill('tissue');
    await page.keyboard.press('Escape');
    await page.getByLabel('New name').fill('organism');
    await page.getByRole('button', { name: 'Preview the changes' }).click();
    await page.getByText(/2.samples would be left as they are; see below why/).waitFor(PATIENT);
    await page.getByText('The sample has Characteristics[organism] already').first().waitFor(PATIENT);
    expect(await page.getByRole('button', { name: /^Register these changes/ }).count()).toBe(0);
    await page.goBack();
    expect(await page.getByLabel('New name').inputValue()).toBe('organism');
  });

  it('offers nothing to those who are not signed in', async () => {
    await browser.context.clearCookies();
    await browser.view('/samples?filter=account:batch-edit');
    await page().getByRole('button', { name: 'Take all as a file' }).waitFor();
    expect(await page().getByRole('link', { name: /^Edit/ }).count()).toBe(0);
    await browser.view('/samples/edit');
    await page().getByRole('button', { name: 'Sign in' }).waitFor();
  });
  const page = () => browser.page;
});
