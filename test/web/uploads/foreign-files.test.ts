/**
 * Files of other archives and programs in the page: from drop to accessions in at most six clicks without a column name
 * typed, every column accounted for; the next file of its kind needs none but Register.
 *
 * @module-tag slow
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LARGEST_PROPOSED } from '../../../src/tsv/propose/proposal.js';
import { toWorkbook, toXlsx } from '../../e2e/sheets.js';
import { withoutFixtures } from '../../support/fixtures.js';
import { PROOF } from '../../support/proof.js';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { type ForeignFile, LOOK_ALIKE_FILES, realFiles, unaccounted } from '../../tsv/foreign-files.js';
import { asText, LOOK_ALIKES, type LookAlike } from '../../tsv/header/look-alikes.js';
import { compoundFile } from '../../workbooks/raw-binary-workbook.js';
import { removeScratch } from '../../workbooks/raw-workbook.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';

/** One of each way in which a file is read; the proof takes all of them. */
const SHORT = ['ena-spreadsheet-of-webin.tsv', 'no-types.tsv', 'isa-tab.zip', 'two-tables.zip', 'D15__', 'D23__'];
const shown = (files: readonly ForeignFile[]): [string, ForeignFile][] =>
  files.filter(({ name }) => PROOF || SHORT.some((part) => name.includes(part))).map((file) => [file.name, file]);

describe.skipIf(without('chromium'))('files of other kinds', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    server = sharedServer();
    browser = await openBrowser(server);
  });
  afterAll(async () => {
    await browser?.close();
    removeScratch();
  });

  const page = () => browser.page;

  it.each(shown(LOOK_ALIKE_FILES))('%s goes in by six clicks at most', (_, file) => fromDropToAccessions(file));

  describe.skipIf(withoutFixtures('real files of other kinds'))('as others have made them', () => {
    it.each(shown(realFiles()))('%s goes in by six clicks at most', (_, file) => fromDropToAccessions(file));
  });

  it.each([
    ['a format that ships', 'ena-spreadsheet-of-webin.tsv'],
    ['a workbook of it', 'webin.xlsx'],
  ])('the second file of %s needs no click but Register', async (_, name) => {
    const sheet = LOOK_ALIKES.find(({ kind }) => kind.includes('Webin')) as LookAlike;
    const second = sheet.rows.map((row) => row.map((cell) => cell.replace('core-', 'second core ')));
    const file = LOOK_ALIKE_FILES.find((each) => each.name === name) as ForeignFile;
    token = await server.token(`second-${name.endsWith('x') ? 'book' : 'text'}`);
    await browser.signIn(token);
    await drop(name, await file.bytes());
    await page().getByText('Read as an ENA sample sheet').or(page().getByText('A workbook or an archive')).waitFor();
    await page().getByRole('radio', { name: 'today' }).click();
    await page().getByRole('checkbox', { name: 'also for the next sheets of this kind' }).click();
    await register().click();
    await registered();
    await drop(name, name.endsWith('x') ? await toXlsx(second) : Buffer.from(asText(second)));
    await page().getByRole('checkbox', { name: 'also for the next sheets of this kind', checked: true }).waitFor();
    await register().click();
    await registered();
    const id = /submissions\/([\w-]+)/.exec(page().url())?.[1] as string;
    const pairs = (await server.mapping(id, token)).sampleNameAccessionPairs;
    expect(pairs.map(({ sampleName }) => sampleName)).toEqual(['second core 1', 'second core 2']);
    await page().evaluate('localStorage.clear()');
  });

  it('those that no table can be read from are refused when they are chosen, and nothing of them is sent', async () => {
    await browser.signIn(await server.token('lab-unread'));
    const document = readFileSync(compoundFile({ WordDocument: Buffer.alloc(5_000) }));
    await drop('plate 7.doc', document);
    await page().getByText('This is a binary office file (.doc, .ppt or the like), not a workbook.').waitFor();
    expect(await page().getByRole('button', { name: 'Register', exact: true }).isDisabled()).toBe(true);
    expect(await page().getByRole('button', { name: 'Check first' }).isDisabled()).toBe(true);
  });

  it('a workbook that the service would not take is said so, with what to do, before it is sent', async () => {
    await browser.signIn(await server.token('lab-plates'));
    const wells = ['1', '2', '3', '4', '5', '6'];
    const rows = [['', ...wells], ...['A', 'B', 'C', 'D'].map((row) => [row, ...wells.map((column) => row + column)])];
    await drop('plate 7.xlsx', await toXlsx(rows));
    await page().getByText('this is the map of a plate').waitFor();
    await page().getByText('Make a list of it, with a row for each sample').waitFor();
    expect(await page().getByText('looked at once it is sent').count()).toBe(0);
    const sent = (await server.get('/submissions', { token: await server.token('lab-plates') })).json();
    expect(JSON.stringify(sent)).not.toContain('plate 7');
  });

  it('of a sheet in which no column names the samples that is asked, and nothing else', async () => {
    await browser.signIn(await server.token('lab-no-names'));
    await drop('counts.csv', Buffer.from('weight,ratio\n1,2\n1,2\n1,2\n'));
    await page().getByText('Say which column names the samples.').waitFor();
    expect(await page().getByText('the import profile preview').count()).toBe(0);
  });

  it.each([
    ['two-studies.zip', ['s_livers.txt', 's_lungs.txt']],
    ['two-tables.zip', ['one.tsv', 'two.tsv']],
  ])('all tables of %s are read by one drop, each as a submission', async (name, tables) => {
    const file = LOOK_ALIKE_FILES.find((each) => each.name === name) as ForeignFile;
    token = await server.token(`all-${name.replace(/\W/g, '-')}`);
    await browser.signIn(token);
    await drop(name, await file.bytes());
    await register().click();
    await button('Read all 2 tables').click();
    const entries = page().getByRole('listitem');
    await page().getByText('All files are sent; each shows what became of it.').waitFor({ state: 'attached' });
    for (const table of tables) await entries.filter({ hasText: `${name}: ${table}` }).waitFor();
    await expectOneSampleOfEach(tables);
  });

  it('all sheets of a workbook that name samples are read by one click, each shown as what it will become', async () => {
    const sheets = ['Plate 1', 'Plate 2'].map((name) => ({
      name,
      rows: [
        ['Sample Name', 'Release Date', 'organ'],
        [`${name} liver`, '2024-01-01', 'liver'],
      ],
    }));
    const remarks = { name: 'Read me', rows: [['What this is'], ['Two plates']] };
    token = await server.token('all-plates');
    await browser.signIn(token);
    await drop('plates.xlsx', await toWorkbook([remarks, ...sheets]));
    await button('Read all 2 sheets of samples').click();
    const entries = page().getByRole('listitem');
    for (const { name } of sheets) {
      await button(`Show the first rows of plates.xlsx: ${name}`).click();
      await entries
        .filter({ hasText: `plates.xlsx: ${name}` })
        .getByText(`${name} liver`)
        .waitFor();
    }
    expect(
      await page()
        .getByRole('group', { name: /^Sheets of/ })
        .count(),
    ).toBe(0);
    await register().click();
    await page().getByText('All files are sent; each shows what became of it.').waitFor({ state: 'attached' });
    await expectOneSampleOfEach(sheets.map(({ name }) => name));
  });

  it('a workbook too large to be sent twice unasked is looked into by one click', async () => {
    token = await server.token('large-workbook');
    await browser.signIn(token);
    // Texts that do not shrink, so that the packed file is as large as they are.
    const noise = () => randomBytes(6_000).toString('base64');
    const rows = Array.from({ length: 1_500 }, (_, n) => [`large ${n}`, '2024-01-01', noise()]);
    const workbook = await toXlsx([['Sample Name', 'Release Date', 'note'], ...rows]);
    expect(workbook.length).toBeGreaterThan(8_000_000);
    expect(workbook.length).toBeLessThan(LARGEST_PROPOSED);
    await drop('large.xlsx', workbook);
    await button('Look into large.xlsx before').click();
    await button('Show the first rows of large.xlsx').click();
    await page().getByText('large 1', { exact: true }).waitFor();
    expect(await button('Look into large.xlsx before').count()).toBe(0);
  });

  async function expectOneSampleOfEach(tables: readonly string[]): Promise<void> {
    const { _embedded: listed } = (await server.get('/submissions', { token })).json() as {
      _embedded: { submissions: { submissionId: string; options: { sheet?: string; dryRun?: boolean } }[] };
    };
    const registered = listed.submissions.filter(({ options }) => !options.dryRun && options.sheet !== undefined);
    expect(registered.map(({ options }) => options.sheet).sort()).toEqual(tables);
    for (const { submissionId } of registered) {
      await server.settled(submissionId, token);
      expect((await server.mapping(submissionId, token)).sampleNameAccessionPairs).toHaveLength(1);
    }
  }

  const button = (name: string | RegExp) => page().getByRole('button', { name }).and(page().locator(':enabled'));
  const register = () => button(/^(Register|Send)/);
  const registered = () => page().getByText('Every row of the sheet is registered').waitFor();
  async function drop(name: string, buffer: Buffer): Promise<void> {
    await browser.view('/');
    await page().locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
  }

  async function fromDropToAccessions(file: ForeignFile): Promise<void> {
    const account = file.name.replaceAll(/\W+/g, '-').toLowerCase();
    token = await server.token(`drop-${account}`);
    await browser.signIn(token);
    await drop(file.name, await file.bytes());
    const clicks = await toAccessions(file);
    expect(clicks.length, clicks.join(', ')).toBeLessThanOrEqual(6);
    const id = /submissions\/([\w-]+)/.exec(page().url())?.[1] as string;
    const result = (await server.get(`/submissions/${id}/result`, { token })).text;
    expect(unaccounted(result, await file.header())).toEqual([]);
    const { sampleNameAccessionPairs: pairs } = await server.mapping(id, token);
    if (file.samples === undefined) expect(pairs.length).toBeGreaterThan(0);
    else expect(pairs).toHaveLength(file.samples);
    await page()
      .getByText(pairs[0]?.sampleAccession as string, { exact: true })
      .first()
      .waitFor();
  }

  /** Does what the page asks for, one thing after the other, by clicks alone. Resolves to what was clicked. */
  async function toAccessions({ dated, tables }: ForeignFile): Promise<string[]> {
    const clicked: string[] = [];
    const click = async (what: ReturnType<typeof button>): Promise<void> => {
      clicked.push((await what.textContent()) ?? '');
      await what.click();
    };
    const keep = button('Keep and use');
    await keep.or(register()).first().waitFor();
    if (await keep.isVisible()) {
      await click(keep);
      await keep.waitFor({ state: 'detached' });
    }
    if (!dated) {
      await page().getByRole('radio', { name: 'today' }).click();
      clicked.push('today');
    }
    await click(register());
    const wanted = tables?.at(-1);
    if (wanted) {
      const table = button(`Read ${wanted}`);
      await table.waitFor();
      await click(table);
    }
    await registered();
    const accessions = button(/^Show all .*accession/);
    if (await accessions.isVisible()) await click(accessions);
    return clicked;
  }

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
