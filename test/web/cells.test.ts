/**
 * Cells of a sheet and values of a sample as people edit them: with line breaks, and pasted from a spreadsheet program.
 *
 * @module-tag slow
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { idInAddress, PATIENT, registered } from './steps.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[note]', 'Characteristics[price]'];
const BROKEN = '"first line\r\nsecond ""line"""';

describe.skipIf(without('chromium'))('cells that are edited in the page', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-cells');
    browser = await openBrowser(server);
    await browser.signIn(token);
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const sheet = (...rows: string[][]) => [HEADER, ...rows].map((row) => `${row.join('\t')}\r\n`).join('');
  const check = async (...rows: string[][]) =>
    (await server.uploadAndSettle(sheet(...rows), { name: 'cells.tsv', token, options: { dryRun: 'true' } })).id;
  const cell = (line: number, column: string) =>
    browser.page.getByRole('textbox', { name: `Line ${line}, column ${column}` });
  const note = (line: number) => cell(line, 'C Characteristics[note]');

  async function openSheet(id: string): Promise<void> {
    await browser.view(`/submissions/${id}`);
    await browser.page.getByRole('button', { name: 'Fix in the sheet' }).click();
  }

  async function append(field: Locator, text: string): Promise<void> {
    await field.focus();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type(text);
  }

  async function paste(field: Locator, text: string): Promise<void> {
    await browser.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await field.focus();
    await browser.page.keyboard.press('Control+V');
  }

  /** Checks and registers the sheet as it stands in the page. */
  async function register(samples: number): Promise<Record<string, unknown>[]> {
    const { page } = browser;
    await page.getByRole('button', { name: /^Check the sheet with/ }).click();
    await page.getByRole('button', { name: new RegExp(`^Register the ${samples}.samples?$`) }).click();
    await registered(page);
    const { sampleNameAccessionPairs } = await server.mapping(idInAddress(page), token);
    return Promise.all(
      sampleNameAccessionPairs.map(async ({ sampleAccession }) =>
        (await server.get(`/samples/${sampleAccession}`, { token })).json<Record<string, unknown>>(),
      ),
    );
  }

  it('keep their line breaks, in the sheet, in the list and in the row', async () => {
    const { page } = browser;
    const id = await check(['lines 1', 'soon', BROKEN, ''], ['lines 2', '2024-01-01', BROKEN, '']);
    await openSheet(id);
    await append(note(2), '!');
    await cell(2, 'B Release Date').fill('2024-01-01');
    expect(await note(4).inputValue()).toBe('first line\nsecond "line"');
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('button', { name: 'Line 2 in the sheet' }).click();
    const inRow = page.getByRole('region', { name: 'Line 2 in the sheet' }).getByRole('textbox', { name: /C Char/ });
    expect(await inRow.inputValue()).toBe('first line\nsecond "line"!');
    await append(inRow, '?');
    const samples = await register(2);
    const unedited = (samples[1] as { characteristics: { note: [{ text: string }] } }).characteristics.note[0].text;
    expect(samples[0]).toMatchObject({ characteristics: { note: [{ text: `${unedited}!?` }] } });
  });

  it('keep them in a sample, too', async () => {
    const { page } = browser;
    const body = { name: 'lines 3', release: '2024-01-01', characteristics: { note: [{ text: 'one\ntwo' }] } };
    const { accession } = (await server.send('POST', '/samples', body, { token })).json<{ accession: string }>();
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await append(page.getByRole('textbox', { name: 'Value of row 1' }), '!');
    await page.getByRole('button', { name: 'Store the change' }).click();
    await page.getByRole('textbox', { name: 'Value of row 1' }).waitFor({ state: 'detached', ...PATIENT });
    expect((await server.get(`/samples/${accession}`)).json()).toMatchObject({
      characteristics: { note: [{ text: 'one\ntwo!' }] },
    });
  });

  it('take a block of a spreadsheet program each in its own place, and what has no place is said', async () => {
    const { page } = browser;
    await openSheet(await check(...[1, 2, 3].map((n) => [`block ${n}`, 'soon', `n${n}`, ''])));
    await paste(
      cell(2, 'B Release Date'),
      '2024-01-01\tplain\r\n2024-01-02\t"two\nlines and ""quotes"""\r\n2024-01-03\t\r\n',
    );
    expect(await note(3).inputValue()).toBe('two\nlines and "quotes"');
    expect(await note(4).inputValue()).toBe('');
    await paste(cell(4, 'D Characteristics[price]'), '1\t2\r\n3\t4\r\n');
    await page.getByText(/^3.pasted cells were left out/).waitFor();
    // A single cell goes where the cursor stands, as into any field.
    await paste(cell(2, 'A Sample Name'), ' b');
    expect(await page.getByText(/left out/).count()).toBe(0);
    expect(await register(3)).toMatchObject([
      { name: 'block 1 b', release: '2024-01-01T00:00:00.000Z', characteristics: { note: [{ text: 'plain' }] } },
      { characteristics: { note: [{ text: 'two\nlines and "quotes"' }] } },
      { release: '2024-01-03T00:00:00.000Z', characteristics: { price: [{ text: '1' }] } },
    ]);
  });

  it('are replaced by what was typed, whatever it means elsewhere, and no header fills the cells below it', async () => {
    const { page } = browser;
    await openSheet(await check(['money 1', '2024-01-01', '', 'USD 5'], ['money 2', 'soon', '', 'USD 6']));
    await cell(1, 'C Characteristics[note]').focus();
    expect(await page.getByRole('button', { name: /^Fill .* below/ }).count()).toBe(0);
    const replace = page.getByRole('group', { name: 'Find and replace' });
    await replace.getByRole('textbox', { name: 'Find' }).fill('USD');
    await replace.getByRole('textbox', { name: 'Replace by' }).fill('$$ $& $1');
    await replace.getByRole('button', { name: /^Replace in 2.cells$/ }).click();
    expect(await cell(2, 'D Characteristics[price]').inputValue()).toBe('$$ $& $1 5');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
