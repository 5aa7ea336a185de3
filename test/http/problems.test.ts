/** Every failure in one shape, with nothing of our insides in it. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describe as describeProblem, STATUS, sendProblem } from '../../src/http/problem.js';
import { createLog } from '../../src/observability/log.js';
import { ERRORS, type ErrorCode, RegistryError } from '../../src/registry/errors.js';
import { isLost, translate as translatePostgres } from '../../src/store/postgres/failures.js';
import { translate } from '../../src/store/sqlite/failures.js';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Sends an error to a response that goes nowhere. */
function answerTo(
  error: unknown,
  state: 'not begun' | 'begun' = 'not begun',
): { status: number; body: string; logged: string } {
  let logged = '';
  const log = createLog('info', 'test', { write: (line) => (logged += line) });
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url: '/samples?text=private+words' });
  let body = '';
  const response = new ServerResponse(request);
  if (state === 'begun') response.writeHead(200);
  response.end = ((text?: string) => {
    body = text ?? '';
    return response;
  }) as typeof response.end;
  sendProblem(request, response, error, { log, basePath: '' });
  return { status: response.statusCode, body, logged };
}

describe('the catalogue', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('spells %s as a problem document', (code) => {
    const problem = describeProblem(
      new RegistryError(code, 'what happened', { extra: { line: 3, status: 1, code: 'x', type: 'y' } }),
    );
    expect(problem).toEqual({
      type: `/problems/${code}`,
      title: ERRORS[code],
      status: STATUS[code],
      detail: 'what happened',
      code,
      message: 'what happened',
      line: 3,
    });
    expect(STATUS[code]).toBeGreaterThanOrEqual(400);
  });

  it('explains each code at the address of its type', async () => {
    for (const code of Object.keys(ERRORS)) {
      expect((await service.get(`/problems/${code}`)).json()).toMatchObject({
        code,
        status: STATUS[code as ErrorCode],
      });
    }
    expect((await service.get('/problems/constructor')).status).toBe(404);
  });
});

describe('a machine that fails for a moment', () => {
  it.each(['EROFS', 'EMFILE', 'EIO', 'SQLITE_IOERR_WRITE'])(
    'is nobody’s bug, and the operators’ to see: %s',
    (code) => {
      const { status, body, logged } = answerTo(Object.assign(new Error('write at /srv/db'), { code }));
      expect(status).toBe(503);
      expect(JSON.parse(body)).toMatchObject({ code: 'service.unavailable', detail: expect.stringContaining(code) });
      expect(body).not.toContain('/srv/db');
      expect(logged).toContain('/srv/db');
    },
  );

  it('is so too where its database has become read-only', () => {
    const failure = (code: string) => Object.assign(new Error('attempt to write a readonly database'), { code });
    expect(translate(failure('SQLITE_READONLY'))).toMatchObject({ code: 'service.unavailable' });
    const moved = failure('SQLITE_READONLY_DBMOVED');
    expect(translate(moved)).toBe(moved);
  });
});

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
describe('PostgreSQL', () => {
  const failure = (code: string) => Object.assign(new Error('terminating connection'), { code });
  it.each([
    ['08006', true],
    ['57P01', true],
    ['57P02', true],
    ['57P03', true],
    ['57P05', true],
    ['25P03', true],
    ['25P04', true],
    ['25006', true],
    ['53300', true],
    ['57014', false],
    ['40001', false],
    ['23505', false],
  ])('that says %s has ended the session, or takes no changes: %s', (code, lost) => {
    expect(isLost(failure(code))).toBe(lost);
    if (lost) expect(translatePostgres(failure(code))).toMatchObject({ code: 'service.unavailable' });
  });
});

describe('an unexpected error', () => {
  it('shows an id and keeps its insides for the log', () => {
    const { status, body, logged } = answerTo(new Error('password=hunter2 at /srv/db'));
    expect(status).toBe(500);
    const { errorId } = JSON.parse(body) as { errorId: string };
    expect(body).not.toContain('hunter2');
    expect(logged).toContain('hunter2');
    expect(logged).toContain(errorId);
    expect(logged).not.toContain('private+words');
  });

  it('that comes behind the beginning of an answer cuts it, and the log has its address without what was searched for', () => {
    const { body, logged } = answerTo(new RegistryError('storage.damaged', 'A block cannot be read.'), 'begun');
    expect(body).toBe('');
    expect(JSON.parse(logged)).toMatchObject({ code: 'storage.damaged', url: '/samples', msg: 'answer cut short' });
  });

  it('that somebody threw as "internal" is shown no more of', () => {
    const { status, body } = answerTo(new RegistryError('internal', 'secret of ours'));
    expect(status).toBe(500);
    expect(body).not.toContain('secret of ours');
  });

  it.each([
    ['a full disk', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), 507],
    ['a broken escape', new URIError('URI malformed'), 400],
    ['anything thrown', 'text', 500],
    ['nothing at all', undefined, 500],
  ])('of %s has its status', (_, error, status) => {
    expect(answerTo(error).status).toBe(status);
  });
});

describe('addresses and methods', () => {
  it.each([
    ['GET', '/nowhere', 404],
    ['GET', '/samples/x/y/z', 404],
    ['GET', '/samples/NOTOURS1', 404],
    ['GET', '/samples/SAMR01', 404],
    ['GET', '/samples/SAMR99999999999999999999', 404],
    ['GET', '/samples/SAMR424242', 404],
    ['GET', '/curations/x', 404],
    ['GET', '/structureddata/SAMR424242', 404],
    ['GET', '/samples/accession', 405],
    ['DELETE', '/samples/SAMR1', 405],
    ['PATCH', '/samples', 405],
    ['PUT', '/submissions', 405],
    ['GET', '/validate', 405],
    ['GET', '/%', 404],
    ['GET', '/samples/%ff', 400],
    ['GET', '/samples?size=0', 400],
    ['GET', '/samples?size=201', 400],
    ['GET', '/samples?page=0&cursor=x', 400],
    ['GET', '/samples?filter=what:ever', 400],
    ['GET', '/submissions?size=x', 400],
  ])('%s %s is %i as a problem document', async (method, path, status) => {
    const answer = await service.call(path, { method });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    const problem = answer.json<{ detail: string; message: string; status: number }>();
    expect(problem.message).toBe(problem.detail);
    expect(problem.status).toBe(status);
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/OPTIONS/);
  });

  it('answers 406 when none of the accepted types can be produced', async () => {
    for (const path of ['/samples', '/samples/SAMR1', '/', '/submissions', '/me']) {
      const answer = await service.get(path, { headers: { accept: 'image/png' } });
      expect([path, answer.status, answer.json<{ code: string }>().code]).toEqual([path, 406, 'not-acceptable']);
    }
  });

  it('refuses what is no HTTP and goes on', async () => {
    const { port } = new URL(service.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = new Socket().connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
      socket.write('HELLO\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
    expect((await service.get('/health/live')).status).toBe(200);
  });

  it('cuts the connection of what is no HTTP, though the other side keeps it open', async () => {
    const { port } = new URL(service.url);
    const socket = new Socket({ allowHalfOpen: true }).connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write('HELLO\r\n\r\n');
    await new Promise((resolve) => socket.once('end', resolve));
    const cut = new Promise((resolve) => socket.once('close', resolve));
    // Whoever writes to a connection that is gone hears of it.
    const writing = setInterval(() => socket.write('x'), 50);
    await cut;
    clearInterval(writing);
  });
});
