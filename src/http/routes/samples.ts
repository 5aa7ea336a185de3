/** Samples: register, update, accession, validate, history, list and search. Reading one is in read-sample.ts. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Scope } from '../../auth/account-store.js';
import { requireScope } from '../../auth/caller.js';
import { RegistryError } from '../../registry/errors.js';
import type { Caller } from '../../registry/permissions.js';
import type { Registry, SampleView } from '../../registry/registry.js';
import { notFound } from '../../registry/samples/sample-reader.js';
import type { HistoryEntry } from '../../registry/samples/sample-versions.js';
import type { SampleSearch } from '../../registry/search/sample-search.js';
import { conditionsOf, idempotencyKey, sayReplayed } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { firstCreatedLinks, type Links, sampleLinks } from '../hal.js';
import { refuseBody } from '../json-body.js';
import { address } from '../methods.js';
import { HAL, negotiateJson } from '../negotiate.js';
import { send, sendOrStream } from '../respond.js';
import { createListSamples } from './sample-list.js';

export interface SampleParts {
  registry: Registry;
  /** Absent: samples cannot be listed. */
  search?: Pick<SampleSearch, 'search'> | undefined;
}

export function sampleRoutes(context: HttpContext, { registry, search }: SampleParts): Router {
  const router = Router();

  const caller = async (request: Request, scope: Scope): Promise<Caller> =>
    requireScope(await context.caller(request), scope);

  const answer = (
    request: Request,
    response: Response,
    status: number,
    view: SampleView,
    links: Links,
    type: string,
  ) => {
    response.setHeader('ETag', view.etag);
    send(request, response, status, type, JSON.stringify({ ...view.document, _links: links }));
  };

  address(router, '/', {
    ...(search ? { get: createListSamples(context, search) } : {}),
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = await caller(request, 'submit');
      const key = idempotencyKey(request);
      const view = await context.withJson(request, (body) => registry.register(body, by, key));
      const base = context.publicUrl(request);
      response.setHeader('Location', `${base}/samples`);
      sayReplayed(response, view.replayed);
      answer(request, response, 201, view, firstCreatedLinks(base, view.accession), type);
    },
  });

  address(router, '/accession', {
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept, 'application/json');
      const by = await caller(request, 'submit');
      const key = idempotencyKey(request);
      const view = await context.withJson(request, (body) => registry.accession(body, by, key));
      const base = context.publicUrl(request);
      response.setHeader('Location', `${base}/samples/${view.accession}`);
      sayReplayed(response, view.replayed);
      answer(request, response, 201, view, sampleLinks(base, view.accession), type === HAL ? HAL : 'application/json');
    },
  });

  address(router, '/validate', { post: createValidate(context, registry) });

  address(router, '/:accession', {
    // Reads of accessions of ours never come here (read-sample.ts).
    get: (request) => {
      throw notFound(String(request.params.accession));
    },
    put: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = await caller(request, 'submit');
      const accession = String(request.params.accession);
      const view = await context.withJson(request, (body) =>
        registry.update(accession, body, by, conditionsOf(request)),
      );
      answer(request, response, 200, view, sampleLinks(context.publicUrl(request), view.accession), type);
    },
  });

  const withdrawal = (withdrawn: boolean) => async (request: Request, response: Response) => {
    const type = negotiateJson(request.headers.accept);
    const by = await caller(request, 'submit');
    await refuseBody(request, 'PUT withdraws the sample and DELETE takes that back; send nothing else.');
    const view = await context.inPlace(request, () =>
      registry.withdraw(String(request.params.accession), withdrawn, by, conditionsOf(request)),
    );
    answer(request, response, 200, view, sampleLinks(context.publicUrl(request), view.accession), type);
  };
  address(router, '/:accession/withdrawal', { put: withdrawal(true), delete: withdrawal(false) });

  address(router, '/:accession/history', {
    get: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const by = await caller(request, 'read');
      const accession = String(request.params.accession);
      const sample = `${context.publicUrl(request)}/samples/${accession}`;
      const pages = eachInPlace(context, request, registry.history(accession, by));
      await sendOrStream(request, response, type, historyText(pages, sample));
    },
  });

  address(router, '/:accession/history/:version', {
    get: async (request, response) => {
      const by = await caller(request, 'read');
      const { accession, version } = request.params;
      if (!/^[1-9]\d{0,8}$/.test(String(version)))
        throw new RegistryError(
          'not-found',
          `There is no version ${String(version).slice(0, 40)}; versions are numbers from 1.`,
        );
      const record = await context.inPlace(request, () =>
        registry.versionRecord(String(accession), Number(version), by),
      );
      send(request, response, 200, 'application/json;charset=UTF-8', JSON.stringify(record));
    },
  });

  return router;
}

/** Each page in a place of its own, which is not kept while the client takes what was read. */
async function* eachInPlace<T>(context: HttpContext, request: Request, pages: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const step = await context.inPlace(request, () => pages.next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await pages.return(undefined);
  }
}

/** The body in pieces: a sample may have very many versions. */
async function* historyText(pages: AsyncIterable<HistoryEntry[]>, sample: string): AsyncGenerator<string> {
  let before = '{"_embedded":{"versions":[';
  for await (const page of pages) {
    const versions = page.map((entry) => ({
      ...entry,
      _links: { self: { href: `${sample}?version=${entry.version}` } },
    }));
    yield before + JSON.stringify(versions).slice(1, -1);
    before = ',';
  }
  yield `]},"_links":${JSON.stringify({ self: { href: `${sample}/history` }, sample: { href: sample } })}}`;
}

/** `POST /validate` and its alias `POST /samples/validate`. */
export function createValidate(context: HttpContext, registry: Registry): RequestHandler {
  return async (request, response) => {
    const type = negotiateJson(request.headers.accept);
    const by = requireScope(await context.caller(request), 'read');
    const echo = await context.withJson(request, (body) => registry.validate(body, by));
    send(request, response, 200, type, JSON.stringify(echo));
  };
}
