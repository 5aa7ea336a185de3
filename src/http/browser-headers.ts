import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What answers tell browsers: nothing of ours is to be framed, sniffed or run; pages loosen what they need themselves. */
export const browserHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Other origins read answers as CORS_ORIGIN says; that is not for this header to narrow.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'same-origin' },
    // Browsers heed it behind TLS only. Neighbours under the same domain are not ours to decide for.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  });
