/** /queues: the board of the queue, for administrators. */
import { type RequestHandler, Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import type { HttpContext } from '../context.js';

/** The board's page carries its own styles inside; its scripts are files of ours. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

export function queueBoardRoutes(context: HttpContext, board: RequestHandler): Router {
  const router = Router();
  router.use((request, response, next) => {
    context
      .caller(request)
      .then((caller) => {
        requireScope(caller, 'admin');
        response.setHeader('Content-Security-Policy', POLICY);
        next();
      })
      .catch(next);
  });
  router.use(board);
  return router;
}
