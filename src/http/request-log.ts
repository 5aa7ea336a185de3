/** One line per request, when it has ended: writes and failures at info, reads at debug. Addresses without their query. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../observability/log.js';
import { submissionOf } from './submission-address.js';

/** The name of a request in answers, logs and the audit log: the client's own where it gives a usable one. */
export function requestId(request: IncomingMessage): string {
  const asked = request.headers['x-request-id'];
  return typeof asked === 'string' && /^[\w.:-]{1,100}$/.test(asked) ? asked : randomUUID();
}

export function requestLog(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const id = requestId(request);
    response.setHeader('X-Request-Id', id);
    const began = performance.now();
    const { method } = request;
    const path = request.originalUrl.split('?', 1)[0] ?? '';
    response.once('close', () => {
      const left = !response.writableFinished;
      const level =
        method !== 'GET' && method !== 'HEAD' ? 'info' : response.statusCode >= 500 || left ? 'info' : 'debug';
      const ms = Math.round(performance.now() - began);
      // The lines of workers carry the submission; this one ties it to the request.
      const submissionId = submissionOf(response, path);
      log[level](
        {
          requestId: id,
          ...(submissionId ? { submissionId } : {}),
          method,
          path,
          status: response.statusCode,
          ms,
          ...(left ? { left } : {}),
        },
        'request',
      );
    });
    next();
  };
}
