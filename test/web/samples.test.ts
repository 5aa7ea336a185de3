/**
 * Finding, reading and changing samples by the page.
 *
 * @module-tag slow
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Database from '../../src/store/sqlite/driver.js';
import { runCommand } from '../support/command.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { file } from './sheets.js';
import { type Prepared, prepare } from './views.js';

/** Of no interest how long it takes: other suites share the machine. */
const PATIENT = { timeout: 300_000 };

describe.skipIf(without('chromium'))('samples in the page', () => {
  let server: TestServer;
  let browser: Browser;
  let prepared: Prepared;
  let token: string;

  beforeAll(async () => {
    server = await startServer();
    token = await server.token('lab-1');
    prepared = await prepare(server, token);
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const rowCount = async () => Number(await browser.page.getByRole('table').getAttribute('aria-rowcount')) - 1;

  it('are found by words, narrowed by filters and shown in the columns that the reader wants', async () => {
    const { page } = browser;
    await browser.view('/samples');
    await page.getByRole('row', { name: /liver 160/ }).waitFor();
    await page.getByLabel('Find samples').fill('kidney');
    await expect.poll(rowCount).toBe(1);
    await page.getByRole('row', { name: /donor 1 kidney/ }).waitFor();
    await page.getByLabel('Find samples').fill('');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByRole('combobox', { name: 'Characteristic', exact: true }).fill('age');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('has age').waitFor();
    await expect.poll(rowCount).toBe(4);
    await page.getByRole('combobox', { name: 'Columns' }).click();
    await page.getByRole('option', { name: 'age' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'age' }).waitFor();
    await page.getByRole('cell', { name: '34 year' }).first().waitFor();
    await browser.picture('samples-filtered');
    await page.getByRole('button', { name: 'Take away the filter has age' }).click();
    await expect.poll(rowCount).toBeGreaterThan(4);
  });

  it('show characteristics with terms, relationships, structured data, curations and history', async () => {
    const { page } = browser;
    const { accession } = prepared;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('heading', { level: 1, name: accession }).waitFor();
    const organism = page.getByRole('row', { name: /^organism Homo sapiens/ });
    expect(await organism.getByRole('link').getAttribute('href')).toBe('https://bioregistry.io/NCBITaxon:9606');
    await page.getByRole('row', { name: /^tissue left lobe of liver/ }).waitFor();
    await page.getByText('As submitted').click();
    await page.getByRole('row', { name: /^tissue liver/ }).waitFor();
    await page.getByRole('img', { name: /^3 samples and 2 relationships/ }).waitFor();
    await page.getByText('Where it comes from: 1 sample').waitFor();
    await page.getByText('What came of it: 1 sample').waitFor();
    await page.getByRole('row', { name: /ampicillin resistant 32 mg\/L/ }).waitFor();
    const changes = page.getByRole('listitem').filter({ hasText: 'age' });
    await expect.poll(() => changes.filter({ hasText: '34 year → 35 year' }).count(), PATIENT).toBe(1);
    await page.getByText(/submission [\da-f]{4}….*line 3/).waitFor();
    await browser.picture('sample');
  });

  it('show 500 relatives as a picture that is moved and zoomed, and as lists whose links lead on, on a narrow screen too', async () => {
    const { page } = browser;
    const rows = Array.from({ length: 520 }, (_, at) => {
      const mother = at === 0 ? '' : at < 200 ? 'line 0' : `line ${(at % 199) + 1}`;
      return ['', `line ${at}`, '2020-01-01', 'Mus musculus', mother];
    });
    const header = [
      'Source Name',
      'Sample Name',
      'Release Date',
      'Characteristics[organism]',
      'Comment[bsd_relationship:derived from]',
    ];
    const sheet = [header, ...rows].map((cells) => cells.join('\t')).join('\n');
    const upload = await server.call('/submissions', {
      method: 'POST',
      headers: { 'content-type': 'text/tab-separated-values', accept: 'application/json' },
      body: sheet,
      token,
    });
    const { submissionId } = upload.json<{ submissionId: string }>();
    await server.settled(submissionId, token);
    const found = async (name: string) =>
      (await server.get(`/samples?filter=name:${encodeURIComponent(name)}`, { token })).json<{
        _embedded?: { samples: { accession: string }[] };
      }>()._embedded?.samples[0]?.accession;
    // The lineage is read from the index.
    await expect.poll(() => found('line 519'), { ...PATIENT, interval: 200 }).toBeDefined();
    const root = (await found('line 0')) as string;
    await browser.view(`/samples/${root}`);
    const picture = page.getByRole('region', { name: 'Picture of the lineage' });
    const drawing = picture.getByRole('img', { name: /^500 samples and 499 relationships/ });
    await drawing.waitFor(PATIENT);
    await page.getByText(/does not show all descendants/).waitFor();
    const seen = () => drawing.getAttribute('viewBox');
    const before = await seen();
    await picture.focus();
    await page.keyboard.press('ArrowRight');
    const moved = await seen();
    expect(moved).not.toBe(before);
    await page.keyboard.press('+');
    expect(Number((await seen())?.split(' ')[2])).toBeLessThan(Number(moved?.split(' ')[2]));
    await page.keyboard.press('0');
    expect(await seen()).toBe(before);
    await page.getByRole('button', { name: 'Show all of it' }).click();
    const [x = 0, , width = 0] = ((await seen()) ?? '').split(' ').map(Number);
    const boxes = await drawing.locator('rect').evaluateAll((all) => all.map((one) => Number(one.getAttribute('x'))));
    expect(boxes).toHaveLength(500);
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(x);
    expect(Math.max(...boxes)).toBeLessThan(x + width);
    await browser.picture('sample-lineage');
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByText('What came of it: 499 samples').click();
    const list = page.getByRole('region', { name: 'What came of it: 499 samples' });
    expect(await list.getByRole('link').count()).toBe(499);
    await list.getByRole('link').last().click();
    await page.getByText('Where it comes from:').waitFor(PATIENT);
    await page.setViewportSize({ width: 1280, height: 800 });
    await browser.view(`/samples/${root}`);
    await page.getByRole('link', { name: 'Descendants as a table' }).click();
    await page.getByText(`came of ${root}`).waitFor();
    await page.getByRole('row', { name: /line 519/ }).waitFor(PATIENT);
  });

  it('are changed in a form that shows the change first', async () => {
    const { page } = browser;
    const { accession } = prepared;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const rows = page.getByLabel(/^Characteristic of row/);
    await rows.first().waitFor();
    const at = await rows.evaluateAll((all) =>
      all.findIndex((field) => (field as unknown as { value: string }).value === 'sex'),
    );
    await page.getByLabel(`Value of row ${at + 1}`, { exact: true }).fill('male');
    await page.getByText('sex: female → male').waitFor();
    await browser.picture('sample-edit');
    await page.getByRole('button', { name: 'Store the change' }).click();
    await page.getByRole('row', { name: /^sex male/ }).waitFor();
    await page.getByText('Version 3').waitFor();
    expect((await server.get(`/samples/${accession}?applyCurations=false`, { token })).json()).toMatchObject({
      name: 'donor 1 liver',
      characteristics: { sex: [{ text: 'male' }], age: [{ text: '35', unit: 'year' }], tissue: [{ text: 'liver' }] },
    });
  });

  it('are not changed while something that was typed would be left out', async () => {
    const { page } = browser;
    await browser.view(`/samples/${prepared.accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const store = page.getByRole('button', { name: 'Store the change' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('donor 1, left out');
    await expect.poll(() => store.isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Add a characteristic' }).click();
    const added = await page.getByLabel(/^Characteristic of row/).count();
    await page.getByLabel(`Value of row ${added}`, { exact: true }).fill('of nothing');
    await page.getByText('Say which characteristic it is, or remove the row.').first().waitFor();
    expect(await store.isEnabled()).toBe(false);
    await page.getByLabel(`Value of row ${added}`, { exact: true }).fill('');
    await expect.poll(() => store.isEnabled()).toBe(true);
    await page.getByLabel(`Characteristic of row ${added}`, { exact: true }).fill('cell type');
    await page.getByText('Give it a value, or remove the row.').first().waitFor();
    expect(await store.isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Discard the draft' }).click();
  });

  it('are downloaded as a sheet to edit, which uploaded as it is changes nothing', async () => {
    const { page } = browser;
    await browser.view('/samples');
    await page.getByLabel('Find samples').fill('donor');
    await expect.poll(rowCount).toBe(4);
    await page.getByRole('checkbox', { name: 'Choose all samples shown' }).check();
    await page.getByText(/^4.samples chosen$/).waitFor();
    const sheet = await browser.saved(() => page.getByRole('button', { name: 'Download as a sheet to edit' }).click());
    expect(sheet.text).toContain('donor 1 kidney');
    // One of them has a relationship whose source is another sample, which no sheet can say.
    expect(sheet.text).toContain(`# ${prepared.accession} is left out`);
    await browser.view('/');
    await page.locator('input[type=file]').setInputFiles(file(sheet.name, sheet.text));
    await page.getByText(/^3.rows update known samples$/).waitFor();
    await page.getByRole('button', { name: /^Update 3.samples$/ }).click();
    await page.getByText('Every row of the sheet is registered').waitFor();
    await page.getByText(/^3 unchanged$/).waitFor();
  });

  it('have checklists with templates that can be filled', async () => {
    const { page } = browser;
    await browser.view('/checklists');
    await page.getByRole('row', { name: /Plant/ }).waitFor();
    await page.getByLabel('Find a checklist').fill('host body site');
    await expect.poll(() => page.getByRole('row').count(), PATIENT).toBe(2);
    await page.getByRole('link', { name: 'Human-associated' }).click();
    await page.getByText(/Required fields: .*host body site/).waitFor();
    await page.getByText(/degrees from -90 to 90, such as 45.5/).waitFor();
    await browser.picture('checklist-form');
    expect(await page.getByText(/\^\[|\\d/).count()).toBe(0);
    await page.goBack();
    await expect.poll(() => page.getByRole('row').count(), PATIENT).toBe(2);
    await page.getByLabel('Find a checklist').fill('');
    await page.getByRole('link', { name: 'Minimal' }).click();
    await page.getByRole('row', { name: /^organism required/ }).waitFor();
    const template = await browser.saved(() => page.getByRole('link', { name: 'TSV template' }).click());
    expect(template.text.split('\n')[0]).toMatch(/Sample Name\t.*Characteristics\[organism\]/);
    await browser.view('/');
    await page.getByRole('combobox', { name: 'Checklist' }).click();
    await page.getByRole('option', { name: /^Minimal/ }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles(
        file('no organism.tsv', 'Sample Name\tRelease Date\tCharacteristics[tissue]\nnobody\t2024-01-01\tliver\n'),
      );
    await page.getByRole('button', { name: /^Register 1.sample$/ }).click();
    await page.getByRole('heading', { name: 'To fix (1)' }).waitFor();
    await page
      .getByRole('region', { name: 'What to fix' })
      .getByText(/organism/)
      .first()
      .waitFor();
  });

  it('are not overwritten when somebody else changed them meanwhile', async () => {
    const { page } = browser;
    const { accession } = prepared;
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('donor 1 liver, mine');
    const present = (await server.get(`/samples/${accession}?applyCurations=false`, { token })).json();
    const { data: _, ...sample } = present;
    const put = await server.send(
      'PUT',
      `/samples/${accession}`,
      { ...sample, name: 'donor 1 liver, theirs' },
      { token },
    );
    expect(put.status).toBe(200);
    await page.getByRole('button', { name: 'Store the change' }).click();
    await page.getByText('Somebody changed this sample meanwhile.').waitFor();
    expect((await server.get(`/samples/${accession}`, { token })).json()).toMatchObject({
      name: 'donor 1 liver, theirs',
    });
  });

  it('show their owner who curated, and lets the owner decline it for readers; tables can be removed', async () => {
    const { page } = browser;
    const stranger = await server.token('stranger');
    const made = await server.send(
      'POST',
      '/samples',
      { name: 'curated by others', release: '2024-01-01', characteristics: { tissue: [{ text: 'liver' }] } },
      { token },
    );
    const { accession } = made.json<{ accession: string }>();
    const attributesPre = [{ type: 'tissue', value: 'liver' }];
    const curation = { attributesPre, attributesPost: [{ type: 'tissue', value: 'spleen' }] };
    const link = { sample: accession, curation };
    const curated = await server.send('POST', `/samples/${accession}/curationlinks`, link, { token: stranger });
    expect(curated.status).toBe(201);
    const table = { type: 'AMR', content: [{ drug: { value: 'ampicillin', iri: null } }] };
    const attached = await server.send('PUT', `/structureddata/${accession}`, { accession, data: [table] }, { token });
    expect(attached.status).toBe(200);
    const tissue = async () =>
      (await server.get(`/samples/${accession}`, { token: null })).json<{
        characteristics: { tissue: { text: string }[] };
      }>().characteristics.tissue[0]?.text;
    expect(await tissue()).toBe('spleen');

    await browser.view(`/samples/${accession}`);
    await page.getByText(/Curated by stranger/).waitFor();
    await page.getByRole('button', { name: 'Decline this curation' }).click();
    await page.getByText(/declined by the owner/).waitFor();
    await page.getByRole('row', { name: /^tissue liver/ }).waitFor();
    await browser.picture('sample-declined');
    expect(await tissue()).toBe('liver');
    // A curation of somebody else's is not the owner's to remove.
    expect(await page.getByRole('button', { name: /Remove this curation/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Accept this curation' }).click();
    await page.getByRole('row', { name: /^tissue spleen/ }).waitFor();

    await page.getByRole('button', { name: 'Remove the table AMR…' }).click();
    await page.getByRole('button', { name: 'Remove the table AMR now' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'AMR' }).count(), PATIENT).toBe(0);
    expect((await server.get(`/structureddata/${accession}`, { token })).status).toBe(404);

    await browser.signIn(stranger);
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Remove this curation…' }).click();
    expect(await page.getByRole('button', { name: /Decline/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove this curation now' }).click();
    await page.getByRole('row', { name: /^tissue liver/ }).waitFor();
    await expect.poll(() => page.getByText(/Curated by stranger/).count(), PATIENT).toBe(0);
    await browser.signIn(token);
  });

  it('say of a curation that is not applied what it would replace and is not there', async () => {
    const { page } = browser;
    const characteristics = { tissue: [{ text: 'liver' }] };
    const made = await server.send(
      'POST',
      '/samples',
      { name: 'curated in vain', release: '2024-01-01', characteristics },
      { token },
    );
    const { accession } = made.json<{ accession: string }>();
    const curation = {
      attributesPre: [
        { type: 'tissue', value: 'liver' },
        { type: 'age', value: '3', unit: 'year' },
      ],
      relationshipsPre: [{ type: 'child of', target: accession }],
    };
    const link = { sample: accession, curation };
    expect((await server.send('POST', `/samples/${accession}/curationlinks`, link, { token })).status).toBe(201);
    await browser.view(`/samples/${accession}`);
    await page
      .getByText(`not applied: the sample does not have what it would replace (age: 3 year, child of ${accession})`)
      .waitFor();
  });

  it('of which a table was replaced since it was shown keep the new one until their reader has seen it', async () => {
    const { page } = browser;
    const characteristics = { tissue: [{ text: 'liver' }] };
    const body = { name: 'with a table', release: '2024-01-01', characteristics };
    const { accession } = (await server.send('POST', '/samples', body, { token })).json<{ accession: string }>();
    const attach = async (drug: string) => {
      const data = [{ type: 'AMR', content: [{ drug: { value: drug, iri: null } }] }];
      const attached = await server.send('PUT', `/structureddata/${accession}`, { accession, data }, { token });
      expect(attached.status).toBe(200);
    };
    const remove = (when: string) => page.getByRole('button', { name: `Remove the table AMR${when}` });
    await attach('ampicillin');
    await browser.view(`/samples/${accession}`);
    await page.getByText('ampicillin').waitFor();
    await remove('…').click();
    await attach('tetracycline');
    await remove(' now').click();
    await page
      .getByText(/^Somebody has changed the table AMR since it was shown here\. It is shown as it is now/)
      .waitFor();
    await page.getByText('tetracycline').waitFor();
    expect((await server.get(`/structureddata/${accession}`, { token })).text).toContain('tetracycline');
    // Seen as it is now, it is theirs to remove: the button that asked is still there, or asks once more.
    if (((await remove('').textContent()) ?? '').endsWith('…')) await remove('…').click();
    await remove(' now').click();
    await page.getByText('tetracycline').waitFor({ state: 'detached' });
    expect((await server.get(`/structureddata/${accession}`, { token })).status).toBe(404);
  });

  it('are withdrawn by their owner, as they are shown, and that is taken back', async () => {
    const { page } = browser;
    const content = { release: '2024-01-01', characteristics: { tissue: [{ text: 'liver' }] } };
    const made = await server.send('POST', '/samples', { name: 'mixed up', ...content }, { token });
    const { accession } = made.json<{ accession: string }>();
    const status = async (by = token) =>
      (await server.get(`/samples/${accession}`, { token: by })).json<{ status: unknown }>().status;
    const part = page.getByRole('region', { name: 'Withdrawal' });
    const confirm = async (what: string) => {
      await part.getByRole('button', { name: `${what}…` }).click();
      await part.getByRole('button', { name: `${what} now` }).click();
    };
    await browser.view(`/samples/${accession}`);
    await part.waitFor();
    const changed = { accession, name: 'mixed up, as others say', ...content };
    expect((await server.send('PUT', `/samples/${accession}`, changed, { token })).status).toBe(200);
    await confirm('Withdraw this sample');
    await part.getByText(`Somebody has changed ${accession} since it was shown here.`).waitFor();
    await page.getByText('mixed up, as others say', { exact: true }).first().waitFor();
    expect(await status()).toBe('PUBLIC');

    await browser.view(`/samples/${accession}`);
    await confirm('Withdraw this sample');
    await part.getByText(/with the withdrawal taken back, it is public at once/).waitFor();
    expect(await status()).toBe('WITHDRAWN');
    expect((await server.get(`/samples/${accession}`, { token: null })).status).toBe(403);
    await page.getByText('withdrawn by its owner', { exact: true }).first().waitFor();
    await confirm('Take the withdrawal back');
    await part.getByRole('button', { name: 'Withdraw this sample…' }).waitFor();
    expect(await status()).toBe('PUBLIC');

    await browser.signIn(await server.token('stranger'));
    await browser.view(`/samples/${accession}`);
    await page.getByText('mixed up, as others say', { exact: true }).first().waitFor();
    expect(await part.count()).toBe(0);
    await browser.signIn(token);
  });

  it('of the public kind are read by anyone, others by nobody else', async () => {
    const { page } = browser;
    const secret = (await server.get('/samples?text=culture', { token })).json<{
      _embedded: { samples: { accession: string }[] };
    }>();
    await browser.context.clearCookies();
    await browser.view(`/samples/${prepared.accession}`);
    await page.getByRole('heading', { level: 1, name: prepared.accession }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await browser.view(`/samples/${secret._embedded.samples[0]?.accession}`);
    await page.getByText('This sample cannot be shown').waitFor();
  });

  it('of which what is stored was damaged are named in the list of the others', async () => {
    const { page } = browser;
    const answer = await server.send('POST', '/samples', { name: 'spoilt by a disk', release: '2020-01-01' });
    const { accession } = answer.json<{ accession: string }>();
    const file = new Database(join(server.dataDir, 'registry.db'));
    file.prepare("update sample set updated = updated + 1 where name = 'spoilt by a disk'").run();
    file.close();
    await browser.signIn(token);
    await browser.view('/samples');
    await page.getByText('1 sample cannot be shown').waitFor();
    await page.getByText(`What is stored of ${accession} was damaged on the disk.`).waitFor();
    await expect.poll(rowCount).toBeGreaterThan(10);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });

  it('that were erased say so to their owner, with their history, and can be neither edited nor withdrawn', async () => {
    const { page } = browser;
    const made = await server.send('POST', '/samples', { name: 'to be erased', release: '2020-01-01' }, { token });
    const { accession } = made.json<{ accession: string }>();
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const erased = await runCommand(['erase', accession, '--yes'], { env: { DATA_DIR: server.dataDir } });
    expect(erased.code, erased.stderr).toBe(0);
    await page.reload();
    await page.getByText('This sample was erased').waitFor();
    await page.getByRole('definition').getByText('erased', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByText('What it said was erased.').waitFor();
    for (const name of ['Edit', 'Withdraw this sample…'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByText('to be erased').count()).toBe(0);
    await browser.picture('sample-erased');
    await browser.view('/samples');
    await page.getByRole('row', { name: /liver 160/ }).waitFor();
    expect(await page.getByRole('link', { name: accession, exact: true }).count()).toBe(0);
  });
});
