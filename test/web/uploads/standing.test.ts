/**
 * A standing sheet in the page: what its plan found missing, what a ceiling stopped, and withdrawing by hand.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { seriousFindings } from '../axe.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { idInAddress } from '../steps.js';

const sheet = (tubes: readonly number[]): string =>
  ['Sample Name\tBarcode\tRelease Date', ...tubes.map((n) => `tube ${n}\tB-${n}\t2020-01-01`), ''].join('\n');

describe.skipIf(without('chromium'))('a standing sheet', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-standing');
    browser = await openBrowser(server);
    await browser.signIn(token);
    await send([1, 2, 3, 4], { commit: 'auto' });
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function send(tubes: readonly number[], options: Record<string, string>): Promise<string> {
    const plan = await server.uploadAndSettle(sheet(tubes), {
      token,
      options: { key: 'Barcode', standing: 'freezer', missing: 'withdraw', ...options },
    });
    const { standing } = plan.status as { standing?: { commit?: string } };
    if (standing?.commit) await server.settled(standing.commit, token);
    return plan.id;
  }

  it('that a ceiling stopped says which, and lists what is missing', async () => {
    const { page } = browser;
    await browser.view(`/submissions/${await send([1], { commit: 'auto' })}`);
    await page.getByText('Stopped: nothing was changed').waitFor();
    await page.getByText('maxMissing=10% allows 0 of 4 samples').waitFor();
    await page.getByRole('heading', { name: 'Not in the sheet (3)' }).waitFor();
    const missing = page.getByRole('region', { name: 'Not in the sheet' });
    // The heading counts them before they are listed.
    await missing.getByRole('cell', { name: 'B-4' }).waitFor();
    expect(await missing.getByRole('cell', { name: /^B-/ }).allTextContents()).toEqual(['B-2', 'B-3', 'B-4']);
    expect(await seriousFindings(page, 'light')).toEqual([]);
  });

  it('of which only samples are missing is carried out by one button, and taken back by another', async () => {
    const { page } = browser;
    await browser.view(`/submissions/${await send([1, 2, 3], { maxMissing: '1' })}`);
    await page.getByText('The plan waits for you').waitFor();
    await page.getByText('freezer had 4 samples; 1 of them is not in the sheet.').waitFor();
    await page.getByRole('button', { name: 'Withdraw the 1 missing sample' }).click();
    await page.getByText('1 missing sample withdrawn, with accession and history kept.').waitFor();
    await page.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this submission?' });
    await dialog.getByText('1 sample that the sheet has no more is no longer withdrawn.').waitFor();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Updated samples have their former content back').waitFor();
  });

  it('is chosen in the form: its name asks for the column that identifies the rows, and the service gets every choice', async () => {
    const { page } = browser;
    await browser.view('/');
    const name = 'whole-export.tsv';
    const buffer = Buffer.from(sheet([1, 2, 3, 4, 5]));
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'More choices' }).click();
    const fill = (label: string, text: string) => page.getByRole('textbox', { name: label }).fill(text);
    await page.getByRole('radio', { name: 'keep what the sheet does not mention' }).check();
    await fill('Cell that takes its value away', '<gone>');
    await page.getByRole('radio', { name: 'wait for a later upload to bring them' }).check();
    await fill('Standing sheet', 'freezer');
    await page.getByText('Say above which column identifies the rows.').waitFor();
    await page.getByRole('button', { name: /^Register 5.samples$/ }).click();
    expect(new URL(page.url()).hash).not.toContain('submissions');
    await fill('Column that identifies the rows', 'Barcode');
    await page.getByRole('radio', { name: 'withdraw them, until it has them again' }).check();
    await page.getByRole('radio', { name: 'carries itself out, below these bounds' }).check();
    await fill('At most so many missing', 'many');
    await page.getByText('Say a number of rows such as 50, or a share such as 5%.').waitFor();
    await fill('At most so many missing', '5%');
    await fill('At most so many changes', '3');
    await fill('Stop when more rows are wrong than', '2');
    expect(await seriousFindings(page, 'light')).toEqual([]);
    await page.getByRole('button', { name: /^Register 5.samples$/ }).click();
    await page.getByText('The plan carries itself out').waitFor();
    const { options } = (await server.get(`/submissions/${idInAddress(page)}`, { token })).json() as {
      options: object;
    };
    expect(options).toMatchObject({
      ...{ key: 'Barcode', standing: 'freezer', missing: 'withdraw', commit: 'auto', update: 'merge' },
      ...{ maxMissing: '5%', maxChanges: '3', maxRejected: '2', clearMarker: '<gone>', relationships: 'later' },
    });
  });

  it('and rows of other sheets are known again in a key space of their own, by choices that the service gets', async () => {
    const { page } = browser;
    const send = async (tubes: number[], rows: string, space: string) => {
      await browser.view('/');
      const buffer = Buffer.from(sheet(tubes));
      await page.locator('input[type=file]').setInputFiles({ name: 'rack.tsv', mimeType: 'text/plain', buffer });
      const more = page.getByRole('button', { name: 'More choices' });
      if ((await more.getAttribute('aria-expanded')) === 'false') await more.click();
      await page.getByRole('textbox', { name: 'Column that identifies the rows' }).fill('Barcode');
      await page.getByRole('textbox', { name: 'Key space' }).fill('my rack');
      await page.getByText('Say 1 to 64 letters, digits, points, dashes and underscores').waitFor();
      await page.getByRole('textbox', { name: 'Key space' }).fill(space);
      await page.getByRole('textbox', { name: 'Stop when more rows are wrong than' }).fill('101%');
      await page.getByText('A share of more than all allows everything: say 100% or less.').waitFor();
      await page.getByRole('textbox', { name: 'Stop when more rows are wrong than' }).fill('100%');
      await page.getByRole('radio', { name: rows }).check();
      expect(await seriousFindings(page, 'light')).toEqual([]);
      await page.getByRole('button', { name: /^Register \d.samples?$/ }).click();
      await page.waitForURL(/submissions/);
      return (await server.settled(idInAddress(page), token)) as unknown as {
        options: object;
        counts: object;
        issues: { code: string }[];
      };
    };
    const first = await send([1, 2], 'new ones: refuse the others', 'rack');
    expect(first.options).toMatchObject({ key: 'Barcode', keySpace: 'rack', onlyCreate: true, maxRejected: '100%' });
    expect(first.counts).toMatchObject({ created: 2, rejected: 0 });
    const second = await send([2, 3], 'known ones: refuse the others', 'rack');
    expect(second.options).toMatchObject({ keySpace: 'rack', onlyUpdate: true });
    expect(second.counts).toMatchObject({ created: 0, rejected: 1 });
    expect(second.issues.map(({ code }) => code)).toEqual(['key.unknown']);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
