/**
 * A system whose own colours take the place of all others (forced colours, high contrast).
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { PATIENT } from './steps.js';

const RELATED = `Sample Name\tRelease Date\tCharacteristics[organism]\tComment[bsd_relationship:derived from]
donor\t2024-01-01\tHomo sapiens\t
liver\t2024-01-01\tHomo sapiens\tdonor
`;

describe.skipIf(without('chromium'))('the system’s own colours', () => {
  let server: RunningServer;
  let browser: Browser;
  let accession: string;
  beforeAll(async () => {
    server = sharedServer();
    const token = await server.token('lab-own-colours');
    const { id } = await server.uploadAndSettle(RELATED, { token });
    accession = (await server.mapping(id, token)).sampleNameAccessionPairs[0]?.sampleAccession as string;
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('let what is chosen be seen: marks of boxes and buttons, and the chosen one of a row', async () => {
    const { page } = browser;
    await page.emulateMedia({ forcedColors: 'active' });
    const style = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
    await browser.view('/samples?filter=account:lab-own-colours');
    await page.getByRole('row', { name: /SAMR/ }).first().waitFor(PATIENT);
    await page.getByRole('checkbox', { name: 'Choose all samples shown' }).check();
    const [box, mark] = ['.mantine-Checkbox-input:checked', '.mantine-Checkbox-input:checked + .mantine-Checkbox-icon'];
    expect(await style(mark, 'color')).not.toBe(await style(box, 'backgroundColor'));
    await browser.view('/');
    await page.getByRole('radio').first().waitFor(PATIENT);
    const [ring, dot] = ['.mantine-Radio-radio:checked', '.mantine-Radio-radio:checked + .mantine-Radio-icon'];
    expect(await style(dot, 'color')).not.toBe(await style(ring, 'backgroundColor'));
    await browser.view(`/samples/${accession}`);
    await page.locator('.mantine-SegmentedControl-indicator').first().waitFor(PATIENT);
    expect(await style('.mantine-SegmentedControl-indicator', 'borderTopWidth')).toBe('2px');
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
