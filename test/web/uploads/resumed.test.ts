/**
 * A submission that failed half-way for a reason outside its file, and goes on from the page.
 *
 * @module-tag slow
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { count, shortId } from '../../../web/src/show/words.js';
import { stopAtWork } from '../../faults/kill-at-work.js';
import { submissionIdOf } from '../../support/api-caller.js';
import { killNow } from '../../support/processes.js';
import { startServer, type TestServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { Browser } from '../browser.js';
import { whileFrozen } from '../steps.js';

const ROWS = 60_000;

describe.skipIf(without('chromium'))('a submission that goes on', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer();
    browser = await Browser.open(server);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('shows all that it registered, and not what was there when it failed', async () => {
    const token = await server.token('lab-resumed');
    // Every tenth row is bad.
    const rows = Array.from({ length: ROWS }, (_, n) => `r${n}\t${n % 10 === 0 ? 'soon' : '2024-01-01'}\n`).join('');
    const sheet = `Sample Name\tRelease Date\n${rows}`;
    const id = submissionIdOf(await server.upload(sheet, { name: 'half.tsv', token }));
    const held = await stopAtWork(server, [id], ({ counts }) => counts.rows > 0);
    if (!held) throw new Error('It was registered before anybody could stop it.');
    const blobs = join(server.dataDir, 'blobs');
    const stored = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith(id),
    ) as string;
    const whole = readFileSync(join(blobs, stored));
    writeFileSync(join(blobs, stored), whole.subarray(0, -100));
    killNow(server.ingestPids());
    held.goOn();
    const failed = await server.settled(id, token);
    expect(failed).toMatchObject({ submissionStatus: 'FAILED', problem: { retryable: true } });
    const { created: before } = failed.counts;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan((ROWS / 10) * 9);

    writeFileSync(join(blobs, stored), whole);

    await browser.signIn(token);
    await browser.view(`/submissions/${id}`);
    const { page } = browser;
    const shown = (rows: number) => page.getByRole('heading', { name: `Registered (${count(rows)})` });
    await shown(before).waitFor();
    await page.getByRole('button', { name: /^Show all .* accessions$/ }).click();
    const find = page.getByRole('textbox', { name: 'Find a sample by name or accession' });
    await find.fill(`r${ROWS - 1}`);
    await page.getByText(`0 of ${count(before)}`).waitFor();
    const resume = page.getByRole('button', { name: 'Resume', exact: true });
    // Beside another upload of the same bytes its rows would be registered twice.
    await whileFrozen(server.ingestPids(), async () => {
      const other = submissionIdOf(
        await server.upload(sheet, { name: 'half.tsv', token, options: { duplicate: 'allow' } }),
      );
      await resume.click();
      await page.getByText(`uploaded since as submission ${other}`).waitFor();
      await page.getByRole('link', { name: `Open submission ${shortId(other)}` }).click();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByText(/^Cancelled after 0/).waitFor();
      await page.goBack();
    });
    await shown(before).waitFor();
    await resume.click();
    const all = (ROWS / 10) * 9;
    await shown(all).waitFor();
    const showAll = page.getByRole('button', { name: /^Show all .* accessions$/ });
    await showAll.or(find).first().waitFor();
    if (await showAll.isVisible()) await showAll.click();
    await find.fill(`r${ROWS - 1}`);
    await page.getByText(`1 of ${count(all)}`).waitFor();
  });
});
