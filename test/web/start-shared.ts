/** One service for a run of the page's suites: started before the first of them, ended after the last. */
import type { TestProject } from 'vitest/node';
import { startServer } from '../support/server.js';

/** What the suites know of what they share. */
export interface Shared {
  service: { url: string; adminToken: string; pid: number };
}

declare module 'vitest' {
  interface ProvidedContext {
    shared: Shared;
  }
}

/**
 * A worker that a suite has frozen (steps.ts) is not taken for dead, and suites that come one after the other more quickly
 * than people do sign in as often as they like, all from one address.
 */
const SETTINGS = { env: { LEASE_SECONDS: '600', RATE_SIGN_INS_PER_MINUTE: '0' } };

export default async function start(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The suites say themselves that they are left out.
  if (!process.env.TEST_CHROMIUM) return undefined;
  const server = await startServer(SETTINGS);
  const { url, adminToken, pid } = server;
  project.provide('shared', { service: { url, adminToken, pid } });
  return () => server.stop();
}
