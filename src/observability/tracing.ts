/**
 * Traces for OpenTelemetry, when an endpoint is set. The libraries are loaded only then, and may be missing otherwise.
 * Spans are sent in batches behind the work; one that cannot be sent is lost, and nothing else.
 */
import type { IncomingMessage } from 'node:http';

/** Names of attributes are OpenTelemetry's where it has one. */
export type SpanAttributes = Record<string, string | number>;

export interface Traces {
  /** Begins the span of a request, below the one that its `traceparent` names; the function ends it. */
  request(request: IncomingMessage): (route: string, status: number, more: SpanAttributes) => void;
  /** A span of work that has just ended. */
  work(name: string, ms: number, attributes: SpanAttributes): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

const CLOSE_MS = 3_000;

/** Undefined without an endpoint. @throws Error when the optional packages are not installed */
export async function openTraces(endpoint: string | undefined, program: string): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined;
  const { api, sdk, otlp, resources } = await load();
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': program }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })),
    ],
  });
  const tracer = provider.getTracer('sample-registry');
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT } = api;
  return {
    request: (request) => {
      const parent = parentOf(request.headers.traceparent);
      const context = parent ? api.trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      const { method = '' } = request;
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, context);
      return (route, status, more) => {
        span.updateName(`${method} ${route}`);
        span.setAttributes({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          ...more,
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    work: (name, ms, attributes) => {
      const end = Date.now();
      tracer.startSpan(name, { startTime: end - ms, attributes }, ROOT_CONTEXT).end(end);
    },
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

async function load() {
  try {
    const [api, sdk, otlp, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { api, sdk, otlp, resources };
  } catch (error) {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed: run npm install without --omit=optional.',
      { cause: error },
    );
  }
}

/** W3C Trace Context, version 00. */
function parentOf(header: string | string[] | undefined) {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(header ?? '')) ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags as string, 16), isRemote: true };
}
