/**
 * For everyone: axe on every view, light and dark; 320 pixels; the keyboard alone.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { inColours, seriousFindings } from './axe.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser } from './shared.js';
import { file, sheetWithBadDates } from './sheets.js';
import { type NamedView, type Prepared, prepare, views } from './views.js';

const DESKTOP = { width: 1280, height: 900 };
/** As narrow as a small telephone, and as a desktop at four times its size. */
const TELEPHONE = { width: 320, height: 740 };
/** Of somebody who has set their letters to half as large again. */
const LARGE_LETTERS = { width: 390, height: 740 };
const NAMES = [
  'sign-in',
  'upload',
  'submission',
  'submissions',
  'samples',
  'samples-counts',
  'edit-samples',
  'edit-preview',
  'sample',
  'checklists',
  'checklist',
  'account',
  'accounts',
  'account-of-another',
  'operations',
];

describe.skipIf(without('chromium'))('the page for everyone', () => {
  let server: TestServer;
  let prepared: Prepared;
  let token: string;

  beforeAll(async () => {
    server = await startServer();
    token = await server.token('lab-1', ['read', 'submit', 'admin']);
    prepared = await prepare(server, token);
  });
  afterAll(async () => {
    await server?.stop();
  });

  async function open(browser: Browser, { path, whole, anyone }: NamedView): Promise<void> {
    if (anyone) await browser.context.clearCookies();
    else if ((await browser.context.cookies()).length === 0) await browser.signIn(token);
    await browser.view(path);
    await browser.page.getByText(whole).first().waitFor();
    await expect.poll(() => browser.page.locator('[aria-label^="Loading"]').count()).toBe(0);
  }

  /** What axe finds serious or critical in light and in dark, each as `scheme, rule: where`; of a view that was looked at, within what is new. */
  async function findings({ page }: Browser, within?: string): Promise<string[]> {
    const found: string[] = [];
    for (const scheme of ['dark', 'light'] as const) {
      await inColours(page, scheme);
      found.push(...(await seriousFindings(page, scheme, within)));
    }
    return found;
  }

  const wanted = (name: string): NamedView => views(prepared).find((view) => view.name === name) as NamedView;

  describe('in light and in dark, wide and on a telephone', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser(server);
    });
    afterAll(async () => {
      await browser?.close();
    });

    it.each(NAMES)(
      'axe finds nothing serious in %s, and it does not scroll sideways at 320 pixels, nor with large letters',
      async (name) => {
        const { page } = browser;
        await open(browser, wanted(name));
        await browser.picture(`view-${name}-light`);
        expect(await findings(browser)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        await browser.picture(`view-${name}-dark`);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize(TELEPHONE);
        await browser.picture(`view-${name}-320`);
        // The page is laid out anew a moment after its window has changed.
        const width = () => page.evaluate('document.documentElement.scrollWidth');
        await expect.poll(width).toBeLessThanOrEqual(TELEPHONE.width);
        // What is fixed to the window does not scroll, and is cut off.
        const header = () =>
          page.evaluate<number>(
            "Math.max(0, ...[...document.querySelectorAll('header *')].map((element) => element.getBoundingClientRect().right))",
          );
        expect(await header()).toBeLessThanOrEqual(TELEPHONE.width);
        await page.setViewportSize(LARGE_LETTERS);
        const letters = (size: string) => page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
        await letters('24px');
        await expect.poll(width).toBeLessThanOrEqual(LARGE_LETTERS.width);
        await letters('');
        await page.setViewportSize(DESKTOP);
      },
    );

    it('axe finds nothing serious in an upload with files, a row that is open, menus and dialogs', async () => {
      const { page } = browser;
      await open(browser, wanted('upload'));
      await page
        .locator('input[type=file]')
        .setInputFiles([file('a.tsv', sheetWithBadDates(10, 3)), file('b.tsv', 'Source Name\nx\n')]);
      await page.getByText('No Sample Name column').waitFor();
      await page.getByRole('button', { name: 'More choices' }).click();
      expect(await findings(browser, 'main')).toEqual([]);
      await page.getByRole('button', { name: 'lab-1' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await findings(browser, '[role=menu]')).toEqual([]);
      await open(browser, wanted('submission'));
      await page.getByRole('button', { name: 'Line 28 in the sheet' }).click();
      await page.getByRole('region', { name: 'Line 28 in the sheet' }).waitFor();
      expect(await findings(browser, '[aria-label="Line 28 in the sheet"]')).toEqual([]);
      await page.getByRole('button', { name: 'Undo…' }).click();
      await page.getByRole('dialog', { name: 'Undo this submission?' }).waitFor();
      expect(await findings(browser, '[role=dialog]')).toEqual([]);
      await open(browser, wanted('sample'));
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Add a characteristic' }).waitFor();
      expect(await findings(browser, 'main')).toEqual([]);
      await open(browser, wanted('account'));
      await page.getByRole('button', { name: 'Make a token' }).click();
      expect(await findings(browser, 'main')).toEqual([]);
    });

    it('keeps to its policy', () => {
      expect(browser.incidents).toEqual(CALM);
    });
  });

  describe('on a telephone', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser(server, TELEPHONE);
    });
    afterAll(async () => {
      await browser?.close();
    });

    it('offers its places in a drawer', async () => {
      const { page } = browser;
      await open(browser, wanted('upload'));
      await page.getByRole('button', { name: 'Main navigation' }).click();
      await page.getByRole('link', { name: 'Checklists' }).click();
      await page.getByRole('heading', { level: 1, name: 'Checklists' }).waitFor();
      expect(await findings(browser)).toEqual([]);
    });
  });

  describe('by keyboard alone', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser(server);
      await browser.view('/');
    });
    afterAll(async () => {
      await browser?.close();
    });

    /** Tabs until the focus is on what has this role and name; fails when it never is. */
    async function tabTo(role: string, name: RegExp): Promise<void> {
      const { page } = browser;
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        const focused = page.locator(':focus');
        if ((await focused.count()) === 0) continue;
        const snapshot = await focused.ariaSnapshot();
        const [, foundRole = '', foundName = ''] = /^- (\w+)(?: "(.*?)")?/.exec(snapshot) ?? [];
        if (foundRole === role && name.test(foundName)) {
          const outlined = await focused.evaluate((element) => {
            const view = element.ownerDocument.defaultView;
            const seen = [element, element.nextElementSibling, element.parentElement].filter((one) => one !== null);
            return seen.some((one) => view?.getComputedStyle(one).outlineStyle !== 'none');
          });
          expect(outlined, `focus on ${name} can be seen`).toBe(true);
          return;
        }
      }
      throw new Error(`The keyboard never came to the ${role} ${name}.`);
    }

    it('signs in, uploads, fixes and uploads again', async () => {
      const { page } = browser;
      const key = (name: string) => page.keyboard.press(name);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await tabTo('radio', /Account and password/);
      await key('ArrowRight');
      await tabTo('textbox', /Token/);
      await page.keyboard.type(token);
      await key('Enter');
      await page.getByRole('heading', { name: 'Upload samples' }).waitFor();

      // Heard from now on, or the browser would open a dialog of its own before the press is noticed.
      page.on('filechooser', () => {});
      await tabTo('button', /Choose files/);
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), key('Enter')]);
      await chooser.setFiles(file('keyboard.tsv', sheetWithBadDates(6, 3).replaceAll('liver ', 'keyboard ')));
      await page.getByText(/^6.rows$/).waitFor();
      await tabTo('button', /^Register 6.samples$/);
      await key('Enter');
      await page.getByRole('heading', { name: 'To fix (2)' }).waitFor();

      await tabTo('button', /Go to what needs fixing/);
      await key('Enter');
      await tabTo('button', /Use all 2 suggestions/);
      await key('Enter');
      await tabTo('button', /^Upload the 2.fixed rows$/);
      await key('Enter');
      await page.getByRole('heading', { name: 'keyboard fixed.tsv' }).waitFor();
      await page.getByText('Every row of the sheet is registered').waitFor();
      await browser.picture('keyboard');
    });

    it('jumps over the places to the content', async () => {
      const { page } = browser;
      await browser.view('/checklists');
      await page.getByRole('heading', { level: 1, name: 'Checklists' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.locator(':focus').getAttribute('id')).toBe('main');
    });
  });
});
