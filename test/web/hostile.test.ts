/**
 * Whatever stands in a sheet is text, in every view.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, withoutFixtures } from '../support/fixtures.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { file } from './sheets.js';
import { everyRow } from './steps.js';

const FILE_NAMES = [
  '"><img src=x onerror=alert(1)>.tsv',
  '<script>alert(1)</script>.tsv',
  "'; DROP TABLE samples; --.tsv",
  '\u202etsv.exe.tsv',
  '{{constructor.constructor("alert(1)")()}}.tsv',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E.tsv',
  '-–— ﷽ 𝕿𝖍𝖊 🧬.tsv',
];

const missing = without('chromium') || withoutFixtures('hostile strings in the page');

describe.skipIf(missing)('hostile strings', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;
  let strings: string[];

  beforeAll(async () => {
    strings = JSON.parse(fixture('torture/D18__blns.json').toString('utf8')) as string[];
    server = await startServer();
    token = await server.token('lab-1');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  /** Texts of one column of a table, by row. */
  async function columnTexts(label: string | RegExp, column: number): Promise<Map<number, string>> {
    const rows = await everyRow(browser.page.getByRole('region', { name: label }));
    return new Map([...rows].map(([index, cells]) => [index, cells[column] ?? '']));
  }

  it('are data in the page of one sample, which leads to its view', async () => {
    const { page } = browser;
    const marked = strings.filter((one) => /[<>"&$]/.test(one)).join(' ');
    const text = `${marked}</script><script>alert(1)</script><!--`;
    const body = { name: text, release: '2020-01-01', characteristics: { [text.slice(0, 200)]: [{ text }] } };
    const made = await server.send('POST', '/samples', body, { token });
    const { accession } = made.json<{ accession: string }>();
    await page.goto(`${server.url}/page/?sample=${accession}`);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    const read = await server.get(`/samples/${accession}?format=jsonld`, { token: null });
    expect(JSON.parse(data as string)).toEqual(read.json());
    await page.getByRole('heading', { name: accession }).or(page.getByText(accession).first()).first().waitFor();
    expect(new URL(page.url()).hash).toBe(`#/samples/${accession}`);
    expect(new URL(page.url()).search).toBe('');
    expect(browser.incidents).toEqual(CALM);
  });

  it('are text as names and values in the outcome, and no script of theirs runs', async () => {
    const { page } = browser;
    const names = [
      ...new Set(strings.map((text) => text.trim()).filter((text) => text !== '' && !text.startsWith('#'))),
    ];
    const sheet = ['Sample Name\tRelease Date\tCharacteristics[value]']
      .concat(names.map((name) => `${quoted(name)}\t2024-01-01\t${quoted(name)}`))
      .join('\n');
    const answer = await server.uploadAndSettle(sheet, { name: FILE_NAMES[0] as string, token });
    const pairs = (await server.mapping(answer.id, token)).sampleNameAccessionPairs;
    expect(pairs.length).toBeGreaterThan(480);

    await browser.view(`/submissions/${answer.id}`);
    await page.getByRole('heading', { name: FILE_NAMES[0] as string }).waitFor();
    const shown = await columnTexts('Registered samples', 0);
    expect([...shown].sort(([one], [other]) => one - other).map(([, text]) => text)).toEqual(
      pairs.map(({ sampleName }) => sampleName),
    );
    await browser.picture('hostile-outcome');

    const dangerous = pairs.filter(({ sampleName: name }) => /[<>&"'`{}%$]|script/i.test(name));
    for (const { sampleName, sampleAccession } of dangerous.filter((_, at) => PROOF || at % 40 === 0)) {
      await page.evaluate(`location.hash = '/samples/${sampleAccession}'`);
      await page.getByRole('heading', { level: 1, name: sampleAccession }).waitFor();
      const cell = page
        .getByRole('row', { name: /^value/ })
        .getByRole('cell')
        .first();
      expect(await cell.textContent()).toBe(sampleName);
    }
  });

  it('are text in the list of samples', async () => {
    const { page } = browser;
    const notIndexed = async () => (await server.get('/samples?size=1', { token })).json().notIndexed ?? 0;
    await expect.poll(notIndexed, { interval: 200 }).toBe(0);
    await browser.view('/samples');
    const table = page.getByRole('region', { name: 'Samples' }).getByRole('table');
    const button = page.getByRole('button', { name: 'Show more' });
    await table.waitFor();
    for (let rows = 1; await button.isVisible(); ) {
      await button.click();
      await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(rows);
      rows = Number(await table.getAttribute('aria-rowcount'));
    }
    const texts = new Set((await columnTexts('Samples', 2)).values());
    const wanted = strings.map((text) => text.trim()).filter((text) => text.includes('<'));
    expect(wanted.filter((text) => !texts.has(text))).toEqual([]);
    await browser.picture('hostile-samples');
  });

  it('are text as bad values with the words about them', async () => {
    const bad = [...new Set(strings.map((text) => text.trim()).filter((text) => text !== '' && !/^\d{4}/.test(text)))];
    const sheet = ['Sample Name\tRelease Date'].concat(bad.map((text, at) => `bad ${at}\t${quoted(text)}`)).join('\n');
    const { id, status } = await server.uploadAndSettle(sheet, { name: FILE_NAMES[1] as string, token });
    expect(status.counts.rejected).toBeGreaterThan(480);
    await browser.view(`/submissions/${id}`);
    const values = await columnTexts('What to fix', 2);
    const lines = [...values.values()];
    for (const text of bad.filter((one) => !/[\t\r\n]/.test(one))) {
      expect(
        lines.some((line) => line === text),
        JSON.stringify(text),
      ).toBe(true);
    }
    await browser.picture('hostile-issues');
  });

  it('are text as names of characteristics, terms, references and tables', async () => {
    const { page } = browser;
    const names = [...new Set(strings.map((text) => text.trim()).filter((text) => text !== ''))].concat('__proto__');
    const characteristics = Object.fromEntries(names.map((name) => [name, [{ text: name, ontologyTerms: [name] }]]));
    Object.defineProperty(characteristics, '__proto__', { value: [{ text: 'kept' }], enumerable: true });
    const made = await server.send(
      'POST',
      '/samples',
      {
        name: '<img src=x onerror=alert(1)>',
        release: '2024-01-01T00:00:00Z',
        characteristics,
        externalReferences: [
          { url: 'javascript:alert(1)' },
          { url: 'https://example.org/"><script>alert(1)</script>' },
        ],
      },
      { token },
    );
    expect(made.status).toBe(201);
    const { accession } = made.json<{ accession: string }>();
    await server.send(
      'PUT',
      `/structureddata/${accession}`,
      {
        accession,
        data: [
          {
            domain: null,
            submissionAccountId: null,
            type: '<b>AMR</b>',
            schema: null,
            content: [{ '<i>drug</i>': { value: '<u>x</u>', iri: 'javascript:alert(1)' } }],
          },
        ],
      },
      { token },
    );
    await browser.view(`/samples/${accession}`);
    await page.getByText('<b>AMR</b>').first().waitFor();
    await page.getByRole('cell', { name: 'kept' }).waitFor();
    const shown = new Set(
      await page.getByRole('region', { name: 'Characteristics' }).getByRole('rowheader').allTextContents(),
    );
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((href) => /^\s*(javascript|data|vbscript):/i.test(href))).toEqual([]);
    await browser.picture('hostile-sample');
  });

  it('are text as names of files', async () => {
    const { page } = browser;
    await browser.view('/');
    await page
      .locator('input[type=file]')
      .setInputFiles(
        FILE_NAMES.map((name, at) => file(name, `Sample Name\tRelease Date\ttissue\nfile ${at}\t2024-01-01\tliver\n`)),
      );
    await page.getByRole('button', { name: /^Register 7.samples$/ }).click();
    await expect.poll(() => page.getByRole('link', { name: /^Open the outcome of/ }).count()).toBe(FILE_NAMES.length);
    await browser.picture('hostile-files');
    await page.getByRole('link', { name: 'Submissions' }).click();
    const { _embedded } = (await server.get('/submissions?size=20', { token })).json<{
      _embedded: { submissions: { fileName: string }[] };
    }>();
    // Folders and control characters in a name are the server's to take away.
    expect(_embedded.submissions.map(({ fileName }) => fileName)).toEqual(
      expect.arrayContaining([FILE_NAMES[0], FILE_NAMES[2], FILE_NAMES[4]]),
    );
    for (const { fileName } of _embedded.submissions) {
      await page.getByRole('link', { name: fileName, exact: true }).first().waitFor();
    }
    await browser.picture('hostile-submissions');
  });

  it('broke no policy, ran no script and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
