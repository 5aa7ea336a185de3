/** One plain service for a run of the suites that share it (shared-server.ts): started when the first of them asks, ended after the last. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { TestServer } from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers with what a suite must know of the service, as JSON. */
    sharedService: string;
  }
}

/** Nobody kills its workers: one that has no turn for long is busy, not dead. */
const SETTINGS = { env: { LEASE_SECONDS: '600' } };

export default async function offer(project: TestProject): Promise<() => Promise<void>> {
  let service: Promise<TestServer> | undefined;
  const start = async (): Promise<TestServer> => {
    // What the suites load is not loaded for those that do not share.
    const { startServer } = await import('./server.js');
    return startServer({ ...SETTINGS, engines: project.config.env?.TEST_ENGINES });
  };
  const offered = createServer((_asked, answer) => {
    service ??= start();
    service.then(
      ({ url, adminToken, pid }) => answer.end(JSON.stringify({ url, adminToken, pid })),
      (error) => answer.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(offered, 'listening');
  project.provide('sharedService', `http://127.0.0.1:${(offered.address() as AddressInfo).port}`);
  return async () => {
    offered.closeAllConnections();
    offered.close();
    if (!service) return;
    await (await service).stop();
    const { closeStorage } = await import('../many-machines/engines.js');
    await closeStorage();
  };
}
