/** Which answers pages of other origins may read, and what browsers are reported of it beforehand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

const PORTAL = 'https://portal.example.org';
const OTHER = 'https://other.example.org';

/** Of an answer, what browsers look at. */
const reported = async (service: Service, path: string, method: string, headers: Record<string, string>) => {
  const { status, headers: answered } = await service.call(path, { method, token: null, headers });
  const named = [...answered].filter(([name]) => name.startsWith('access-control-'));
  return { status, vary: answered.get('vary'), ...Object.fromEntries(named) };
};
const PREFLIGHT = { 'access-control-request-method': 'GET' };
const EXPOSED =
  'ETag, Location, Link, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Samples-Not-Indexed, Samples-Count, Changes-Cursor, Changes-More, Accept-Ranges, Content-Range, Content-Disposition';
const ALLOWED = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Authorization, Accept, If-None-Match, Range, If-Range, Last-Event-ID',
  'access-control-max-age': '3600',
};

describe.each([
  ['*', { [PORTAL]: '*', [OTHER]: '*' }, null],
  [`${PORTAL},https://second.example.org`, { [PORTAL]: PORTAL }, 'Origin'],
  ['none', {}, null],
])('with CORS_ORIGIN=%s', (setting, allowed: Record<string, string>, vary) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { CORS_ORIGIN: setting } });
  });
  afterAll(() => service.stop());

  it.each([PORTAL, OTHER])('%s reads what it may', async (origin) => {
    const allow = allowed[origin];
    const seen = allow && { 'access-control-allow-origin': allow, 'access-control-expose-headers': EXPOSED };
    expect(await reported(service, '/health/live', 'GET', { origin })).toEqual({ status: 200, vary, ...seen });
    expect(await reported(service, '/samples', 'OPTIONS', { origin, ...PREFLIGHT })).toEqual({
      status: 204,
      vary,
      ...seen,
      ...(allow && ALLOWED),
    });
  });

  it('nothing is said to who names no origin, and caches learn that it depends on it', async () => {
    expect(await reported(service, '/health/live', 'GET', {})).toEqual({ status: 200, vary });
    expect(await reported(service, '/samples', 'OPTIONS', PREFLIGHT)).toEqual({ status: 204, vary });
    expect(await reported(service, '/health/live', 'GET', PREFLIGHT)).toEqual({ status: 200, vary });
  });

  it('OPTIONS without a method that is asked for lists those of the address', async () => {
    const answer = await service.call('/samples', { method: 'OPTIONS', headers: { origin: PORTAL } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    expect(answer.headers.has('access-control-allow-methods')).toBe(false);
  });
});
