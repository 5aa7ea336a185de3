/** `GET /samples`: newest first, by cursor or by page, with text and filters. */
import type { RequestHandler } from 'express';
import { networkOf } from '../../limits/network.js';
import { RegistryError } from '../../registry/errors.js';
import { type FacetRequest, MOST_VALUES } from '../../registry/search/facets.js';
import { readFacets } from '../../registry/search/sample-facets-document.js';
import type { SampleSearch, SampleSearchResult } from '../../registry/search/sample-search.js';
import type { HttpContext } from '../context.js';
import { type Links, pageLinks, sampleLinks } from '../hal.js';
import { negotiateJson } from '../negotiate.js';
import { MAX_PAGE_SIZE, queryOf, wholeNumber } from '../query.js';
import { sendOrStream } from '../respond.js';

/** How many changes the answer leaves out, at most; not sent when it is complete. */
const NOT_INDEXED = 'Samples-Not-Indexed';

interface ListRequest {
  text?: string;
  filters: string[];
  size: number;
  cursor?: string;
  /** 0-based. */
  page?: number;
  facets?: FacetRequest;
  /** As asked for, for the link `self`. */
  counted: URLSearchParams;
}

export function createListSamples(context: HttpContext, search: Pick<SampleSearch, 'search'>): RequestHandler {
  return async (request, response) => {
    const type = negotiateJson(request.headers.accept);
    const caller = await context.caller(request);
    const asked = readRequest(queryOf(request));
    const found = await search.search({ ...asked, network: networkOf(request.ip ?? '') }, caller);
    const base = context.publicUrl(request);
    const { page: number, size } = asked;
    const totalElements = found.total ?? 0;
    const rest = {
      _links: listLinks(`${base}/samples`, asked, found),
      ...(number === undefined
        ? {}
        : {
            page: {
              size,
              totalElements,
              totalPages: Math.ceil(totalElements / size),
              number,
              ...(found.totalIsMinimum ? { totalIsMinimum: true } : {}),
            },
          }),
      ...(found.notIndexed === undefined ? {} : { notIndexed: found.notIndexed }),
      ...(found.facets === undefined ? {} : { facets: found.facets }),
    };
    if (found.notIndexed !== undefined) response.setHeader(NOT_INDEXED, String(found.notIndexed));
    response.setHeader('Cache-Control', caller ? 'private, no-cache' : 'no-cache');
    await sendOrStream(request, response, type, listText(found, base, rest));
  };
}

/** The body in pieces, a sample in each. */
async function* listText(
  { samples, damaged }: Pick<SampleSearchResult, 'samples' | 'damaged'>,
  base: string,
  rest: object,
): AsyncGenerator<string> {
  let before = '{"_embedded":{"samples":[';
  for await (const { document, accession } of samples) {
    yield `${before}${JSON.stringify({ ...document, _links: sampleLinks(base, accession) })}`;
    before = ',';
  }
  const end = JSON.stringify({ ...rest, ...(damaged.length === 0 ? {} : { damaged }) });
  yield before === ',' ? `]},${end.slice(1)}` : end;
}

/** @throws RegistryError request.invalid for `page` together with `cursor` */
function readRequest(query: URLSearchParams): ListRequest {
  // `*` begins a walk, as clients of the reference system write it.
  const given = query.get('cursor') || undefined;
  const cursor = given === '*' ? undefined : given;
  const paged = query.has('page');
  if (paged && given !== undefined) throw new RegistryError('request.invalid', 'Give page or cursor, not both.');
  const facets = readFacets(query.getAll('facets'), valuesOf(query));
  return {
    ...readSearch(query),
    ...(facets === undefined ? {} : { facets }),
    counted: facets === undefined ? new URLSearchParams() : partOf(query, ['facets', 'facetValues']),
    size: wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: 20 }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(paged ? { page: wholeNumber(query, 'page', { min: 0, max: 1_000_000, default: 0 }) } : {}),
  };
}

const partOf = (query: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => names.includes(name)));

const valuesOf = (query: URLSearchParams): number =>
  wholeNumber(query, 'facetValues', { min: 1, max: MOST_VALUES, default: 10 });

/** What of an address says which samples are meant. */
export function readSearch(query: URLSearchParams): Pick<ListRequest, 'text' | 'filters'> {
  const text = query.get('text')?.trim();
  return { ...(text ? { text } : {}), filters: query.getAll('filter').filter((filter) => filter !== '') };
}

/** Only `self` asks for the counts again: they are the same on every page. */
function listLinks(samples: string, asked: ListRequest, found: SampleSearchResult): Links {
  const kept = new URLSearchParams();
  if (asked.text !== undefined) kept.append('text', asked.text);
  for (const filter of asked.filters) kept.append('filter', filter);
  const here = `${samples}?${kept.size > 0 ? `${kept}&` : ''}`;
  const sample = { href: `${samples}/{accession}`, templated: true as const };
  const { page: number, size, cursor } = asked;
  const counted = asked.counted.size > 0 ? `&${asked.counted}` : '';
  if (number !== undefined) {
    const links = pageLinks(here, { number, size, totalPages: Math.ceil((found.total ?? 0) / size) });
    return { ...links, self: { href: `${links.self?.href}${counted}` }, sample };
  }
  const at = (from: string | undefined) => ({
    href: `${here}${from === undefined ? '' : `cursor=${encodeURIComponent(from)}&`}size=${size}`,
  });
  const self = { href: `${at(cursor).href}${counted}` };
  return { self, ...(found.cursor === undefined ? {} : { next: at(found.cursor) }), sample };
}
