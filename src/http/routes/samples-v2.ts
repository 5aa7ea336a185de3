/** `/v2/samples`: many samples in one request, as clients of the reference system's second version ask for them. */
import { type Request, type Response, Router } from 'express';
import type { Scope } from '../../auth/account-store.js';
import { requireScope } from '../../auth/caller.js';
import { isNotReadable, RegistryError } from '../../registry/errors.js';
import type { Caller } from '../../registry/permissions.js';
import type { Registry, SampleView, WrittenView } from '../../registry/registry.js';
import { idempotencyKey, sayReplayed } from '../conditional.js';
import type { HttpContext } from '../context.js';
import { sampleLinks } from '../hal.js';
import { type JsonList, listText, MAX_LIST_BYTES, MAX_LISTED, parseJsonList } from '../json-list.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf } from '../query.js';
import { send, sendOrStream } from '../respond.js';

/** Of a request that may have been sent before: its key, and where to say which samples it registered then. */
interface Repeated {
  key: string | undefined;
  known: (samples: readonly WrittenView[]) => void;
}

export function samplesV2Routes(context: HttpContext, registry: Registry): Router {
  const router = Router();
  const { MAX_JSON_BYTES } = context.config;

  /** A route that takes a list, and what it answers. */
  const listRoute =
    (scope: Scope, status: number, answer: (list: JsonList, caller: Caller, repeated: Repeated) => Promise<string>) =>
    async (request: Request, response: Response) => {
      const type = negotiateJson(request.headers.accept, 'application/json');
      const caller = requireScope(await context.caller(request), scope);
      const key = idempotencyKey(request);
      const known = (samples: readonly WrittenView[]) =>
        sayReplayed(response, samples.length > 0 && samples.every(({ replayed }) => replayed));
      const text = await context.withBody(request, MAX_LIST_BYTES, async (bytes) =>
        answer(await parseJsonList(bytes, MAX_JSON_BYTES, request, context.inTurn), caller, { key, known }),
      );
      send(request, response, status, type, text);
    };

  const submit = listRoute('submit', 201, async (list, caller, { key, known }) => {
    const samples = await registry.submitAll(listed(list), caller, key);
    known(samples);
    return documents(samples);
  });
  address(router, '/', { post: submit });
  address(router, '/bulk-submit', { post: submit });
  address(router, '/bulk-submit-get-receipt', {
    post: listRoute('submit', 201, async (list, caller, { key, known }) => {
      const { samples, refused } = await registry.submitGood(listed(list), caller, key);
      known(samples);
      const errors = refused.map(({ name, problems }) => ({ sampleName: name, errors: problems }));
      return `{"samples":${await documents(samples)},"errors":${await listText(errors)}}`;
    }),
  });
  address(router, '/bulk-accession', {
    post: listRoute('submit', 200, async (list, caller, { key, known }) => {
      const samples = await registry.accessionAll(listed(list), caller, key);
      known(samples);
      return JSON.stringify(Object.fromEntries(samples.map(({ document, accession }) => [document.name, accession])));
    }),
  });
  address(router, '/validate', {
    post: listRoute('read', 200, async ({ bodies, single }, caller) => {
      await registry.validateAll(bodies, caller);
      return single ? JSON.stringify(bodies[0]) : listText(bodies);
    }),
  });
  address(router, '/bulk-fetch', {
    get: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const caller = await context.caller(request);
      const accessions = readAccessions(queryOf(request));
      const read = (accession: string) =>
        context.inPlace(request, () => registry.read(accession, caller, { applyCurations: false }));
      const found = fetched(accessions, read, context.publicUrl(request));
      await sendOrStream(request, response, type, found);
    },
  });
  return router;
}

/** @throws RegistryError request.invalid for an object that is no list */
function listed({ bodies, single }: JsonList): unknown[] {
  if (!single) return bodies;
  throw new RegistryError('request.invalid', 'The body must be a list in [ ] with one object for each sample.');
}

const documents = (views: readonly SampleView[]): Promise<string> => listText(views.map(({ document }) => document));

/** @throws RegistryError request.invalid */
function readAccessions(query: URLSearchParams): string[] {
  const given = query.getAll('accessions').flatMap((list) => list.split(','));
  const accessions = [...new Set(given.map((accession) => accession.trim()).filter((accession) => accession !== ''))];
  if (accessions.length === 0)
    throw new RegistryError('request.invalid', 'accessions= is missing; give accessions with commas between them.');
  if (accessions.length <= MAX_LISTED) return accessions;
  throw new RegistryError(
    'request.invalid',
    `accessions= names ${accessions.length} samples; at most ${MAX_LISTED} are answered at once.`,
  );
}

/** Accession → sample as it was submitted; what the caller may not read, or is not there, is left out. */
async function* fetched(
  accessions: readonly string[],
  read: (accession: string) => Promise<SampleView>,
  base: string,
): AsyncGenerator<string> {
  let before = '{';
  for (const accession of accessions) {
    const view = await read(accession).catch(leftOut);
    if (!view) continue;
    const sample = { ...view.document, _links: sampleLinks(base, accession) };
    yield `${before}${JSON.stringify(accession)}:${JSON.stringify(sample)}`;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function leftOut(error: unknown): undefined {
  if (!isNotReadable(error)) throw error;
}
