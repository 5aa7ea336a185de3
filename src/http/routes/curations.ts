/** Curation links of a sample, and curations by their hash. */
import { type Request, Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import { RegistryError } from '../../registry/errors.js';
import type { Caller } from '../../registry/permissions.js';
import type { Registry } from '../../registry/registry.js';
import type { HttpContext } from '../context.js';
import { curationLinkLinks, pageLinks } from '../hal.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { cursorOf, MAX_PAGE_SIZE, queryOf, wholeNumber } from '../query.js';
import { send, sendEmpty } from '../respond.js';

/** Mounted at the base path. */
export function curationRoutes(context: HttpContext, registry: Registry): Router {
  const router = Router();

  const reader = async (request: Request): Promise<Caller | undefined> => {
    const caller = await context.caller(request);
    return caller && requireScope(caller, 'read');
  };
  const writer = async (request: Request): Promise<Caller> => requireScope(await context.caller(request), 'submit');

  const linked = (request: Request, link: Awaited<ReturnType<Registry['getCurationLink']>>) => ({
    ...link,
    _links: curationLinkLinks(context.publicUrl(request), link),
  });

  address(router, '/samples/:accession/curationlinks', {
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = await writer(request);
      const { link, added } = await context.withJson(request, (body) =>
        registry.curate(String(request.params.accession), body, by),
      );
      const body = linked(request, link);
      response.setHeader('Location', body._links.self?.href ?? '');
      send(request, response, added ? 201 : 200, type, JSON.stringify(body));
    },
    get: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const query = queryOf(request);
      const page = wholeNumber(query, 'page', { min: 0, max: 1_000_000, default: 0 });
      const size = wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: 20 });
      const accession = String(request.params.accession);
      const by = await reader(request);
      const { links, total } = await context.inPlace(request, () =>
        registry.listCurationLinks(accession, by, { page, size }),
      );
      const sample = `${context.publicUrl(request)}/samples/${accession}`;
      const totalPages = Math.ceil(total / size);
      const body = {
        ...(links.length > 0 ? { _embedded: { curationLinks: links.map((link) => linked(request, link)) } } : {}),
        _links: {
          ...pageLinks(`${sample}/curationlinks?`, { number: page, size, totalPages }),
          sample: { href: sample },
        },
        page: { size, totalElements: total, totalPages, number: page },
      };
      send(request, response, 200, type, JSON.stringify(body));
    },
  });

  address(router, '/samples/:accession/curationlinks/:hash', {
    get: context.briefly(async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const { accession, hash } = request.params;
      const link = await registry.getCurationLink(String(accession), String(hash), await reader(request));
      send(request, response, 200, type, JSON.stringify(linked(request, link)));
    }),
    delete: async (request, response) => {
      const { accession, hash } = request.params;
      const by = await writer(request);
      await context.inPlace(request, () => registry.deleteCurationLink(String(accession), String(hash), by));
      sendEmpty(response, 204);
    },
  });

  for (const [action, declined] of [
    ['decline', true],
    ['accept', false],
  ] as const) {
    address(router, `/samples/:accession/curationlinks/:hash/${action}`, {
      post: async (request, response) => {
        const type = negotiateJson(request.headers.accept);
        const { accession, hash } = request.params;
        const by = await writer(request);
        const link = await context.inPlace(request, () =>
          registry.declineCuration(String(accession), String(hash), by, declined),
        );
        send(request, response, 200, type, JSON.stringify(linked(request, link)));
      },
    });
  }

  address(router, '/curations', {
    get: context.briefly(async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const query = queryOf(request);
      const size = wholeNumber(query, 'size', { min: 1, max: MAX_PAGE_SIZE, default: 20 });
      const after = readCursor(cursorOf(query));
      const { curations, next } = await registry.listCurations(await reader(request), { after, size });
      const here = `${context.publicUrl(request)}/curations`;
      const at = (hash: string | undefined) => ({ href: `${here}?${hash ? `cursor=${hash}&` : ''}size=${size}` });
      const body = {
        ...(curations.length > 0
          ? {
              _embedded: {
                curations: curations.map((curation) => ({
                  ...curation,
                  _links: { self: { href: `${here}/${curation.hash}` } },
                })),
              },
            }
          : {}),
        _links: {
          self: at(after),
          ...(next === undefined ? {} : { next: at(next) }),
          curation: { href: `${here}/{hash}`, templated: true },
        },
      };
      send(request, response, 200, type, JSON.stringify(body));
    }),
  });

  address(router, '/curations/:hash', {
    get: context.briefly(async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const curation = await registry.getCuration(String(request.params.hash), await reader(request));
      const self = { href: `${context.publicUrl(request)}/curations/${curation.hash}` };
      send(request, response, 200, type, JSON.stringify({ ...curation, _links: { self } }));
    }),
  });

  return router;
}

/** @throws RegistryError request.invalid */
function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '*') return undefined;
  if (/^[0-9a-f]{64}$/.test(cursor)) return cursor;
  throw new RegistryError('request.invalid', 'The cursor is not one of ours; follow the link "next" of a page.');
}
