/** Looking before it happens: a check, its differences, carrying it out, and taking it back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';
import { everyRow, idInAddress } from '../steps.js';

interface Stored {
  name: string;
  release: string;
  status?: string;
  characteristics: Record<string, { text?: string; unit?: string }[]>;
}

const ROWS = 60;
const HEADER = [
  'Sample Name',
  'Sample Identifier',
  'Release Date',
  'Characteristics[organism]',
  'Characteristics[sex]',
  'Characteristics[age]',
  'Unit',
];

const sheet = (rows: string[][]) => `${[HEADER, ...rows].map((row) => row.join('\t')).join('\n')}\n`;
const firstRows = Array.from({ length: ROWS }, (_, at) => [
  `mouse ${at}`,
  '',
  '2024-01-01',
  'Mus musculus',
  at % 2 ? 'male' : 'female',
  String(at),
  'week',
]);

describe.skipIf(without('chromium'))('checking first', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  let accessions: string[];

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-check-first');
    const { id } = await server.uploadAndSettle(sheet(firstRows), { name: 'mice.tsv', token });
    accessions = (await server.mapping(id, token)).sampleNameAccessionPairs.map(
      ({ sampleAccession }) => sampleAccession,
    );
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const read = async (accession: string) => (await server.get(`/samples/${accession}`, { token })).json<Stored>();
  const readAll = async () =>
    new Map(await Promise.all(accessions.map(async (one) => [one, await read(one)] as const)));

  /** Every cell that differs between two states, worked out here, as `accession column: before → after`. */
  function differences(before: Map<string, Stored>, after: Map<string, Stored>): string[] {
    const cells = ({ name, release, characteristics }: Stored) => ({
      'Sample Name': name,
      'Release Date': release,
      ...Object.fromEntries(
        Object.entries(characteristics).map(([key, [entry]]) => [
          `Characteristics[${key}]`,
          [entry?.text, entry?.unit].filter(Boolean).join(' '),
        ]),
      ),
    });
    return [...before].flatMap(([accession, stored]) => {
      const old: Record<string, string> = cells(stored);
      const now: Record<string, string> = cells(after.get(accession) as Stored);
      return [...new Set([...Object.keys(old), ...Object.keys(now)])]
        .filter((column) => old[column] !== now[column])
        .map((column) => `${accession} ${column}: ${old[column] ?? 'nothing'} → ${now[column] ?? 'nothing'}`);
    });
  }

  async function shownDifferences(): Promise<string[]> {
    const rows = await everyRow(browser.page.getByRole('region', { name: 'What would change', exact: true }));
    return [...rows.values()].map(
      ([, accession, column, before, after]) => `${accession} ${column}: ${before} → ${after}`,
    );
  }

  it('shows the differences that are then applied, and writes nothing before', async () => {
    const { page } = browser;
    const before = await readAll();
    const rows = firstRows.map((row, at) => {
      const changed = [...row];
      changed[1] = accessions[at] as string;
      if (at % 3 === 0) changed[5] = String(at + 1);
      if (at % 10 === 0) changed[0] = `mouse ${at}, renamed`;
      if (at === 7) changed[2] = '2025-06-01';
      if (at === 9) changed[4] = '';
      return changed;
    });
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(
        file(
          'mice changed.tsv',
          sheet([...rows, ['mouse new', '', '2024-01-01', 'Mus musculus', 'male', '3', 'week']]),
        ),
      );
    await page.getByText(/^60.rows update known samples$/).waitFor();
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByText('Nothing was written: this was a check.').waitFor();
    const shown = await shownDifferences();
    await browser.picture('check-first');
    expect(await readAll()).toEqual(before);
    expect(shown.length).toBeGreaterThan(25);

    await page.getByRole('button', { name: /^Register 1.sample and change \d+.samples$/ }).click();
    await page.getByText('It carried out').waitFor();
    const after = await readAll();
    expect(shown.sort()).toEqual(differences(before, after).sort());
    await page.getByRole('heading', { name: 'mice changed.tsv' }).waitFor();
    expect(await server.status(idInAddress(browser.page), token)).toMatchObject({
      counts: { created: 1, rejected: 0 },
    });
  });

  it('takes it back after saying what that does', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this submission?' });
    await dialog.getByText(/get their former content back/).waitFor();
    await browser.picture('undo');
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Updated samples have their former content back').waitFor();
    const present = await readAll();
    for (const [at, row] of firstRows.entries()) {
      const stored = present.get(accessions[at] as string);
      expect(stored).toMatchObject({
        name: row[0],
        release: '2024-01-01T00:00:00.000Z',
        characteristics: { sex: [{ text: row[4] }], age: [{ text: row[5], unit: 'week' }] },
      });
    }
    await browser.picture('undone');
    await page.goBack();
    await page.getByText(/^Every row of the sheet was registered/).waitFor();
    await page.getByRole('link', { name: /^the check/ }).click();
    await page.getByText(/this was a check\. +Carried out by submission/).waitFor();
    expect(await page.getByRole('button', { name: /^Register/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Submissions' }).click();
    await page.getByRole('row', { name: /mice changed\.tsv.*· undo/ }).waitFor();
    await page.getByRole('row', { name: /mice changed\.tsv.*· check carried out/ }).waitFor();
  });

  it('leaves a sample alone that changed between the check and its carrying out, and says so', {
    tags: 'slow',
  }, async () => {
    const { page } = browser;
    await browser.view('/');
    const rows = firstRows
      .slice(0, 2)
      .map((row, at) => [row[0], accessions[at], '2024-01-01', 'Mus musculus', 'unknown', '1', 'week'] as string[]);
    await page.locator('input[type=file]').setInputFiles(file('two mice.tsv', sheet(rows)));
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByRole('heading', { name: /^What would change/ }).waitFor();
    const theirs = { ...(await read(accessions[0] as string)), name: 'mouse 0, theirs' };
    expect((await server.send('PUT', `/samples/${accessions[0]}`, theirs, { token })).status).toBe(200);
    await page.getByRole('button', { name: /^Register these changes to 2.samples$/ }).click();
    await page.getByRole('heading', { name: 'To fix (1)' }).waitFor();
    await browser.picture('check-conflict');
    expect((await read(accessions[0] as string)).name).toBe('mouse 0, theirs');
    expect((await read(accessions[1] as string)).characteristics.sex).toEqual([{ text: 'unknown' }]);
    await page.getByRole('button', { name: /^Upload the 1.row again$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
    expect((await read(accessions[0] as string)).characteristics.sex).toEqual([{ text: 'unknown' }]);
  });

  it('checks again a whole sheet that was fixed, and registers it', { tags: 'slow' }, async () => {
    const { page } = browser;
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(file('rats.tsv', 'Sample Name\tRelease Date\nrat 1\t2024-01-01\nrat 2\t3.4.2024\n'));
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByRole('heading', { name: 'To fix (1)' }).waitFor();
    await page.getByRole('textbox', { name: 'Line 3, Release Date' }).fill('2024-04-03');
    await page.getByRole('button', { name: /^Check the sheet with 1.fixed row$/ }).click();
    await page.getByText('The sheet is ready to register.').waitFor();
    await page.getByRole('button', { name: /^Register the 2.samples$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
  });

  it('takes the file of an earlier submission back to the upload', { tags: 'slow' }, async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Upload again…' }).click();
    await page.getByRole('heading', { name: 'Upload samples' }).waitFor();
    await page.getByText('rats fixed.tsv').waitFor();
    await page.getByText(/^2.rows$/).waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
