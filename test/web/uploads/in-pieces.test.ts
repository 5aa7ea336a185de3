/**
 * Large files from the page over lines that are cut, services that are started again, and a page that is left.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningServer, startServer, type TestServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { Browser, CALM } from '../browser.js';
import { Line } from '../line.js';
import { goodSheet } from '../sheets.js';
import { endSession, idInAddress, PATIENT, registered, signInAgain } from '../steps.js';

const SIZE = 24_000_000;
/** What goes over the line where what has arrived is not sent again: pieces, and what buffers held when it was cut. */
const MOST = 1.5 * SIZE;

describe.skipIf(without('chromium'))('a large file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'in-pieces-'));
  let server: TestServer;
  let line: Line;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = await startServer({ dataDir: join(folder, 'data') });
    line = new Line(server.url);
    token = await server.token('lab-pieces');
    browser = await Browser.open(new RunningServer(await line.open(), server.adminToken, server.pid));
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    line?.close();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  /** As large as it says by blank lines, which cost the service nothing. */
  const sheet = (name: string): string => {
    const path = join(folder, `${name}.tsv`);
    writeFileSync(path, goodSheet(3, name).padEnd(SIZE, '\n'));
    return path;
  };
  const choose = async (path: string) => {
    await browser.view('/');
    await browser.page.locator('input[type=file]').first().setInputFiles(path);
    await register().waitFor();
  };
  const register = () => browser.page.getByRole('button', { name: /^Register / });
  const interrupted = (name: string) =>
    browser.page.getByRole('status').filter({ hasText: `${name}.tsv is interrupted and goes on by itself` });
  const note = (name: string) => browser.page.getByRole('group', { name: `${name}.tsv was not sent to its end` });
  /** Loads the page anew before it goes on by itself. */
  const leave = async () => {
    await browser.page.route(/\/files\//, (route) => route.abort());
    line.back();
    await browser.view('/');
    await browser.page.unrouteAll({ behavior: 'wait' });
  };
  const uploads = async (name: string) =>
    (await server.get(`/submissions?fileName=${name}`, { token })).json<{
      _embedded?: { submissions: { submissionId: string }[] };
    }>()._embedded?.submissions ?? [];
  const comes = async (name: string) => {
    await registered(browser.page);
    const id = idInAddress(browser.page);
    expect(await uploads(name)).toMatchObject([{ submissionId: id, counts: { created: 3 }, fileSize: SIZE }]);
  };

  it('goes on by itself where its line was cut, says so, and is not sent all over again', async () => {
    await choose(sheet('cut'));
    const before = line.passed;
    const cut = line.cutAfter(0.6 * SIZE);
    await register().click();
    await cut;
    await interrupted('cut').waitFor();
    line.back();
    await comes('cut');
    expect(line.passed - before).toBeLessThan(MOST);
  });

  it('goes on when the service was killed and started again, and when the session had ended meanwhile', async () => {
    await choose(sheet('killed'));
    const before = line.passed;
    const cut = line.cutAfter(0.5 * SIZE);
    await register().click();
    await cut;
    await interrupted('killed').waitFor();
    await server.kill('SIGKILL');
    await server.othersEnded();
    server = await startServer({ dataDir: join(folder, 'data') });
    await endSession(browser);
    line.back(server.url);
    await signInAgain(browser.page, token);
    await comes('killed');
    expect(line.passed - before).toBeLessThan(MOST);
  });

  it('goes on after a reload once the same file is chosen again, with what was chosen for it', async () => {
    const { page } = browser;
    const path = sheet('reloaded');
    await choose(path);
    await page.getByRole('radio', { name: 'register nothing' }).check();
    const before = line.passed;
    const cut = line.cutAfter(0.6 * SIZE);
    await register().click();
    await cut;
    await interrupted('reloaded').waitFor();
    await leave();
    await note('reloaded')
      .getByText(/ MB of 24 MB are with the service/)
      .waitFor();
    const again = page.getByLabel('reloaded.tsv again');
    await again.setInputFiles({ name: 'reloaded.tsv', mimeType: 'text/plain', buffer: Buffer.from(goodSheet(1)) });
    await note('reloaded')
      .getByText(/is not the file that was being sent/)
      .waitFor();
    await again.setInputFiles(path);
    await comes('reloaded');
    expect(line.passed - before).toBeLessThan(MOST);
    const { options } = (await server.get(`/submissions/${idInAddress(page)}`, { token })).json<{ options: object }>();
    expect(options).toMatchObject({ mode: 'atomic' });
    await browser.view('/');
    await page.getByRole('heading', { name: 'Upload samples' }).waitFor();
    expect(await note('reloaded').count()).toBe(0);
  });

  it('that was changed meanwhile is not taken for the same, and can be given up', async () => {
    const { page } = browser;
    const path = sheet('changed');
    await choose(path);
    const cut = line.cutAfter(0.3 * SIZE);
    await register().click();
    await cut;
    await interrupted('changed').waitFor();
    await leave();
    utimesSync(path, new Date(), new Date(Date.now() - 3_600_000));
    await note('changed').waitFor();
    await page.getByLabel('changed.tsv again').setInputFiles(path);
    await note('changed')
      .getByText(/is not the file that was being sent/)
      .waitFor();
    await note('changed').getByRole('button', { name: 'Give it up: changed.tsv' }).click();
    const given = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await note('changed').getByRole('button', { name: 'Give it up now' }).click();
    expect((await given).status()).toBe(204);
    await note('changed').waitFor({ state: 'detached' });
    expect(await uploads('changed')).toEqual([]);
  });

  it('that came before is said to have, and registers nothing again', async () => {
    await choose(join(folder, 'cut.tsv'));
    await register().click();
    await registered(browser.page);
    await browser.page.getByText('You uploaded this very file before').waitFor();
    expect(await uploads('cut')).toHaveLength(1);
  });

  it('whose pieces the proxy leads to different services is sent in one request', async () => {
    const { page } = browser;
    await page.route(/\/files\/\w+$/, (route) => route.fulfill({ status: 404, json: { status: 404 } }));
    await choose(sheet('elsewhere'));
    await register().click();
    await comes('elsewhere');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('larger than the service takes is refused before it is sent, with what to do', async () => {
    const { page } = browser;
    await choose(sheet('too-large'));
    await page.route(/\/files$/, (route) => {
      const headers = { ...route.request().headers(), 'upload-length': '2000000000' };
      return route.continue({ headers });
    });
    const before = line.passed;
    await register().click();
    await page.getByText('The file is larger than 1073741824 bytes; split it and upload the parts.').waitFor(PATIENT);
    expect(line.passed - before).toBeLessThan(SIZE / 10);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
