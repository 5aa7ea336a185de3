/** What of a request is counted, traced and logged when it has ended. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { measured } from '../../../src/http/measure.js';
import { requestId, requestLog } from '../../../src/http/request-log.js';
import { createLog } from '../../../src/observability/log.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';

interface Ended {
  status?: number;
  location?: string;
  /** Nothing of it got lost on its way. */
  isWhole?: boolean;
}

function answer({ status = 200, location, isWhole = true }: Ended = {}): ServerResponse & Response {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  const response = Object.assign(new EventEmitter(), {
    statusCode: status,
    writableFinished: isWhole,
    getHeader: (name: string) => headers[name.toLowerCase()],
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
  });
  return response as unknown as ServerResponse & Response;
}

describe('a request that has ended', () => {
  function counted(method: string | undefined, url: string | undefined, ended: Ended = {}, isTraced = true) {
    const asked: unknown[][] = [];
    const seconds: number[] = [];
    const app = (request: IncomingMessage) => {
      // As the service does with what a proxy is sent.
      request.url = '/else';
    };
    const listener = measured(
      app,
      {
        requestEnded: (...given) => {
          seconds.push(given[3]);
          asked.push(given.slice(0, 3));
        },
      },
      isTraced
        ? {
            request:
              () =>
              (...given) =>
                void asked.push(given),
          }
        : undefined,
      '/registry',
    );
    const response = answer(ended);
    const before = performance.now();
    listener({ method, url } as IncomingMessage, response);
    expect(asked).toEqual([]);
    for (const _ of [1, 2]) response.emit('close');
    expect(seconds).toEqual([expect.any(Number)]);
    expect((seconds[0] as number) * 1000).toBeLessThanOrEqual(performance.now() - before);
    expect(seconds[0]).toBeGreaterThanOrEqual(0);
    return asked;
  }

  it('is counted and traced by its method, its route and its status', () => {
    expect(counted('GET', '/registry/samples/SAMR1?text=/x/y', { status: 404 })).toEqual([
      ['GET', '/samples/:id', 404],
      ['/samples/:id', 404, {}],
    ]);
    expect(counted('GET', '/registry/samples', {}, false)).toEqual([['GET', '/samples', 200]]);
    expect(counted(undefined, undefined)).toEqual([
      ['', 'other', 200],
      ['other', 200, {}],
    ]);
  });

  it('is so too where a proxy wrote scheme and host before its address', () => {
    for (const address of ['http://proxied.example/registry/samples', 'http://proxied.example/registry/samples?size=1'])
      expect(counted('GET', address, {}, false)).toEqual([['GET', '/samples', 200]]);
  });

  it('is traced with its submission', () => {
    const traced = (url: string, location?: string) => counted('POST', url, { location } as Ended)[1]?.[2];
    expect(traced(`/registry/submissions/${ID}/undo`)).toEqual({ 'submission.id': ID });
    expect(traced('/registry/submissions', `/submissions/${ID}`)).toEqual({ 'submission.id': ID });
    expect(traced(`/registry/samples?text=/submissions/${ID}`)).toEqual({});
  });
});

describe('the log', () => {
  function logged(method: string, url: string, ended: Ended = {}, headers: Record<string, string> = {}) {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('debug', 'test', { write: (line) => void lines.push(JSON.parse(line)) });
    const response = answer(ended);
    const before = performance.now();
    let passed = 0;
    requestLog(log)({ method, originalUrl: url, headers } as unknown as Request, response, () => passed++);
    expect([passed, lines]).toEqual([1, []]);
    for (const _ of [1, 2]) response.emit('close');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.requestId).toBe(response.getHeader('X-Request-Id'));
    expect(lines[0]?.ms).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
    return lines[0];
  }

  it('has a line of each, without what was looked for', () => {
    const line = logged('GET', '/samples?text=private', { status: 404 });
    expect(line).toMatchObject({ method: 'GET', path: '/samples', status: 404, msg: 'request' });
    expect(Object.keys(line as object)).not.toContain('left');
    expect(Object.keys(line as object)).not.toContain('submissionId');
    expect(logged('POST', '/submissions', { location: `/submissions/${ID}` })).toMatchObject({ submissionId: ID });
  });

  it.each([
    ['GET', {}, 20],
    ['HEAD', {}, 20],
    ['GET', { status: 499 }, 20],
    ['GET', { status: 500 }, 30],
    ['HEAD', { status: 503 }, 30],
    ['GET', { isWhole: false }, 30],
    ['POST', {}, 30],
    ['DELETE', { status: 404 }, 30],
  ] as const)('says by default what changes, fails or was left: %s %j at level %i', (method, ended, level) => {
    const line = logged(method, '/samples', ended);
    expect(line?.level).toBe(level);
    expect(line?.left).toBe('isWhole' in ended ? true : undefined);
  });

  it('calls a request as its client does, where that is a usable name', () => {
    const named = (id: string | undefined) =>
      requestId({ headers: { 'x-request-id': id } } as unknown as IncomingMessage);
    for (const id of ['a', 'Batch_7.2:x-1', 'x'.repeat(100)]) {
      expect(named(id)).toBe(id);
      expect(logged('GET', '/', {}, { 'x-request-id': id })?.requestId).toBe(id);
    }
    for (const id of [undefined, '', 'x'.repeat(101), 'a b', 'a\n', 'ü', ' a'])
      expect(named(id)).toMatch(/^[\da-f-]{36}$/);
    expect(named(undefined)).not.toBe(named(undefined));
  });
});
