/** One router on a server of its own, without the service around it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Scope } from '../../../src/auth/account-store.js';
import { callerWith, type SignedIn } from '../../../src/auth/caller.js';
import type { HttpContext } from '../../../src/http/context.js';
import { sendProblem } from '../../../src/http/problem.js';
import { createLog } from '../../../src/observability/log.js';

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** Of a JSON answer. */
  body: Record<string, unknown>;
}

/** `as`: scopes of who asks, lab-7; nobody without them. The header `x-token-id` is the id of the token. */
export type Ask = (path: string, options?: RequestInit & { as?: readonly Scope[] }) => Promise<Answered>;

export const signedIn = (scopes: readonly Scope[]): SignedIn => ({ ...callerWith('lab-7', scopes), by: 'token' });

/** As much of its surroundings as a route needs that asks the store alone; the service is at http://x. */
function contextOf(callerOf: (request: unknown) => SignedIn | undefined): HttpContext {
  const context = {
    publicUrl: () => 'http://x',
    caller: async (request: unknown) => callerOf(request),
    inTurn: () => undefined,
    inPlace: (_request: unknown, work: () => Promise<unknown>) => work(),
    withJson: async (request: Request, work: (body: unknown) => Promise<unknown>) => work(await json(request)),
    briefly: (handler: (request: Request, response: Response) => Promise<void>) => handler,
  };
  return context as unknown as HttpContext;
}

/** @returns asks the routes; `end` stops the server */
export async function routed(create: (context: HttpContext) => RequestHandler): Promise<{ ask: Ask; end: () => void }> {
  const log = createLog('silent', 'test');
  const context = contextOf((request) => {
    const scopes = (request as Request).get('x-scopes');
    const tokenId = (request as Request).get('x-token-id');
    if (scopes === undefined) return undefined;
    return { ...signedIn(scopes.split(' ') as Scope[]), ...(tokenId && { tokenId }) };
  });
  const failed: ErrorRequestHandler = (error, request, response, _next) =>
    sendProblem(request, response, error, { log, basePath: '' });
  const app = express().set('query parser', false).use(create(context)).use(failed);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask: Ask = async (path, { as, headers, ...rest } = {}) => {
    const sent = { ...(headers as Record<string, string>), ...(as && { 'x-scopes': as.join(' ') }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...rest, headers: sent });
    const text = await answer.text();
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '') && text !== '';
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  return {
    ask,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
