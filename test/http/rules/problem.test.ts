/** What a failure is answered with, header by header, and what of it is logged. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { describe as document, expectedFailure, isDiskFull, sendProblem } from '../../../src/http/problem.js';
import { createLog } from '../../../src/observability/log.js';
import { ERRORS, RegistryError } from '../../../src/registry/errors.js';

interface Answered {
  response: ServerResponse;
  headers: Record<string, unknown>;
  body: string | undefined;
  logged: Record<string, unknown>[];
}

function answerTo(error: unknown, { method = 'GET', begun = false, before = {} } = {}): Answered {
  const logged: Record<string, unknown>[] = [];
  const log = createLog('info', 'test', { write: (line) => void logged.push(JSON.parse(line)) });
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url: '/samples?text=private' });
  const response = new ServerResponse(request);
  for (const [name, value] of Object.entries(before)) response.setHeader(name, String(value));
  if (begun) response.writeHead(200);
  let body: string | undefined;
  response.end = ((text?: string) => {
    body = text;
    return response;
  }) as typeof response.end;
  sendProblem(request, response, error, { log, basePath: '/registry' });
  return { response, headers: { ...response.getHeaders() }, body, logged };
}

const failure = (members: object): Error => Object.assign(new Error('at /srv/db'), members);

describe('a refusal', () => {
  const refused = new RegistryError('sample.invalid', 'No naïve name.', {
    errors: [{ dataPath: '/name', errors: ['is empty'] }],
  });

  it('is a problem document with its length, kept by nobody', () => {
    const { response, headers, body, logged } = answerTo(refused);
    expect(JSON.parse(body as string)).toEqual({
      type: '/registry/problems/sample.invalid',
      title: ERRORS['sample.invalid'],
      status: 422,
      detail: 'No naïve name.',
      code: 'sample.invalid',
      message: 'No naïve name.',
      errors: [{ dataPath: '/name', errors: ['is empty'] }],
    });
    expect(response.statusCode).toBe(422);
    expect(headers).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body as string),
    });
    expect(logged).toEqual([]);
  });

  it('of HEAD has the headers alone', () => {
    const { headers, body } = answerTo(refused, { method: 'HEAD' });
    expect(body).toBeUndefined();
    expect(headers['content-length']).toBe(answerTo(refused).headers['content-length']);
  });

  it('has nothing of the answer that was being made, and what is true of every answer', () => {
    const every = { 'content-security-policy': "default-src 'none'", vary: 'Accept', allow: 'GET' };
    const named = ['etag', 'cache-control', 'last-modified', 'accept-ranges'];
    const alike = Object.fromEntries(named.flatMap((name) => [`x-${name}`, `${name}-x`]).map((name) => [name, 'x']));
    const made = {
      'content-disposition': 'attachment',
      'content-encoding': 'gzip',
      etag: '"a"',
      'last-modified': 'now',
      'accept-ranges': 'bytes',
    };
    const { headers } = answerTo(refused, { before: { ...every, ...alike, ...made } });
    expect(headers).toMatchObject({ ...every, ...alike });
    expect(Object.keys(headers).filter((name) => name in made)).toEqual([]);
    expect(document(refused)).toMatchObject({ type: '/problems/sample.invalid' });
  });
});

describe('the headers of a refusal', () => {
  const headersOf = (code: 'auth.required' | 'range.unsatisfiable' | 'rate.limited', extra?: Record<string, unknown>) =>
    answerTo(new RegistryError(code, 'no', extra && { extra }));

  it('ask for a token, and say that the one which came is not valid', () => {
    expect(headersOf('auth.required').headers['www-authenticate']).toBe('Bearer realm="sample registry"');
    const { headers, body } = headersOf('auth.required', { tokenRefused: true, other: 1 });
    expect(headers['www-authenticate']).toBe('Bearer realm="sample registry", error="invalid_token"');
    expect(Object.keys(JSON.parse(body as string))).not.toContain('tokenRefused');
    expect(JSON.parse(body as string)).toMatchObject({ other: 1 });
  });

  it('say how long the file is of which a part was asked for', () => {
    expect(headersOf('range.unsatisfiable', { size: 77 }).headers['content-range']).toBe('bytes */77');
  });

  it.each([
    ['rate.limited', 10],
    ['service.unavailable', 5],
    ['storage.full', 60],
  ] as const)('say when to come back: %s after %i s, unless who refuses knows better', (code, seconds) => {
    expect(answerTo(new RegistryError(code, 'no')).headers['retry-after']).toBe(seconds);
    const asked = new RegistryError(code, 'no', { extra: { retryAfter: 600 } });
    expect(answerTo(asked).headers['retry-after']).toBe(600);
  });

  it('of no other refusal say any of it', () => {
    for (const code of ['not-found', 'auth.forbidden', 'internal', 'conflict'] as const) {
      const extra = { retryAfter: 6, size: 7, tokenRefused: true };
      expect(Object.keys(answerTo(new RegistryError(code, 'no', { extra })).headers)).toEqual([
        'content-type',
        'cache-control',
        'content-length',
      ]);
    }
  });
});

describe('a failure that nobody expected', () => {
  it('is logged with what was asked, but for what was looked for, and its insides stay there', () => {
    const { response, body, logged } = answerTo(failure({}), { method: 'PUT' });
    const { errorId, ...shown } = JSON.parse(body as string);
    expect(errorId).toMatch(/^[\da-f-]{36}$/);
    expect([response.statusCode, shown]).toEqual([
      500,
      expect.objectContaining({
        code: 'internal',
        type: '/registry/problems/internal',
        detail: `Something went wrong here, not with your request. Quote ${errorId} to the operators.`,
      }),
    ]);
    expect(logged).toEqual([
      expect.objectContaining({ errorId, method: 'PUT', url: '/samples', msg: 'unexpected error', level: 50 }),
    ]);
    expect(JSON.stringify(logged[0]?.err)).toContain('/srv/db');
  });

  it('behind the beginning of an answer cuts it', () => {
    const { response, body, logged } = answerTo(failure({}), { begun: true });
    expect([response.destroyed, body]).toEqual([true, undefined]);
    expect(logged).toHaveLength(1);
    const expected = answerTo(new RegistryError('storage.damaged', 'A block.'), { begun: true });
    expect(expected.response.destroyed).toBe(true);
    expect(expected.logged).toEqual([
      expect.objectContaining({ code: 'storage.damaged', url: '/samples', msg: 'answer cut short', level: 40 }),
    ]);
  });

  it('of the machine is logged as such', () => {
    const { response, logged } = answerTo(failure({ code: 'EIO' }), { method: 'DELETE' });
    expect(response.statusCode).toBe(503);
    expect(logged).toEqual([
      expect.objectContaining({ method: 'DELETE', url: '/samples', msg: 'the machine fails', level: 50 }),
    ]);
  });
});

describe('what express, its parsers and the disk throw', () => {
  it.each([
    [
      new URIError('malformed'),
      'request.invalid',
      'The address holds a % that begins no escape, or escaped bytes that are no UTF-8; write % as %25 and ü as %C3%BC.',
    ],
    [failure({ code: 'ENOSPC' }), 'storage.full', 'There is no room left to store this; tell the operators.'],
    [failure({ code: 'EDQUOT' }), 'storage.full', 'There is no room left to store this; tell the operators.'],
    [failure({ status: 413 }), 'body.too-large', 'The body is larger than this service takes.'],
    [failure({ status: 404 }), 'not-found', 'There is nothing at this address.'],
    [failure({ status: 400 }), 'request.invalid', 'The request cannot be read.'],
    [failure({ status: 499 }), 'request.invalid', 'The request cannot be read.'],
  ])('is a refusal where the request is at fault: %s', (error, code, message) => {
    expect(expectedFailure(error)).toMatchObject({ code, message });
  });

  it.each([
    [failure({ status: 500 })],
    [failure({ status: 399 })],
    [failure({ status: '404' })],
    [failure({ code: 'EOTHER' })],
    [{ status: 404 }],
    [{ code: 'ENOSPC' }],
    [undefined],
    [null],
    ['text'],
    [new RegistryError('internal', 'secret')],
  ])('is unexpected otherwise: %s', (error) => {
    expect(expectedFailure(error)).toBeUndefined();
  });

  it('is a full disk by the code of the system', () => {
    const full = [
      failure({ code: 'ENOSPC' }),
      failure({ code: 'EDQUOT' }),
      failure({ code: 'EIO' }),
      failure({}),
      null,
    ];
    expect(full.map(isDiskFull)).toEqual([true, true, false, false, false]);
  });
});
