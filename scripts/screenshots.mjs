/**
 * Writes docs/screenshots/*.png: every view of the page as it is, on a registry made for the purpose. Needs a build
 * (`npm run build`) and a Chromium, at TEST_CHROMIUM or where Debian puts it.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from 'tsx/esm/api';
import { ROOT } from './setup.mjs';

register();
process.env.TEST_CHROMIUM ??= ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

const { startServer } = await import('../test/support/server.ts');
const { Browser } = await import('../test/web/browser.ts');
const { prepare, views } = await import('../test/web/views.ts');
const { file, goodSheet, sheetWithBadDates } = await import('../test/web/sheets.ts');

const FOLDER = join(ROOT, 'docs', 'screenshots');
mkdirSync(FOLDER, { recursive: true });

const server = await startServer({ env: { TZ: 'UTC' } });
try {
  const token = await server.token('lab-1', ['read', 'submit', 'admin']);
  const prepared = await prepare(server, token);
  for (let run = 1; run <= 3; run++) {
    await server.uploadAndSettle(goodSheet(40_000, `biobank ${run}`), { name: `biobank_${run}.tsv`, token });
  }
  await indexed('biobank 3 40000', token);
  await light(token, prepared);
  await dark(token, prepared);
  await telephone(token);
} finally {
  await server.stop();
}

/** The search index is built behind the writes. */
async function indexed(name, token) {
  while (!(await server.get('/samples?size=1', { token })).text.includes(name)) await sleep(250);
}

async function light(token, prepared) {
  const browser = await Browser.open(server, { width: 1280, height: 860 });
  let signedIn = false;
  for (const view of views(prepared)) {
    if (!view.anyone && !signedIn) {
      signedIn = true;
      await browser.signIn(token);
    }
    await browser.view(view.path);
    await settled(browser, view.name === 'samples' ? 'biobank 3 40000' : view.whole);
    if (view.name === 'upload') await chooseFiles(browser);
    if (view.name === 'submission') await browser.page.getByRole('button', { name: 'Line 28 in the sheet' }).click();
    await shoot(browser, view.name);
  }
  await checkFirst(browser, token);
  await browser.view('/');
  await browser.page.locator('input[type=file]').setInputFiles(file('plate_7.tsv', goodSheet(400_000, 'plate 7')));
  await browser.page.getByRole('button', { name: /^Register/ }).click();
  await browser.page.getByText(/rows per second/).waitFor();
  await shoot(browser, 'submission-running');
  await browser.close();
}

/** A check of a sheet that changes samples: old and new, cell by cell. */
async function checkFirst(browser, token) {
  const found = await server.get('/samples?text=liver&size=40', { token });
  const accessions = found.json()._embedded.samples.map(({ accession }) => accession);
  const sheet = await server.get(`/samples/template?accession=${accessions.join(',')}`, { token });
  const edited = sheet.text.replaceAll('\tfemale\t', '\tmale\t').replace(/\tliver(?=\n)/g, '\tliver, left lobe');
  await browser.view('/');
  await browser.page.locator('input[type=file]').setInputFiles(file('liver_corrected.tsv', edited));
  await browser.page.getByRole('button', { name: 'Check first' }).click();
  await settled(browser, 'What would change');
  await browser.page.getByRole('region', { name: 'What would change', exact: true }).getByRole('row').nth(3).waitFor();
  await shoot(browser, 'check-first');
}

async function dark(token, prepared) {
  const browser = await Browser.open(server, { width: 1280, height: 860, colorScheme: 'dark' });
  await browser.signIn(token);
  await browser.view(`/samples/${prepared.accession}`);
  await settled(browser, 'Version 1');
  await shoot(browser, 'sample-dark');
  await browser.close();
}

async function telephone(token) {
  const browser = await Browser.open(server, { width: 390, height: 844 });
  await browser.signIn(token);
  await browser.view('/');
  await settled(browser, 'or drop them anywhere on this page');
  await chooseFiles(browser);
  await shoot(browser, 'upload-telephone');
  await browser.close();
}

async function chooseFiles({ page }) {
  await page.locator('input[type=file]').setInputFiles([file('s_liver.tsv', sheetWithBadDates(148, 200))]);
  await page.getByText(/^148.rows$/).waitFor();
}

async function settled({ page }, text) {
  await page.getByText(text).first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function shoot({ page }, name) {
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  console.log(`docs/screenshots/${name}.png`);
}
