import type { RequestListener } from 'node:http';
import type { Metrics } from '../metrics.js';
import { routeOf } from './route-name.js';

/** Times every request, from its arrival to the end of its answer. */
export function measured(app: RequestListener, metrics: Pick<Metrics, 'requestEnded'>): RequestListener {
  return (request, response) => {
    const began = performance.now();
    const { method = '', url = '' } = request;
    response.once('close', () => {
      const at = url.indexOf('?');
      const route = routeOf(at < 0 ? url : url.slice(0, at));
      metrics.requestEnded(method, route, response.statusCode, (performance.now() - began) / 1000);
    });
    app(request, response);
  };
}
