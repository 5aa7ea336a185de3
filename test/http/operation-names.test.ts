/** Names of requests in metrics and in the audit log: one for each operation, one for everything unknown. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { nameOf, routeBelow, routeOf } from '../../src/http/operation-match.js';
import { Metrics } from '../../src/observability/metrics.js';

const filled = (path: string): string => path.replace(/\{\w+\}/g, 'SAMR1');

describe('the name of a request', () => {
  it.each(OPERATIONS.map(({ method, path }) => [method, path] as const))('of %s %s is its own', (_method, path) => {
    const name = nameOf({ path });
    const others = OPERATIONS.filter((other) => other.path !== path).map((other) => nameOf(other));
    expect(others).not.toContain(name);
    for (const spelled of [path, path.toUpperCase(), `${path}/`]) expect(routeOf(filled(spelled)), spelled).toBe(name);
    expect(routeBelow('/registry', `/registry${filled(path)}`)).toBe(name);
    expect(routeBelow('/registry', `/Registry${filled(path)}`)).toBe(name);
  });

  it('of what nobody described is one and the same', () => {
    const words = ['samples', 'accession', 'files', 'me', 'x', 'auth', 'webhooks', 'history', 'tokens', 'registry'];
    const names = new Set<string>();
    for (let n = 0; n < 60_000; n += 1) {
      const path = Array.from({ length: 1 + (n % 7) }, (_, step) => words[(n >> step) % words.length]).join('/');
      names.add(routeOf(`/${path}`));
    }
    expect(names).toContain('other');
    expect(names.size).toBeLessThanOrEqual(new Set(OPERATIONS.map((one) => nameOf(one))).size + 1);
    expect(routeBelow('/registry', '/registryx/samples')).toBe('other');
    expect(routeBelow('/registry', '/samples')).toBe('other');
    expect(routeOf('/samples/accession/history')).toBe('/samples/:id/history');
    expect(routeOf('/page/assets/x.js')).toBe('/page');
  });

  it('keeps the metrics small, whatever is asked for', async () => {
    const metrics = new Metrics();
    for (let n = 0; n < 20_000; n += 1)
      metrics.requestEnded('GET', routeOf(`/samples/samples/${n}/me/files/${n}`), 404, 0);
    expect((await metrics.text()).body.length).toBeLessThan(100_000);
  });
});
