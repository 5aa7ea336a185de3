/**
 * Lists of more than a page: nothing is missing from them without a word.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';

/** One more than the service answers at once. */
const MANY = 201;

describe.skipIf(without('chromium'))('a list of more than a page', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-long-lists');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const made = async (path: string, body: unknown) => {
    const answer = await server.send('POST', path, body, { token });
    expect(answer.status).toBe(201);
    return answer.json<{ accession: string }>();
  };

  it('of tokens shows the oldest, too, and never says that there are none', async () => {
    const { page } = browser;
    await made('/tokens', { name: 'the oldest', scopes: ['read'] });
    for (let at = 0; at < MANY; at++) {
      const opened = await server.send('POST', '/auth/session', { token }, { token: null });
      expect(opened.status).toBe(201);
    }
    await browser.view('/account');
    await page.getByText('None among the newest; older ones follow below.').waitFor();
    expect(await page.getByText('You have no tokens.').count()).toBe(0);
    await page.getByRole('button', { name: 'Show older ones' }).click();
    await page.getByRole('button', { name: 'Revoke the oldest' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show older ones' }).count()).toBe(0);
  });

  it('of curations says when it did not arrive, instead of that there is none', async () => {
    const { page } = browser;
    const { accession } = await made('/samples', {
      name: 'much curated',
      release: '2024-01-01T00:00:00Z',
      characteristics: {},
    });
    const curation = { attributesPre: [], attributesPost: [{ type: 'note', value: 'said' }] };
    await made(`/samples/${accession}/curationlinks`, { sample: accession, curation });
    const list = (url: URL) => url.pathname.endsWith('/curationlinks');
    await page.route(list, (route) => route.fulfill({ status: 500, json: { title: 'broken', status: 500 } }));
    await browser.view(`/samples/${accession}`);
    const section = page.getByRole('region', { name: 'Curations' });
    await section.getByText('The curations did not arrive').waitFor();
    await page.unroute(list);
    await section.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Curations (1)' }).waitFor();
  });

  it('of curations says how many there are, and shows the last of them, too', async () => {
    const { page } = browser;
    const { accession } = await made('/samples', {
      name: 'curated by many',
      release: '2024-01-01T00:00:00Z',
      characteristics: {},
    });
    for (let at = 0; at < 60; at++) {
      const curation = { attributesPre: [], attributesPost: [{ type: 'note', value: `said ${at}` }] };
      await made(`/samples/${accession}/curationlinks`, { sample: accession, curation });
    }
    await browser.view(`/samples/${accession}`);
    const section = page.getByRole('region', { name: 'Curations (60)' });
    await section.getByText('50 of 60').waitFor();
    expect(await section.getByText('said 59').count()).toBe(0);
    await section.getByRole('button', { name: 'Show more' }).click();
    await section.getByText('said 59').waitFor();
    expect(await section.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('of characteristics is edited with those in sight alone in the document, and stored whole', async () => {
    const { page } = browser;
    const characteristics = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`property ${at}`, [{ text: `value ${at}` }]]),
    );
    const sample = { name: 'much described', release: '2024-01-01T00:00:00Z', characteristics };
    const { accession } = await made('/samples', sample);
    await browser.view(`/samples/${accession}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('region', { name: 'Characteristics, to be edited' });
    const fields = form.getByRole('textbox');
    await form.getByLabel('Value of row 1', { exact: true }).fill('changed');
    expect(await fields.count()).toBeLessThan(250);
    await page.getByRole('button', { name: 'Add a characteristic' }).click();
    const added = form.getByLabel('Value of row 401', { exact: true });
    await added.fill('of nothing');
    expect(await fields.count()).toBeLessThan(250);
    await form.evaluate((box) => box.scrollTo(0, 0));
    await added.waitFor({ state: 'detached' });
    // What keeps it from being stored is said also where its row is out of sight.
    await page.getByText('of nothing: Say which characteristic it is, or remove the row.').waitFor();
    await form.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await form.getByLabel('Characteristic of row 401', { exact: true }).fill('the last');
    await form.getByRole('button', { name: 'Remove row 400', exact: true }).click();
    await page.getByRole('button', { name: 'Store the change' }).click();
    await page.getByText('Version 2').waitFor();
    const { 'property 399': _, ...rest } = characteristics;
    expect((await server.get(`/samples/${accession}`, { token })).json()).toMatchObject({
      characteristics: { ...rest, 'property 0': [{ text: 'changed' }], 'the last': [{ text: 'of nothing' }] },
    });
    expect((await server.get(`/samples/${accession}`, { token })).json()).not.toHaveProperty(
      'characteristics.property 399',
    );
  });

  it('of versions, each with a change of much, shows the first of them, and more by a click each', async () => {
    const { page } = browser;
    const of = (version: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`property ${at}`, [{ text: `${version}` }]]));
    const sample = { name: 'much changed', release: '2024-01-01T00:00:00Z' };
    const { accession } = await made('/samples', { ...sample, characteristics: of(1) });
    for (let version = 2; version <= 27; version++) {
      const body = { ...sample, accession, characteristics: of(version) };
      expect((await server.send('PUT', `/samples/${accession}`, body, { token })).status).toBe(200);
    }
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(request.url()));
    const versionsAsked = () => [...asked].filter((url) => /[?&]version=/.test(url)).length;
    await browser.view(`/samples/${accession}`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('button', { name: 'Show all 60 changes' }).nth(4).waitFor();
    expect(await history.getByRole('listitem').count()).toBe(5 * 50);
    await history.getByRole('button', { name: 'Show all 60 changes' }).first().click();
    await history.getByText('property 59: 26 → 27').waitFor();
    await history.getByRole('button', { name: 'Show 20 more of 27 versions' }).click();
    await history.getByText('Version 3').waitFor();
    expect(versionsAsked()).toBeLessThanOrEqual(26);
    expect(await history.getByText('Version 2', { exact: true }).count()).toBe(0);
    await history.getByRole('button', { name: 'Show all 27 versions' }).click();
    await history.getByText('Registered.').waitFor();
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
