/** One service and one browser for a run of the page's suites: started before the first of them, ended after the last. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { startServer } from '../support/server.js';
import { launchOptions } from './browser.js';

/** What the suites know of what they share. */
export interface Shared {
  service: { url: string; adminToken: string; pid: number };
  /** Address of the browser. */
  browser: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    shared: Shared;
  }
}

export default async function start(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The suites say themselves that they are left out.
  if (!process.env.TEST_CHROMIUM) return undefined;
  const [server, browser] = await Promise.all([startServer(), chromium.launchServer(launchOptions())]);
  const { url, adminToken, pid } = server;
  project.provide('shared', { service: { url, adminToken, pid }, browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    await server.stop();
  };
}
