/** Changes as server-sent events: what there is after the reader's place, then each as it comes, until it leaves. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangePage } from '../../registry/changes/sample-feed.js';
import { whenGone, writeEvents } from './events.js';

const LOOK_EVERY_MS = 1_000;

/**
 * Events are named by the type of the change and carry its cursor as their id: a reader that comes back with
 * `Last-Event-ID` goes on behind it. A reader that is too slow waits for itself alone: no page is read before the one
 * before was taken. `page` rejects for a place that is not there, before anything is written.
 */
export async function sendLiveChanges(
  request: IncomingMessage,
  response: ServerResponse,
  after: string | undefined,
  { page, stopping }: { page: (after: string | undefined) => Promise<ChangePage>; stopping: AbortSignal },
): Promise<void> {
  const gone = whenGone(response, stopping);
  let next = await page(after);
  await writeEvents(request, response, gone, async function* () {
    for (;;) {
      for (const change of next.changes) yield { id: change.cursor, name: change.type, data: change };
      if (!next.more) await delay(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => {});
      if (gone.aborted) return;
      next = await page(next.cursor);
    }
  });
}
