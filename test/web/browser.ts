/** A real headless Chromium on the real page, and what is looked at in every test: policy, errors, foreign requests. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type LaunchOptions, type Page, type Browser as Program } from 'playwright-core';
import type { ApiCaller } from '../support/api-caller.js';
import { OUTPUT_DIR } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { service } from '../support/services.js';
import { lookAgainSoon } from './soon.js';

/** How Chromium is started, for a run or for one suite. */
export const launchOptions = (): LaunchOptions => ({
  executablePath: service('chromium'),
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // No page lives for long here: compiling its code again, and better, took a tenth of the renderers' time.
    '--js-flags=--invocation-count-for-maglev=4000',
  ],
});

/** How long a view is waited for. How fast it comes is no question of these suites, which share the machine with others. */
const PATIENCE_MS = 300_000;

export interface BrowserOptions {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  /** Where the reader is, `America/New_York` say; by default where this machine is. */
  timezoneId?: string;
  /** One that runs already and is shared; by default one is started, and ends with this one. */
  program?: Program;
}

/** What went wrong in the page without anybody looking; every list is empty after a good test. */
export interface Incidents {
  /** Broken parts of the Content-Security-Policy. */
  policy: string[];
  /** Uncaught errors and dialogs: what a script of somebody else's would show up as. */
  errors: string[];
  /** Requests to other hosts. */
  foreign: string[];
}

export class Browser {
  readonly incidents: Incidents = { policy: [], errors: [], foreign: [] };
  /** How often the browser has asked before leaving the page; the answer is always to leave. */
  askedBeforeLeaving = 0;

  #loaded = 0;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly server: ApiCaller,
    private readonly ownsProgram: boolean,
  ) {}

  static async open(
    server: ApiCaller,
    { width = 1280, height = 900, colorScheme = 'light', timezoneId, program: shared }: BrowserOptions = {},
  ) {
    const program = shared ?? (await chromium.launch(launchOptions()));
    const context = await program.newContext({
      viewport: { width, height },
      colorScheme,
      ...(timezoneId === undefined ? {} : { timezoneId }),
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const browser = new Browser(context, await context.newPage(), server, shared === undefined);
    lookAgainSoon(browser.page, PATIENCE_MS);
    await browser.#watch();
    return browser;
  }

  async #watch(): Promise<void> {
    const { policy, errors, foreign } = this.incidents;
    await this.context.exposeFunction('noteViolation', (text: string) => policy.push(text));
    // As text: it runs in the page, which these types do not know.
    await this.context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      window.noteViolation([event.violatedDirective, event.blockedURI, event.sample].join(' ')))`);
    this.page.on('pageerror', (error) => errors.push(error.message));
    this.page.on('dialog', (dialog) => {
      if (dialog.type() === 'beforeunload') {
        this.askedBeforeLeaving += 1;
        void dialog.accept();
        return;
      }
      errors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const own = new URL(this.server.url).origin;
    this.page.on('request', (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && new URL(url).origin !== own) foreign.push(url);
    });
  }

  /** Opens a view afresh by its address, `/submissions` say. */
  async view(path = '/'): Promise<void> {
    // Another query makes it another document, where another fragment would only be another view of the same one.
    await this.page.goto(`${this.server.url}/page/?${++this.#loaded}#${path}`);
  }

  /** A session of the account, without the sign-in form. */
  async signIn(token: string): Promise<void> {
    const answer = await this.context.request.post(`${this.server.url}/auth/session`, { data: { token } });
    if (!answer.ok()) throw new Error(`POST /auth/session answered ${answer.status()}: ${await answer.text()}`);
  }

  /** In the proof, keeps a picture of the whole page under test-output/page/; none is compared with anything. */
  async picture(name: string): Promise<void> {
    if (!PROOF) return;
    const folder = join(OUTPUT_DIR, 'page');
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  /** Text of the file that a click saves. */
  async saved(click: () => Promise<void>): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent('download', { timeout: 300_000 }), click()]);
    const stream = await download.createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    return { name: download.suggestedFilename(), text: Buffer.concat(parts).toString('utf8') };
  }

  /** Ends the browser, or takes leave of one that is shared. */
  async close(): Promise<void> {
    await this.context.close();
    if (this.ownsProgram) await this.context.browser()?.close();
  }
}

/** No policy broken, no foreign script's doing, no request to another host. */
export const CALM: Incidents = { policy: [], errors: [], foreign: [] };
