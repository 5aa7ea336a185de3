/** What the suites of the page share: a service in a run (start-shared.ts), a browser in each of its processes. */
import { chromium, type Browser as Program } from 'playwright-core';
import { inject } from 'vitest';
import type { ApiCaller } from '../support/api-caller.js';
import { RunningServer } from '../support/server.js';
import { Browser, type BrowserOptions, launchOptions } from './browser.js';

/**
 * The service for suites that look at nothing but what belongs to their own accounts, whose names no other suite has.
 * One that lists, counts or searches what all accounts have registered starts a service of its own.
 */
export function sharedServer(): RunningServer {
  const { url, adminToken, pid } = inject('shared').service;
  return new RunningServer(url, adminToken, pid);
}

/** Ends with the process. Talking to one for all of the run by way of another process took a tenth of the suites' time. */
let program: Promise<Program> | undefined;

/** A window of its own in the browser that is shared: cookies, drafts and downloads are its alone. */
export async function openBrowser(server: ApiCaller, options: BrowserOptions = {}): Promise<Browser> {
  program ??= chromium.launch(launchOptions());
  return Browser.open(server, { program: await program, ...options });
}
