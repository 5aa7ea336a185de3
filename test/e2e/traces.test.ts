/** @module-tag slow */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer } from '../support/server.js';

interface Span {
  name: string;
  traceId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Received {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[];
}

let collector: Server;
let received: Received[];
beforeEach(async () => {
  received = [];
  collector = createServer(async (request, response) => {
    if (request.url === '/v1/traces') received.push((await json(request)) as Received);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(() => collector.close());

const spans = (): (Span & { program: string; named: Record<string, string | number | undefined> })[] =>
  received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap((scope) =>
        scope.spans.map((span) => ({
          ...span,
          program: String(asRecord(resource.attributes)['service.name']),
          named: asRecord(span.attributes),
        })),
      ),
    ),
  );
const asRecord = (attributes: Span['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

it('requests and chunks are traced to a collector, below the caller’s span, and tied by the submission', async () => {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const { id } = await server.uploadAndSettle(plainSheet({ tag: 'traced', rows: 3 }), {
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  // Stopping sends what is left.
  await server.stop();
  const upload = spans().find(({ name }) => name === 'POST /submissions');
  expect(upload).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', program: 'sample-registry' });
  expect(upload?.named).toMatchObject({ 'http.response.status_code': 201, 'submission.id': id });
  const chunk = spans().find(({ name }) => name === 'apply chunk');
  expect(chunk?.program).toBe('sample-registry-ingest');
  expect(chunk?.named).toMatchObject({ 'submission.id': id, rows: 3 });
});
