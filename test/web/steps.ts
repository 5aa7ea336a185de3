/** What more than one suite does in the page, in the page's words. */
import type { Locator, Page } from 'playwright-core';
import { isAlive } from '../support/processes.js';
import type { Browser } from './browser.js';
import type { file } from './sheets.js';

/** Of somebody who signs in for the first time. */
export const PASSWORD = 'a long enough password';

/** As a slow machine needs it: how long anything takes is nobody's question here. */
export const PATIENT = { timeout: 300_000 };

/** Chooses the files in a fresh upload view, and waits until the rows of each are counted, or until it is refused. */
export async function choose(browser: Browser, ...files: ReturnType<typeof file>[]): Promise<void> {
  const { page } = browser;
  await browser.view('/');
  await page.getByRole('heading', { name: 'Upload samples' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(files);
  const list = page.getByRole('list', { name: 'Chosen files' });
  await list.getByText((files.at(-1) as { name: string }).name, { exact: true }).waitFor();
  await list.getByText('Looking at the first lines…').first().waitFor({ state: 'detached' });
}

/** The outcome of a sheet without errors is shown. */
export const registered = (page: Page) => page.getByText('Every row of the sheet is registered').waitFor(PATIENT);

/** Of the submission that is shown. */
export const idInAddress = (page: Page) => page.url().split('/submissions/')[1] as string;

/** Fills in the form of account and password, wherever it is shown. */
export async function signInByForm(page: Page, account: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill(account);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What a one-time password leads to. */
export async function choosePassword(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm new password', exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What twelve hours do to a session, as the page meets it: its cookie holds no longer. */
export const endSession = ({ context }: Browser) => context.clearCookies();

/** Renews an ended session over the view. */
export async function signInAgain(page: Page, token: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByText('Token', { exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Token' }).fill(token);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached', ...PATIENT });
}

/** The account's menu at the page's head, whatever else it says: drafts, say. */
export const accountMenu = (page: Page, account: string) =>
  page.getByRole('button', { name: new RegExp(`^${account}( ·|$)`) });

export async function signOut(page: Page, account: string): Promise<void> {
  await accountMenu(page, account).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/**
 * Every row of a table that draws only those in sight, scrolled through from top to bottom: its number → the texts of its
 * cells, of a cell with a field what stands in that. Each scroll is announced by hand: on a busy machine Chromium has
 * stopped drawing frames, and with them saying so, until the next page was opened.
 */
export async function everyRow(box: Locator): Promise<Map<number, string[]>> {
  await box.locator('tbody tr[aria-rowindex]').first().waitFor();
  const rows = await box.evaluate(async (element) => {
    const { Event, performance } = globalThis as unknown as {
      Event: new (name: string) => never;
      performance: { now(): number };
    };
    const found: [number, string[]][] = [];
    const inSight = () => [...element.querySelectorAll('tbody tr[aria-rowindex]')];
    const failed = (what: string): Error =>
      new Error(`The table ${what} at ${element.scrollTop} of ${element.scrollHeight}, ${found.length} rows`);
    const edges = (of: typeof element) => of.getBoundingClientRect();
    const isCovered = (): boolean => {
      const [rows, view, table] = [inSight(), edges(element), edges(element.querySelector('tbody') as typeof element)];
      const [first, last] = [rows[0], rows.at(-1)] as (typeof element)[];
      if (first === undefined || last === undefined) return false;
      return (
        edges(first).top <= Math.max(view.top, table.top) + 1 &&
        edges(last).bottom >= Math.min(view.bottom, table.bottom) - 1
      );
    };
    for (let [before, steps] = [-1, 0]; element.scrollTop > before; steps++) {
      if (steps > 5_000) throw failed('scrolls without end');
      for (const row of inSight()) {
        const cells = [...row.children].map((cell) => cell.querySelector('input')?.value ?? cell.textContent ?? '');
        found.push([Number(row.getAttribute('aria-rowindex')), cells]);
      }
      before = element.scrollTop;
      element.scrollTop += element.clientHeight - 80;
      element.dispatchEvent(new Event('scroll'));
      const began = performance.now();
      // A turn in any case: React takes many updates within one for a loop without end.
      do {
        if (performance.now() - began > 300_000) throw failed('shows no rows');
        await new Promise((again) => setTimeout(again));
      } while (!isCovered());
    }
    return found;
  });
  return new Map(rows);
}

/** Worker processes stand still meanwhile: what is looked at cannot be over before it was. */
export async function whileFrozen(workers: number[], look: () => Promise<void>): Promise<void> {
  for (const pid of workers) process.kill(pid, 'SIGSTOP');
  try {
    await look();
  } finally {
    for (const pid of workers) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  }
}

/** What a scroll leads to is drawn. */
export const nextFrame = (page: Page) =>
  page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
