/**
 * Ten tasks of the first days, on a wide screen, a tablet and a telephone, in light and in dark: each comes to its end,
 * and every view and dialog on the way has its main button in sight, nothing to scroll sideways for, nothing that a
 * pointer cannot reach and nothing serious for axe.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROOF } from '../support/proof.js';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import type { ColorScheme } from './axe.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { colleague, firstSignIn } from './tasks/accounts.js';
import { fiftyFiles } from './tasks/fifty-files.js';
import { endedSession, largeSheet, searchAndBack } from './tasks/find-again.js';
import { embargo, plainHeaders, sixRows } from './tasks/small-sheets.js';
import { type Screen, Trial } from './tasks/trial.js';
import { twelveErrors } from './tasks/twelve-errors.js';
import { unreachable } from './tasks/unreachable.js';

const SIZES = [
  { width: 1280, height: 900 },
  { width: 820, height: 1100 },
  { width: 390, height: 844 },
];
const SCHEMES: readonly ColorScheme[] = ['light', 'dark'];
const SCREENS: Screen[] = SIZES.flatMap((size) => SCHEMES.map((scheme) => ({ ...size, scheme })));

/** The long ones stand apart, so that no screen gets two of them. */
const TASKS = [
  firstSignIn,
  colleague,
  sixRows,
  embargo,
  twelveErrors,
  largeSheet,
  plainHeaders,
  searchAndBack,
  endedSession,
  fiftyFiles,
];

/** In the proof all; else those that fall to the screen when they are dealt out one after the other. */
const tasksOf = (screen: Screen) => TASKS.filter((_, at) => PROOF || SCREENS[at % SCREENS.length] === screen);

describe.skipIf(without('chromium'))('the tasks of the first days', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = sharedServer();
    browser = await openBrowser(server);
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('are looked at by a look that finds what a pointer cannot reach', async () => {
    const { page } = browser;
    await page.setContent(`<button>plain</button>
      <div style="width: 200px; overflow: auto"><div style="width: 3000px; text-align: right"><button>far, in a box that scrolls</button></div></div>
      <label><input type="checkbox" style="opacity: 0.01"><span>with its label</span></label>
      <div style="width: 200px; overflow: hidden"><div style="width: 3000px; text-align: right"><button>cut off</button></div></div>
      <div style="position: relative"><button>covered</button><div style="position: absolute; inset: 0">a cloth</div></div>
      <button style="position: absolute; left: -300px">beside</button>`);
    expect(await unreachable(page)).toEqual([
      '<button> cut off is beside the window',
      '<button> covered lies behind <div> a cloth ',
      '<button> beside is beside the window',
    ]);
  });

  describe.each(SCREENS)('at $width pixels, $scheme', (screen) => {
    let trial: Trial;
    beforeAll(async () => {
      trial = await Trial.open(server, browser, screen);
    });
    beforeEach(() => browser.signIn(trial.token));

    for (const { title, run } of tasksOf(screen)) it(title, () => run(trial));
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
