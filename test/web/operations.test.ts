/**
 * What an administrator is shown of the work, when most of what came since is over.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { goodSheet } from './sheets.js';
import { PATIENT, whileFrozen } from './steps.js';

/** More than a page of the list. */
const LATER = 51;
const AGO_MS = 2 * 3_600_000;
/** Rows of a sheet of more than 20 000 bytes: a smaller one waits for the worker's answer, which is frozen. */
const ROWS = 600;

describe.skipIf(without('chromium'))('operations in the page', () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer({ env: { LEASE_SECONDS: '600' } });
    browser = await openBrowser(server);
    await browser.signIn(server.adminToken);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const figure = (label: string) => browser.page.getByText(label, { exact: true }).locator('..');

  it('show what waits and what failed behind many that ended long ago', async () => {
    const { page } = browser;
    const token = await server.token('lab-operations');
    await server.uploadAndSettle('Sample Name\tRelease Date\nbad\tnever\n', { name: 'all-bad.tsv', token });
    await whileFrozen(server.workerPids(), async () => {
      const large = (name: string) => server.upload(goodSheet(ROWS, name), { name: `${name}.tsv`, token });
      expect((await large('waits')).status).toBe(202);
      for (let later = 0; later < LATER; later++) {
        const submissionId = submissionIdOf(await large(`later-${later}`));
        const cancelled = await server.call(`/submissions/${submissionId}`, { method: 'DELETE', token });
        expect(cancelled.status).toBeLessThan(300);
      }
      // To the page all of it was two hours ago: it goes by the service's clock.
      const date = new Date(Date.now() + AGO_MS).toUTCString();
      await page.route(
        ({ pathname }) => !pathname.startsWith('/page/'),
        async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, headers: { ...response.headers(), date } });
        },
      );
      await browser.view('/operations');
      const oldest = figure('Oldest waits for');
      await oldest.getByText('2 h').waitFor(PATIENT);
      await figure('Waiting').getByText('1', { exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'Failures' })
        .getByRole('row', { name: /all-bad\.tsv/ })
        .first()
        .waitFor();
    });
    await figure('Waiting').getByText('0', { exact: true }).waitFor(PATIENT);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
