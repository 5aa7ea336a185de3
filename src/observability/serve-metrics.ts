import { createServer } from 'node:http';
import type { Metrics } from './metrics.js';

/** Serves the metrics of a process that serves nothing else whatever path is asked for. */
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<{ close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
      return;
    }
    const { type, body } = await metrics.text();
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
