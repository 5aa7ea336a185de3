/**
 * The page's built files. Mount the router one level below the base path, at `PAGE_PATH`: the page finds the service
 * at `../`, whatever base path or proxy lies before it. Nothing here needs an account; the page signs in by itself.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { RegistryError } from '../../registry/errors.js';
import { otherMethods } from '../methods.js';

export const PAGE_PATH = '/page';

/**
 * Scripts, requests and images of this host only. Styles may be inline because the component library writes its
 * colours into the document; scripts may not.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_S = 31_536_000;

/**
 * @param distFolder absolute path of `web/dist`; without it every address answers 404 with the reason
 * @param ofSample answers for the page of one sample, or passes on
 */
export function pageRouter(distFolder: string, ofSample: RequestHandler): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set('Content-Security-Policy', PAGE_POLICY);
    response.set('X-Content-Type-Options', 'nosniff');
    response.set('Referrer-Policy', 'same-origin');
    next();
  });
  const others = otherMethods('GET, HEAD, OPTIONS');
  router.use((request, response, next) =>
    request.method === 'GET' || request.method === 'HEAD' ? next() : others(request, response, next),
  );
  router.get('/', ofSample);
  // Names in assets/ carry a hash of their content; everything else is asked for again each time.
  router.use('/assets', express.static(join(distFolder, 'assets'), { index: false, setHeaders: keep }));
  router.use(express.static(distFolder, { cacheControl: false, setHeaders: askAgain }));
  router.use((_request, _response, next) => {
    const built = existsSync(join(distFolder, 'index.html'));
    next(
      new RegistryError(
        'not-found',
        built ? 'The page has no such file.' : 'The page is not built: run "npm run build" and start again.',
      ),
    );
  });
  return router;
}

const keep = (response: Response): void => {
  response.set('Cache-Control', `public, max-age=${YEAR_S}, immutable`);
};

const askAgain = (response: Response): void => {
  response.set('Cache-Control', 'no-cache');
};
