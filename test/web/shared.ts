/** What the suites of the page share in a run (start-shared.ts). */
import { inject } from 'vitest';
import type { ApiCaller } from '../support/api-caller.js';
import { RunningServer } from '../support/server.js';
import { Browser, type BrowserOptions } from './browser.js';

/**
 * The service for suites that look at nothing but what belongs to their own accounts, whose names no other suite has.
 * One that lists, counts or searches what all accounts have registered starts a service of its own.
 */
export function sharedServer(): RunningServer {
  const { url, adminToken, pid } = inject('shared').service;
  return new RunningServer(url, adminToken, pid);
}

/** A window of its own in the browser that is shared: cookies, drafts and downloads are its alone. */
export const openBrowser = (server: ApiCaller, options: BrowserOptions = {}): Promise<Browser> =>
  Browser.open(server, { endpoint: inject('shared').browser, ...options });
