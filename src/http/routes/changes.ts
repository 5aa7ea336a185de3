/** `GET /changes`: what happened to samples, page by page or live (docs/changes.md). */
import { type Request, Router } from 'express';
import { networkOf } from '../../limits/network.js';
import type { ChangePage, SampleFeed } from '../../registry/changes/sample-feed.js';
import { NDJSON } from '../../registry/json-form.js';
import type { HttpContext } from '../context.js';
import { sendLiveChanges } from '../live/live-changes.js';
import { liveReaders } from '../live/live-readers.js';
import { address } from '../methods.js';
import { HAL, negotiate, negotiateJson } from '../negotiate.js';
import { queryOf, trueOrFalse, wholeNumber } from '../query.js';
import { send } from '../respond.js';

const EVENTS = 'text/event-stream';
const MAX_CHANGES = 1_000;
/** Of changes that carry their samples. */
const MAX_RECORDS = 500;
const LIVE_READERS = {
  most: { ofOne: 20, inAll: 500 },
  what: 'changes',
  instead: `ask for pages (Accept: ${NDJSON})`,
};
/** Of a live reader, at a time. */
const LIVE_PAGE = 200;

export function changeRoutes(
  context: HttpContext,
  { feed, stopping }: { feed: Pick<SampleFeed, 'page'>; stopping: AbortSignal },
): Router {
  const inPlace = liveReaders(LIVE_READERS);
  const router = Router();
  address(router, '/', {
    get: async (request, response) => {
      const type = negotiate(request.headers.accept, [NDJSON, EVENTS, 'application/json', HAL]);
      const reader = await context.caller(request);
      const query = queryOf(request);
      const records = trueOrFalse(query, 'records', false);
      const network = networkOf(request.ip ?? '');
      const size = wholeNumber(query, 'size', { min: 1, max: records ? MAX_RECORDS : MAX_CHANGES, default: 200 });
      const after = query.get('after') || undefined;
      if (type === EVENTS) {
        return inPlace(request, reader, () =>
          sendLiveChanges(request, response, request.get('Last-Event-ID') || after, {
            // Asked again for each page: a token that is revoked ends what it has opened.
            page: (from) =>
              context.inPlace(request, async () =>
                feed.page({ after: from, size: LIVE_PAGE, records, network }, await context.caller(request)),
              ),
            stopping,
          }),
        );
      }
      const page = await context.inPlace(request, () => feed.page({ after, size, records, network }, reader));
      const next = nextOf(request, context, { size, records }, page);
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Changes-Cursor', page.cursor);
      response.setHeader('Changes-More', String(page.more));
      response.setHeader('Link', `<${next}>; rel="next"`);
      if (type === NDJSON) {
        const lines = page.changes.map((change) => `${JSON.stringify(change)}\n`).join('');
        send(request, response, 200, NDJSON, lines);
      } else {
        const body = { changes: page.changes, cursor: page.cursor, more: page.more, _links: { next: { href: next } } };
        send(request, response, 200, negotiateJson(request.headers.accept, 'application/json'), JSON.stringify(body));
      }
    },
  });
  return router;
}

function nextOf(
  request: Request,
  context: HttpContext,
  { size, records }: { size: number; records: boolean },
  { cursor }: ChangePage,
): string {
  return `${context.publicUrl(request)}/changes?after=${cursor}&size=${size}${records ? '&records=true' : ''}`;
}
