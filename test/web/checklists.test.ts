/**
 * What a checklist demands, in the page: in words, never as a regular expression; errors of a kind with each line once.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { file } from './sheets.js';

/** What only an expression has: anchors, classes, escapes, groups. */
const EXPRESSION = /\^|\\[dwsSbW]|\(\?|\[\^?[\w+-]+\]|[*+]\)|\{\d+(,\d*)?\}/;
/** What has brackets of its own. */
const COLUMN = /Characteristics\[[^\]]*\]/g;
/** One whose form has words, and one that has none. */
const PATTERNS = { depth: '^[+-]?\\d+(\\.\\d+)?$', plate: '^[A-Z]{2}-\\d{3}(?:-[0-9]+)*$' };
const ROWS = 40;

const items = (pattern: string) => ({ type: 'array', items: { type: 'object', properties: { text: { pattern } } } });
const CHECKLIST = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'bench',
  title: 'Bench',
  type: 'object',
  properties: {
    characteristics: {
      type: 'object',
      required: ['depth', 'plate'],
      properties: Object.fromEntries(Object.entries(PATTERNS).map(([name, pattern]) => [name, items(pattern)])),
    },
  },
};

describe.skipIf(without('chromium'))('checklists in the page', () => {
  let folder: string;
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'checklists-'));
    writeFileSync(join(folder, 'bench.json'), JSON.stringify(CHECKLIST));
    server = await startServer({ env: { CHECKLISTS_DIR: folder } });
    browser = await openBrowser(server);
    await browser.signIn(await server.token('lab-1'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** All that can be read in the view, tooltips and names for assistive software included. */
  const readable = async () =>
    String(
      await browser.page.evaluate(`[document.querySelector('main').textContent,
        ...[...document.querySelectorAll('main [title], main [aria-label], main input')].flatMap((element) =>
          [element.title, element.getAttribute('aria-label'), element.placeholder])].join(' ')`),
    );

  const expression = async () => EXPRESSION.exec((await readable()).replaceAll(COLUMN, ''))?.[0];

  it('are searched by the fields that they require, and say every form in words', async () => {
    const { page } = browser;
    await browser.view('/checklists');
    const rows = page.getByRole('region', { name: 'Checklists' }).getByRole('row');
    await page.getByRole('link', { name: 'Bench' }).waitFor();
    expect(await rows.count()).toBeGreaterThan(4);
    const ids = await page
      .getByRole('region', { name: 'Checklists' })
      .getByRole('link')
      .evaluateAll((all) =>
        all.flatMap((link) => /checklists\/([^/]+)$/.exec(link.getAttribute('href') ?? '')?.[1] ?? []),
      );
    expect(ids).toContain('bench');
    await page.getByLabel('Find a checklist').fill('plate depth');
    await expect.poll(() => rows.count()).toBe(2);
    for (const id of ids) {
      await browser.view(`/checklists/${id}`);
      await page.getByRole('region', { name: 'Columns of the checklist' }).waitFor();
      expect(await expression(), id).toBeUndefined();
    }
    await browser.view('/checklists/bench');
    await page.getByText('a number, such as 36.6').waitFor();
    await browser.view('/checklists/human-associated');
    const columns = page.getByRole('region', { name: 'Columns of the checklist' });
    await page.getByLabel('Find a column').fill('no such column');
    await page.getByText('No column fits').waitFor();
    expect(await columns.count()).toBe(0);
    await page.getByLabel('Find a column').fill('host body site');
    await columns.waitFor();
  });

  it('report a kind of error once, with each line once, and no expression in what is wrong', async () => {
    const { page } = browser;
    // Two columns of the same name: each row is wrong twice in the same way.
    const header = [
      'Sample Name',
      'Release Date',
      ...['depth', 'depth', 'plate'].map((name) => `Characteristics[${name}]`),
    ];
    const rows = Array.from({ length: ROWS }, (_, n) => [`well ${n}`, '2024-01-01', 'deep', 'deep', 'nine']);
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(file('wells.tsv', [header, ...rows].map((row) => `${row.join('\t')}\n`).join('')));
    await page.getByRole('combobox', { name: 'Checklist' }).click();
    await page.getByRole('option', { name: /^Bench/ }).click();
    await page.getByRole('button', { name: /^Register 40.samples$/ }).click();
    await page.getByRole('heading', { name: 'To fix (40)' }).waitFor();
    await page.getByRole('region', { name: 'What to fix', exact: true }).locator('tbody tr').first().waitFor();
    const kinds = await page.getByRole('list', { name: 'Kinds of errors' }).getByRole('listitem').allTextContents();
    expect(kinds).toHaveLength(2);
    for (const kind of kinds) {
      const [, count, lines] = /(\d+)\srows: line ([\d, ]+)/.exec(kind) ?? [];
      expect(Number(count), kind).toBe(ROWS);
      const named = lines?.split(',').map(Number) ?? [];
      expect(named.length).toBeGreaterThan(2);
      expect(new Set(named).size, kind).toBe(named.length);
    }
    expect(await expression()).toBeUndefined();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
