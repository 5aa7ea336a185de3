/**
 * `GET /samples/{accession}`: what clients ask for most, so its way is short. It is routed before everything else and
 * leaves the address to the other routes when it is no accession of ours (`/samples/accession`).
 */
import type { RequestHandler } from 'express';
import { parseAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import type { Registry } from '../registry/registry.js';
import { answeredFromTag } from './conditional.js';
import type { HttpContext } from './context.js';
import type { AllowOrigin } from './cors.js';
import { sampleLinks } from './hal.js';
import { negotiateJson } from './negotiate.js';
import { queryOf, trueOrFalse, wholeNumber } from './query.js';
import { registryCaller } from './registry-caller.js';
import { send } from './respond.js';

interface View {
  applyCurations?: boolean;
  version?: number;
}

const AS_IT_IS: View = {};

export function createReadSample(context: HttpContext, registry: Registry, allowOrigin: AllowOrigin): RequestHandler {
  const prefix = context.config.ACCESSION_PREFIX;
  return async (request, response, next) => {
    const given = request.params.accession as string;
    const accession = given.endsWith('.json') ? given.slice(0, -5) : given;
    if (parseAccession(prefix, accession) === undefined) return next();
    allowOrigin(request, response);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const type = negotiateJson(request.headers.accept);
    const caller = await context.caller(request);
    const view = request.url.includes('?') ? readView(queryOf(request)) : AS_IT_IS;
    const sample = await registry.read(accession, caller && registryCaller(caller), view);
    response.setHeader('Cache-Control', sample.public ? 'max-age=60, public' : 'max-age=60, private');
    response.appendHeader('Vary', 'Accept');
    if (answeredFromTag(request, response, sample.etag)) return;
    const body = { ...sample.document, _links: sampleLinks(context.publicUrl(request), accession) };
    send(request, response, 200, type, JSON.stringify(body));
  };
}

/** @throws RegistryError request.invalid */
function readView(query: URLSearchParams): View {
  const version = query.has('version') ? wholeNumber(query, 'version', { min: 1, max: 1e9, default: 1 }) : undefined;
  // Clients of the reference system say "no curations" with an empty curation domain.
  const noDomain = query.get('curationdomain') === '';
  const asked = query.getAll('applyCurations');
  if (asked.length > 1 && new Set(asked).size > 1) {
    throw new RegistryError('request.invalid', 'applyCurations is given twice with different values.');
  }
  return {
    applyCurations: trueOrFalse(query, 'applyCurations', !noDomain),
    ...(version === undefined ? {} : { version }),
  };
}
