/**
 * Narrowing a search by what is counted, in the page: values, ranges, more of them, late answers, refusals, a telephone.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { PATIENT } from './steps.js';

const COUNTING = /\/samples\?.*facets=/;
const TELEPHONE = { width: 390, height: 844 };

/** 120 samples: 80 of humans, aged 0 to 79; each with a label of its own. */
function sheet(): string {
  const columns = ['organism', 'age', 'collected on', 'host:sex', 'label'].map((name) => `Characteristics[${name}]`);
  const rows = Array.from({ length: 120 }, (_, at) => {
    const human = at < 80;
    const date = `20${10 + (at % 10)}-05-0${1 + (at % 9)}`;
    const values = [
      human ? 'Homo sapiens' : 'Mus musculus',
      human ? at : '',
      date,
      at % 4 ? 'female' : 'male',
      `L${at}`,
    ];
    return [`facets ${at}`, '2024-01-01', ...values].join('\t');
  });
  return `${[['Sample Name', 'Release Date', ...columns].join('\t'), ...rows].join('\n')}\n`;
}

describe.skipIf(without('chromium'))('narrowing by values in the page', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;
  /** Addresses that asked for counts. */
  const asked: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    token = await server.token('lab-1');
    await server.uploadAndSettle(sheet(), { token });
    const notes = Array.from({ length: 101 }, (_, at) => ({ text: `note ${at}` }));
    const long = { name: 'long', release: '2024-01-01', characteristics: { note: notes } };
    expect((await server.send('POST', '/samples', long, { token })).status).toBe(201);
    const indexed = async () => {
      const { page } = (await server.get('/samples?page=0&size=1')).json<{ page: { totalElements: number } }>();
      expect(page.totalElements).toBe(121);
    };
    await vi.waitFor(indexed, { timeout: 300_000, interval: 100 });
    browser = await openBrowser(server);
    await browser.signIn(token);
    browser.page.on('request', (request) => {
      if (COUNTING.test(request.url())) asked.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const opener = () => browser.page.getByRole('button', { name: 'Narrow by values' });
  const panel = () => browser.page.getByRole('complementary', { name: 'Narrow by values' });
  const group = (name: string) => panel().getByRole('region', { name: new RegExp(`^${name}`) });
  const value = (name: string, words: string | RegExp) => group(name).getByRole('button', { name: words });
  const found = (samples: number) =>
    panel()
      .getByText(new RegExp(`^${samples}.samples? found$`))
      .first()
      .waitFor(PATIENT);
  const marked = (name: string) => group(name).locator('[aria-pressed=true]').allTextContents();
  const remove = (words: string) =>
    browser.page.getByRole('button', { name: `Take away the filter ${words}`, exact: true }).click();
  const filters = () => new URLSearchParams(browser.page.url().split('?').at(-1)).getAll('filter');

  it('asks for no counts before they are wanted, then says all of them beside the list', async () => {
    await browser.view('/samples');
    await browser.page.getByRole('link', { name: /^SAMR/ }).first().waitFor();
    expect(asked).toEqual([]);
    await opener().click();
    await found(121);
    expect(await opener().getAttribute('aria-expanded')).toBe('true');
    expect(await group('organism').getByRole('button').allTextContents()).toEqual(['Homo sapiens80', 'Mus musculus40']);
    expect(await group('host:sex').getByRole('button').allTextContents()).toEqual(['female90', 'male30']);
    await panel()
      .getByText(/^Not counted whole: 1.sample with more than 250/)
      .waitFor();
    expect(asked.length).toBe(1);
    await browser.picture('samples-counts');
  });

  it('adds a filter by a click or a key, counts anew, marks it, and takes it away again', async () => {
    await value('organism', 'Homo sapiens').click();
    await found(80);
    expect(await marked('organism')).toEqual(['Homo sapiens80']);
    await value('host:sex', 'male').last().focus();
    await browser.page.keyboard.press('Enter');
    await found(20);
    expect(filters()).toEqual(['attr:organism:Homo sapiens', 'attr:host\\:sex:male']);
    // As another would write it.
    await browser.view('/samples?counts=shown&filter=attr:ORGANISM:homo%20sapiens&filter=attr:host%5C:sex:male');
    await found(20);
    expect(await marked('organism')).toEqual(['Homo sapiens20']);
    await browser.page.getByText('host:sex is male', { exact: true }).waitFor();
    await value('organism', 'Homo sapiens').click();
    await found(30);
    await browser.page.reload();
    await found(30);
    await remove('host:sex is male');
    await found(121);
    expect(await panel().locator('[aria-pressed=true]').count()).toBe(0);
  });

  it('takes the place of the filter for any value, which would find all of them', async () => {
    await browser.view('/samples?counts=shown&filter=attr:organism');
    await found(120);
    await value('organism', 'Mus musculus').click();
    await found(40);
    expect(filters()).toEqual(['attr:organism:Mus musculus']);
  });

  it('narrows numbers and dates by ranges, each step within the one before', async () => {
    await browser.view('/samples?counts=shown');
    await value('age', 'from 20 to below 30').click();
    await found(10);
    expect(await marked('age')).toEqual(['age from 20 to below 30']);
    await group('age')
      .getByRole('button', { name: /^below/ })
      .click();
    await expect.poll(filters).toEqual([expect.stringMatching(/^range:age:from=20below=2\d$/)]);
    const [filter = ''] = filters();
    const below = Number(filter.split('below=')[1]);
    await found(below - 20);
    await remove(`age from 20 to below ${below}`);
    await found(121);
    await group('collected on')
      .getByRole('button', { name: /^from 201\d-01-01 to below/ })
      .first()
      .click();
    await expect
      .poll(filters)
      .toEqual([expect.stringMatching(/^range:collected on:from=201\d-01-01below=201\d-01-01$/)]);
    await found(24);
    await group('collected on').locator('[aria-pressed=true]').click();
    await found(121);
  });

  it('says how many values it does not show, and shows more of them on demand', async () => {
    await browser.view('/samples?counts=shown');
    await group('label')
      .getByText(/^and 115.other values$/)
      .waitFor();
    await group('label').getByRole('button', { name: 'More values of label' }).click();
    await group('label')
      .getByText(/^and 20.other values$/)
      .waitFor();
    expect(await group('label').locator('[aria-pressed]').count()).toBe(100);
    await group('label').getByRole('button', { name: 'Fewer values of label' }).click();
    await group('label')
      .getByText(/^and 115.other values$/)
      .waitFor();
    await group('age').getByRole('button', { name: 'Values of age' }).click();
    await expect.poll(() => group('age').locator('[aria-pressed]').count(), PATIENT).toBe(88);
  });

  it('shows the list without waiting, and never an answer that was overtaken', async () => {
    const { page } = browser;
    await browser.view('/samples?counts=shown');
    await found(121);
    const held: (() => void)[] = [];
    await page.route(COUNTING, async (route) => {
      if (decodeURIComponent(route.request().url()).includes('Mus')) await new Promise<void>((go) => held.push(go));
      await route.continue().catch(() => undefined);
    });
    await value('organism', 'Mus musculus').click();
    await page.getByRole('link', { name: 'facets 119' }).or(page.getByText('facets 119')).first().waitFor();
    await page.getByText('Counting anew…').waitFor();
    await remove('organism is Mus musculus');
    await value('organism', 'Homo sapiens').click();
    await found(80);
    expect(held.length).toBeGreaterThan(0);
    for (const go of held) go();
    await page.unroute(COUNTING);
    await remove('organism is Homo sapiens');
    await found(121);
  });

  it('says why nothing was counted, with a way on, while the list stands', async () => {
    const { page } = browser;
    const problem = { title: 'Too many requests', status: 429, detail: 'Ask again in a second.' };
    await page.route(COUNTING, (route) => route.fulfill({ status: 429, json: problem }));
    await browser.view('/samples?counts=shown');
    await panel().getByText('The values were not counted').waitFor();
    await panel().getByText(problem.detail).waitFor();
    await page.getByRole('link', { name: /^SAMR/ }).first().waitFor();
    await page.unroute(COUNTING);
    await panel().getByRole('button', { name: 'Try again' }).click();
    await found(121);
    expect(await panel().getByText('The values were not counted').count()).toBe(0);
  });

  it('is a drawer on a telephone', async () => {
    const { page } = browser;
    await page.setViewportSize(TELEPHONE);
    await browser.view('/samples');
    await opener().click();
    const drawer = page.getByRole('dialog', { name: 'Narrow by values' });
    await drawer.getByRole('button', { name: /^Mus musculus/ }).click();
    await drawer
      .getByText(/^40.samples found$/)
      .first()
      .waitFor();
    await browser.picture('samples-counts-telephone');
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(TELEPHONE.width);
    await drawer.getByRole('button', { name: 'To the samples' }).click();
    await drawer.waitFor({ state: 'detached' });
    await page.getByText('organism is Mus musculus').waitFor();
    await opener().click();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => opener().evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
