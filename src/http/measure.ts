import type { RequestListener } from 'node:http';
import type { Metrics } from '../observability/metrics.js';
import type { Traces } from '../observability/tracing.js';
import { routeBelow } from './operation-match.js';
import { submissionOf } from './submission-address.js';
import { withoutOrigin } from './tidy-address.js';

/** Times every request, from its arrival to the end of its answer. */
export function measured(
  app: RequestListener,
  metrics: Pick<Metrics, 'requestEnded'>,
  traces: Pick<Traces, 'request'> | undefined,
  basePath: string,
): RequestListener {
  return (request, response) => {
    const began = performance.now();
    const { method = '' } = request;
    const url = withoutOrigin(request.url ?? '');
    const endSpan = traces?.request(request);
    response.once('close', () => {
      const at = url.indexOf('?');
      const path = at < 0 ? url : url.slice(0, at);
      const route = routeBelow(basePath, path);
      metrics.requestEnded(method, route, response.statusCode, (performance.now() - began) / 1000);
      if (!endSpan) return;
      const submission = submissionOf(response, path);
      endSpan(route, response.statusCode, submission ? { 'submission.id': submission } : {});
    });
    app(request, response);
  };
}
