/**
 * `GET /samples/{accession}`: what clients ask for most, so it is answered without express, which costs 70 µs of
 * processor time a request beside 25 µs for Node's server and 30 µs for reading and printing the sample (express 5.3
 * gives each request and response another prototype, which makes every later access to them slow).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FormattedSample } from '../formats/format.js';
import { formatNamed, type SampleFormat } from '../formats/formats.js';
import { FORMAT_IDS, FORMAT_OF_TYPE } from '../formats/names.js';
import { parseAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import type { Registry, SampleView } from '../registry/registry.js';
import { answeredFromTag, tagInFormat } from './conditional.js';
import type { HttpContext } from './context.js';
import type { AllowOrigin } from './cors.js';
import { sampleLinks } from './hal.js';
import { HAL, negotiate, negotiateJson } from './negotiate.js';
import { queryOf, trueOrFalse, wholeNumber } from './query.js';
import { requestId } from './request-log.js';
import { send } from './respond.js';
import { withoutSlashesBehind } from './tidy-address.js';

interface View {
  applyCurations?: boolean;
  declined?: boolean;
  version?: number;
}

const AS_IT_IS: View = {};

/** Answers a read of the sample with this accession. Rejects before anything is written. */
export type ReadSample = (request: IncomingMessage, response: ServerResponse, accession: string) => Promise<void>;

export function createReadSample(context: HttpContext, registry: Registry, allowOrigin: AllowOrigin): ReadSample {
  return async (request, response, accession) => {
    allowOrigin(request, response);
    response.setHeader('X-Request-Id', requestId(request));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const query = request.url?.includes('?') ? queryOf(request) : undefined;
    const format = formatAsked(request, query?.get('format') ?? null);
    const type = format?.mediaType ?? negotiateJson(jsonAccepted(request, query));
    const caller = await context.caller(request);
    const view = query ? readView(query) : AS_IT_IS;
    await context.inTurn(request);
    const sample = await context.inPlace(request, () => registry.read(accession, caller, view));
    await context.inTurn(request);
    response.setHeader('Cache-Control', sample.public ? 'max-age=60, public' : 'max-age=60, private');
    response.appendHeader('Vary', 'Accept');
    const etag = format === undefined ? sample.etag : tagInFormat(sample.etag, format.id);
    if (answeredFromTag(request, response, etag)) return;
    if (format) {
      response.setHeader('Content-Disposition', `inline; filename="${accession}.${format.fileEnding}"`);
      send(
        request,
        response,
        200,
        `${type};charset=UTF-8`,
        format.one(formatted(context.publicUrl(request), accession, sample)),
      );
      return;
    }
    const body = { ...sample.document, _links: sampleLinks(context.publicUrl(request), accession) };
    send(request, response, 200, type, JSON.stringify(body));
  };
}

const OFFERS = [HAL, 'application/json', ...FORMAT_OF_TYPE.keys()] as [string, ...string[]];

/**
 * By its name, else by a media type that no other format has; undefined for the sample's own JSON.
 * @throws RegistryError request.invalid, not-acceptable
 */
function formatAsked(request: IncomingMessage, name: string | null): SampleFormat | undefined {
  if (name === 'json') return undefined;
  if (name !== null) {
    const format = formatNamed(name);
    if (format) return format;
    throw new RegistryError(
      'request.invalid',
      `format=${name.slice(0, 40)} is not known; write json, ${FORMAT_IDS.join(', ')}.`,
    );
  }
  const id = FORMAT_OF_TYPE.get(negotiate(request.headers.accept, OFFERS));
  return id === undefined ? undefined : formatNamed(id);
}

/** The header, unless the parameter says what is wanted. */
const jsonAccepted = (request: IncomingMessage, query: URLSearchParams | undefined): string | undefined =>
  query?.get('format') === 'json' ? 'application/json' : request.headers.accept;

/** `registry`: its address. */
export const formatted = (registry: string, accession: string, { document }: SampleView): FormattedSample => ({
  sample: { ...document, accession },
  address: `${registry}/samples/${accession}`,
  registry,
});

/**
 * The accession of ours that a request reads, tolerating words in any letter case, as express does, `.json` and slashes at
 * the end; undefined for every other request.
 */
export function readAccession(request: IncomingMessage, basePath: string, prefix: string): string | undefined {
  const { method, url } = request;
  const samples = `${basePath}/samples/`;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return undefined;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (!path.startsWith(samples) && path.slice(0, samples.length).toLowerCase() !== samples.toLowerCase())
    return undefined;
  const rest = decoded(path.slice(samples.length));
  const accession = withoutSlashesBehind(rest).replace(/\.json$/, '');
  return parseAccession(prefix, accession) === undefined ? undefined : accession;
}

/** `%53AMR1` is `SAMR1` (RFC 3986, 6.2.2.2). What cannot be decoded is no accession of ours. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** How a sample is to be shown, whatever address it is read at. @throws RegistryError request.invalid */
export function readView(query: URLSearchParams): View {
  if (query.get('version') === '') {
    throw new RegistryError('request.invalid', 'version= is empty; give a number of the history, or leave it out.');
  }
  const version = query.has('version') ? wholeNumber(query, 'version', { min: 1, max: 1e9, default: 1 }) : undefined;
  // Clients of the reference system say "no curations" with an empty curation domain.
  const noDomain = query.get('curationdomain') === '';
  return {
    applyCurations: trueOrFalse(query, 'applyCurations', !noDomain),
    declined: trueOrFalse(query, 'declined', false),
    ...(version === undefined ? {} : { version }),
  };
}
