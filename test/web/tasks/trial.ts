/** A task at one width and in one scheme, and the look that each view and dialog on its way has to stand. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { RunningServer } from '../../support/server.js';
import { type ColorScheme, inColours, seriousFindings } from '../axe.js';
import type { Browser } from '../browser.js';
import { unreachable } from './unreachable.js';

export interface Screen {
  width: number;
  height: number;
  scheme: ColorScheme;
}

export interface Task {
  title: string;
  run: (trial: Trial) => Promise<void>;
}

/** Below this the views are behind a button (web/src/shell). */
const WIDE = 992;

export class Trial {
  /** Nobody else's, so that every list holds what this screen's tasks made. */
  readonly account: string;

  private constructor(
    readonly server: RunningServer,
    readonly browser: Browser,
    readonly token: string,
    readonly screen: Screen,
  ) {
    this.account = accountOf(screen);
  }

  static async open(server: RunningServer, browser: Browser, screen: Screen): Promise<Trial> {
    const trial = new Trial(server, browser, await server.token(accountOf(screen)), screen);
    await browser.page.setViewportSize(screen);
    await browser.view('/');
    await inColours(browser.page, screen.scheme);
    return trial;
  }

  get page() {
    return this.browser.page;
  }

  /** A name that no other screen's tasks use. */
  of = (name: string) => `${name} ${this.screen.width} ${this.screen.scheme}`;
  button = (name: string | RegExp) => this.page.getByRole('button', { name });
  heading = (name: string | RegExp) => this.page.getByRole('heading', { name });
  dialog = (name: string) => this.page.getByRole('dialog', { name });
  result = () => this.page.getByRole('link', { name: 'Download result' });

  /** By the links of the page alone. */
  async goTo(view: string): Promise<void> {
    if (this.screen.width < WIDE) await this.button('Main navigation').click();
    await this.page.getByRole('link', { name: view, exact: true }).click();
    await this.heading(view).waitFor();
  }

  /** `main`: what is to be done here. */
  async look(where: string, main: Locator): Promise<void> {
    const { page, screen } = this;
    await main.first().waitFor();
    const box = await main.first().boundingBox();
    const inSight = box !== null && box.x >= 0 && box.x + box.width <= screen.width;
    expect(inSight, `${where}: its main button is in sight`).toBe(true);
    // An open dialog keeps the document from scrolling, not the body from being too wide.
    const scroll = Number(
      await page.evaluate('Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)'),
    );
    expect(scroll, `${where}: nothing to scroll sideways for`).toBeLessThanOrEqual(screen.width);
    expect(await unreachable(page), `${where}: what cannot be reached`).toEqual([]);
    expect(await seriousFindings(page, screen.scheme), where).toEqual([]);
  }
}

const accountOf = ({ width, scheme }: Screen): string => `lab-${width}-${scheme}`;
