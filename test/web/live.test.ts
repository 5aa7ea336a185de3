/** A large sheet followed in the page while it runs: its bar and its title, what a screen reader hears, and where it is found at its end. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Database from '../../src/store/sqlite/driver.js';
import type { Mapping } from '../support/api-caller.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { isUnlocked } from '../support/write-lock.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { file, goodSheet } from './sheets.js';
import { idInAddress, PATIENT, registered, whileFrozen } from './steps.js';

/** Eight batches of the worker and more: it is stopped within them. */
const [ROWS, BATCH_ROWS] = PROOF ? [300_000, '2500'] : [4_000, '500'];

describe.skipIf(without('chromium'))('a large sheet on its way', () => {
  let server: TestServer;
  let browser: Browser;
  let token: string;
  let id: string;
  let rows = ROWS;

  beforeAll(async () => {
    // Of its own, as nobody else's upload may wait for the worker that is frozen here; nor does a supervisor replace it.
    server = await startServer({ env: { LEASE_SECONDS: '600', BATCH_ROWS } });
    token = await server.token('lab-live');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Written down in the page itself: what it shows for a moment only is seen all the same. */
  const watch = () =>
    browser.page.evaluate(`
      window.progress = [];
      window.heard = [];
      new MutationObserver(() => {
        const bar = document.querySelector('[role=progressbar][aria-label="Rows processed"]');
        const seen = bar && bar.getAttribute('aria-valuenow') + ' ' + document.title;
        if (seen && window.progress.at(-1) !== seen) window.progress.push(seen);
        for (const region of document.querySelectorAll('[role=status]')) {
          const text = region.textContent.trim();
          if (text && !window.heard.includes(text)) window.heard.push(text);
        }
      }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    `);
  const progress = async () => (await browser.page.evaluate('window.progress')) as string[];
  const heard = async () => (await browser.page.evaluate('window.heard')) as string[];

  /**
   * The frozen workers go on until an eighth of the lines is in the ledger: a screen reader hears of a tenth of the bytes,
   * and the first batch of a sheet that had to become longer is less. They stand still then, and between two batches: within one they would
   * hold the only lock for writing.
   */
  function untilEighth(workers: number[]): void {
    const store = join(server.dataDir, 'registry.db');
    const database = new Database(store, { readonly: true });
    const lastLine = database
      .prepare('select max(to_line) from submission_chunk join submission s on s.id = submission where uuid = ?')
      .pluck();
    const isEighth = () => Number(lastLine.get(id)) > rows / 8;
    const until = Date.now() + PATIENT.timeout;
    do {
      for (const pid of workers) process.kill(pid, 'SIGCONT');
      while (!isEighth() || !isUnlocked(store)) expect(Date.now()).toBeLessThan(until);
      for (const pid of workers) process.kill(pid, 'SIGSTOP');
    } while (!isUnlocked(store));
    database.close();
  }

  /** Sends a sheet while the workers are frozen, and lets them begin it. False when it was over before they stood still again. */
  async function isBegun(workers: number[]): Promise<boolean> {
    const { page } = browser;
    await browser.view('/');
    await watch();
    await page.locator('input[type=file]').setInputFiles(file(`large ${rows}.tsv`, goodSheet(rows, `kidney ${rows}`)));
    await page.getByRole('button', { name: /^Register/ }).click();
    await page.getByRole('button', { name: 'Copy submission ID' }).waitFor();
    id = idInAddress(page);
    await expect.poll(heard).toContainEqual(expect.stringMatching(/^Waiting in the queue/));
    untilEighth(workers);
    return (await server.status(id, token)).submissionStatus === 'ACTIVE';
  }

  it('is followed by its bar, the title and a screen reader, from the queue to its end', async () => {
    const { page } = browser;
    const workers = server.ingestPids();
    await whileFrozen(workers, async () => {
      // Looked at without a pause; a machine that does not come to look for so long gets a longer sheet.
      while (!(await isBegun(workers))) rows *= 2;
      await expect.poll(progress).toContainEqual(expect.stringMatching(/^[1-9]\d? [1-9]\d? % large \d+\.tsv/));
      await expect.poll(heard).toContainEqual(expect.stringMatching(/^[1-9]0 percent done/));
      await browser.picture('submission-running');
      await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy submission ID' }).click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(id);
    });
    await registered(page);
    const values = (await progress()).map((text) => Number(text.split(' ')[0]));
    expect(values).toEqual([...values].sort((one, other) => one - other));
    const all = await heard();
    const percents = all.flatMap((text) => /^(\d+) percent done/.exec(text)?.[1] ?? []);
    expect(percents.every((percent) => Number(percent) % 10 === 0)).toBe(true);
    expect(all).toContainEqual(expect.stringMatching(/^Completed/));
  });

  it('is found with its mapping under Submissions', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'Submissions' }).click();
    await page.getByLabel('Find').fill(id);
    await page.getByRole('button', { name: `Files and actions of large ${rows}.tsv` }).click();
    const saved = await browser.saved(() => page.getByRole('menuitem', { name: 'Mapping (JSON)' }).click());
    const mapping = JSON.parse(saved.text) as Mapping;
    expect(mapping.submissionId).toBe(id);
    expect(mapping.sampleNameAccessionPairs).toHaveLength(rows);
    expect(mapping.sampleNameAccessionPairs).toEqual((await server.mapping(id, token)).sampleNameAccessionPairs);
    const last = mapping.sampleNameAccessionPairs.at(-1);
    expect(last?.sampleName).toBe(`kidney ${rows} ${rows}`);
    const stored = await server.get(`/samples/${last?.sampleAccession}`, { token });
    expect(stored.json()).toMatchObject({ name: `kidney ${rows} ${rows}` });
    await browser.picture('submissions');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
