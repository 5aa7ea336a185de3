/** `/samples/exports`: whole results that are made while nobody waits, and whose files can be taken in parts for a while. */
import { type Request, type Response, Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import { fileOf } from '../../exports/formats.js';
import { type KeptExports, requestOf, requireFile, unknownExport } from '../../exports/kept-exports.js';
import type { Caller } from '../../registry/permissions.js';
import type { KeptExport } from '../../registry/search/kept-export-store.js';
import { partAsked } from '../byte-range.js';
import { answeredFromTag } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { refuseBody } from '../json-body.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf } from '../query.js';
import { attachment, send, stream } from '../respond.js';
import { ID } from '../submission-address.js';
import { EXPORT_PARAMETERS, readExport } from './sample-export.js';

const RETRY_AFTER_S = 2;

export function keptExportRoutes(context: HttpContext, kept: KeptExports): Router {
  const router = Router();
  const addressOf = (request: Request, id: string): string => `${context.publicUrl(request)}/samples/exports/${id}`;
  const callerOf = async (request: Request): Promise<Caller> => requireScope(await context.caller(request), 'read');
  const find = async (request: Request): Promise<KeptExport> => kept.find(idOf(request), await callerOf(request));
  const document = (request: Request, one: KeptExport) => exportDocument(one, addressOf(request, one.id));
  const answer = (request: Request, response: Response, status: number, one: KeptExport): void => {
    if (one.state === 'ACTIVE') response.setHeader('Retry-After', RETRY_AFTER_S);
    send(request, response, status, negotiateJson(request.headers.accept), JSON.stringify(document(request, one)));
  };

  address(router, '/', {
    post: async (request, response) => {
      const caller = await callerOf(request);
      negotiateJson(request.headers.accept);
      await refuseBody(request, `say ${EXPORT_PARAMETERS} in the address, as for GET /samples/export.`);
      const asked = { ...readExport(queryOf(request)), registry: context.publicUrl(request) };
      const ordered = await context.inPlace(request, () => kept.order(asked, caller));
      response.setHeader('Location', addressOf(request, ordered.id));
      answer(request, response, 202, ordered);
    },
    get: context.briefly(async (request, response) => {
      const listed = await kept.list(await callerOf(request));
      const body = {
        _embedded: { exports: listed.map((one) => document(request, one)) },
        _links: { self: { href: `${context.publicUrl(request)}/samples/exports` } },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    }),
  });

  address(router, '/:id', {
    get: context.briefly(async (request, response) => answer(request, response, 200, await find(request))),
    delete: context.briefly(async (request, response) => {
      await kept.remove(idOf(request), await callerOf(request));
      response.status(204).end();
    }),
  });

  address(router, '/:id/file', {
    get: async (request, response) => {
      const found = await context.inPlace(request, () => find(request));
      const file = requireFile(found);
      const etag = `"${file.sha256}"`;
      const { contentType, fileEnding } = fileOf(requestOf(found).format);
      response.setHeader('Cache-Control', 'private, no-cache');
      if (answeredFromTag(request, response, etag)) return;
      response.setHeader(
        'Content-Disposition',
        attachment(`samples-${new Date(found.created).toISOString().slice(0, 10)}.${fileEnding}`),
      );
      response.setHeader('Samples-Count', file.samples);
      const part = partAsked(request, response, file.bytes, etag);
      await stream(request, response, contentType, kept.open(found, file, part));
    },
  });
  return router;
}

function exportDocument(one: KeptExport, href: string) {
  const { id, account, state, leaseUntil, request, created, expires, file, problem } = one;
  const { text, filters, format, curated } = request;
  return {
    exportId: id,
    account,
    state,
    phase: state === 'ACTIVE' ? (leaseUntil === undefined ? 'QUEUED' : 'MAKING') : 'DONE',
    format,
    ...(text === undefined ? {} : { text }),
    filter: filters,
    applyCurations: curated,
    ...(file === undefined ? {} : file),
    ...(problem === undefined ? {} : { problem }),
    created: new Date(created).toISOString(),
    expires: new Date(expires).toISOString(),
    _links: { self: { href }, ...(file === undefined ? {} : { file: { href: `${href}/file` } }) },
  };
}

/** Anything but an id of ours names nothing; the store is not asked. */
function idOf(request: Request): string {
  const id = String(request.params.id);
  if (ID.test(id)) return id.toLowerCase();
  throw unknownExport(JSON.stringify(id.slice(0, 60)));
}
