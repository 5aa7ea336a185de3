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
    for (let at = 0; at < MANY; at++) await made('/tokens', { name: `page session ${at}`, scopes: ['read'] });
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

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
